#include "core/safety/level.h"

#include <limits>

namespace blockscope::safety {

namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();  // the exponent of an empty sum

}  // namespace

void MapRewrite::bind(const NodePtr& port, PortIn mode, const Value& value) {
    Exponent inside;
    for (const Term& term : value.exponent) {
        const bool varies = mode == PortIn::Iterated && (term.dims & 1U) != 0;
        const int dims = mode == PortIn::Iterated ? term.dims >> 1U : term.dims;
        inside = inside + Exponent{{inner_.outer_symbol(term.symbol, varies), static_cast<std::uint8_t>(dims),
                                    term.factor}};
    }
    inner_.bind(port, std::move(inside));
}

void MapRewrite::bind_carried(std::size_t output, const NodePtr& port) {
    ports_.resize(map_.outputs.size());
    ports_[output] = port;
    inner_.hold(port);
    inner_.set({port->id}, {{port->id}});
}

std::vector<Value> MapRewrite::finish(const NodePtr& old, const std::vector<NodePtr>& outputs,
                                      std::vector<ValueRef> inputs, std::vector<Value> results) {
    inputs_ = std::move(inputs);
    ports_.resize(outputs.size());
    for (const Value& result : results) results_.push_back(result.ref);
    return assemble(old, outputs, leave(results));
}

int MapRewrite::add_output(MapOutput output, ValueRef result, NodePtr port) {
    map_.outputs.push_back(output);
    results_.push_back(result);
    ports_.push_back(std::move(port));
    return static_cast<int>(results_.size()) - 1;
}

// `value` is what the new output continues.
void MapRewrite::add_first(int output, ValueRef value) {
    const ElemType elem = inner_.type(results_[static_cast<std::size_t>(output)]).elem();
    if (!outer_.type(value).is_list() && outer_.type(value).elem() != elem)
        value = outer_.add(Elementwise{arg(0), elem}, {value});
    map_.inputs.push_back({PortIn::Continued, output});
    inputs_.push_back(value);
}

int MapRewrite::export_collected(int symbol) {
    const auto found = exported_.find(symbol);
    if (found != exported_.end()) return found->second;
    return exported_[symbol] = add_output({PortOut::Collected}, inner_.ref(symbol), nullptr);
}

const MapRewrite::Running& MapRewrite::running(const Exponent& exponent, const Exponent& start) {
    for (const Running& known : running_)
        if (known.exponent == exponent && known.start == start) return known;
    const bool own = exponent.size() == 1 && exponent[0].factor == 1 && inner_.is_maximum(exponent[0].symbol);
    const ValueRef t = inner_.materialise(exponent);
    const NodePtr port = inner_.new_port(inner_.type(t));
    const ValueRef old_maximum = inner_.hold(port);
    const Elementwise max{call(Fn::Max, arg(0), arg(1))};
    const ExprPtr ratio = call(Fn::Exp, call(Fn::Sub, arg(0), arg(1)));
    Running made{.exponent = exponent, .start = start, .output = 0, .before = {}, .now = {}};
    ValueRef maximum;
    if (own) {
        // e^x is the pair (e^(x-z), z) for any z: with the running maximum itself as z, this
        // iteration's summand needs no factor.
        maximum = inner_.insert_after(t, max, {old_maximum, t});
        inner_.replace_maximum(exponent[0].symbol, maximum);
    } else {
        maximum = inner_.add(max, {old_maximum, t});
        made.now = inner_.elementwise(ratio, {t, maximum});
    }
    made.before = inner_.elementwise(ratio, {old_maximum, maximum});
    made.output = add_output({PortOut::Carried, kNothing}, maximum, port);
    if (!start.empty()) add_first(made.output, outer_.materialise(start));
    running_.push_back(std::move(made));
    return running_.back();
}

// sum = sum before * e^(t before - t) + summand * e^(its exponent - t).
void MapRewrite::carry_sum(std::size_t output, const Running& maximum) {
    const ValueRef summand = results_[output];
    const Type type = inner_.type(summand);
    ports_[output] = inner_.new_port(type);
    const ValueRef before = inner_.hold(ports_[output]);
    map_.outputs[output] = {PortOut::Carried, 0};
    if (type.item().kind == ItemKind::Block) {
        const ValueRef rescaled = inner_.scaled(before, maximum.before);
        const ValueRef added = maximum.now ? inner_.scaled(summand, *maximum.now) : summand;
        results_[output] = inner_.add(Functional{FunctionalOp::Add}, {rescaled, added});
        return;
    }
    ExprPtr added = arg(2);
    std::vector<ValueRef> inputs{before, maximum.before, summand};
    if (maximum.now) {
        added = call(Fn::Mul, added, arg(3));
        inputs.push_back(*maximum.now);
    }
    results_[output] = inner_.elementwise(call(Fn::Add, call(Fn::Mul, arg(0), arg(1)), added), inputs);
}

