#include "core/program/formula.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "core/program/functions.h"
#include "core/program/infer.h"

namespace blockscope {
namespace {

using Names = std::vector<std::string>;

std::string number_text(double value) {
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
}

std::string enclosed(const Formula& formula, Binding least) {
    return formula.binding >= least ? formula.text : "(" + formula.text + ")";
}

// Two formulas around the sign of `fn`, with the parentheses that the grammar needs.
std::optional<Formula> infix(Fn fn, const Formula& left, const Formula& right) {
    const int depth = std::max(left.depth, right.depth) + 1;
    const auto join = [&](Binding first, const char* sign, Binding second, Binding whole) {
        return Formula{enclosed(left, first) + sign + enclosed(right, second), whole, depth};
    };
    if (fn == Fn::Add) return join(Binding::Sum, " + ", Binding::Product, Binding::Sum);
    if (fn == Fn::Sub) return join(Binding::Sum, " - ", Binding::Product, Binding::Sum);
    if (fn == Fn::Mul) return join(Binding::Product, " * ", Binding::Negation, Binding::Product);
    if (fn == Fn::Div) return join(Binding::Product, " / ", Binding::Negation, Binding::Product);
    if (fn == Fn::Pow) return join(Binding::Primary, "^", Binding::Negation, Binding::Power);
    return std::nullopt;
}

Formula call_formula(std::string_view function, const std::vector<Formula>& args) {
    Formula result{std::string(function) + "(", Binding::Primary, 1};
    for (std::size_t i = 0; i < args.size(); ++i) {
        result.text += (i > 0 ? ", " : "") + args[i].text;
        result.depth = std::max(result.depth, args[i].depth + 1);
    }
    result.text += ")";
    return result;
}

class ExprText {
public:
    ExprText(const Names& names, const DimTable& dims) : names_(names), dims_(dims) {}

    Formula text(const Expr& expr) const {
        return std::visit([&](const auto& part) { return text(part); }, expr.value);
    }

private:
    Formula text(const Arg& arg) const {
        return {names_.at(static_cast<std::size_t>(arg.index)), Binding::Primary, 1};
    }
    Formula text(const SizeOf& size) const { return {dims_[size.dim.value].name, Binding::Primary, 1}; }
    Formula text(const Number& value) const {
        std::string digits = number_text(value.value);
        const Binding binding = digits[0] == '-' ? Binding::Negation : Binding::Primary;
        return {std::move(digits), binding, 1};
    }
    // A minus before a number would become part of it.
    Formula text(const Call& call) const {
        std::vector<Formula> args;
        for (const ExprPtr& child : call.args) args.push_back(text(*child));
        const bool minus = call.fn == Fn::Neg && !std::holds_alternative<Number>(call.args[0]->value);
        if (minus) return {"-" + enclosed(args[0], Binding::Negation), Binding::Negation, args[0].depth + 1};
        if (args.size() == 2) {
            if (std::optional<Formula> formula = infix(call.fn, args[0], args[1])) return *std::move(formula);
        }
        return call_formula(to_string(call.fn), args);
    }

    const Names& names_;
    const DimTable& dims_;
};

bool is_arg(const ExprPtr& expr, int index) {
    const Arg* arg = std::get_if<Arg>(&expr->value);
    return arg != nullptr && arg->index == index;
}

// Whether `expr` is `pattern` with Arg{1} standing for one scalar, which is left in `parameter`.
bool matches(const ExprPtr& pattern, const ExprPtr& expr, ExprPtr& parameter) {
    if (is_arg(pattern, 1)) {
        if (argument_count(*expr) > 0) return false;
        if (!parameter) parameter = expr;
        return equal(*parameter, *expr);
    }
    const Call* wanted = std::get_if<Call>(&pattern->value);
    const Call* found = std::get_if<Call>(&expr->value);
    if (wanted == nullptr || found == nullptr) return equal(*pattern, *expr);
    if (wanted->fn != found->fn) return false;
    for (std::size_t i = 0; i < wanted->args.size(); ++i) {
        if (!matches(wanted->args[i], found->args[i], parameter)) return false;
    }
    return true;
}

class ElementwiseText {
public:
    ElementwiseText(const ArrayProgram& program, const ArrayOp& op, const std::vector<Formula>& operands)
        : dims_(program.dims), expr_(op.expr), operands_(operands) {}

    Formula text() const {
        if (std::optional<Formula> formula = as_call()) return *std::move(formula);
        if (operands_.size() == 1) {
            if (std::optional<Formula> formula = as_function()) return *std::move(formula);
        }
        return as_expression();
    }

private:
    // The side of a top-level call that is operand `index` or, with one operand, a scalar.
    std::optional<Formula> side(const ExprPtr& part, int index) const {
        if (is_arg(part, index)) return operands_[static_cast<std::size_t>(index)];
        if (operands_.size() == 1 && argument_count(*part) == 0) return expr_formula(*part, {}, dims_);
        return std::nullopt;
    }

    // X * 2, -X, exp(X), X + Y, max(X, Y)
    std::optional<Formula> as_call() const {
        const Call* call = std::get_if<Call>(&expr_->value);
        if (call == nullptr || operands_.size() > call->args.size()) return std::nullopt;
        const std::optional<Formula> left = side(call->args[0], 0);
        if (!left) return std::nullopt;
        if (call->fn == Fn::Neg) {
            return Formula{"-" + enclosed(*left, Binding::Negation), Binding::Negation, left->depth + 1};
        }
        if (call->args.size() == 1) return call_formula(to_string(call->fn), {*left});
        const std::optional<Formula> right = side(call->args[1], operands_.size() == 1 ? 0 : 1);
        const bool one_array = operands_.size() == 2 || is_arg(call->args[0], 0) != is_arg(call->args[1], 0);
        if (!right || !one_array) return std::nullopt;
        if (std::optional<Formula> formula = infix(call->fn, *left, *right)) return formula;
        const bool relu = call->fn == Fn::Max && operands_.size() == 1;
        if (relu) {
            if (std::optional<Formula> formula = as_function()) return formula;
        }
        return call_formula(to_string(call->fn), {*left, *right});
    }

