// A block program graph: one level of the hierarchy. A value whose nodes are immutable and stand in a list
// that shares its parts with the lists it was made from: a rewrite copies what it touches and shares all
// else.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/graph/node_list.h"

namespace blockscope {

class Graph {
public:
    Graph() = default;
    // `nodes` in a topological order (every node after the producers of its inputs); that order is
    // the order of execution and of everything printed.
    explicit Graph(NodeList nodes) : nodes_(std::move(nodes)) {}

    const NodeList& nodes() const { return nodes_; }

    // Input and Output nodes in port order, which is their order in nodes().
    std::vector<NodePtr> inputs() const;
    std::vector<NodePtr> outputs() const;

    // Null if there is no such node at this level. As NodeList::position; use GraphIndex for many look-ups.
    const Node* find(NodeId id) const;

private:
    NodeList nodes_;
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

struct ListDifference;  // of two levels: core/graph/node_list.h

// Positions and consumers of one graph level, for matching and editing. Refers to `graph`, which
// must outlive it.
//
// In a new index a node's position is its place in graph().nodes(). A rewrite need not make a new one:
// update() takes an index over to the next state in time for what changed. Nodes then keep their positions,
// new nodes get new ones, and before() and place() say where they stand.
class GraphIndex {
public:
    struct Use {
        int node;  // position of the consumer
        int port;  // index in its inputs
        bool operator==(const Use&) const = default;
    };

    explicit GraphIndex(const Graph& graph);
    // `difference` is that of graph() and `after`, whose index this becomes.
    void update(const Graph& after, const ListDifference& difference);

    const Graph& graph() const { return *graph_; }
    // One past the highest position; those of nodes that updates removed are not used again.
    int size() const { return static_cast<int>(nodes_.size()); }
    bool holds(int position) const { return nodes_[static_cast<std::size_t>(position)] != nullptr; }
    const Node& node(int position) const { return *nodes_[static_cast<std::size_t>(position)]; }
    // Position of `id`, or -1.
    int position(NodeId id) const;
    const Node* find(NodeId id) const;
    // Whether the node at position `a` stands before that at `b`.
    bool before(int a, int b) const { return label(a) < label(b); }
    // Grows with the place of a node; an update gives other nodes new labels only if it counts relabelled()
    // up.
    std::uint64_t label(int position) const {
        return labels_.empty() ? (static_cast<std::uint64_t>(position) + 1) * kRoom
                               : labels_[static_cast<std::size_t>(position)];
    }
    int relabelled() const { return relabelled_; }
    // Whether an update removed a node and left one that reads it: a broken rewrite.
    bool dangling() const { return dangling_; }
    // The node's place in graph().nodes(). Logarithmic.
    std::size_t place(int position) const;

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
    // Those of them by the node at `consumer`.
    UseRange uses_by(int position, int consumer) const;
    // Uses of one output only.
    std::vector<Use> uses_of(int position, int port) const;
    // Whether a path of two or more edges leads from `from` to `to` (an indirect path).
    bool indirect_path(int from, int to) const;
    // Whether any path leads from `from` to `to`.
    bool reaches(int from, int to) const;

private:
    static constexpr std::uint64_t kRoom = std::uint64_t{1}
                                           << 40;  // between the labels of neighbours, at first

    std::vector<Use>& changing_uses(int position);
    void take_uses(int position, const Node& node);
    void drop_uses(int position, const Node& node);
    int position_of_any(NodeId id) const;
    void come(const Node& node, std::uint64_t low, std::uint64_t high);
    void relabel();
    bool path(int from, int to, bool direct_counts) const;

