#include "core/safety/safety.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "core/graph/expr.h"
#include "core/graph/verify.h"
#include "core/safety/level.h"
#include "core/support/result.h"

// ---- Elementwise expressions as products (Blockbuster, appendix): the algebra of significand-exponent
// pairs goes through products, quotients, powers and exponentials, and through nothing else.

namespace blockscope::safety {

// An expression f(x_0, x_1, ...) with arguments x_i = s_i * e^t_i, read as
//   f(x) = significand(s) * e^(exponent(x) + sum of powers[i] * t_i).
struct Product {
    ExprPtr significand;              // over the arguments' significands; null: 1
    ExprPtr exponent;                 // what exponentials contribute; null: nothing
    std::vector<double> powers;       // by argument
    std::vector<bool> whole;          // arguments that must be plain: they stand where no product is
    bool exponential_within = false;  // an exponential of an argument stands where no product is
};

// `arguments`: how many the operator has. With `exponentials` false an exponential is a function
// like any other.
Product as_product(const ExprPtr& expr, int arguments, bool exponentials);

// Arguments that occur in `expr`, ascending.
std::vector<int> arguments_of(const Expr& expr);

// Functional and elementwise operators on significand-exponent pairs (Blockbuster, appendix).

// Each rewrites one node of the level's old graph (`old` has its index) and sets its value.
void rewrite_functional(Level& level, const NodePtr& node);
void rewrite_elementwise(Level& level, const GraphIndex& old, const NodePtr& node);

// Whether the expression over the node's inputs is never positive, because it subtracts a maximum
// that it takes part in: row_shift(x,-z) or x-z with z = row_max(x), block_max(x) or
// max(..., x or one of these, ...). Its exponential lies between 0 and 1 and is safe as it is.
bool never_positive(const GraphIndex& old, const Node& node, const Expr& expr);

}  // namespace blockscope::safety

namespace blockscope {

namespace safety {

namespace {

// Which outputs of the map at `position` are read plain by all that read them.
std::vector<bool> outputs_read_plain(const GraphIndex& index, int position,
                                     const std::vector<NodeId>& plain_outputs) {
    std::vector<bool> plain;
    for (std::size_t port = 0; port < index.node(position).outputs.size(); ++port) {
        const std::vector<GraphIndex::Use> uses = index.uses_of(position, static_cast<int>(port));
        plain.push_back(!uses.empty() &&
                        std::all_of(uses.begin(), uses.end(), [&](const GraphIndex::Use& use) {
                            const Node& reader = index.node(use.node);
                            return reader.is<Misc>() || std::find(plain_outputs.begin(), plain_outputs.end(),
                                                                  reader.id) != plain_outputs.end();
                        }));
    }
    return plain;
}

void rewrite_misc(Level& level, const NodePtr& node) {
    std::vector<ValueRef> inputs;
    for (const ValueRef& ref : node->inputs) inputs.push_back(level.plain(level.value(ref)));
    level.keep(node, std::move(inputs));
    for (std::size_t port = 0; port < node->outputs.size(); ++port) {
        const ValueRef ref{node->id, static_cast<std::uint16_t>(port)};
        level.set(ref, {ref});
    }
}

}  // namespace

std::vector<Value> rewrite_level(Level& level, const Graph& graph, const std::vector<bool>& plain_outputs) {
    const GraphIndex index(graph);
    const std::vector<NodePtr> outputs = graph.outputs();
    std::vector<NodeId> plain;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (plain_outputs[i]) plain.push_back(outputs[i]->id);
    std::vector<Value> results;
    for (int at = 0; at < index.size(); ++at) {
        const NodePtr& node = graph.nodes()[static_cast<std::size_t>(at)];
        level.run().origin = node->id;
        if (node->is<Functional>()) rewrite_functional(level, node);
        if (node->is<Elementwise>()) rewrite_elementwise(level, index, node);
        if (node->is<Map>()) rewrite_map(level, node, outputs_read_plain(index, at, plain));
        if (node->is<Reduce>()) rewrite_reduce(level, node);
        if (node->is<Misc>()) rewrite_misc(level, node);
        if (!node->is<Output>()) continue;
        Value value = level.value(node->inputs[0]);
        if (plain_outputs[results.size()]) value = {level.plain(value)};
        results.push_back(std::move(value));
    }
    return results;
}

}  // namespace safety

SafeProgram make_safe(const BlockProgram& program, SharedExponent sharing) {
    safety::Run run{.dims = program.dims, .sharing = sharing, .ids = IdSource(program.next_id)};
    safety::Level level(run, nullptr);
    for (const NodePtr& input : program.graph->inputs()) level.bind(input, {});
    const std::vector<NodePtr> outputs = program.graph->outputs();
    const std::vector<safety::Value> results =
        safety::rewrite_level(level, *program.graph, std::vector<bool>(outputs.size(), true));
    if (run.exponentials == 0) return {program, {}, 0};
    std::vector<NodePtr> stored;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        stored.push_back(
            std::make_shared<const Node>(Node{outputs[i]->id, outputs[i]->kind, {results[i].ref}, {}}));
    SafeProgram safe{
        {program.dims, level.body({}, stored), run.ids.next()}, std::move(run.made), run.exponentials};
    return safe;
}

}  // namespace blockscope

