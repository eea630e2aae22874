// Compares two versions of one level by the nodes that they share: which were kept, which are new, which are
// gone. A check of a rewrite then looks at what is new, not at the whole level.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "core/graph/graph.h"

namespace blockscope {

// The level `after` told in terms of its origins. Found from the pieces that the lists share (NodeList), in
// time for what they do not share.
struct ListDifference {
    // A level that was there before. If an index of it is given, nodes are looked up there.
    struct Origin {
        const NodeList* nodes = nullptr;
        const GraphIndex* index = nullptr;

        std::optional<std::size_t> place(NodeId id) const;
    };
    // Nodes of one origin that stand in `after` side by side, too. All that is kept of an origin stands in
    // the origin's order, no node twice: what was moved past more than itself counts as gone and come again.
    struct Kept {
        std::size_t origin;
        std::size_t before;  // place of the first in the origin
        std::size_t after;   // ... and in `after`
        std::size_t size;
    };
    // Any other node of `after`.
    struct Come {
        std::size_t place;          // in `after`
        const Node* old = nullptr;  // the node with its id that went from an origin, if there is one
        std::size_t origin = 0;     // that origin,
        std::size_t before = 0;     // and the place there
    };
    std::vector<Origin> origins;  // their indices are only used while the difference is made
    std::vector<Kept> kept;       // by place in `after`
    std::vector<Come> come;       // by place

    // Whether a node of the origin, as it was or changed, is in `after`.
    bool uses(std::size_t origin) const;
    // Places of the nodes of one origin that `after` does not have, ascending.
    std::vector<std::size_t> gone(std::size_t origin) const;
};

ListDifference difference(std::vector<ListDifference::Origin> origins, const NodeList& after);

// What a rewrite did to one level and to the inner graphs of its maps, found out from the states before and
// after, and whether what it touched is right. All in time for what the two states do not share.

class LevelChange {
public:
    // `before` is the index of the level as it was, in a valid program; `after` is the level that took its
    // place.
    LevelChange(const GraphIndex& before, const Graph& after, bool top_level);

    // The difference of the two levels: what GraphIndex::update takes.
    const ListDifference& level() const { return parts_.front().difference; }

    // Whether the level is valid again, and with it the program, and has the inputs and outputs that it had,
    // of the same types: true only if that is so. Looks at every node that came, at its producers and
    // readers, and at the readers of what went. It does not judge changes of an unusual kind: false means
    // that verify() has to. `index` is that of the level now; ids below `old_ids` were in use before.
    bool is_surely_valid(const GraphIndex& index, const BlockProgram& after, std::uint32_t old_ids) const;

    // By how many the rewrite changed the count of buffered_edges, if it is surely valid. `index` is that of
    // the level now.
    int buffered_edges(const GraphIndex& index) const;

private:
    // The level, or an inner graph that the state before does not have as it is.
    struct Part {
        const NodeList* nodes;
        ListDifference difference;
        bool inner;
        std::size_t own_origins;  // the origins after these are graphs around it
    };
    struct Check;

    void compare_inner_graphs(const GraphIndex& before, std::size_t part);
    bool keeps_each_node_once() const;
    bool took_from_level() const;
    bool keeps_ports(const GraphIndex& index) const;
    int edges_gone_with(const Node& node) const;

    bool top_level_;
    const NodeList* level_before_;
    std::deque<Part> parts_;  // the level first
    int edges_gone_ = 0;      // buffered edges into nodes that went from the level
    std::vector<std::pair<const Node*, Type>> read_before_;  // by outputs that went: what type they read
};

}  // namespace blockscope
