#include "core/graph/builder.h"

#include <algorithm>

#include "core/graph/verify.h"
#include "core/support/result.h"

namespace blockscope {

const Node& Builder::find(NodeId id) const {
    if (ascending_) {
        const auto node = std::lower_bound(nodes_.begin(), nodes_.end(), id,
                                           [](const NodePtr& a, NodeId b) { return a->id < b; });
        if (node != nodes_.end() && (*node)->id == id) return **node;
    } else {
        for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node)
            if ((*node)->id == id) return **node;
    }
    throw InternalError("the graph under construction has no node " + to_string(id));
}

void Builder::push(NodePtr node) {
    ascending_ = ascending_ && (nodes_.empty() || nodes_.back()->id < node->id);
    nodes_.push_back(std::move(node));
}

Type Builder::type(ValueRef ref) const {
    return edge_type(find(ref.node), ref);
}

ValueRef Builder::input(const Type& type, Input input) {
    const NodeId id = ids_.fresh();
    push(std::make_shared<const Node>(Node{id, std::move(input), {}, {type}}));
    return {id};
}

NodeId Builder::output(ValueRef value, std::string name) {
    return add(Output{std::move(name)}, {value});
}

ValueRef Builder::functional(FunctionalOp op, std::vector<ValueRef> inputs) {
    return {add(Functional{op}, std::move(inputs))};
}

ValueRef Builder::elementwise(ExprPtr expr, std::vector<ValueRef> inputs) {
    return {add(Elementwise{std::move(expr)}, std::move(inputs))};
}

ValueRef Builder::reduce(ReduceOp op, DimId dim, ValueRef input) {
    return {add(Reduce{op, dim}, {input})};
}

std::vector<ValueRef> Builder::misc(std::string name, std::vector<ValueRef> inputs,
                                    std::vector<Type> outputs) {
    for (const ValueRef& ref : inputs) type(ref);
    const NodeId id = ids_.fresh();
    std::vector<ValueRef> refs;
    for (std::size_t port = 0; port < outputs.size(); ++port)
        refs.push_back({id, static_cast<std::uint16_t>(port)});
    push(
        std::make_shared<const Node>(Node{id, Misc{std::move(name)}, std::move(inputs), std::move(outputs)}));
    return refs;
}

std::vector<ValueRef> Builder::map(Map map, std::vector<ValueRef> inputs) {
    const std::size_t count = map.outputs.size();
    const NodeId id = add(std::move(map), std::move(inputs));
    std::vector<ValueRef> refs;
    for (std::size_t port = 0; port < count; ++port) refs.push_back({id, static_cast<std::uint16_t>(port)});
    return refs;
}

NodeId Builder::add(Kind kind, std::vector<ValueRef> inputs) {
    std::vector<Type> types;
    types.reserve(inputs.size());
    for (const ValueRef& ref : inputs) types.push_back(type(ref));
    TypeCheck check = check_types(kind, types, dims_);
    if (!check.error.empty()) throw InternalError(check.error.str());
    const NodeId id = ids_.fresh();
    push(
        std::make_shared<const Node>(Node{id, std::move(kind), std::move(inputs), std::move(check.outputs)}));
    return id;
}

void Builder::keep(NodePtr node) {
    push(std::move(node));
}

GraphPtr Builder::finish() {
    return std::make_shared<const Graph>(std::move(nodes_));
}

}  // namespace blockscope
