#include "core/program/functions.h"
#include "core/program/infer.h"
#include "core/program/meaning.h"

namespace blockscope {
// Whether the count of unnamed arguments is right.
bool Meaning::arguments(const Syntax& syntax, std::size_t least, std::size_t most, const char* form) {
    const std::size_t count = syntax.args.size();
    if (count >= least && count <= most) return true;
    fail(syntax.spot, "found " + std::to_string(count) + (count == 1 ? " argument" : " arguments") + " of " +
                          syntax.text + "; expected " + form);
    return false;
}

bool Meaning::no_named(const Syntax& syntax) {
    if (syntax.named.empty()) return true;
    const NameSyntax& name = syntax.named[0].name;
    fail(name.spot,
         "found the argument " + name.text + "= of " + syntax.text + "; expected no named argument");
    return false;
}

ExpressionValue Meaning::call(const Syntax& syntax) {
    if (find_elementwise_function(syntax.text) != nullptr) return elementwise_function(syntax);
    if (parameters_ != nullptr && is_function_name(syntax.text)) {
        return fail(syntax.spot,
                    "found " + syntax.text + " inside elementwise(...: ...); expected functions of numbers");
    }
    if (syntax.text == "softmax") return row_operator(syntax, ArrayOpKind::Softmax);
    if (syntax.text == "row_sum") return row_operator(syntax, ArrayOpKind::RowSum);
    if (syntax.text == "row_mean") return row_operator(syntax, ArrayOpKind::RowMean);
    if (syntax.text == "row_max") return row_operator(syntax, ArrayOpKind::RowMax);
    if (syntax.text == "rmsnorm") return norm(syntax, ArrayOpKind::RmsNorm);
    if (syntax.text == "layernorm") return norm(syntax, ArrayOpKind::LayerNorm);
    if (syntax.text == "outer") return outer(syntax);
    if (syntax.text == "sum") return sum_over(syntax);
    if (syntax.text == "cast") return cast(syntax);
    if (syntax.text == "causal") return causal(syntax);
    if (syntax.text == "column") return column(syntax);
    if (syntax.text == "custom") return custom(syntax, nullptr);
    const bool defined = arrays_.count(syntax.text) > 0 || dims_.count(syntax.text) > 0;
    return fail(syntax.spot,
                "found " + syntax.text + "(...), which is no function" +
                    (defined ? " but an array or a dimension; expected an operator before the '('"
                             : "; expected a function, or custom(\"" + syntax.text + "\", ...)" +
                                   suggestion(syntax.text, function_names())));
}

ExpressionValue Meaning::elementwise_function(const Syntax& syntax) {
    const ElementwiseFunction& function = *find_elementwise_function(syntax.text);
    const auto operands = static_cast<std::size_t>(function.operands);
    const bool has_parameter = !function.parameter.empty();
    const std::string form =
        (operands == 1 ? "one array" : "two arrays, or an array and a number") +
        (has_parameter ? " and " + std::string(function.parameter) + "=" : std::string());
    if (!arguments(syntax, operands, operands + (has_parameter ? 1 : 0), form.c_str())) return {};
    std::vector<ExpressionValue> values;
    for (const SyntaxPtr& argument : syntax.args) values.push_back(evaluate(*argument));
    for (const NamedArgument& named : syntax.named) {
        if (!has_parameter || named.name.text != function.parameter || values.size() > operands) {
            return fail(named.name.spot, "found the argument " + named.name.text + "= of " + syntax.text +
                                             "; expected " + form + ", each once");
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
        return fail(syntax.spot, "found an array as " + std::string(function.parameter) + " of " +
                                     syntax.text + "; expected a number");
    }
    return apply(syntax.spot, values, function.build);
}

ExpressionValue Meaning::row_operator(const Syntax& syntax, ArrayOpKind kind) {
    if (!arguments(syntax, 1, 1, "one matrix") || !no_named(syntax)) return {};
    const std::optional<int> operand = array(*syntax.args[0], syntax.text);
    if (!operand) return {};
    ArrayOp op;
    op.kind = kind;
    op.operands = {*operand};
    return add_op(syntax.spot, std::move(op));
}

ExpressionValue Meaning::outer(const Syntax& syntax) {
    if (!arguments(syntax, 2, 2, "two vectors, as in outer(c, d)") || !no_named(syntax)) return {};
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
                 "found something else as eps; expected a number that is not negative, as in eps=1e-6");
            return false;
        }
        op.epsilon = value.value;
        has_epsilon = true;
        return true;
    }
    if (named.name.text == "form") {
        if (value.kind != SyntaxKind::Name || (value.text != "paper" && value.text != "usual")) {
            fail(value.spot, "found an unknown form; expected form=paper or form=usual");
            return false;
        }
        op.paper_form = value.text == "paper";
        return true;
    }
    fail(named.name.spot, "found the argument " + named.name.text + "=; expected eps= or form=");
    return false;
}

