// The differences between two states of one history. Nodes correspond by the steps that they come from, not
// by their appearance. Needs no Qt.
#pragma once

#include <map>
#include <vector>

#include "app/document/history.h"

namespace blockscope {

// Which nodes of two states correspond: those that come from the same nodes of the states' last common
// ancestor. A node that no step on either way has changed corresponds to itself.
struct Correspondence {
    std::map<NodeId, std::vector<NodeId>> forward;   // every node of `a`; without counterparts in `b`: empty
    std::map<NodeId, std::vector<NodeId>> backward;  // every node of `b`
};
Correspondence correspond(const History& history, StateId a, StateId b);

struct Difference {
    enum class Kind : std::uint8_t {
        Removed,  // it has no counterpart in `b`
        Added,    // it has no counterpart in `a`
        Moved,    // the same operator inside another map, or at another level
        Changed,  // another kind or other inputs; also several merged into one, or one split into several
    } kind = Kind::Changed;
    std::vector<NodeId> before;  // in `a`
    std::vector<NodeId> after;   // in `b`
    bool operator==(const Difference&) const = default;
};

// In the order of execution: removed and what has counterparts as in `a`, added as in `b`. The ports of inner
// graphs are no nodes of their own here: a map whose ports differ is changed.
std::vector<Difference> diff_states(const History& history, StateId a, StateId b);

struct DiffCounts {
    int removed = 0, added = 0, moved = 0, changed = 0;
    bool operator==(const DiffCounts&) const = default;
    int total() const { return removed + added + moved + changed; }
};
DiffCounts count(const std::vector<Difference>& differences);

}  // namespace blockscope
