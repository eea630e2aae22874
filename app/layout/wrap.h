// A picture of one column, cut between the boxes of its top level and put side by side again. Internal to
// app/layout.
//
// An edge that leaves its column runs below it, up between the columns and along the top into the column that
// it is for. An input stands above the first column that reads it, an output below the one that makes it.
#pragma once

#include <optional>
#include <vector>

#include "app/layout/arrange.h"
#include "app/layout/shape.h"

namespace blockscope {

class Wrapper {
public:
    explicit Wrapper(const Picture& picture);

    // Rows of boxes of the top level that nothing but edges connects.
    int sections() const { return static_cast<int>(sections_.size()); }
    // The first section of each column but the first, for columns as equally high as can be.
    std::vector<int> balanced(int columns) const;
    Columns columns(const std::vector<int>& starts) const;
    // Where these columns begin here, with what a step made of their first boxes. None if nowhere.
    std::optional<std::vector<int>> starts(const Columns& columns, const std::vector<Lineage>& made) const;

    struct Plan {
        std::vector<Point> shift;       // by box of the top level
        std::map<int, Curve> rerouted;  // the edges that leave their column or whose input has moved
        Rect bounds;                    // about
    };
    Plan plan(const std::vector<int>& starts) const;
    void apply(const Plan& plan, Geometry& geometry) const;

private:
    struct Section {
        double top = 0, bottom = 0;
        std::vector<int> boxes;
    };
    void find_sections();

    const Figure& figure_;
    const Geometry& geometry_;
    std::vector<Section> sections_;
    std::vector<int> section_of_;  // by box; -1 for inputs and outputs and for boxes within others
    double inputs_top_ = 0;

    friend class Wrapping;
};

}  // namespace blockscope
