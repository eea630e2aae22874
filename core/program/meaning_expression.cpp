#include <algorithm>
#include <tuple>

#include "core/program/array_program.h"
#include "core/program/functions.h"
#include "core/program/syntax.h"

namespace blockscope {

// Whether the count of unnamed arguments is right.
bool Meaning::arguments(const Syntax& syntax, std::size_t least, std::size_t most, const Text& form) {
    const std::size_t count = syntax.args.size();
    if (count >= least && count <= most) return true;
    fail(syntax.spot, count == 1 ? Text("found 1 argument of %1; expected %2", syntax.text, form)
                                 : Text("found %1 arguments of %2; expected %3", count, syntax.text, form));
    return false;
}

bool Meaning::no_named(const Syntax& syntax) {
    if (syntax.named.empty()) return true;
    const NameSyntax& name = syntax.named[0].name;
    fail(name.spot, Text("found the argument %1= of %2; expected no named argument", name.text, syntax.text));
    return false;
}

ExpressionValue Meaning::call(const Syntax& syntax) {
    if (find_elementwise_function(syntax.text) != nullptr) return elementwise_function(syntax);
    if (parameters_ != nullptr && is_function_name(syntax.text)) {
        return fail(syntax.spot, Text("found %1 inside elementwise(...: ...); expected functions of numbers",
                                      syntax.text));
    }
    for (const ArrayOperator& row : kArrayOperators) {
        if (row.form == ArrayForm::Rotate && row.function == syntax.text) return rope(syntax, row.kind);
        const bool by_rows = row.form == ArrayForm::KeepRows || row.form == ArrayForm::FoldRows;
        if (!by_rows || row.function != syntax.text) continue;
        return row.most == 1 ? row_operator(syntax, row.kind) : norm(syntax, row.kind);
    }
    if (syntax.text == "outer") return outer(syntax);
    if (syntax.text == "sum") return sum_over(syntax);
    if (syntax.text == "cast") return cast(syntax);
    if (syntax.text == "causal") return causal(syntax);
    if (syntax.text == "column") return column(syntax);
    if (syntax.text == "custom") return custom(syntax, nullptr);
    const bool defined = arrays_.count(syntax.text) > 0 || dims_.count(syntax.text) > 0;
    if (defined)
        return fail(syntax.spot, Text("found %1(...), which is no function but an array or a dimension; "
                                      "expected an operator before the '('",
                                      syntax.text));
    return fail(syntax.spot,
                Text("found %1(...), which is no function; expected a function, or custom(\"%1\", ...)%2",
                     syntax.text, suggestion(syntax.text, function_names())));
}

ExpressionValue Meaning::elementwise_function(const Syntax& syntax) {
    const ElementwiseFunction& function = *find_elementwise_function(syntax.text);
    const auto operands = static_cast<std::size_t>(function.operands);
    const bool has_parameter = !function.parameter.empty();
    const Text arrays = operands == 1 ? Text("one array") : Text("two arrays, or an array and a number");
    const Text form = has_parameter ? Text("%1 and %2=", arrays, function.parameter) : arrays;
    if (!arguments(syntax, operands, operands + (has_parameter ? 1 : 0), form)) return {};
    std::vector<ExpressionValue> values;
    for (const SyntaxPtr& argument : syntax.args) values.push_back(evaluate(*argument));
    for (const NamedArgument& named : syntax.named) {
        if (!has_parameter || named.name.text != function.parameter || values.size() > operands) {
            return fail(named.name.spot, Text("found the argument %1= of %2; expected %3, each once",
                                              named.name.text, syntax.text, form));
        }
        values.push_back(evaluate(*named.value));
    }
    if (has_parameter && values.size() == operands) {
        ExpressionValue standard;
        standard.kind = ExpressionValue::Kind::Scalar;
        standard.scalar = number(function.parameter_default);
        values.push_back(std::move(standard));
    }
    if (has_parameter && values.back().is_array()) {
        return fail(syntax.spot,
                    Text("found an array as %1 of %2; expected a number", function.parameter, syntax.text));
    }
    return apply(syntax.spot, values, function.build);
}

ExpressionValue Meaning::row_operator(const Syntax& syntax, ArrayOpKind kind) {
    if (!arguments(syntax, 1, 1, Text("one matrix")) || !no_named(syntax)) return {};
    const std::optional<int> operand = array(*syntax.args[0], syntax.text);
    if (!operand) return {};
    ArrayOp op;
    op.kind = kind;
    op.operands = {*operand};
    return add_op(syntax.spot, std::move(op));
}

ExpressionValue Meaning::rope(const Syntax& syntax, ArrayOpKind kind) {
    const Text form("a matrix, cosines and sines, as in %1(X, C, S)", syntax.text);
    if (!arguments(syntax, 3, 3, form) || !no_named(syntax)) return {};
    ArrayOp op;
    op.kind = kind;
    for (const SyntaxPtr& argument : syntax.args)
        if (const std::optional<int> operand = array(*argument, syntax.text)) op.operands.push_back(*operand);
    if (op.operands.size() < syntax.args.size()) return {};
    return add_op(syntax.spot, std::move(op));
}

ExpressionValue Meaning::outer(const Syntax& syntax) {
    if (!arguments(syntax, 2, 2, Text("two vectors, as in outer(c, d)")) || !no_named(syntax)) return {};
    const std::optional<int> left = array(*syntax.args[0], "outer");
    const std::optional<int> right = array(*syntax.args[1], "outer");
    if (!left || !right) return {};
    ArrayOp op;
    op.kind = ArrayOpKind::Outer;
    op.operands = {*left, *right};
    return add_op(syntax.spot, std::move(op));
}

// eps= or form=paper; false if reported.
bool Meaning::norm_option(const NamedArgument& named, ArrayOp& op, bool& has_epsilon) {
    const Syntax& value = *named.value;
    if (named.name.text == "eps") {
        if (value.kind != SyntaxKind::Number || value.value < 0) {
            fail(value.spot,
                 Text("found something else as eps; expected a number that is not negative, as in eps=1e-6"));
            return false;
        }
        op.epsilon = value.value;
        has_epsilon = true;
        return true;
    }
    if (named.name.text == "form") {
        if (value.kind != SyntaxKind::Name || (value.text != "paper" && value.text != "usual")) {
            fail(value.spot, Text("found an unknown form; expected form=paper or form=usual"));
            return false;
        }
        op.paper_form = value.text == "paper";
        return true;
    }
    fail(named.name.spot, Text("found the argument %1=; expected eps= or form=", named.name.text));
    return false;
}

ExpressionValue Meaning::norm(const Syntax& syntax, ArrayOpKind kind) {
    const bool rms = kind == ArrayOpKind::RmsNorm;
    const Text form = rms ? Text("rmsnorm(X), rmsnorm(X, weight)")
                          : Text("layernorm(X), layernorm(X, weight) or layernorm(X, weight, bias)");
    if (!arguments(syntax, 1, rms ? 2 : 3, form)) return {};
    ArrayOp op;
    op.kind = kind;
    op.epsilon = rms ? kRmsNormEpsilon : kLayerNormEpsilon;
    bool right = true;
    bool has_epsilon = false;
    for (const SyntaxPtr& argument : syntax.args) {
        const std::optional<int> operand = array(*argument, syntax.text);
        right = right && operand;
        if (operand) op.operands.push_back(*operand);
    }
    for (const NamedArgument& named : syntax.named) right = norm_option(named, op, has_epsilon) && right;
    if (!right) return {};
    if (op.paper_form && has_epsilon) {
        return fail(
            syntax.spot,
            Text("found eps= with form=paper; expected one of them, the paper's form has no epsilon"));
    }
    if (op.paper_form) op.epsilon = 0;
    return add_op(syntax.spot, std::move(op));
}

ExpressionValue Meaning::sum_over(const Syntax& syntax) {
    if (!arguments(syntax, 2, 2, Text("an array and one of its batch dimensions, as in sum(X, H)")) ||
        !no_named(syntax))
        return {};
    const std::optional<int> operand = array(*syntax.args[0], "sum");
    const Syntax& over = *syntax.args[1];
    if (over.kind != SyntaxKind::Name)
        return fail(over.spot, Text("found an expression; expected the name of a batch dimension"));
    const std::optional<DimId> dim = find_dim({over.text, over.spot});
    if (!operand || !dim) return {};
    ArrayOp op;
    op.kind = ArrayOpKind::SumOver;
    op.operands = {*operand};
    op.dim = *dim;
    return add_op(syntax.spot, std::move(op));
}

ExpressionValue Meaning::cast(const Syntax& syntax) {
    if (!arguments(syntax, 2, 2, Text("an array and an element type, as in cast(X, bf16)")) ||
        !no_named(syntax))
        return {};
    const std::optional<int> operand = array(*syntax.args[0], "cast");
    const Syntax& type = *syntax.args[1];
    if (type.kind != SyntaxKind::Name)
        return fail(type.spot, Text("found an expression; expected f32, f16, bf16, e4m3 or e5m2"));
    const std::optional<ElemType> elem = resolve_type({type.text, type.spot});
    if (!operand || !elem) return {};
    ArrayOp op;
    op.kind = ArrayOpKind::Cast;
    op.operands = {*operand};
    op.elem = *elem;
    return add_op(syntax.spot, std::move(op));
}

ExpressionValue Meaning::column(const Syntax& syntax) {
    if (!arguments(syntax, 1, 1, Text("one vector, as in X / column(c)")) || !no_named(syntax)) return {};
    const std::optional<int> operand = array(*syntax.args[0], "column");
    if (!operand) return {};
    const ArrayOp& op = program_.ops[static_cast<std::size_t>(*operand)];
    if (op.shape.axes.size() != 1) {
        return fail(syntax.spot, Text("found column of %1%2; expected a vector", op.name,
                                      to_string(op.shape, program_.dims)));
    }
    ExpressionValue value;
    value.kind = ExpressionValue::Kind::Array;
    value.op = *operand;
    value.column = true;
    return value;
}

// CAUSAL, or CAUSAL2 ... if that name is taken.
std::string Meaning::causal_name() {
    std::string name = "CAUSAL";
    for (int i = causal_count_ + 1;; ++i) {
        if (i > 1) name = "CAUSAL" + std::to_string(i);
        if (declared_.count(name) == 0 && !names_.contains(name)) {
            causal_count_ = i;
            return name;
        }
    }
}

// Of causal(S, window=4096): 4096; of causal(S): 0. None if reported.
std::optional<std::int64_t> Meaning::window(const Syntax& causal) {
    std::int64_t columns = 0;
    for (const NamedArgument& named : causal.named) {
        if (named.name.text != "window" || columns > 0) {
            fail(named.name.spot,
                 Text("found the argument %1= of causal; expected window=, once", named.name.text));
            return {};
        }
        const Syntax& value = *named.value;
        const bool fits = value.kind == SyntaxKind::Number && value.value >= 1 &&
                          value.value <= static_cast<double>(kLargestExtent);
        columns = fits ? static_cast<std::int64_t>(value.value) : 0;
        if (!fits || static_cast<double>(columns) != value.value) {
            fail(value.spot, Text("found something else as window; expected the number of columns that a row "
                                  "sees, a whole number from 1 to %1",
                                  kLargestExtent));
            return {};
        }
    }
    return columns;
}

// causal(S) is S + CAUSAL with a causal mask of S's shape.
ExpressionValue Meaning::causal(const Syntax& syntax) {
    if (!arguments(syntax, 1, 1, Text("one matrix of scores"))) return {};
    const std::optional<std::int64_t> columns = window(syntax);
    if (!columns) return {};
    const std::optional<int> operand = array(*syntax.args[0], "causal");
    if (!operand) return {};
    const ArrayOp& scores = program_.ops[static_cast<std::size_t>(*operand)];
    if (scores.shape.axes.size() != 2) {
        return fail(syntax.spot, Text("found causal of %1%2; expected a matrix of scores", scores.name,
                                      to_string(scores.shape, program_.dims)));
    }
    const std::tuple key(scores.shape.axes, scores.elem, *columns);
    auto mask = causal_masks_.find(key);
    if (mask == causal_masks_.end()) {
        ArrayOp op;
        op.source = InputSource::CausalMask;
        op.window = *columns;
        op.shape.axes = std::get<0>(key);
        op.elem = std::get<1>(key);
        const ExpressionValue made = add_op(syntax.spot, std::move(op));
        if (!made.is_array()) return {};
        define({causal_name(), syntax.spot}, made.op);
        mask = causal_masks_.emplace(key, made.op).first;
        hoist_ = true;
    }
    return add_elementwise(syntax.spot, blockscope::call(Fn::Add, arg(0), arg(1)), {*operand, mask->second});
}

// An opaque operator; its result has the shape and type that the statement declares, or else those
// of its first argument.
ExpressionValue Meaning::custom(const Syntax& syntax, const StatementSyntax* annotation) {
    if (!no_named(syntax)) return {};
    if (syntax.args.size() < 2 || syntax.args[0]->kind != SyntaxKind::String) {
        return fail(
            syntax.spot,
            Text("found custom without a name or without an array; expected custom(\"name\", X, ...)"));
    }
    ArrayOp op;
    op.kind = ArrayOpKind::Custom;
    op.custom_name = syntax.args[0]->text;
    if (Text problem = custom_name_problem(op.custom_name); !problem.empty()) {
        return fail(syntax.args[0]->spot, std::move(problem));
    }
    for (std::size_t i = 1; i < syntax.args.size(); ++i) {
        const std::optional<int> operand = array(*syntax.args[i], "custom");
        if (operand) op.operands.push_back(*operand);
    }
    if (op.operands.size() + 1 != syntax.args.size()) return {};
    const ArrayOp& first = program_.ops[static_cast<std::size_t>(op.operands[0])];
    op.shape = first.shape;
    op.elem = first.elem;
    if (annotation != nullptr && annotation->shape) {
        const std::optional<Shape> shape = resolve(*annotation->shape);
        if (!shape) return {};
        op.shape = *shape;
    }
    if (annotation != nullptr && annotation->type) {
        const std::optional<ElemType> elem = resolve_type(*annotation->type);
        if (!elem) return {};
        op.elem = *elem;
    }
    return add_op(syntax.spot, std::move(op));
}

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

ExpressionValue Meaning::fail(SourceSpot spot, Text message) {
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
            return fail(syntax.spot, Text("found the text \"%1\"; expected a name, a number or a function",
                                          shortened(syntax.text)));
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
        return fail(syntax.spot, Text("found the array %1 inside elementwise(...: ...); expected its "
                                      "parameters, dimensions and numbers",
                                      syntax.text));
    }
    if (is_function_name(syntax.text)) {
        return fail(syntax.spot,
                    Text("found the function %1 without arguments; expected %1(...)", syntax.text));
    }
    undefined({syntax.text, syntax.spot}, Wanted::ArrayOrDimension);
    return {};
}

