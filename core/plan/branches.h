// Branches of a graph that are alike: the experts of a mixture, heads that are written one by one. Whatever
// is known of one of them holds of the others, so a search keeps what it knows for all at once.
//
//     gate -> expert 0 -> sum        two branches; a remainder without expert 1 is worth what one without
//     gate -> expert 1 -> sum        expert 0 is
#pragma once

#include <string>
#include <vector>

#include "core/plan/problem.h"

namespace blockscope::plan {

// Exchanging two branches of a group changes nothing but names: their nodes are alike one by one, and have
// the same neighbours outside.
struct BranchGroup {
    std::vector<FusionGroup> branches;  // nodes in corresponding order
};

class Branches {
public:
    Branches() = default;
    // Of nodes that are alike (Problem::alike). None where that is not said. Ends with Stopped while the
    // problem's sign is up.
    explicit Branches(const Problem& problem);

    bool none() const { return groups_.empty(); }
    const std::vector<BranchGroup>& groups() const { return groups_; }

    // By node: the one that it becomes when branches are exchanged so that what they have of `nodes` is in a
    // fixed order. Equal for sets that differ by an exchange.
    std::vector<int> exchange(const FusionGroup& nodes) const;
    // The same of `nodes` inside a remainder whose sources are these, which stay where they are.
    std::vector<int> exchange(const FusionGroup& nodes, const FusionGroup& sources) const;

private:
    struct At {
        int group = -1, branch = -1, position = -1;
    };
    std::vector<BranchGroup> groups_;
    std::vector<At> at_;  // by node
};

// Nodes of a set, exchanged, ascending.
FusionGroup exchanged(const FusionGroup& nodes, const std::vector<int>& exchange);
// The exchange that undoes it.
std::vector<int> inverse(const std::vector<int>& exchange);

}  // namespace blockscope::plan
