// Which operators of a state do the work of which operators of the unfused program, and how many times over.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "app/costs/state_costs.h"
#include "app/document/history.h"

namespace blockscope {

// Operators of a state and those of the unfused program that they stem from, by the lineage of the steps in
// between. Operators that share an ancestor are in one group.
struct WorkGroup {
    std::set<NodeId> now;
    std::set<NodeId> unfused;
};

class Replicated {
public:
    Replicated(const StateCosts& now, const StateCosts& unfused, const History& history, StateId state);

    // All groups that have one of the nodes, as one; nothing of nodes that compute nothing.
    WorkGroup group_of(const std::set<NodeId>& nodes) const;
    // Operations of the group as a multiple of the unfused program's; 0 if that has none.
    double ratio(const WorkGroup& group) const;

private:
    std::vector<WorkGroup> groups_;
    std::map<NodeId, std::size_t> group_;     // of operators of the state
    std::map<NodeId, double> now_, unfused_;  // operations
};
using ReplicatedPtr = std::shared_ptr<const Replicated>;

}  // namespace blockscope