// The operand of a function on arrays; reports anything else.
std::optional<int> Meaning::array(const Syntax& syntax, const std::string& function) {
    const ExpressionValue value = evaluate(syntax);
    if (value.is_array() && !value.column) return value.op;
    if (value.column) misplaced_column(syntax.spot);
    if (value.is_scalar()) fail(syntax.spot, Text("found a number; %1 expects an array", function));
    return std::nullopt;
}

ExpressionValue Meaning::negate(const Syntax& syntax) {
    return apply(syntax.spot, {evaluate(*syntax.args[0])},
                 [](const std::vector<ExprPtr>& a) { return blockscope::call(Fn::Neg, a[0]); });
}

bool Meaning::limited(SourceSpot spot, const ExprPtr& expr) {
    if (tree_size(*expr, kMaxExprSize + 1) <= kMaxExprSize) return true;
    fail(spot, Text("found an elementwise expression of more than %1 operations; expected a smaller one",
                    kMaxExprSize));
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
        return fail(spot, Text("found more than %1 array operators; expected fewer", kMaxArrayOps));
    }
    const auto typed = std::find_if(op.operands.begin(), op.operands.end(),
                                    [&](int operand) { return untyped_masks_.count(operand) == 0; });
    for (const int operand : op.operands) {
        if (untyped_masks_.erase(operand) == 0) continue;
        ArrayOp& mask = ops[static_cast<std::size_t>(operand)];
        if (typed != op.operands.end()) mask.elem = ops[static_cast<std::size_t>(*typed)].elem;
        causal_masks_.emplace(std::tuple(mask.shape.axes, mask.elem, mask.window), operand);
    }
    op.place = {problems_.file(), spot.line, spot.column, {}};
    if (Text problem = infer(program_, op); !problem.empty()) return fail(spot, std::move(problem));
    ops.push_back(std::move(op));
    return array_value(static_cast<int>(ops.size()) - 1);
}

