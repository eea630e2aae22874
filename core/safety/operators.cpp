#include "core/safety/operators.h"

#include <algorithm>
#include <optional>

#include "core/graph/verify.h"
#include "core/safety/product.h"
#include "core/support/result.h"

namespace blockscope::safety {

namespace {

std::vector<ValueRef> refs_of(const std::vector<Value>& values) {
    std::vector<ValueRef> refs;
    for (const Value& value : values) refs.push_back(value.ref);
    return refs;
}

void emit(Level& level, const NodePtr& node, const std::vector<Value>& in, Exponent exponent) {
    level.keep(node, refs_of(in));
    level.set({node->id}, {{node->id}, std::move(exponent)});
}

void make_plain(Level& level, Value& value) {
    value = {level.plain(value)};
}

// Brings two operands of an addition to one exponent z = max(t1, t2), and returns it. A plain
// operand's is 0.
Exponent to_common_exponent(Level& level, Value& a, Value& b) {
    if (a.exponent == b.exponent) return a.exponent;
    const int first = static_cast<int>(a.exponent.size());
    std::vector<ValueRef> both = level.refs(a.exponent);
    for (const ValueRef& ref : level.refs(b.exponent)) both.push_back(ref);
    const ValueRef z = level.elementwise(call(Fn::Max, linear(a.exponent), linear(b.exponent, first)), both);
    for (Value* value : {&a, &b}) {
        std::vector<ValueRef> inputs = level.refs(value->exponent);
        const ExprPtr shifted =
            value->plain() ? call(Fn::Neg, arg(0))
                           : call(Fn::Sub, linear(value->exponent), arg(static_cast<int>(inputs.size())));
        inputs.push_back(z);
        *value = {level.scaled(value->ref, level.elementwise(call(Fn::Exp, shifted), inputs))};
    }
    return {{level.symbol(z), 0, 1}};
}

// (S,t) + r along columns, one exponent per row: r's share of row i is e^-z_i * r, an outer product.
void col_shift_by_rows(Level& level, const NodePtr& node, const Value& a, const Value& r) {
    const int terms = static_cast<int>(a.exponent.size());
    std::vector<ValueRef> inputs = level.refs(a.exponent);
    const ValueRef z = level.elementwise(call(Fn::Max, linear(a.exponent), number(0)), inputs);
    inputs.push_back(z);
    const ValueRef down =
        level.elementwise(call(Fn::Exp, call(Fn::Sub, linear(a.exponent), arg(terms))), inputs);
    const ValueRef share = level.elementwise(call(Fn::Exp, call(Fn::Neg, arg(0))), {z});
    const ValueRef spread = level.add(Functional{FunctionalOp::Outer}, {share, r.ref});
    const ValueRef sum = level.add(Functional{FunctionalOp::Add}, {level.scaled(a.ref, down), spread});
    level.set({node->id}, {sum, {{level.symbol(z), 0, 1}}});
}

bool varies_by_row(Level& level, const Exponent& exponent) {
    const std::vector<ValueRef> terms = level.refs(exponent);
    return std::any_of(terms.begin(), terms.end(), [&](const ValueRef& term) {
        return level.type(term).item().kind == ItemKind::Vector;
    });
}

void rewrite_col_shift(Level& level, const NodePtr& node, std::vector<Value> in) {
    if (level.run().sharing == SharedExponent::PerRow) {
        make_plain(level, in[1]);
        if (varies_by_row(level, in[0].exponent)) return col_shift_by_rows(level, node, in[0], in[1]);
    }
    const Exponent exponent = to_common_exponent(level, in[0], in[1]);
    emit(level, node, in, exponent);
}

// An elementwise operator over `in` with the significand's expression instead of its own.
ValueRef compact(Level& level, const ExprPtr& expr, const std::vector<ValueRef>& in,
                 std::optional<ElemType> to = std::nullopt) {
    std::vector<ExprPtr> places(in.size(), number(0));
    std::vector<ValueRef> used;
    for (const int index : arguments_of(*expr)) {
        places[static_cast<std::size_t>(index)] = arg(static_cast<int>(used.size()));
        used.push_back(in[static_cast<std::size_t>(index)]);
    }
    return level.add(Elementwise{substitute(expr, places), to}, used);
}

// e^E as a pair: z = max(E) by row or block, or E itself where there is one exponent per element;
// then e^(E-z), as an expression over arguments from `first` on and their values.
struct Exponential {
    ExprPtr expr;
    std::vector<ValueRef> inputs;
    int symbol;
};

Exponential exponential(Level& level, ValueRef e, int first) {
    const Item item = level.type(e).item();
    const bool per_row = level.run().sharing == SharedExponent::PerRow;
    if (item.kind == ItemKind::Scalar || (item.kind == ItemKind::Vector && per_row))
        return {call(Fn::Exp, call(Fn::Sub, arg(first), arg(first + 1))), {e, e}, level.symbol(e)};
    const ValueRef z = level.add(Functional{per_row ? FunctionalOp::RowMax : FunctionalOp::BlockMax}, {e});
    const int symbol = level.symbol(z);
    level.set_maximum(symbol);
    if (!per_row) return {call(Fn::Exp, call(Fn::Sub, arg(first), arg(first + 1))), {e, z}, symbol};
    const ValueRef negative = level.elementwise(call(Fn::Neg, arg(0)), {z});
    const ValueRef shifted = level.add(Functional{FunctionalOp::RowShift}, {e, negative});
    return {call(Fn::Exp, arg(first)), {shifted}, symbol};
}

void make_exponential(Level& level, const NodePtr& node, const Product& product, const std::vector<Value>& in,
                      const Exponent& exponent) {
    const std::vector<ValueRef> refs = refs_of(in);
    const bool argument = std::holds_alternative<Arg>(product.exponent->value);
    const ValueRef e = argument ? refs[static_cast<std::size_t>(std::get<Arg>(product.exponent->value).index)]
                                : compact(level, product.exponent, refs);
    Exponential made = exponential(level, e, static_cast<int>(refs.size()));
    std::vector<ValueRef> all = refs;
    all.insert(all.end(), made.inputs.begin(), made.inputs.end());
    const ExprPtr expr = product.significand ? call(Fn::Mul, product.significand, made.expr) : made.expr;
    // The old operator's element type, which its first input decided, may not be that of `expr`.
    const ElemType elem = node->outputs[0].elem();
    std::vector<Type> types;
    for (const int index : arguments_of(*expr))
        types.push_back(level.type(all[static_cast<std::size_t>(index)]));
    const TypeCheck check = check_types(Elementwise{number(0)}, types, level.run().dims);
    const bool same = check.outputs.size() == 1 && check.outputs[0].elem() == elem;
    std::optional<ElemType> to = node->as<Elementwise>()->to;
    if (!to && !same) to = elem;
    const ValueRef significand = compact(level, expr, all, to);
    level.set({node->id}, {significand, exponent + Exponent{{made.symbol, 0, 1}}});
    ++level.run().exponentials;
}

// Whether the exponential's argument has the result's shape (and not only scalars, spread over it).
bool has_shape(const Node& node, const GraphIndex& old, const Expr& expr) {
    for (const int index : arguments_of(expr)) {
        const ValueRef& input = node.inputs[static_cast<std::size_t>(index)];
        if (edge_type(*old.find(input.node), input).item() == node.outputs[0].item()) return true;
    }
    return false;
}

}  // namespace

void rewrite_functional(Level& level, const NodePtr& node) {
    std::vector<Value> in;
    for (const ValueRef& ref : node->inputs) in.push_back(level.value(ref));
    const bool per_row = level.run().sharing == SharedExponent::PerRow;
    switch (node->as<Functional>()->op) {
        case FunctionalOp::Add:
        case FunctionalOp::RowShift: {
            const Exponent exponent = to_common_exponent(level, in[0], in[1]);
            return emit(level, node, in, exponent);
        }
        case FunctionalOp::ColShift:
            return rewrite_col_shift(level, node, std::move(in));
        case FunctionalOp::Mul:
        case FunctionalOp::RowScale:
            return emit(level, node, in, in[0].exponent + in[1].exponent);
        case FunctionalOp::ColScale:
        case FunctionalOp::Dot:
        case FunctionalOp::Outer:
            // The right operand's rows are columns of the result: exponents of its own rows are lost.
            if (per_row) make_plain(level, in[1]);
            return emit(level, node, in, in[0].exponent + in[1].exponent);
        case FunctionalOp::RowSum:
            return emit(level, node, in, in[0].exponent);
        case FunctionalOp::RowMax:
        case FunctionalOp::BlockMax:
            make_plain(level, in[0]);
            return emit(level, node, in, {});
    }
    throw InternalError("unknown functional operator");
}

void rewrite_elementwise(Level& level, const GraphIndex& old, const NodePtr& node) {
    const ExprPtr& expr = node->as<Elementwise>()->expr;
    std::vector<Value> in;
    for (const ValueRef& ref : node->inputs) in.push_back(level.value(ref));
    const int count = static_cast<int>(in.size());
    Product product = as_product(expr, count, true);
    if (product.exponent && (product.exponential_within || !has_shape(*node, old, *product.exponent) ||
                             never_positive(old, *node, *product.exponent)))
        product = as_product(expr, count, false);
    Exponent exponent;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (product.whole[i]) make_plain(level, in[i]);
        exponent = exponent + in[i].exponent * product.powers[i];
    }
    if (!product.exponent) return emit(level, node, in, std::move(exponent));
    make_exponential(level, node, product, in, exponent);
}

}  // namespace blockscope::safety
