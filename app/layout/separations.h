// Positions along one axis that keep apart: x[to] >= x[from] + gap. The solutions of such constraints are
// closed under minimum, maximum and shifting, which is what lets a picture move towards a better one by
// bounded steps.
#pragma once

#include <vector>

namespace blockscope {

struct Separation {
    int from = 0, to = 0;
    double gap = 0;
};

class Separations {
public:
    explicit Separations(int variables) : into_(static_cast<std::size_t>(variables)), out_of_(into_.size()) {}

    int size() const { return static_cast<int>(into_.size()); }
    void add(int from, int to, double gap);
    // To be called after the last add(). Throws InternalError if the constraints form a cycle.
    void finish();

    // The solution with the smallest values that are at least `lower`.
    std::vector<double> least(std::vector<double> lower) const;
    // The solution with the largest values that are at most `upper`.
    std::vector<double> greatest(std::vector<double> upper) const;

    enum class Measure { Median, Mean };
    // A solution close to `wish`: what is too close moves together, about the weighted median (few move, far)
    // or mean (all move, a little) of what its members wish. Weights are positive.
    std::vector<double> nearest(const std::vector<double>& wish, const std::vector<double>& weight,
                                Measure measure) const;

    const std::vector<Separation>& into(int variable) const {
        return into_[static_cast<std::size_t>(variable)];
    }
    const std::vector<Separation>& out_of(int variable) const {
        return out_of_[static_cast<std::size_t>(variable)];
    }

private:
    std::vector<std::vector<Separation>> into_, out_of_;
    std::vector<int> order_;
};

// Which boxes of a container see each other.

// An extent across the scanned axis, and the place along it.
struct Strip {
    double low = 0, high = 0;  // across
    double place = 0;          // along
};

// Pairs (smaller place first) of strips that overlap across with nothing between them. Separating these pairs
// separates all that overlap. Strips at the same place are in the order of their indices.
std::vector<std::pair<int, int>> neighbours(const std::vector<Strip>& strips);

// Bounded steps from where things are to where they would be tidy.

// One axis of a picture; vectors by variable.
struct Axis {
    std::vector<double> wish;    // where things are, or should appear
    std::vector<double> weight;  // of staying there
    std::vector<double> most;    // the farthest to move for tidiness; infinity for what may go anywhere
};

// A solution of `separations` between the one closest to the wishes and `tidy` (another solution; shifted as
// a whole so that most stays). What must make room moves as far as it must.
std::vector<double> approach(const Separations& separations, const Axis& axis, std::vector<double> tidy);

// `value` on the grid of whole pixels, such that whole gaps stay.
double snapped(double value);

// ---- Children of one container side by side, tidily: edges straight where they can be, what is connected
// close together.

// An edge that would be straight if a's place + from were b's place + to.
struct Link {
    int a = 0, b = 0;
    double from = 0, to = 0;
    int priority = 0;  // smaller ones become straight first
};

// Places that satisfy `separations`, which has been finished; `start` gives where to begin and what has no
// links stays.
std::vector<double> align(const Separations& separations, std::vector<Link> links,
                          const std::vector<double>& start);

}  // namespace blockscope
