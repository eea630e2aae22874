// A block program graph: one level of the hierarchy. A value: copying copies pointers to
// immutable nodes, so that a rewrite shares everything that it does not touch.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/node.h"

namespace blockscope {

class Graph {
public:
    Graph() = default;
    // `nodes` in a topological order (every node after the producers of its inputs); that order is
    // the order of execution and of everything printed.
    explicit Graph(std::vector<NodePtr> nodes) : nodes_(std::move(nodes)) {}

    const std::vector<NodePtr>& nodes() const { return nodes_; }

    // Input and Output nodes in port order, which is their order in nodes().
    std::vector<NodePtr> inputs() const;
    std::vector<NodePtr> outputs() const;

    // Null if there is no such node at this level. Linear; use GraphIndex for many look-ups.
    const Node* find(NodeId id) const;

private:
    std::vector<NodePtr> nodes_;
};

// A whole block program: dimensions and the top-level graph. `next_id` is above every NodeId ever
// used in this program's history.
struct BlockProgram {
    DimTable dims;
    GraphPtr graph;
    std::uint32_t next_id = 1;
};

using ProgramPtr = std::shared_ptr<const BlockProgram>;

// Hands out fresh ids.
class IdSource {
public:
    explicit IdSource(std::uint32_t next) : next_(next) {}
    NodeId fresh() { return NodeId{next_++}; }
    std::uint32_t next() const { return next_; }

private:
    std::uint32_t next_;
};

// Positions and consumers of one graph level, for matching and editing. Refers to `graph`, which
// must outlive it.
class GraphIndex {
public:
    struct Use {
        int node;  // position of the consumer in nodes()
        int port;  // index in its inputs
        bool operator==(const Use&) const = default;
    };

    explicit GraphIndex(const Graph& graph);

    const Graph& graph() const { return *graph_; }
    int size() const { return static_cast<int>(graph_->nodes().size()); }
    const Node& node(int position) const { return *graph_->nodes()[static_cast<std::size_t>(position)]; }
    // Position of `id` in nodes(), or -1.
    int position(NodeId id) const;
    const Node* find(NodeId id) const;
    // All uses of all outputs of the node at `position`, in order of consumer and port.
    struct UseRange {
        const Use* first;
        const Use* last;
        const Use* begin() const { return first; }
        const Use* end() const { return last; }
        int size() const { return static_cast<int>(last - first); }
        bool empty() const { return first == last; }
    };
    UseRange uses(int position) const;
    // Uses of one output only.
    std::vector<Use> uses_of(int position, int port) const;
    // Whether a path of two or more edges leads from `from` to `to` (an indirect path).
    bool indirect_path(int from, int to) const;
    // Whether any path leads from `from` to `to`.
    bool reaches(int from, int to) const;

private:
    const Graph* graph_;
    std::uint32_t lowest_ = 0;
    std::vector<int> position_;                          // by id - lowest_, if ids lie close together
    std::vector<std::pair<std::uint32_t, int>> sorted_;  // else: id and position, by id
    std::vector<int> first_use_;                         // by position, size + 1 entries
    std::vector<Use> uses_;
};

// The type that an edge carries: the value's type without its `first` leading dimensions.
Type edge_type(const Node& producer, const ValueRef& ref);

// Whether the edge into input `port` of `consumer` goes through global memory: a list, or incident
// with a program input or output (`top_level`), or the element-0 edge of a collected output.
bool is_buffered(const Node& producer, const Node& consumer, int port, bool top_level);

// Buffered edges at all levels of the program, as the paper draws them: an edge that goes on through
// the ports of maps counts once, where it begins (or, coming out of maps, where it ends).
int buffered_edges(const BlockProgram& program);
// Nodes at all levels.
int node_count(const BlockProgram& program);

// The inner graph at `path` (ids of maps, outermost first); null if there is none.
GraphPtr graph_at(const BlockProgram& program, const std::vector<NodeId>& path);
// `program` with the inner graph at `path` replaced. Ancestors are rebuilt, everything else is
// shared. The path must exist.
BlockProgram with_graph_at(const BlockProgram& program, const std::vector<NodeId>& path, GraphPtr graph);
// The maps around `id`, outermost first; false if no such node is in the program.
bool find_path(const BlockProgram& program, NodeId id, std::vector<NodeId>& path);

// Same structure, ids included; bodies compared by pointer first.
bool identical(const Graph& a, const Graph& b);

// Restores topological order, disturbing the given order as little as possible: nodes leave in
// list order as soon as all their producers have left. Throws InternalError on a cycle.
std::vector<NodePtr> topological(std::vector<NodePtr> nodes);

}  // namespace blockscope
