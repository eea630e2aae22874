#include "core/rules/patterns.h"

namespace blockscope {

namespace {

std::string dim_name(const Level& level, DimId dim) {
    return level.dims.at(dim.value).name;
}

// The inner input port of a map that has no continued or carried ports.
int port_of(const Map& map, NodeId input) {
    const std::vector<NodePtr> ports = map.body->inputs();
    for (std::size_t i = 0; i < ports.size(); ++i)
        if (ports[i]->id == input) return static_cast<int>(i);
    return -1;
}

bool plain_map(const Map& map) {
    return map.start == 0 && map.outputs.size() == 1 && map.outputs[0].mode == PortOut::Collected;
}

// The only node of a map's inner graph beside `ports` inputs and one output that it feeds directly.
const Node* only_inner(const Map& map, std::size_t ports) {
    const std::vector<NodePtr>& nodes = map.body->nodes();
    if (nodes.size() != ports + 2) return nullptr;
    const Node* inner = nullptr;
    const Node* output = nullptr;
    for (const NodePtr& node : nodes) {
        if (node->is<Input>()) continue;
        (node->is<Output>() ? output : inner) = node.get();
    }
    if (!inner || !output || output->inputs[0].node != inner->id) return nullptr;
    return inner;
}

}  // namespace

bool is_mapped_scale(const Node& node, FunctionalOp op, const Level& level, MappedScale& found, Why& why) {
    const auto refuse = [&](const std::string& what) {
        return fail(why, {node.id}, [&] { return describe(node, level.dims) + " " + what; });
    };
    const Map* map = node.as<Map>();
    if (!map) return refuse("is not a map");
    const Node* inner = plain_map(*map) && node.inputs.size() == 2 ? only_inner(*map, 2) : nullptr;
    const Functional* functional = inner ? inner->as<Functional>() : nullptr;
    if (!functional || functional->op != op)
        return refuse("is not a map of " + to_string(op) + " and nothing else");
    found.a_port = port_of(*map, inner->inputs[0].node);
    found.c_port = port_of(*map, inner->inputs[1].node);
    if (found.a_port < 0 || found.c_port < 0 || found.a_port == found.c_port)
        return refuse("does not take the block and the vector from its inputs");
    if (map->inputs[static_cast<std::size_t>(found.a_port)].mode != PortIn::Iterated)
        return refuse("does not iterate over the blocks");
    if (map->inputs[static_cast<std::size_t>(found.c_port)].mode != PortIn::Broadcast)
        return refuse("takes another vector in every iteration instead of one for all");
    found.a = node.inputs[static_cast<std::size_t>(found.a_port)];
    found.c = node.inputs[static_cast<std::size_t>(found.c_port)];
    return true;
}

bool is_mapped_matmul(const Node& node, const Level& level, MappedMatmul& found, Why& why) {
    const auto refuse = [&] {
        return fail(why, {node.id}, [&] {
            return describe(node, level.dims) +
                   " is not a matrix multiplication, that is, a map of { a map of dot; the sum over it }";
        });
    };
    const Map* map = node.as<Map>();
    if (!map || !plain_map(*map) || map->body->nodes().size() != 5) return refuse();
    const Node* inner = nullptr;
    const Node* sum = nullptr;
    const Node* output = nullptr;
    for (const NodePtr& n : map->body->nodes()) {
        if (n->is<Map>()) inner = n.get();
        if (n->is<Reduce>()) sum = n.get();
        if (n->is<Output>()) output = n.get();
    }
    if (!inner || !sum || !output || sum->inputs[0] != ValueRef{inner->id} ||
        output->inputs[0] != ValueRef{sum->id})
        return refuse();
    const Map& dots = *inner->as<Map>();
    const Reduce& reduce = *sum->as<Reduce>();
    const Node* dot = plain_map(dots) && inner->inputs.size() == 2 ? only_inner(dots, 2) : nullptr;
    const Functional* functional = dot ? dot->as<Functional>() : nullptr;
    if (!functional || functional->op != FunctionalOp::Dot || reduce.op != ReduceOp::Sum ||
        reduce.dim != dots.dim)
        return refuse();
    int ports[2];
    for (std::size_t i = 0; i < 2; ++i) {
        if (dots.inputs[i].mode != PortIn::Iterated || inner->inputs[i].first > 0) return refuse();
        const int in_dots = port_of(dots, dot->inputs[i].node);
        if (in_dots < 0) return refuse();
        ports[i] = port_of(*map, inner->inputs[static_cast<std::size_t>(in_dots)].node);
        if (ports[i] < 0) return refuse();
    }
    if (ports[0] == ports[1]) return refuse();
    found = {dots.dim, ports[0], ports[1]};
    return true;
}

bool takes_as_left(const Node& scale, const Node& matmul, const Level& level, MappedMatmul& found, Why& why) {
    if (!is_mapped_matmul(matmul, level, found, why)) return false;
    const auto refuse = [&](const std::string& what) {
        return fail(why, {scale.id, matmul.id}, [&] {
            return describe(matmul, level.dims) + " " + what + " " + describe(scale, level.dims);
        });
    };
    const Map& map = *matmul.as<Map>();
    const ValueRef left = matmul.inputs[static_cast<std::size_t>(found.left)];
    if (matmul.inputs[static_cast<std::size_t>(found.right)].node == scale.id)
        return refuse("takes its right operand from");
    if (left != ValueRef{scale.id}) return refuse("does not take its left operand from");
    if (map.inputs[static_cast<std::size_t>(found.left)].mode != PortIn::Broadcast)
        return refuse("iterates over, instead of taking whole, the result of");
    if (found.contraction != scale.as<Map>()->dim)
        return refuse("contracts over " + dim_name(level, found.contraction) +
                      " and not over the dimension of");
    return true;
}

}  // namespace blockscope
