#include <algorithm>

#include "core/program/functions.h"
#include "core/program/infer.h"
#include "core/program/lexer.h"
#include "core/program/meaning.h"

namespace blockscope {
namespace {

constexpr double pi = 3.141592653589793;

ExpressionValue scalar_value(ExprPtr expr) {
    ExpressionValue value;
    value.kind = ExpressionValue::Kind::Scalar;
    value.scalar = std::move(expr);
    return value;
}

ExpressionValue array_value(int op) {
    ExpressionValue value;
    value.kind = ExpressionValue::Kind::Array;
    value.op = op;
    return value;
}

Fn function_of(char symbol) {
    switch (symbol) {
        case '+':
            return Fn::Add;
        case '-':
            return Fn::Sub;
        case '*':
            return Fn::Mul;
        case '/':
            return Fn::Div;
        case '^':
            return Fn::Pow;
        default:
            throw InternalError("unknown operator");
    }
}

}  // namespace

ExpressionValue Meaning::fail(SourceSpot spot, std::string message) {
    problems_.add(spot.line, spot.column, std::move(message));
    return {};
}

ExpressionValue Meaning::evaluate(const Syntax& syntax) {
    switch (syntax.kind) {
        case SyntaxKind::Number:
            return scalar_value(number(syntax.value));
        case SyntaxKind::Name:
            return name(syntax);
        case SyntaxKind::String:
            return fail(syntax.spot, "found the text \"" + shortened(syntax.text) +
                                         "\"; expected a name, a number or a function");
        case SyntaxKind::Negate:
            return negate(syntax);
        case SyntaxKind::Binary:
            return binary(syntax);
        case SyntaxKind::Transpose: {
            const std::optional<int> operand = array(*syntax.args[0], ".T");
            if (!operand) return {};
            ArrayOp op;
            op.kind = ArrayOpKind::Transpose;
            op.operands = {*operand};
            return add_op(syntax.spot, std::move(op));
        }
        case SyntaxKind::Call:
            return call(syntax);
        case SyntaxKind::Elementwise:
            return elementwise(syntax);
    }
    throw InternalError("unknown kind of syntax");
}

ExpressionValue Meaning::name(const Syntax& syntax) {
    if (parameters_ != nullptr) {
        if (const auto found = parameters_->find(syntax.text); found != parameters_->end()) {
            return scalar_value(arg(found->second));
        }
    }
    if (broken_.count(syntax.text) > 0) return {};
    if (const auto found = dims_.find(syntax.text); found != dims_.end())
        return scalar_value(size_of(found->second));
    if (syntax.text == "pi") return scalar_value(number(pi));
    if (const auto found = arrays_.find(syntax.text); found != arrays_.end()) {
        if (parameters_ == nullptr) return array_value(found->second);
        return fail(syntax.spot,
                    "found the array " + syntax.text +
                        " inside elementwise(...: ...); expected its parameters, dimensions and numbers");
    }
    if (is_function_name(syntax.text)) {
        return fail(syntax.spot, "found the function " + syntax.text + " without arguments; expected " +
                                     syntax.text + "(...)");
    }
    undefined({syntax.text, syntax.spot}, Wanted::ArrayOrDimension);
    return {};
}

// The operand of a function on arrays; reports anything else.
std::optional<int> Meaning::array(const Syntax& syntax, const std::string& function) {
    const ExpressionValue value = evaluate(syntax);
    if (value.is_array() && !value.column) return value.op;
    if (value.column) misplaced_column(syntax.spot);
    if (value.is_scalar()) fail(syntax.spot, "found a number; " + function + " expects an array");
    return std::nullopt;
}

ExpressionValue Meaning::negate(const Syntax& syntax) {
    return apply(syntax.spot, {evaluate(*syntax.args[0])},
                 [](const std::vector<ExprPtr>& a) { return blockscope::call(Fn::Neg, a[0]); });
}

bool Meaning::limited(SourceSpot spot, const ExprPtr& expr) {
    if (tree_size(*expr, kMaxExprSize + 1) <= kMaxExprSize) return true;
    fail(spot, "found an elementwise expression of more than " + std::to_string(kMaxExprSize) +
                   " operations; expected a smaller one");
    return false;
}

// One elementwise operator on all args that are arrays; a scalar if none is.
ExpressionValue Meaning::apply(SourceSpot spot, const std::vector<ExpressionValue>& args,
                               const Build& build) {
    std::vector<ExprPtr> exprs;
    std::vector<int> operands;
    for (const ExpressionValue& value : args) {
        if (value.kind == ExpressionValue::Kind::Bad) return {};
        if (value.column) return misplaced_column(spot);
        if (value.is_scalar()) {
            exprs.push_back(value.scalar);
        } else {
            exprs.push_back(arg(static_cast<int>(operands.size())));
            operands.push_back(value.op);
        }
    }
    ExprPtr expr = build(exprs);
    if (operands.empty()) return limited(spot, expr) ? scalar_value(std::move(expr)) : ExpressionValue{};
    return add_elementwise(spot, std::move(expr), std::move(operands));
}

ExpressionValue Meaning::add_elementwise(SourceSpot spot, ExprPtr expr, std::vector<int> operands) {
    if (!limited(spot, expr)) return {};
    ArrayOp op;
    op.kind = ArrayOpKind::Elementwise;
    op.expr = std::move(expr);
    op.operands = std::move(operands);
    return add_op(spot, std::move(op));
}

ExpressionValue Meaning::add_op(SourceSpot spot, ArrayOp op) {
    std::vector<ArrayOp>& ops = program_.ops;
    if (static_cast<int>(ops.size()) >= kMaxArrayOps) {
        return fail(spot,
                    "found more than " + std::to_string(kMaxArrayOps) + " array operators; expected fewer");
    }
    const auto typed = std::find_if(op.operands.begin(), op.operands.end(),
                                    [&](int operand) { return untyped_masks_.count(operand) == 0; });
    for (const int operand : op.operands) {
        if (untyped_masks_.erase(operand) == 0) continue;
        ArrayOp& mask = ops[static_cast<std::size_t>(operand)];
        if (typed != op.operands.end()) mask.elem = ops[static_cast<std::size_t>(*typed)].elem;
        causal_masks_.emplace(std::pair(mask.shape.axes, mask.elem), operand);
    }
    op.place = {problems_.file(), spot.line, spot.column, {}};
    if (std::string problem = infer(program_, op); !problem.empty()) return fail(spot, std::move(problem));
    ops.push_back(std::move(op));
    return array_value(static_cast<int>(ops.size()) - 1);
}

ExpressionValue Meaning::binary(const Syntax& syntax) {
    const ExpressionValue left = evaluate(*syntax.args[0]);
    const ExpressionValue right = evaluate(*syntax.args[1]);
    if (left.kind == ExpressionValue::Kind::Bad || right.kind == ExpressionValue::Kind::Bad) return {};
    if (syntax.symbol == '@') {
        if (!left.is_array() || !right.is_array() || left.column || right.column) {
            return fail(syntax.spot,
                        "found '@' beside something that is no matrix; expected matrices on both sides "
                        "(numbers multiply with *)");
        }
        ArrayOp op;
        op.kind = ArrayOpKind::Matmul;
        op.operands = {left.op, right.op};
        return add_op(syntax.spot, std::move(op));
    }
    const Fn fn = function_of(syntax.symbol);
    if (left.is_array() && right.is_array()) return array_binary(syntax, fn, left, right);
    return apply(syntax.spot, {left, right},
                 [fn](const std::vector<ExprPtr>& a) { return blockscope::call(fn, a[0], a[1]); });
}

// A matrix and a vector: numpy's reading first, the vector runs along the last axis.
ExpressionValue Meaning::array_binary(const Syntax& syntax, Fn fn, const ExpressionValue& left,
                                      const ExpressionValue& right) {
    const Shape& a = program_.ops[static_cast<std::size_t>(left.op)].shape;
    const Shape& b = program_.ops[static_cast<std::size_t>(right.op)].shape;
    const bool broadcast = a.axes.size() + b.axes.size() == 3 && fn != Fn::Pow;
    const bool column = left.column || right.column;
    if (!broadcast && column) return misplaced_column(syntax.spot);
    if (!broadcast) {
        return add_elementwise(syntax.spot, blockscope::call(fn, arg(0), arg(1)), {left.op, right.op});
    }
    const Shape& matrix = a.axes.size() == 2 ? a : b;
    const DimId along = (a.axes.size() == 2 ? b : a).axes[0];
    const bool rows = column || (along != matrix.axes[1] && along == matrix.axes[0]);
    ArrayOp op;
    op.kind = ArrayOpKind::Broadcast;
    op.fn = fn;
    op.operands = {left.op, right.op};
    op.vector_axis = rows ? VectorAxis::Rows : VectorAxis::Cols;
    return add_op(syntax.spot, std::move(op));
}

ExpressionValue Meaning::misplaced_column(SourceSpot spot) {
    return fail(spot,
                "found column(...) where there is no matrix; expected it beside a matrix and one of + - * /");
}

// elementwise(x, y: x * exp(y), A, B): one operator from an expression over parameters.
ExpressionValue Meaning::elementwise(const Syntax& syntax) {
    if (parameters_ != nullptr) {
        return fail(syntax.spot, "found elementwise inside elementwise; expected functions of one number");
    }
    std::unordered_map<std::string, int> parameters;
    for (const NameSyntax& parameter : syntax.parameters) {
        const bool taken = dims_.count(parameter.text) > 0 || is_function_name(parameter.text);
        if (taken || !parameters.emplace(parameter.text, static_cast<int>(parameters.size())).second) {
            return fail(parameter.spot, "found the parameter " + parameter.text +
                                            ", whose name is taken; expected a name of its own");
        }
    }
    if (syntax.args.size() != syntax.parameters.size() + 1) {
        return fail(syntax.spot, "found " + std::to_string(syntax.args.size() - 1) + " arrays for " +
                                     std::to_string(syntax.parameters.size()) +
                                     " parameters; expected one for each");
    }
    parameters_ = &parameters;
    const ExpressionValue body = evaluate(*syntax.args[0]);
    parameters_ = nullptr;
    std::vector<int> operands;
    for (std::size_t i = 1; i < syntax.args.size(); ++i) {
        const std::optional<int> operand = array(*syntax.args[i], "elementwise");
        if (operand) operands.push_back(*operand);
    }
    if (!body.is_scalar() || operands.size() != syntax.parameters.size()) return {};
    if (const int unused = first_unused_argument(*body.scalar, static_cast<int>(operands.size()));
        unused >= 0) {
        const NameSyntax& parameter = syntax.parameters[static_cast<std::size_t>(unused)];
        return fail(parameter.spot, "found the parameter " + parameter.text +
                                        ", which the expression does not use; expected its use");
    }
    return add_elementwise(syntax.spot, body.scalar, std::move(operands));
}

}  // namespace blockscope
