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

}  // namespace blockscope
