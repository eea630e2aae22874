// What remains to be built while kernels are launched one after the other: sets of nodes that hold every
// reader of their members. Such a set is given by its sources, which read nothing in it; the others are what
// a path leads to from them. So one of thousands of nodes is a few numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/plan/problem.h"

namespace blockscope::plan {

// Its sources, ascending. Weakly connected: a part, of which no kernel reaches into another.
using Remainder = std::vector<int>;

struct HashOfNodes {
    std::size_t operator()(const std::vector<int>& nodes) const;
};

class Remainders {
public:
    explicit Remainders(const Dag& dag);

    // The parts of the whole graph.
    std::vector<Remainder> whole() const;
    bool has(const Remainder& part, int node) const;
    // Ascending.
    FusionGroup nodes(const Remainder& part) const;
    // The parts of what is left without a kernel that holds all that it reads in the part.
    std::vector<Remainder> without(const Remainder& part, const FusionGroup& kernel) const;
    // The kernel with a node, and all that this reads in the part.
    FusionGroup with(const FusionGroup& kernel, int node, const Remainder& part) const;

private:
    using Bits = std::vector<std::uint64_t>;
    bool leads(int from, int to) const;
    std::optional<std::vector<int>> few_before(int node) const;
    static bool meet(const Bits& a, const Bits& b);
    std::vector<Remainder> parts(const std::vector<int>& sources) const;

    const Dag& dag_;
    std::vector<Bits> reach_;                           // by node: itself and those that a path leads to
    std::vector<std::optional<std::vector<int>>> few_;  // by node: those that lead to it, where they are few
};

}  // namespace blockscope::plan
