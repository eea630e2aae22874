#include "tests/proof/exponentials.h"

#include <algorithm>
#include <map>

namespace blockscope {

namespace {

int depth_of(const Expr& expr, const std::vector<int>& inputs) {
    if (const Arg* arg = std::get_if<Arg>(&expr.value))
        return inputs.at(static_cast<std::size_t>(arg->index));
    const Call* call = std::get_if<Call>(&expr.value);
    if (!call) return 0;
    int depth = 0;
    for (const ExprPtr& argument : call->args) depth = std::max(depth, depth_of(*argument, inputs));
    return depth + (call->fn == Fn::Exp);
}

class Depths {
public:
    explicit Depths(int& deepest) : deepest_(deepest) {}

    // By output, for the given depths of the inputs.
    std::vector<int> of(const Graph& graph, const std::vector<int>& inputs) {
        std::map<ValueRef, int> depths;
        std::vector<int> outputs;
        std::size_t next_input = 0;
        for (const NodePtr& node : graph.nodes()) {
            std::vector<int> in;
            for (const ValueRef& ref : node->inputs) in.push_back(depths.at({ref.node, ref.port}));
            if (node->is<Input>()) in.push_back(next_input < inputs.size() ? inputs[next_input++] : 0);
            if (node->is<Output>()) outputs.push_back(in.at(0));
            const std::vector<int> out = of(*node, in);
            for (std::size_t port = 0; port < out.size(); ++port) {
                depths[{node->id, static_cast<std::uint16_t>(port)}] = out[port];
                deepest_ = std::max(deepest_, out[port]);
            }
        }
        return outputs;
    }

private:
    std::vector<int> of(const Node& node, const std::vector<int>& in) {
        if (const Map* map = node.as<Map>()) return of(*map->body, in);
        int depth = in.empty() ? 0 : *std::max_element(in.begin(), in.end());
        if (const Elementwise* elementwise = node.as<Elementwise>()) depth = depth_of(*elementwise->expr, in);
        return std::vector<int>(node.outputs.size(), depth);
    }

    int& deepest_;
};

}  // namespace

int nested_exponentials(const BlockProgram& program) {
    int deepest = 0;
    Depths(deepest).of(*program.graph, {});
    return deepest;
}

}  // namespace blockscope
