// The search for the next match of one level, without looking again where nothing can have changed.
#pragma once

#include <optional>
#include <vector>

#include "core/fusion/trace.h"

namespace blockscope {

// Finds what the chain `rule8_match(G) or rule4_match(G) or ...` of section 4.1 finds: the first
// rule in that order that matches anywhere, at its first place in the graph's order.
//
// Whether a rule matches at a node depends on the node, its producers, its consumers and their
// other producers and consumers, and on the absence of indirect paths; no rewrite removes a path
// between nodes that it leaves alone. So after a rewrite only nodes near changed ones are tried again.
class Candidates {
public:
    std::optional<Match> first(const Level& level, const std::vector<NodeId>& path);
    // The level that first() saw last, and what has become of it.
    void changed(const GraphIndex& before, const GraphIndex& after);

private:
    void retry_around(const GraphIndex& index, const Node& node);

    std::vector<std::uint8_t> tried_;  // by position, a bit per rule: no match there
};

}  // namespace blockscope
