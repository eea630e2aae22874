#include "core/exec/block_plan.h"

#include "core/support/result.h"

namespace blockscope {

namespace {

template <class S>
BlockExpr<S> compiled(const Elementwise& elementwise, const std::vector<Type>& inputs, const Type& output,
                      const DimTable& dims) {
    std::vector<bool> spread;
    for (const Type& type : inputs)
        spread.push_back(type.item().kind == ItemKind::Scalar && output.item().kind != ItemKind::Scalar);
    return BlockExpr<S>(*elementwise.expr, dims, std::move(spread));
}

}  // namespace

template <class S>
BlockPlan<S>::BlockPlan(const Graph& graph, const DimTable& dims) {
    std::unordered_map<std::uint32_t, std::pair<const Node*, int>> slots;  // by node id
    int next = 0;
    const auto read = [&slots](const ValueRef& ref) {
        const auto found = slots.find(ref.node.value);
        if (found == slots.end())
            throw InternalError("a node reads " + to_string(ref.node) + ", which is not before it");
        const auto& [producer, slot] = found->second;
        return Read{slot + ref.port, ref.first, edge_type(*producer, ref)};
    };
    for (const NodePtr& node : graph.nodes()) {
        std::vector<Read> reads;
        std::vector<Type> types;
        for (const ValueRef& ref : node->inputs) {
            reads.push_back(read(ref));
            types.push_back(reads.back().type);
        }
        slots[node->id.value] = {node.get(), next};
        if (node->is<Output>()) {
            outputs.push_back(reads.at(0));
        } else if (node->is<Input>()) {
            inputs.push_back(next);
        } else {
            Step step{node.get(), std::move(reads), next, {}, nullptr, {}};
            if (const auto* elementwise = node->as<Elementwise>())
                step.expr = compiled<S>(*elementwise, types, node->outputs.at(0), dims);
            if (const auto* map = node->as<Map>()) step.body = std::make_unique<BlockPlan>(*map->body, dims);
            step.args.resize(step.inputs.size());
            steps.push_back(std::move(step));
        }
        next += static_cast<int>(node->outputs.size());
    }
    frame.resize(static_cast<std::size_t>(next));
}

template struct BlockPlan<double>;
template struct BlockPlan<Exact>;

}  // namespace blockscope
