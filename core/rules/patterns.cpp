#include "core/rules/patterns.h"

#include <algorithm>

#include "core/rules/edit.h"

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
    const NodeList& nodes = map.body->nodes();
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

const Node* only_operator(const Map& map) {
    return only_inner(map, map.inputs.size());
}

bool is_mapped_with_vector(const Node& node, FunctionalOp op, const Level& level, MappedScale& found,
                           Diagnosis& diagnosis) {
    const auto refuse = [&](TextTemplate<1> sentence) {
        return fail(diagnosis, {node.id}, [&] { return Text(sentence, describe(node, level.dims)); });
    };
    const Map* map = node.as<Map>();
    if (!map) return refuse(TextTemplate<1>("%1 is not a map"));
    const Node* inner = plain_map(*map) && node.inputs.size() == 2 ? only_inner(*map, 2) : nullptr;
    const Functional* functional = inner ? inner->as<Functional>() : nullptr;
    if (!functional || functional->op != op)
        return fail(diagnosis, {node.id}, [&] {
            return Text("%1 is not a map of %2 and nothing else", describe(node, level.dims), to_string(op));
        });
    found.a_port = port_of(*map, inner->inputs[0].node);
    found.c_port = port_of(*map, inner->inputs[1].node);
    if (found.a_port < 0 || found.c_port < 0 || found.a_port == found.c_port)
        return refuse(TextTemplate<1>("%1 does not take the block and the vector from its inputs"));
    if (map->inputs[static_cast<std::size_t>(found.a_port)].mode != PortIn::Iterated)
        return refuse(TextTemplate<1>("%1 does not iterate over the blocks"));
    found.a = node.inputs[static_cast<std::size_t>(found.a_port)];
    found.c = node.inputs[static_cast<std::size_t>(found.c_port)];
    return true;
}

bool is_mapped_scale(const Node& node, FunctionalOp op, const Level& level, MappedScale& found,
                     Diagnosis& diagnosis) {
    if (!is_mapped_with_vector(node, op, level, found, diagnosis)) return false;
    if (node.as<Map>()->inputs[static_cast<std::size_t>(found.c_port)].mode == PortIn::Broadcast) return true;
    return fail(diagnosis, {node.id}, [&] {
        return Text("%1 takes another vector in every iteration instead of one for all",
                    describe(node, level.dims));
    });
}

bool is_cast(const Elementwise& node) {
    return node.to.has_value() && std::holds_alternative<Arg>(node.expr->value);
}

bool is_mapped_cast(const Node& node, const Level& level, Diagnosis& diagnosis) {
    const Map* map = node.as<Map>();
    const Node* inner = map && plain_map(*map) && node.inputs.size() == 1 ? only_inner(*map, 1) : nullptr;
    const Elementwise* cast = inner ? inner->as<Elementwise>() : nullptr;
    if (cast && is_cast(*cast) && map->inputs[0].mode == PortIn::Iterated) return true;
    return fail(diagnosis, {node.id}, [&] {
        return Text("%1 is not a map of a cast and nothing else", describe(node, level.dims));
    });
}