namespace blockscope::safety {

namespace {

void collect_arguments(const Expr& expr, std::set<int>& found) {
    if (const auto* a = std::get_if<Arg>(&expr.value)) found.insert(a->index);
    if (const auto* c = std::get_if<Call>(&expr.value))
        for (const ExprPtr& part : c->args) collect_arguments(*part, found);
}

bool has_exponential(const Expr& expr) {
    const auto* c = std::get_if<Call>(&expr.value);
    if (!c) return false;
    if (c->fn == Fn::Exp && !arguments_of(expr).empty()) return true;
    for (const ExprPtr& part : c->args)
        if (has_exponential(*part)) return true;
    return false;
}

std::optional<double> constant(const Expr& expr) {
    if (const auto* n = std::get_if<Number>(&expr.value)) return n->value;
    const auto* c = std::get_if<Call>(&expr.value);
    if (!c || c->fn != Fn::Neg) return std::nullopt;
    const std::optional<double> inner = constant(*c->args[0]);
    return inner ? std::optional(-*inner) : std::nullopt;
}

// Multiples of one half, the powers that exact arithmetic knows to go through products.
std::optional<double> half_power(const Expr& expr) {
    const std::optional<double> power = constant(expr);
    const bool known = power && std::abs(*power) <= 64 && std::floor(2 * *power) == 2 * *power;
    return known ? power : std::nullopt;
}

class Factoring {
public:
    Factoring(int arguments, bool exponentials)
        : arguments_(static_cast<std::size_t>(arguments)), exponentials_(exponentials) {
        whole_.resize(arguments_, false);
    }

    Product run(const ExprPtr& expr) {
        Product product = factor(expr);
        product.whole = whole_;
        product.exponential_within = exponential_within_;
        return product;
    }

private:
    Product one() const {
        return {.significand = nullptr,
                .exponent = nullptr,
                .powers = std::vector<double>(arguments_, 0),
                .whole = {},
                .exponential_within = false};
    }

    Product factor(const ExprPtr& expr) {
        if (const auto* a = std::get_if<Arg>(&expr->value)) {
            Product product = one();
            product.significand = expr;
            product.powers.at(static_cast<std::size_t>(a->index)) = 1;
            return product;
        }
        const auto* c = std::get_if<Call>(&expr->value);
        if (!c) return opaque(expr);
        switch (c->fn) {
            case Fn::Neg:
                return negated(factor(c->args[0]));
            case Fn::Mul:
            case Fn::Div:
                return combined(c->fn, factor(c->args[0]), factor(c->args[1]));
            case Fn::Pow:
                if (const auto power = half_power(*c->args[1])) return raised(*c, *power);
                return opaque(expr);
            case Fn::Sqrt:
                return raised(*c, 0.5);
            case Fn::Exp:
                return exponentials_ && !arguments_of(*expr).empty() ? exponential(c->args[0]) : opaque(expr);
            default:  // a function that no law lets through a product
                return opaque(expr);
        }
    }

    Product opaque(const ExprPtr& expr) {
        for (const int index : arguments_of(*expr)) whole_.at(static_cast<std::size_t>(index)) = true;
        exponential_within_ = exponential_within_ || has_exponential(*expr);
        Product product = one();
        product.significand = expr;
        return product;
    }

    Product exponential(const ExprPtr& exponent) {
        for (const int index : arguments_of(*exponent)) whole_.at(static_cast<std::size_t>(index)) = true;
        Product product = one();
        product.exponent = exponent;
        return product;
    }

    static Product negated(Product product) {
        product.significand = product.significand ? call(Fn::Neg, product.significand) : number(-1);
        return product;
    }

    Product raised(const Call& power_call, double power) {
        Product product = factor(power_call.args[0]);
        for (double& p : product.powers) p *= power;
        if (product.exponent && power != 1) product.exponent = call(Fn::Mul, product.exponent, number(power));
        if (!product.significand) return product;
        product.significand = power_call.fn == Fn::Sqrt
                                  ? call(Fn::Sqrt, product.significand)
                                  : call(Fn::Pow, product.significand, power_call.args[1]);
        return product;
    }

    static Product combined(Fn fn, Product a, const Product& b) {
        const bool quotient = fn == Fn::Div;
        for (std::size_t i = 0; i < a.powers.size(); ++i)
            a.powers[i] += quotient ? -b.powers[i] : b.powers[i];
        if (b.exponent && a.exponent)
            a.exponent = call(quotient ? Fn::Sub : Fn::Add, a.exponent, b.exponent);
        else if (b.exponent)
            a.exponent = quotient ? call(Fn::Neg, b.exponent) : b.exponent;
        if (!b.significand) return a;
        if (a.significand)
            a.significand = call(fn, a.significand, b.significand);
        else
            a.significand = quotient ? call(Fn::Div, number(1), b.significand) : b.significand;
        return a;
    }

