// Which nodes of two states of one history stand for the same thing, by the lineage of the steps between.
#pragma once

#include <map>
#include <set>

#include "app/document/history.h"
#include "core/support/stop_sign.h"

namespace blockscope {

class Ancestry {
public:
    Ancestry() = default;  // every node stands for itself
    // Ends with Stopped while `stop` is up.
    Ancestry(const History& history, StateId a, StateId b, const StopSign& stop = kNeverStop);

    // Whether both come from a common node of the last state that both states come from.
    bool related(NodeId in_a, NodeId in_b) const;
    // The nodes of that last common state which a node of state `b`, or of state `a`, stands for.
    std::set<NodeId> origins(NodeId in_b) const { return roots_of(b_, in_b); }
    std::set<NodeId> origins_in_a(NodeId in_a) const { return roots_of(a_, in_a); }

private:
    using Roots = std::map<NodeId, std::set<NodeId>>;
    static Roots roots(const History& history, StateId from, StateId to, const StopSign& stop);
    static std::set<NodeId> roots_of(const Roots& roots, NodeId node);

    Roots a_, b_;
};

}  // namespace blockscope
