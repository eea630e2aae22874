// Where strands stand beside an operator or a frame: where they stood before, as far as frames allow it.
// Internal to the layout.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/circuit/layout/sheet.h"

namespace blockscope::circuit {

// The places of the last column of a sheet. Terms say which strands are inside which frames; how they stand
// there is free, and every strand that need not move crosses nothing.
class Positions {
public:
    explicit Positions(const Sheet& sheet);

    // `above` and `below` anew, beside something that these strands run into.
    std::pair<SheetEntries, SheetEntries> beside(const SheetEntries& above, const std::vector<int>& into,
                                                 const SheetEntries& below) const;
    // The strands as they stood; new ones after those that they follow here.
    std::vector<int> in_order(const std::vector<int>& strands) const;

private:
    std::optional<double> place(int strand) const;
    double middle(const std::vector<int>& strands) const;

    const Sheet& sheet_;
    std::map<int, double> strands_;
    std::map<int, double> tops_;  // of frames that are open
};

}  // namespace blockscope::circuit