    const Graph* graph_;
    std::vector<const Node*> nodes_;  // by position, null where an update removed one
    std::uint32_t lowest_ = 0;
    std::vector<int> position_;                          // by id - lowest_, if ids lie close together
    std::vector<std::pair<std::uint32_t, int>> sorted_;  // else: id and position, by id
    std::vector<int> first_use_;                         // by position, size + 1 entries
    std::vector<Use> uses_;
    // What updates added:
    std::vector<std::uint64_t> labels_;  // by position, empty before the first update
    bool crowded_ = false;               // some label found no room between its neighbours'
    bool dangling_ = false;
    int relabelled_ = 0;
    std::unordered_map<std::uint32_t, int> new_positions_;  // by id
    std::vector<int> changed_;                    // by position: an entry of changed_uses_ that holds, or -1
    std::vector<std::vector<Use>> changed_uses_;  // instead of those in uses_
};

// The type that an edge carries: the value's type without its `first` leading dimensions.
Type edge_type(const Node& producer, const ValueRef& ref);

// Whether the edge into input `port` of `consumer` goes through global memory: a list, or incident
// with a program input or output (`top_level`), or the element-0 edge of a collected output.
bool is_buffered(const Node& producer, const Node& consumer, int port, bool top_level);

// Buffered edges at all levels of the program, as the paper draws them: an edge that goes on through
// the ports of maps counts once, where it begins (or, coming out of maps, where it ends).
int buffered_edges(const BlockProgram& program);
// Those of one level and of what lies inside it.
int buffered_edges(const Graph& level, bool top_level);
// Nodes at all levels.
int node_count(const BlockProgram& program);
// What its operators need of the blocks of its dimensions.
BlockNeeds block_needs(const BlockProgram& program);

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
// list order as soon as all their producers have left. Throws InternalError on a cycle and, if `nodes` are
// the `whole` level and not a part of one, on a node that reads a value that is not there.
std::vector<NodePtr> topological(std::vector<NodePtr> nodes, bool whole = true);

// Which nodes of a level are the first iteration of a peeled map (Blockbuster section 3.2, rule 7), as the
// paper marks them: x=0 beside the map x=1:X.

// By node: the dimensions whose iteration 0 it belongs to, in the order of their ids. Nodes of other
// iterations, inputs and outputs are left out.
//
// A map that starts at 1 continues the results of iteration 0. To that iteration belongs what reads element 0
// of a list over the dimension, and on the way from there to the continued results everything; further, what
// nothing but iteration 0 uses.
std::map<NodeId, std::vector<DimId>> first_iterations(const GraphIndex& index);

// Builds graphs that are right by construction: every call checks its operands' types and throws
// InternalError with a sentence if they do not fit (input from outside is checked before).

class Builder {
public:
    Builder(const DimTable& dims, IdSource& ids) : dims_(dims), ids_(ids) {}

    ValueRef input(const Type& type, Input input = {});
    NodeId output(ValueRef value, std::string name = {});
    ValueRef functional(FunctionalOp op, std::vector<ValueRef> inputs);
    ValueRef elementwise(ExprPtr expr, std::vector<ValueRef> inputs);
    ValueRef cast(ElemType to, ValueRef input);  // the identity, to another element type
    ValueRef reduce(ReduceOp op, DimId dim, ValueRef input);
    std::vector<ValueRef> misc(std::string name, std::vector<ValueRef> inputs, std::vector<Type> outputs);
    // `body`'s ports must fit `map`; returns one reference per output. The node's id is the refs'.
    std::vector<ValueRef> map(Map map, std::vector<ValueRef> inputs);
    // Any node, outputs computed from its inputs.
    NodeId add(Kind kind, std::vector<ValueRef> inputs);
    // An existing node as it is (it keeps its id).
    void keep(NodePtr node);

    Type type(ValueRef ref) const;
    const DimTable& dims() const { return dims_; }
    IdSource& ids() { return ids_; }
    GraphPtr finish();

private:
    const Node& find(NodeId id) const;
    void push(NodePtr node);

    const DimTable& dims_;
    IdSource& ids_;
    std::vector<NodePtr> nodes_;
    bool ascending_ = true;  // whether nodes_ are in the order of their ids; keep() may change that
};

}  // namespace blockscope
