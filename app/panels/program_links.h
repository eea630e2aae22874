// Where each node of a program is, and which names at different levels mean one value.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "app/document/document.h"

namespace blockscope {

class ProgramLinks {
public:
    ProgramLinks() = default;
    explicit ProgramLinks(ProgramPtr program);

    const BlockProgram* program() const { return program_.get(); }
    const Node* find(NodeId id) const;
    // The map whose body holds the node; none at the top level.
    NodeId parent(NodeId id) const;
    // The maps around the node, outermost first.
    std::vector<NodeId> path(NodeId id) const;

    // The output of the operator or program input that makes the value, through all ports of maps.
    ValueRef origin(const ValueRef& value) const;
    // Some consumer of the value at its own level.
    NodeId user(const ValueRef& value) const;

    // What to light for a line that shows `node` and, if it is a load or store, moves `value`.
    Spot spot(NodeId node, const std::optional<ValueRef>& value) const;
    // The values that `spot` means: its edge's, and those of program inputs, outputs and ports among its
    // nodes.
    std::vector<ValueRef> origins(const Spot& spot) const;

private:
    void add_level(const Graph& graph, const Node* map);

    ProgramPtr program_;
    struct Where {
        NodePtr node;
        NodeId parent;
    };
    std::unordered_map<std::uint32_t, Where> nodes_;
    std::map<ValueRef, ValueRef> through_;  // from a port to what it passes on
    std::map<ValueRef, NodeId> users_;
};

}  // namespace blockscope