// A value that is continued is a pair only if what it continues is one, too.
void MapRewrite::leave_plain(std::size_t output, Value& result) {
    results_[output] = inner_.plain(result);
    if (first_[output]) inputs_[first_[output]->input] = outer_.plain(first_[output]->value);
}

Exponent MapRewrite::leave_sum(std::size_t output, Value& result) {
    Exponent constant;  // over the iterations
    Exponent varying;
    for (const Term& term : result.exponent) {
        if (inner_.is_outer(term.symbol) && !inner_.iterated(term.symbol))
            constant = constant + Exponent{{inner_.outer_of(term.symbol), 0, term.factor}};
        else
            varying.push_back(term);
    }
    Exponent start;
    if (first_[output]) {
        start = first_[output]->value.exponent + constant * -1;
        if (start.empty() != varying.empty()) {
            leave_plain(output, result);
            return {};
        }
    }
    if (varying.empty()) return constant;
    const Running& maximum = running(varying, start);
    carry_sum(output, maximum);
    return constant + Exponent{{-1 - maximum.output, 0, 1}};
}

Exponent MapRewrite::leave_list(std::size_t output, Value& result) {
    if (first_[output]) return leave_continued_list(output, result);
    Exponent exponent;
    for (const Term& term : result.exponent) {
        const bool outer = inner_.is_outer(term.symbol);
        const bool varies = !outer || inner_.iterated(term.symbol);
        const auto dims = static_cast<std::uint8_t>((term.dims << 1U) | (varies ? 1U : 0U));
        const int symbol = outer ? inner_.outer_of(term.symbol) : -1 - export_collected(term.symbol);
        exponent = exponent + Exponent{{symbol, dims, term.factor}};
    }
    return exponent;
}

Exponent MapRewrite::leave_continued_list(std::size_t output, Value& result) {
    const Value& first = first_[output]->value;
    if (result.plain() || first.plain()) {
        leave_plain(output, result);
        return {};
    }
    const int exported = add_output({PortOut::Collected}, inner_.exponents(result), nullptr);
    add_first(exported, outer_.exponents(first));
    const int rank = inner_.type(result.ref).rank() + 1;
    return {{-1 - exported, all_dims(rank), 1}};
}

std::vector<Exponent> MapRewrite::leave(std::vector<Value>& results) {
    std::vector<Exponent> exponents(results.size());
    const std::vector<MapOutput> outputs = map_.outputs;
    // Sums first: a running maximum takes the place of an iteration's, which lists may export.
    for (std::size_t i = 0; i < results.size(); ++i)
        if (outputs[i].mode == PortOut::ReducedSum) exponents[i] = leave_sum(i, results[i]);
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (outputs[i].mode == PortOut::Collected) exponents[i] = leave_list(i, results[i]);
        if (outputs[i].mode == PortOut::ReducedMax || outputs[i].mode == PortOut::Carried)
            leave_plain(i, results[i]);
    }
    return exponents;
}

std::vector<Value> MapRewrite::assemble(const NodePtr& old, const std::vector<NodePtr>& outputs,
                                        const std::vector<Exponent>& exponents) {
    std::vector<NodePtr> made_outputs;
    for (std::size_t i = 0; i < results_.size(); ++i) {
        const NodeId id = i < outputs.size() ? outputs[i]->id : inner_.fresh();
        made_outputs.push_back(std::make_shared<const Node>(Node{id, Output{}, {results_[i]}, {}}));
    }
    for (const Level::Port& port : inner_.ports()) {
        inputs_.push_back(outer_.ref(port.outer));
        map_.inputs.push_back({port.iterated ? PortIn::Iterated : PortIn::Broadcast});
    }
    NodeId id = old->id;
    if (!inner_.changed()) {
        outer_.keep(old, std::move(inputs_));
    } else {
        std::vector<NodePtr> carried;
        for (const NodePtr& port : ports_)
            if (port) carried.push_back(port);
        map_.body = inner_.body(carried, made_outputs);
        const Map* before = old->as<Map>();
        const bool same_ports = before && before->inputs == map_.inputs && before->outputs == map_.outputs;
        id = outer_.put_map(same_ports ? old->id : outer_.fresh(), std::move(map_), std::move(inputs_));
    }
    std::vector<Value> values;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        Value value{{id, static_cast<std::uint16_t>(i)}};
        for (const Term& term : exponents[i]) {
            const int symbol = term.symbol >= 0
                                   ? term.symbol
                                   : outer_.symbol({id, static_cast<std::uint16_t>(-1 - term.symbol)});
            value.exponent = value.exponent + Exponent{{symbol, term.dims, term.factor}};
        }
        values.push_back(std::move(value));
    }
    return values;
}

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
    Map map{.dim = node->as<Reduce>()->dim,
            .start = 0,
            .inputs = {{PortIn::Iterated}},
            .outputs = {{PortOut::ReducedSum}},
            .body = nullptr};
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
