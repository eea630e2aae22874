// Editing one level: collects replacements, removals and insertions, and gives the new graph, which shares
// with the old one all that is not edited.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "core/rules/rule.h"

namespace blockscope {

class LevelEdit {
public:
    explicit LevelEdit(const Level& level) : index_(level.index) {}

    // The node at this place is gone, or another stands there. A removed node must not be used any more.
    void remove(NodeId id);
    void replace(NodeId id, Node node);
    // New nodes directly before or after an old one's place, in call order.
    void insert_before(NodeId anchor, Node node);
    void insert_after(NodeId anchor, Node node);
    // Every old consumer of `from` (an output as it is, its `first` ignored) reads `to` instead.
    void redirect(ValueRef from, ValueRef to);
    // One input of one node reads `to` instead.
    void rewire(NodeId consumer, int port, ValueRef to);

    void made(NodeId id, std::vector<NodeId> from) { made_.push_back({id, std::move(from)}); }
    Rewrite finish();

private:
    // Nodes of the new graph in the place of one old node.
    struct Put {
        int position;  // of the old node
        std::size_t old_place;
        std::size_t place;  // of the first, in the new graph
        std::vector<NodePtr> nodes;
    };

    Node& edited(int position);
    bool stays(NodeId id) const;
    std::vector<Put> puts();
    NodeList in_order(NodeList nodes, const std::vector<Put>& puts) const;

    const GraphIndex& index_;
    std::map<int, Node> edited_;  // by position
    std::map<int, std::vector<NodePtr>> before_;
    std::map<int, std::vector<NodePtr>> after_;
    std::vector<NodeId> removed_;
    std::vector<Lineage> made_;
    std::vector<SameValue> same_;
};

// A copy of an inner graph with fresh ids at all levels, each made from its original.
GraphPtr copy_fresh(const GraphPtr& body, IdSource& ids, std::vector<Lineage>& made);

// `ref`, an element of a value that `outer` now stands for, as an element of the value that `outer` names:
// leading indices add up.
inline ValueRef composed(ValueRef outer, const ValueRef& ref) {
    outer.first = static_cast<std::uint16_t>(outer.first + ref.first);
    return outer;
}

// Small maps that rules about products put in place.

// One input of a map under construction: the value, how the map takes it, and its type outside.
struct MapOperand {
    ValueRef value;
    PortIn mode;
    Type type;
};

// The map over `dim` of this inner graph, one port for each operand, its one result collected.
Node collected_map(DimId dim, const std::vector<MapOperand>& operands, GraphPtr body, const DimTable& dims,
                   IdSource& ids);

// The map over `dim` whose every iteration is op(operands...), collected.
Node map_of(FunctionalOp op, DimId dim, const std::vector<MapOperand>& operands, const DimTable& dims,
            IdSource& ids);

// N-map { K-map { row_sum(b) }; sum over K } for a matmul's right operand b, taken as the matmul takes it.
Node row_sums(DimId dim, DimId contraction, const MapOperand& b, const DimTable& dims, IdSource& ids);

// A matmul's right operand b, taken as the matmul takes it, with its columns scaled by r, which the map over
// the contraction takes as told: N-map { K-map { col_scale(b, r) } }, or, if every iteration of the matmul
// reads the same b, K-map { col_scale(b, r) } alone.
Node scaled_columns(DimId dim, DimId contraction, const MapOperand& b, const MapOperand& r,
                    const DimTable& dims, IdSource& ids);

// Merging two maps over the same dimension into one: the common part of rules 1 and 2.

// `first` comes before `second` and no indirect path leads from one to the other. Every edge
// between them leaves a collected output and enters an iterated input. The merged map keeps an
// output of `first` only where something other than `second` uses it; inputs that are the same value taken
// in the same way become one.
Rewrite merge_maps(const Level& level, const Node& first, const Node& second, IdSource& ids);

// Whether two maps run over the same iterations.
bool same_range(const Map& a, const Map& b);

}  // namespace blockscope
