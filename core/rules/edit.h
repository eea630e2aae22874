// Editing one level: collects replacements, removals and insertions, and gives the new graph.
#pragma once

#include <map>
#include <utility>
#include <vector>

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
    Node& edited(int position);

    const GraphIndex& index_;
    std::map<int, Node> edited_;  // by position
    std::map<int, std::vector<NodePtr>> before_;
    std::map<int, std::vector<NodePtr>> after_;
    std::vector<NodeId> removed_;
    std::vector<Lineage> made_;
};

// A copy of an inner graph with fresh ids at all levels, each made from its original.
GraphPtr copy_fresh(const GraphPtr& body, IdSource& ids, std::vector<Lineage>& made);

// `ref` read through `outer`, which stands for the value that `ref` names: leading indices add up.
inline ValueRef through(ValueRef outer, const ValueRef& ref) {
    outer.first = static_cast<std::uint16_t>(outer.first + ref.first);
    return outer;
}

}  // namespace blockscope