ExpressionValue Meaning::binary(const Syntax& syntax) {
    const ExpressionValue left = evaluate(*syntax.args[0]);
    const ExpressionValue right = evaluate(*syntax.args[1]);
    if (left.kind == ExpressionValue::Kind::Bad || right.kind == ExpressionValue::Kind::Bad) return {};
    if (syntax.symbol == '@') {
        if (!left.is_array() || !right.is_array() || left.column || right.column) {
            return fail(syntax.spot, Text("found '@' beside something that is no matrix; expected matrices "
                                          "on both sides (numbers multiply with *)"));
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
    return fail(
        spot,
        Text("found column(...) where there is no matrix; expected it beside a matrix and one of + - * /"));
}

// elementwise(x, y: x * exp(y), A, B): one operator from an expression over parameters.
ExpressionValue Meaning::elementwise(const Syntax& syntax) {
    if (parameters_ != nullptr) {
        return fail(syntax.spot,
                    Text("found elementwise inside elementwise; expected functions of one number"));
    }
    std::unordered_map<std::string, int> parameters;
    for (const NameSyntax& parameter : syntax.parameters) {
        const bool taken = dims_.count(parameter.text) > 0 || is_function_name(parameter.text);
        if (taken || !parameters.emplace(parameter.text, static_cast<int>(parameters.size())).second) {
            return fail(parameter.spot,
                        Text("found the parameter %1, whose name is taken; expected a name of its own",
                             parameter.text));
        }
    }
    if (syntax.args.size() != syntax.parameters.size() + 1) {
        return fail(syntax.spot, Text("found %1 arrays for %2 parameters; expected one for each",
                                      syntax.args.size() - 1, syntax.parameters.size()));
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
        return fail(parameter.spot,
                    Text("found the parameter %1, which the expression does not use; expected its use",
                         parameter.text));
    }
    return add_elementwise(syntax.spot, body.scalar, std::move(operands));
}

}  // namespace blockscope