    std::size_t arguments_;
    bool exponentials_;
    std::vector<bool> whole_;
    bool exponential_within_ = false;
};

}  // namespace

std::vector<int> arguments_of(const Expr& expr) {
    std::set<int> found;
    collect_arguments(expr, found);
    return {found.begin(), found.end()};
}

Product as_product(const ExprPtr& expr, int arguments, bool exponentials) {
    return Factoring(arguments, exponentials).run(expr);
}

namespace {

const Call* as_call(const Expr& expr, Fn fn) {
    const Call* found = std::get_if<Call>(&expr.value);
    return found && found->fn == fn ? found : nullptr;
}

const Node* producer(const GraphIndex& old, ValueRef value) {
    return value.first == 0 ? old.find(value.node) : nullptr;
}

bool dominates(const GraphIndex& old, ValueRef maximum, ValueRef value);

// Whether one argument of a tree of max() is at least `value`.
bool branch_dominates(const GraphIndex& old, const Node& node, const Expr& expr, ValueRef value) {
    if (const auto* a = std::get_if<Arg>(&expr.value))
        return dominates(old, node.inputs.at(static_cast<std::size_t>(a->index)), value);
    const Call* max = as_call(expr, Fn::Max);
    return max && (branch_dominates(old, node, *max->args[0], value) ||
                   branch_dominates(old, node, *max->args[1], value));
}

bool dominates(const GraphIndex& old, ValueRef maximum, ValueRef value) {
    if (maximum == value) return true;
    const Node* node = producer(old, maximum);
    if (!node) return false;
    if (const auto* functional = node->as<Functional>())
        return is_fold(functional->op) && functional_operator(functional->op).fn == Fn::Max &&
               node->inputs[0] == value;
    const auto* elementwise = node->as<Elementwise>();
    return elementwise && as_call(*elementwise->expr, Fn::Max) &&
           branch_dominates(old, *node, *elementwise->expr, value);
}

// row_shift(x, -z) with z at least row_max(x).
bool is_shifted_below_zero(const GraphIndex& old, ValueRef value) {
    const Node* shift = producer(old, value);
    const auto* functional = shift ? shift->as<Functional>() : nullptr;
    if (!functional || functional->op != FunctionalOp::RowShift) return false;
    const Node* negative = producer(old, shift->inputs[1]);
    const auto* elementwise = negative ? negative->as<Elementwise>() : nullptr;
    const Call* neg = elementwise ? as_call(*elementwise->expr, Fn::Neg) : nullptr;
    const auto* negated = neg ? std::get_if<Arg>(&neg->args[0]->value) : nullptr;
    return negated &&
           dominates(old, negative->inputs.at(static_cast<std::size_t>(negated->index)), shift->inputs[0]);
}

}  // namespace

bool never_positive(const GraphIndex& old, const Node& node, const Expr& expr) {
    const auto input = [&](const Arg& a) { return node.inputs.at(static_cast<std::size_t>(a.index)); };
    if (const auto* a = std::get_if<Arg>(&expr.value)) return is_shifted_below_zero(old, input(*a));
    const Call* difference = as_call(expr, Fn::Sub);
    if (!difference) return false;
    const auto* a = std::get_if<Arg>(&difference->args[0]->value);
    const auto* b = std::get_if<Arg>(&difference->args[1]->value);
    return a && b && dominates(old, input(*b), input(*a));
}

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
    const FunctionalOperator& row = functional_operator(node->as<Functional>()->op);
    // A rotation is linear in each row, as a sum of it is.
    if ((row.form == FunctionalForm::FoldRows && row.fn == Fn::Add) || row.form == FunctionalForm::Rotate)
        return emit(level, node, in, in[0].exponent);
    const bool by_columns = row.form != FunctionalForm::ByElement && row.form != FunctionalForm::WithRows;
    const bool sum = row.fn == Fn::Add && (!by_columns || row.form == FunctionalForm::WithCols);
    const bool product = row.fn == Fn::Mul && !is_fold(row.op);
    if (!sum && !product) {  // no law takes an exponent through
        for (Value& value : in) make_plain(level, value);
        return emit(level, node, in, {});
    }
    if (product) {
        // The right operand's rows are columns of the result: exponents of its own rows are lost.
        if (by_columns && level.run().sharing == SharedExponent::PerRow) make_plain(level, in[1]);
        return emit(level, node, in, in[0].exponent + in[1].exponent);
    }
    if (by_columns) return rewrite_col_shift(level, node, std::move(in));
    const Exponent exponent = to_common_exponent(level, in[0], in[1]);
    emit(level, node, in, exponent);
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
