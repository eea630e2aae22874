#include "core/safety/maps.h"

#include "core/safety/map_rewrite.h"

namespace blockscope::safety {

namespace {

// Sums of lists: the exponents' maximum first, then the rescaled lists are summed as before.
void reduce_lists(Level& level, const NodePtr& node, const Value& value, const Exponent& varying,
                  Exponent exponent) {
    const Type list = level.type(value.ref);
    const std::uint8_t all = all_dims(list.rank());
    const auto exponents = [&](Level& inner, const std::vector<ValueRef>& items) {
        return inner.elementwise(linear(varying), items);
    };
    const bool ready = varying.size() == 1 && varying[0].factor == 1 && varying[0].dims == all;
    const ValueRef t =
        ready ? level.ref(varying[0].symbol) : level.for_items(list, level.spread(varying), exponents);
    const ValueRef z = level.add(Reduce{ReduceOp::Max, node->as<Reduce>()->dim}, {t});
    const auto rescale = [](Level& inner, const std::vector<ValueRef>& items) {
        const ExprPtr ratio = call(Fn::Exp, call(Fn::Sub, arg(0), arg(1)));
        return inner.scaled(items[0], inner.elementwise(ratio, {items[1], items[2]}));
    };
    const ValueRef rescaled = level.for_items(
        list, {{value.ref, all}, {t, all}, {z, static_cast<std::uint8_t>(all & ~1U)}}, rescale);
    level.keep(node, {rescaled});
    exponent = exponent + Exponent{{level.symbol(z), all_dims(list.rank() - 1), 1}};
    level.set({node->id}, {{node->id}, std::move(exponent)});
}

// A sum of items becomes a map whose output is that sum, and is then rescaled as maps' sums are.
void reduce_items(Level& level, const NodePtr& node, const Value& value) {
    Map map{node->as<Reduce>()->dim, 0, {{PortIn::Iterated}}, {{PortOut::ReducedSum}}, nullptr};
    MapRewrite rewrite(level, std::move(map));
    const NodePtr port = rewrite.inner().new_port(level.type(value.ref).element());
    rewrite.bind(port, PortIn::Iterated, value);
    const auto output =
        std::make_shared<const Node>(Node{rewrite.inner().fresh(), Output{}, {{port->id}}, {}});
    const std::vector<Value> result =
        rewrite.finish(node, {output}, {value.ref}, {rewrite.inner().value({port->id})});
    level.set({node->id}, result[0]);
}

}  // namespace

void rewrite_map(Level& level, const NodePtr& node, const std::vector<bool>& plain_outputs) {
    const Map& map = *node->as<Map>();
    MapRewrite rewrite(level, map);
    const std::vector<NodePtr> ports = map.body->inputs();
    std::vector<ValueRef> inputs;
    std::size_t port = 0;
    for (std::size_t i = 0; i < map.inputs.size(); ++i) {
        const Value value = level.value(node->inputs[i]);
        inputs.push_back(value.ref);
        if (map.inputs[i].mode == PortIn::Continued)
            rewrite.continue_from(static_cast<std::size_t>(map.inputs[i].continues), i, value);
        else
            rewrite.bind(ports.at(port++), map.inputs[i].mode, value);
    }
    for (std::size_t i = 0; i < map.outputs.size(); ++i)
        if (map.outputs[i].mode == PortOut::Carried) rewrite.bind_carried(i, ports.at(port++));

    std::vector<bool> plain;
    for (std::size_t i = 0; i < map.outputs.size(); ++i) {
        const PortOut mode = map.outputs[i].mode;
        const bool wanted = mode == PortOut::Collected && plain_outputs[i];
        plain.push_back(wanted || mode == PortOut::ReducedMax || mode == PortOut::Carried);
    }
    std::vector<Value> results = rewrite_level(rewrite.inner(), *map.body, plain);
    level.run().origin = node->id;
    const std::vector<Value> values =
        rewrite.finish(node, map.body->outputs(), std::move(inputs), std::move(results));
    for (std::size_t i = 0; i < values.size(); ++i)
        level.set({node->id, static_cast<std::uint16_t>(i)}, values[i]);
}

void rewrite_reduce(Level& level, const NodePtr& node) {
    const Value value = level.value(node->inputs[0]);
    Exponent varying;
    Exponent rest;
    for (const Term& term : value.exponent) {
        const bool varies = (term.dims & 1U) != 0;
        if (varies) varying.push_back(term);
        if (!varies)
            rest = rest + Exponent{{term.symbol, static_cast<std::uint8_t>(term.dims >> 1U), term.factor}};
    }
    const bool sum = node->as<Reduce>()->op == ReduceOp::Sum;
    if (sum && !varying.empty() && level.type(value.ref).rank() == 1) return reduce_items(level, node, value);
    if (sum && !varying.empty()) return reduce_lists(level, node, value, varying, std::move(rest));
    level.keep(node, {sum ? value.ref : level.plain(value)});
    level.set({node->id}, {{node->id}, sum ? rest : Exponent{}});
}

}  // namespace blockscope::safety
