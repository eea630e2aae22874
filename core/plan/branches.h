// Branches of a graph that are alike: the experts of a mixture, heads that are written one by one. Whatever
// is known of one of them holds of the others, so a search keeps what it knows for all at once.
//
//     gate -> expert 0 -> sum        two branches; a remainder without expert 1 is worth what one without
//     gate -> expert 1 -> sum        expert 0 is
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "core/plan/problem.h"

namespace blockscope::plan {

// Exchanging two branches of a group changes nothing but names: their nodes are alike one by one, and have
// the same neighbours outside.
struct BranchGroup {
    std::vector<FusionGroup> branches;  // nodes in corresponding order
};

// Branches that change places, by group and branch; all others stay.
using Exchange = std::map<std::pair<int, int>, int>;
// The exchange that undoes it.
Exchange inverse(const Exchange& exchange);

class Branches {
public:
    Branches() = default;
    // Of nodes that are alike (Problem::alike). None where that is not said. Ends with Stopped while the
    // problem's sign is up.
    explicit Branches(const Problem& problem);

    bool none() const { return groups_.empty(); }
    const std::vector<BranchGroup>& groups() const { return groups_; }

    // Nodes of a set, exchanged, ascending.
    FusionGroup exchanged(const FusionGroup& nodes, const Exchange& exchange) const;

    struct At {
        int group = -1, branch = -1, position = -1;  // -1: of no branch
    };
    const At& at(int node) const { return at_[slot(node)]; }

private:
    std::vector<BranchGroup> groups_;
    std::vector<At> at_;  // by node
};

// Branches around the sources of a remainder: those that have the same of the sources may still change
// places. Without sources all of a group may. The branches have to outlive it.
class LikeBranches {
public:
    explicit LikeBranches(const Branches& branches, const FusionGroup& sources = {});

    // Brings what branches have of `nodes` into a fixed order: sets that differ by an exchange become equal.
    Exchange in_order(const FusionGroup& nodes) const;
    // Of nodes that correspond to each other in branches of which the kernel has nothing, one.
    FusionGroup one_of_each(const FusionGroup& nodes, const FusionGroup& kernel) const;

private:
    static constexpr int kWithoutSources = -1;
    int class_of(int group, int branch) const;
    std::vector<int> first_of(int group, int which, std::size_t count) const;

    const Branches& branches_;
    std::map<std::pair<int, int>, int> class_of_;  // of branches that have some of the sources
    std::vector<std::vector<int>> members_;        // by class, ascending; of one group each
};

}  // namespace blockscope::plan
