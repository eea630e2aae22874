#include "core/safety/level.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "core/graph/verify.h"
#include "core/support/result.h"

namespace blockscope::safety {

Exponent operator+(const Exponent& a, const Exponent& b) {
    const auto key = [](const Term& term) { return std::tuple(term.symbol, term.dims); };
    Exponent sum;
    auto x = a.begin();
    auto y = b.begin();
    while (x != a.end() || y != b.end()) {
        if (y == b.end() || (x != a.end() && key(*x) < key(*y))) {
            sum.push_back(*x++);
        } else if (x == a.end() || key(*y) < key(*x)) {
            sum.push_back(*y++);
        } else {
            const double factor = x->factor + y->factor;
            if (factor != 0) sum.push_back({x->symbol, x->dims, factor});
            ++x;
            ++y;
        }
    }
    return sum;
}

Exponent operator*(const Exponent& a, double factor) {
    if (factor == 0) return {};
    Exponent product = a;
    for (Term& term : product) term.factor *= factor;
    return product;
}

ExprPtr linear(const Exponent& exponent, int first) {
    ExprPtr sum;
    for (std::size_t i = 0; i < exponent.size(); ++i) {
        const double size = std::abs(exponent[i].factor);
        ExprPtr term = arg(first + static_cast<int>(i));
        if (size != 1) term = call(Fn::Mul, term, number(size));
        const bool negative = exponent[i].factor < 0;
        if (sum)
            sum = call(negative ? Fn::Sub : Fn::Add, sum, term);
        else
            sum = negative ? call(Fn::Neg, term) : term;
    }
    return sum ? sum : number(0);
}

std::uint8_t all_dims(int rank) {
    return static_cast<std::uint8_t>((1U << static_cast<unsigned>(rank)) - 1U);
}

// ---- nodes ------------------------------------------------------------------------------------------

NodeId Level::fresh() {
    const NodeId id = run_.ids.fresh();
    run_.made.push_back({id, {run_.origin}});
    changed_ = true;
    return id;
}

void Level::put(NodePtr node) {
    by_id_[node->id.value] = node;
    nodes_.push_back(std::move(node));
}

NodePtr Level::make(NodeId id, Kind kind, std::vector<ValueRef> inputs) const {
    std::vector<Type> types;
    for (const ValueRef& ref : inputs) types.push_back(type(ref));
    TypeCheck check = check_types(kind, types, run_.dims);
    if (!check.error.empty()) throw InternalError("numerical safety: " + check.error.str());
    return std::make_shared<const Node>(
        Node{id, std::move(kind), std::move(inputs), std::move(check.outputs)});
}

ValueRef Level::add(Kind kind, std::vector<ValueRef> inputs) {
    const NodeId id = fresh();
    put(make(id, std::move(kind), std::move(inputs)));
    return {id};
}

NodeId Level::put_map(NodeId id, Map map, std::vector<ValueRef> inputs) {
    changed_ = true;
    put(make(id, std::move(map), std::move(inputs)));
    return id;
}

ValueRef Level::elementwise(ExprPtr expr, std::vector<ValueRef> inputs) {
    return add(Elementwise{std::move(expr)}, std::move(inputs));
}

void Level::keep(const NodePtr& old, std::vector<ValueRef> inputs) {
    if (inputs == old->inputs) return put(old);
    changed_ = true;
    put(std::make_shared<const Node>(Node{old->id, old->kind, std::move(inputs), old->outputs}));
}

NodePtr Level::find(NodeId id) const {
    const auto found = by_id_.find(id.value);
    if (found == by_id_.end()) throw InternalError("numerical safety: no node " + to_string(id));
    return found->second;
}

Type Level::type(ValueRef ref) const {
    return edge_type(*find(ref.node), ref);
}

ValueRef Level::insert_after(ValueRef from, Kind kind, std::vector<ValueRef> inputs) {
    const NodeId id = fresh();
    NodePtr made = make(id, std::move(kind), std::move(inputs));
    for (NodePtr& node : nodes_) {
        if (std::find(node->inputs.begin(), node->inputs.end(), from) == node->inputs.end()) continue;
        Node copy = *node;
        std::vector<ValueRef>& read = copy.inputs.own();
        std::replace(read.begin(), read.end(), from, ValueRef{id});
        node = std::make_shared<const Node>(std::move(copy));
        by_id_[node->id.value] = node;
    }
    const auto place = std::find_if(nodes_.begin(), nodes_.end(),
                                    [&](const NodePtr& node) { return node->id == from.node; });
    by_id_[id.value] = made;
    nodes_.insert(place + 1, std::move(made));
    return {id};
}

// ---- ports ------------------------------------------------------------------------------------------

void Level::bind(const NodePtr& old_port, Exponent exponent) {
    by_id_[old_port->id.value] = old_port;
    old_ports_.push_back(old_port);
    set({old_port->id}, {{old_port->id}, std::move(exponent)});
}

NodePtr Level::new_port(const Type& type) {
    return std::make_shared<const Node>(Node{fresh(), Input{}, {}, {type}});
}

ValueRef Level::place(const NodePtr& port) {
    new_ports_.push_back(port);
    return hold(port);
}

ValueRef Level::hold(const NodePtr& carried_port) {
    by_id_[carried_port->id.value] = carried_port;
    return {carried_port->id};
}

GraphPtr Level::body(const std::vector<NodePtr>& carried, const std::vector<NodePtr>& outputs) const {
    std::vector<NodePtr> all = old_ports_;
    for (const auto* part : {&new_ports_, &carried, &nodes_, &outputs})
        all.insert(all.end(), part->begin(), part->end());
    return std::make_shared<const Graph>(std::move(all));
}

// ---- values and symbols -----------------------------------------------------------------------------

Value Level::value(ValueRef old) {
    const auto found = values_.find({old.node, old.port});
    if (found == values_.end()) throw InternalError("numerical safety: no value of " + to_string(old.node));
    if (old.first == 0) return found->second;
    Value value{found->second.ref, {}};
    value.ref.first = old.first;
    for (const Term& term : found->second.exponent) {
        const int taken = std::popcount(static_cast<unsigned>(term.dims & all_dims(old.first)));
        ValueRef element = ref(term.symbol);
        element.first = static_cast<std::uint16_t>(element.first + taken);
        const int element_symbol = taken > 0 ? symbol(element) : term.symbol;
        const auto rest = static_cast<std::uint8_t>(term.dims >> old.first);
        value.exponent = value.exponent + Exponent{{element_symbol, rest, term.factor}};
    }
    return value;
}

int Level::symbol(ValueRef made_here) {
    const auto [place, inserted] = symbol_of_.emplace(made_here, static_cast<int>(symbols_.size()));
    if (inserted) symbols_.push_back({made_here, -1, false, false});
    return place->second;
}

int Level::outer_symbol(int outer, bool iterated) {
    const auto [place, inserted] =
        symbol_of_outer_.emplace(std::pair(outer, iterated), static_cast<int>(symbols_.size()));
    if (inserted) symbols_.push_back({{}, outer, iterated, false});
    return place->second;
}

ValueRef Level::ref(int symbol) {
    const Symbol found = find_symbol(symbol);
    if (found.ref.node) return found.ref;
    const Type type = outer_->type(outer_->ref(found.outer));
    const ValueRef port = place(new_port(found.iterated ? type.element() : type));
    ports_.push_back({found.outer, found.iterated});
    symbols_[static_cast<std::size_t>(symbol)].ref = port;
    return port;
}

// ---- pairs ------------------------------------------------------------------------------------------

std::vector<ValueRef> Level::refs(const Exponent& exponent) {
    std::vector<ValueRef> values;
    for (const Term& term : exponent) values.push_back(ref(term.symbol));
    return values;
}

ValueRef Level::materialise(const Exponent& exponent) {
    if (exponent.size() == 1 && exponent[0].factor == 1) return ref(exponent[0].symbol);
    return elementwise(linear(exponent), refs(exponent));
}

ValueRef Level::exponents(const Value& value) {
    const Type list = type(value.ref);
    const Exponent& exponent = value.exponent;
    if (exponent.size() == 1 && exponent[0].factor == 1 && exponent[0].dims == all_dims(list.rank()))
        return ref(exponent[0].symbol);
    const auto code = [&](Level& inner, const std::vector<ValueRef>& items) {
        return inner.elementwise(linear(exponent), items);
    };
    return for_items(list, spread(exponent), code);
}

ValueRef Level::scaled(ValueRef s, ValueRef factor) {
    if (type(s).item().kind == ItemKind::Block && type(factor).item().kind == ItemKind::Vector)
        return add(Functional{FunctionalOp::RowScale}, {s, factor});
    return elementwise(call(Fn::Mul, arg(0), arg(1)), {s, factor});
}

std::vector<Level::Spread> Level::spread(const Exponent& exponent) {
    std::vector<Spread> values;
    for (const Term& term : exponent) values.push_back({ref(term.symbol), term.dims});
    return values;
}

ValueRef Level::plain(const Value& value) {
    if (value.plain()) return value.ref;
    const auto found = plain_.find(value.ref);
    if (found != plain_.end()) return found->second;
    const Type list = type(value.ref);
    std::vector<Spread> inputs = spread(value.exponent);
    inputs.push_back({value.ref, all_dims(list.rank())});
    const ExprPtr factor = call(Fn::Exp, linear(value.exponent));
    const auto code = [&](Level& level, const std::vector<ValueRef>& items) {
        return level.scaled(items.back(), level.elementwise(factor, {items.begin(), items.end() - 1}));
    };
    return plain_[value.ref] = for_items(list, inputs, code);
}

ValueRef Level::for_items(const Type& list, const std::vector<Spread>& inputs, const ItemCode& code) {
    std::vector<ValueRef> outside;
    for (const Spread& input : inputs) outside.push_back(input.ref);
    if (list.rank() == 0) return code(*this, outside);

    Level inner(run_, this);
    Map map{.dim = list.dim(0), .start = 0, .inputs = {}, .outputs = {{PortOut::Collected}}, .body = nullptr};
    std::vector<Spread> inside;
    for (const Spread& input : inputs) {
        const bool iterated = (input.dims & 1U) != 0;
        const Type outer_type = type(input.ref);
        const ValueRef port = inner.place(inner.new_port(iterated ? outer_type.element() : outer_type));
        inside.push_back({port, static_cast<std::uint8_t>(input.dims >> 1U)});
        map.inputs.push_back({iterated ? PortIn::Iterated : PortIn::Broadcast});
    }
    const ValueRef result = inner.for_items(list.element(), inside, code);
    const auto output = std::make_shared<const Node>(Node{inner.fresh(), Output{}, {result}, {}});
    map.body = inner.body({}, {output});
    return add(std::move(map), std::move(outside));
}

}  // namespace blockscope::safety