ExpressionValue Meaning::norm(const Syntax& syntax, ArrayOpKind kind) {
    const bool rms = kind == ArrayOpKind::RmsNorm;
    const char* form = rms ? "rmsnorm(X), rmsnorm(X, weight)"
                           : "layernorm(X), layernorm(X, weight) or layernorm(X, weight, bias)";
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
        return fail(syntax.spot,
                    "found eps= with form=paper; expected one of them, the paper's form has no epsilon");
    }
    if (op.paper_form) op.epsilon = 0;
    return add_op(syntax.spot, std::move(op));
}

ExpressionValue Meaning::sum_over(const Syntax& syntax) {
    if (!arguments(syntax, 2, 2, "an array and one of its batch dimensions, as in sum(X, H)") ||
        !no_named(syntax))
        return {};
    const std::optional<int> operand = array(*syntax.args[0], "sum");
    const Syntax& over = *syntax.args[1];
    if (over.kind != SyntaxKind::Name)
        return fail(over.spot, "found an expression; expected the name of a batch dimension");
    const std::optional<DimId> dim = find_dim({over.text, over.spot});
    if (!operand || !dim) return {};
    ArrayOp op;
    op.kind = ArrayOpKind::SumOver;
    op.operands = {*operand};
    op.dim = *dim;
    return add_op(syntax.spot, std::move(op));
}

ExpressionValue Meaning::cast(const Syntax& syntax) {
    if (!arguments(syntax, 2, 2, "an array and an element type, as in cast(X, bf16)") || !no_named(syntax))
        return {};
    const std::optional<int> operand = array(*syntax.args[0], "cast");
    const Syntax& type = *syntax.args[1];
    if (type.kind != SyntaxKind::Name)
        return fail(type.spot, "found an expression; expected f32, f16, bf16, e4m3 or e5m2");
    const std::optional<ElemType> elem = resolve_type({type.text, type.spot});
    if (!operand || !elem) return {};
    ArrayOp op;
    op.kind = ArrayOpKind::Cast;
    op.operands = {*operand};
    op.elem = *elem;
    return add_op(syntax.spot, std::move(op));
}

ExpressionValue Meaning::column(const Syntax& syntax) {
    if (!arguments(syntax, 1, 1, "one vector, as in X / column(c)") || !no_named(syntax)) return {};
    const std::optional<int> operand = array(*syntax.args[0], "column");
    if (!operand) return {};
    const ArrayOp& op = program_.ops[static_cast<std::size_t>(*operand)];
    if (op.shape.axes.size() != 1) {
        return fail(syntax.spot, "found column of " + op.name + to_string(op.shape, program_.dims) +
                                     "; expected a vector");
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

// causal(S) is S + CAUSAL with a causal mask of S's shape.
ExpressionValue Meaning::causal(const Syntax& syntax) {
    if (!arguments(syntax, 1, 1, "one matrix of scores") || !no_named(syntax)) return {};
    const std::optional<int> operand = array(*syntax.args[0], "causal");
    if (!operand) return {};
    const ArrayOp& scores = program_.ops[static_cast<std::size_t>(*operand)];
    if (scores.shape.axes.size() != 2) {
        return fail(syntax.spot, "found causal of " + scores.name + to_string(scores.shape, program_.dims) +
                                     "; expected a matrix of scores");
    }
    const std::pair key(scores.shape.axes, scores.elem);
    auto mask = causal_masks_.find(key);
    if (mask == causal_masks_.end()) {
        ArrayOp op;
        op.source = InputSource::CausalMask;
        op.shape.axes = key.first;
        op.elem = key.second;
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
        return fail(syntax.spot,
                    "found custom without a name or without an array; expected custom(\"name\", X, ...)");
    }
    ArrayOp op;
    op.kind = ArrayOpKind::Custom;
    op.custom_name = syntax.args[0]->text;
    if (std::string problem = custom_name_problem(op.custom_name); !problem.empty()) {
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

}  // namespace blockscope