bool is_mapped_matmul(const Node& node, const Level& level, MappedMatmul& found, Diagnosis& diagnosis) {
    const auto refuse = [&] {
        return fail(diagnosis, {node.id}, [&] {
            return Text(
                "%1 is not a matrix multiplication, that is, a map of { a map of dot; the sum over it }",
                describe(node, level.dims));
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

bool takes_as_left(const Node& scale, const Node& matmul, const Level& level, MappedMatmul& found,
                   Diagnosis& diagnosis) {
    if (!is_mapped_matmul(matmul, level, found, diagnosis)) return false;
    const auto refuse = [&](TextTemplate<2> sentence) {
        return fail(diagnosis, {scale.id, matmul.id}, [&] {
            return Text(sentence, describe(matmul, level.dims), describe(scale, level.dims));
        });
    };
    const Map& map = *matmul.as<Map>();
    const ValueRef left = matmul.inputs[static_cast<std::size_t>(found.left)];
    if (matmul.inputs[static_cast<std::size_t>(found.right)].node == scale.id)
        return refuse(TextTemplate<2>("%1 takes its right operand from %2"));
    if (left != ValueRef{scale.id})
        return refuse(TextTemplate<2>("%1 does not take its left operand from %2"));
    if (map.inputs[static_cast<std::size_t>(found.left)].mode != PortIn::Broadcast)
        return refuse(TextTemplate<2>("%1 iterates over, instead of taking whole, the result of %2"));
    if (found.contraction != scale.as<Map>()->dim)
        return fail(diagnosis, {scale.id, matmul.id}, [&] {
            return Text("%1 contracts over %2 and not over the dimension of %3", describe(matmul, level.dims),
                        dim_name(level, found.contraction), describe(scale, level.dims));
        });
    return true;
}

bool is_scale_then_matmul(const Level& level, FunctionalOp op, const Node& scale, const Node& matmul,
                          ScaleThenMatmul& found, Diagnosis& diagnosis) {
    if (!is_mapped_scale(scale, op, level, found.scaled, diagnosis)) return false;
    if (!takes_as_left(scale, matmul, level, found.product, diagnosis)) return false;
    const int uses = level.index.uses(level.index.position(scale.id)).size();
    if (uses != 1)
        return fail(diagnosis, {scale.id}, [&] {
            return Text(
                "%1 has %2 consumers; its result is still needed by the others (rule 8 can duplicate it)",
                describe(scale, level.dims), uses);
        });
    found.scale = &scale;
    found.matmul = &matmul;
    return true;
}

void scale_matches(const Level& level, FunctionalOp op, RuleId rule, const std::string& role, int position,
                   std::vector<Match>& matches) {
    const Node& scale = level.index.node(position);
    if (!scale.is<Map>() || level.index.uses(position).size() != 1) return;
    const Node& matmul = level.index.node(level.index.uses(position).begin()->node);
    ScaleThenMatmul found;
    Diagnosis diagnosis;
    if (!is_scale_then_matmul(level, op, scale, matmul, found, diagnosis)) return;
    matches.push_back({rule, {}, {{role, scale.id}, {"matmul", matmul.id}}, scale.as<Map>()->dim});
}

std::optional<Refusal> diagnose_scale(const Level& level, FunctionalOp op, const std::vector<NodeId>& nodes) {
    return diagnose_pair(
        level, nodes, Text("a map of %1 and the matrix multiplication that takes its result", to_string(op)),
        [&](int scale, int matmul, Diagnosis& diagnosis) {
            ScaleThenMatmul found;
            return is_scale_then_matmul(level, op, level.index.node(scale), level.index.node(matmul), found,
                                        diagnosis);
        });
}

MapOperand operand(const Level& level, const Node& node, int port) {
    const auto at = static_cast<std::size_t>(port);
    const ValueRef& ref = node.inputs[at];
    return {ref, node.as<Map>()->inputs[at].mode, edge_type(*level.index.find(ref.node), ref)};
}

namespace {

// One inner map of V over the dimension of U that iterates over a value that V takes whole: that value.
std::vector<ValueRef> values_of_inner_maps(const Node& v, const Map& u) {
    std::vector<ValueRef> values;
    const Map& map = *v.as<Map>();
    std::vector<std::pair<NodeId, ValueRef>> whole;  // inner port -> outer value
    const std::vector<NodePtr> ports = map.body->inputs();
    std::size_t port = 0;
    for (std::size_t i = 0; i < v.inputs.size(); ++i) {
        if (map.inputs[i].mode == PortIn::Continued) continue;
        if (map.inputs[i].mode == PortIn::Broadcast) whole.emplace_back(ports[port]->id, v.inputs[i]);
        ++port;
    }
    for (const NodePtr& inner : map.body->nodes()) {
        const Map* y = inner->as<Map>();
        if (!y || !same_range(*y, u)) continue;
        for (std::size_t i = 0; i < inner->inputs.size(); ++i) {
            if (y->inputs[i].mode != PortIn::Iterated || inner->inputs[i].first > 0) continue;
            for (const auto& [id, value] : whole)
                if (id == inner->inputs[i].node) values.push_back(value);
        }
    }
    return values;
}

bool iterates_over(const Node& map, const ValueRef& value) {
    for (std::size_t i = 0; i < map.inputs.size(); ++i)
        if (map.inputs[i] == value && map.as<Map>()->inputs[i].mode == PortIn::Iterated) return true;
    return false;
}

bool is_case(const Level& level, char variant, const Node& u, const ValueRef& value) {
    if (variant == 'a')
        return value.node == u.id && value.first == 0 &&
               u.as<Map>()->outputs[value.port].mode == PortOut::Collected;
    if (value.node == u.id || !iterates_over(u, value)) return false;
    return level.index.find(value.node)->is<Input>() == (variant == 'b');
}

// What no map of dimension %1 directly inside of %2 does with regard to %3.
TextTemplate<3> missing(char variant) {
    if (variant == 'a')
        return TextTemplate<3>("no %1-map directly inside %2 iterates over the whole result of %3");
    if (variant == 'b')
        return TextTemplate<3>("no %1-map directly inside %2 iterates over the same graph input as %3");
    return TextTemplate<3>("no %1-map directly inside %2 iterates over the same intermediate value as %3");
}

}  // namespace

bool has_inner_map_case(const Level& level, char variant, int v, int u, Diagnosis& diagnosis) {
    const Node& inner = level.index.node(v);
    const Node& outer = level.index.node(u);
    const auto name = [&](const Node& node) { return describe(node, level.dims); };
    const Map* map = outer.as<Map>();
    if (!map || u == v)
        return fail(diagnosis, {outer.id}, [&] { return Text("%1 is not another map", name(outer)); });
    const std::vector<ValueRef> values = values_of_inner_maps(inner, *map);
    const auto fits = [&](const ValueRef& value) { return is_case(level, variant, outer, value); };
    if (std::none_of(values.begin(), values.end(), fits))
        return fail(diagnosis, {inner.id, outer.id}, [&] {
            return Text(missing(variant), level.dims.at(map->dim.value).name, name(inner), name(outer));
        });
    if (level.index.reaches(v, u))
        return fail(diagnosis, {outer.id},
                    [&] { return Text("%1 needs the result of %2", name(outer), name(inner)); });
    return true;
}

std::vector<int> outer_maps(const Level& level, char variant, int v) {
    std::vector<int> candidates;
    const Node& node = level.index.node(v);
    for (const ValueRef& ref : node.inputs) {
        const int producer = level.index.position(ref.node);
        if (variant == 'a') {
            candidates.push_back(producer);
            continue;
        }
        for (const GraphIndex::Use& use : level.index.uses(producer)) candidates.push_back(use.node);
    }
    std::sort(candidates.begin(), candidates.end(), [&](int a, int b) { return level.index.before(a, b); });
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::vector<int> found;
    Diagnosis diagnosis;
    for (const int u : candidates) {
        level.stop.check();
        if (u != v && has_inner_map_case(level, variant, v, u, diagnosis)) found.push_back(u);
    }
    return found;
}

std::optional<Refusal> diagnose_inner_map_case(const Level& level, char variant,
                                               const std::vector<NodeId>& nodes, const Text& needs,
                                               bool (*fits)(const Level&, int, Diagnosis&)) {
    Selection selection = select(level, nodes, 1, 2, needs);
    if (selection.refusal) return selection.refusal;
    std::vector<int>& selected = selection.positions;
    std::reverse(selected.begin(), selected.end());  // V is usually the later one: its reason counts
    std::optional<Refusal> reason;
    for (const int v : selected) {
        Diagnosis diagnosis{true, {}};
        if (fits(level, v, diagnosis)) {
            const Node& node = level.index.node(v);
            if (selected.size() == 1 && !outer_maps(level, variant, v).empty()) return std::nullopt;
            if (selected.size() == 1)
                return Refusal{
                    Text("no other map could fuse with a map inside %1", describe(node, level.dims)),
                    {node.id}};
            if (has_inner_map_case(level, variant, v, selected[0] == v ? selected[1] : selected[0],
                                   diagnosis))
                return std::nullopt;
        }
        if (!reason) reason = diagnosis.refusal;
    }
    return reason;
}

Text inner_map_case_text(char variant) {
    if (variant == 'a') return Text("its inner map iterates over what the outer map makes");
    if (variant == 'b') return Text("its inner map and the outer map iterate over the same input");
    return Text("its inner map and the outer map iterate over the same value");
}

}  // namespace blockscope