    // silu(X), leaky_relu(X, 0.2)
    std::optional<Formula> as_function() const {
        for (const ElementwiseFunction& function : elementwise_functions()) {
            if (function.operands != 1 || function.alias) continue;
            ExprPtr parameter;
            if (!matches(function.build({arg(0), arg(1)}), expr_, parameter)) continue;
            std::vector<Formula> args = {operands_[0]};
            if (parameter && !equal(*parameter, *number(function.parameter_default))) {
                args.push_back(expr_formula(*parameter, {}, dims_));
            }
            return call_formula(function.name, args);
        }
        return std::nullopt;
    }

    // elementwise(x, y: x * exp(y), X, Y)
    Formula as_expression() const {
        const Names names = parameter_names();
        Formula result{"elementwise(", Binding::Primary, 1};
        for (std::size_t i = 0; i < names.size(); ++i) result.text += (i > 0 ? ", " : "") + names[i];
        const Formula body = expr_formula(*expr_, names, dims_);
        result.text += ": " + body.text;
        result.depth = body.depth + 1;
        for (const Formula& operand : operands_) {
            result.text += ", " + operand.text;
            result.depth = std::max(result.depth, operand.depth + 1);
        }
        result.text += ")";
        return result;
    }

    Names parameter_names() const {
        static const Names letters = {"x", "y", "z", "w"};
        Names names;
        for (std::size_t i = 0; i < operands_.size(); ++i) {
            std::string name = operands_.size() <= letters.size() ? letters[i] : "x" + std::to_string(i + 1);
            const auto taken = [&](const Dim& dim) { return dim.name == name; };
            while (std::any_of(dims_.begin(), dims_.end(), taken)) name += "_";
            names.push_back(std::move(name));
        }
        return names;
    }

    const DimTable& dims_;
    const ExprPtr& expr_;
    const std::vector<Formula>& operands_;
};

Formula broadcast_formula(const ArrayProgram& program, const ArrayOp& op, std::vector<Formula> operands) {
    const auto axes = [&](std::size_t i) {
        return program.ops[static_cast<std::size_t>(op.operands[i])].shape.axes;
    };
    const std::size_t matrix = axes(0).size() == 2 ? 0 : 1;
    const bool square = axes(matrix)[0] == axes(matrix)[1];
    if (square && op.vector_axis == VectorAxis::Rows) {
        operands[1 - matrix] = call_formula("column", {operands[1 - matrix]});
    }
    if (std::optional<Formula> formula = infix(op.fn, operands[0], operands[1])) return *std::move(formula);
    throw InternalError("a broadcast adds, subtracts, multiplies or divides");
}

Formula matmul_formula(const Formula& left, const Formula& right) {
    return {enclosed(left, Binding::Product) + " @ " + enclosed(right, Binding::Negation), Binding::Product,
            std::max(left.depth, right.depth) + 1};
}

Formula norm_formula(const ArrayOp& op, std::vector<Formula> args) {
    const bool rms = op.kind == ArrayOpKind::RmsNorm;
    const double usual = rms ? kRmsNormEpsilon : kLayerNormEpsilon;
    if (op.paper_form) {
        args.push_back({"form=paper", Binding::Sum, 1});
    } else if (op.epsilon != usual) {
        args.push_back({"eps=" + number_text(op.epsilon), Binding::Sum, 1});
    }
    return call_formula(rms ? "rmsnorm" : "layernorm", args);
}

}  // namespace

Formula name_formula(std::string name) {
    return {std::move(name), Binding::Primary, 1};
}

Formula expr_formula(const Expr& expr, const std::vector<std::string>& names, const DimTable& dims) {
    return ExprText(names, dims).text(expr);
}

Formula op_formula(const ArrayProgram& program, const ArrayOp& op, const std::vector<Formula>& operands) {
    switch (op.kind) {
        case ArrayOpKind::Input:
            break;
        case ArrayOpKind::Elementwise:
            return ElementwiseText(program, op, operands).text();
        case ArrayOpKind::Broadcast:
            return broadcast_formula(program, op, operands);
        case ArrayOpKind::Matmul:
            return matmul_formula(operands[0], operands[1]);
        case ArrayOpKind::Transpose:
            return {enclosed(operands[0], Binding::Primary) + ".T", Binding::Primary, operands[0].depth + 1};
        case ArrayOpKind::Softmax:
            return call_formula("softmax", operands);
        case ArrayOpKind::RmsNorm:
        case ArrayOpKind::LayerNorm:
            return norm_formula(op, operands);
        case ArrayOpKind::RowSum:
            return call_formula("row_sum", operands);
        case ArrayOpKind::RowMean:
            return call_formula("row_mean", operands);
        case ArrayOpKind::RowMax:
            return call_formula("row_max", operands);
        case ArrayOpKind::Outer:
            return call_formula("outer", operands);
        case ArrayOpKind::SumOver:
            return call_formula("sum", {operands[0], name_formula(program.dims[op.dim.value].name)});
        case ArrayOpKind::Cast:
            return call_formula("cast", {operands[0], name_formula(to_string(op.elem))});
        case ArrayOpKind::Custom: {
            std::vector<Formula> args = {name_formula("\"" + op.custom_name + "\"")};
            args.insert(args.end(), operands.begin(), operands.end());
            return call_formula("custom", args);
        }
    }
    throw InternalError("an input has no formula");
}

}  // namespace blockscope
