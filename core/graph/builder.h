// Builds graphs that are right by construction: every call checks its operands' types and throws
// InternalError with a sentence if they do not fit (input from outside is checked before).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.h"

namespace blockscope {

class Builder {
public:
    Builder(const DimTable& dims, IdSource& ids) : dims_(dims), ids_(ids) {}

    ValueRef input(const Type& type, Input input = {});
    NodeId output(ValueRef value, std::string name = {});
    ValueRef functional(FunctionalOp op, std::vector<ValueRef> inputs);
    ValueRef elementwise(ExprPtr expr, std::vector<ValueRef> inputs);
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
