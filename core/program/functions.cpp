#include "core/program/functions.h"

#include <algorithm>

#include "core/program/array_program.h"

namespace blockscope {
namespace {

using Args = std::vector<ExprPtr>;

ExprPtr add(ExprPtr a, ExprPtr b) {
    return call(Fn::Add, std::move(a), std::move(b));
}
ExprPtr sub(ExprPtr a, ExprPtr b) {
    return call(Fn::Sub, std::move(a), std::move(b));
}
ExprPtr mul(ExprPtr a, ExprPtr b) {
    return call(Fn::Mul, std::move(a), std::move(b));
}
ExprPtr div(ExprPtr a, ExprPtr b) {
    return call(Fn::Div, std::move(a), std::move(b));
}
ExprPtr pow(ExprPtr a, ExprPtr b) {
    return call(Fn::Pow, std::move(a), std::move(b));
}
ExprPtr max(ExprPtr a, ExprPtr b) {
    return call(Fn::Max, std::move(a), std::move(b));
}
ExprPtr min(ExprPtr a, ExprPtr b) {
    return call(Fn::Min, std::move(a), std::move(b));
}
ExprPtr exp(ExprPtr a) {
    return call(Fn::Exp, std::move(a));
}
ExprPtr log(ExprPtr a) {
    return call(Fn::Log, std::move(a));
}
ExprPtr neg(ExprPtr a) {
    return call(Fn::Neg, std::move(a));
}
ExprPtr num(double value) {
    return number(value);
}

template <Fn fn>
ExprPtr unary(const Args& a) {
    return call(fn, a[0]);
}
template <Fn fn>
ExprPtr binary(const Args& a) {
    return call(fn, a[0], a[1]);
}

ExprPtr sigmoid(const Args& a) {
    return div(num(1), add(num(1), exp(neg(a[0]))));
}
ExprPtr silu(const Args& a) {
    return div(a[0], add(num(1), exp(neg(a[0]))));
}
ExprPtr relu(const Args& a) {
    return max(a[0], num(0));
}
ExprPtr relu6(const Args& a) {
    return min(max(a[0], num(0)), num(6));
}

ExprPtr gelu(const Args& a) {
    return mul(mul(num(0.5), a[0]), add(num(1), call(Fn::Erf, div(a[0], pow(num(2), num(0.5))))));
}

ExprPtr gelu_tanh(const Args& a) {
    const double sqrt_2_over_pi = 0.7978845608028654;
    const ExprPtr inner = mul(num(sqrt_2_over_pi), add(a[0], mul(num(0.044715), pow(a[0], num(3)))));
    return mul(mul(num(0.5), a[0]), add(num(1), call(Fn::Tanh, inner)));
}

// log(1+exp(x)) in the form that does not overflow.
ExprPtr softplus(const Args& a) {
    return add(max(a[0], num(0)), log(add(num(1), exp(neg(call(Fn::Abs, a[0]))))));
}

ExprPtr mish(const Args& a) {
    return mul(a[0], call(Fn::Tanh, softplus(a)));
}

ExprPtr elu(const Args& a) {
    return add(max(a[0], num(0)), mul(a[1], sub(exp(min(a[0], num(0))), num(1))));
}

ExprPtr selu(const Args& a) {
    return mul(num(1.0507009873554805), elu({a[0], num(1.6732632423543772)}));
}
ExprPtr leaky_relu(const Args& a) {
    return add(max(a[0], num(0)), mul(a[1], min(a[0], num(0))));
}
ExprPtr hardsigmoid(const Args& a) {
    return div(relu6({add(a[0], num(3))}), num(6));
}
ExprPtr hardswish(const Args& a) {
    return mul(a[0], hardsigmoid(a));
}
ExprPtr hardtanh(const Args& a) {
    return min(max(a[0], num(-1)), num(1));
}
ExprPtr square(const Args& a) {
    return pow(a[0], num(2));
}
ExprPtr reciprocal(const Args& a) {
    return div(num(1), a[0]);
}
ExprPtr rsqrt(const Args& a) {
    return pow(a[0], num(-0.5));
}
ExprPtr ceil(const Args& a) {
    return neg(call(Fn::Floor, neg(a[0])));
}
ExprPtr log2(const Args& a) {
    return div(log(a[0]), log(num(2)));
}
ExprPtr exp2(const Args& a) {
    return pow(num(2), a[0]);
}

// A primitive without a row is a function by its own name; signs (+, ...) are no functions.
std::vector<ElementwiseFunction> all_functions() {
    std::vector<ElementwiseFunction> table = {
        {.name = "exp", .build = unary<Fn::Exp>},
        {.name = "log", .build = unary<Fn::Log>},
        {.name = "sqrt", .build = unary<Fn::Sqrt>},
        {.name = "rsqrt", .build = rsqrt},
        {.name = "square", .build = square},
        {.name = "reciprocal", .build = reciprocal},
        {.name = "tanh", .build = unary<Fn::Tanh>},
        {.name = "erf", .build = unary<Fn::Erf>},
        {.name = "abs", .build = unary<Fn::Abs>},
        {.name = "sin", .build = unary<Fn::Sin>},
        {.name = "cos", .build = unary<Fn::Cos>},
        {.name = "floor", .build = unary<Fn::Floor>},
        {.name = "ceil", .build = ceil},
        {.name = "neg", .build = unary<Fn::Neg>},
        {.name = "exp2", .build = exp2},
        {.name = "log2", .build = log2},
        {.name = "sigmoid", .build = sigmoid},
        {.name = "relu", .build = relu},
        {.name = "relu6", .build = relu6},
        {.name = "gelu", .build = gelu},
        {.name = "gelu_tanh", .build = gelu_tanh},
        {.name = "silu", .build = silu},
        {.name = "swish", .build = silu, .alias = true},
        {.name = "softplus", .build = softplus},
        {.name = "mish", .build = mish},
        {.name = "elu", .build = elu, .parameter = "alpha", .parameter_default = 1},
        {.name = "selu", .build = selu},
        {.name = "leaky_relu", .build = leaky_relu, .parameter = "slope", .parameter_default = 0.01},
        {.name = "hardsigmoid", .build = hardsigmoid},
        {.name = "hardswish", .build = hardswish},
        {.name = "hardtanh", .build = hardtanh},
        {.name = "max", .build = binary<Fn::Max>, .operands = 2},
        {.name = "min", .build = binary<Fn::Min>, .operands = 2},
    };
    for (const Primitive& function : kPrimitives) {
        const auto same = [&](const ElementwiseFunction& row) { return row.name == function.name; };
        if (function.form != FnForm::Function || std::any_of(table.begin(), table.end(), same)) continue;
        const auto build = [fn = function.fn](const Args& a) {
            return arity(fn) == 1 ? call(fn, a[0]) : call(fn, a[0], a[1]);
        };
        table.push_back({.name = function.name, .build = build, .operands = function.arity});
    }
    return table;
}

std::vector<std::string_view> all_names() {
    std::vector<std::string_view> names;
    for (const ArrayOperator& row : kArrayOperators)
        if (!row.function.empty()) names.push_back(row.function);
    for (const std::string_view sugar : {"causal", "column", "elementwise"}) names.push_back(sugar);
    for (const ElementwiseFunction& function : elementwise_functions()) names.push_back(function.name);
    return names;
}

}  // namespace

const std::vector<ElementwiseFunction>& elementwise_functions() {
    static const std::vector<ElementwiseFunction> table = all_functions();
    return table;
}

const ElementwiseFunction* find_elementwise_function(std::string_view name) {
    for (const ElementwiseFunction& function : elementwise_functions()) {
        if (function.name == name) return &function;
    }
    return nullptr;
}

const std::vector<std::string_view>& function_names() {
    static const std::vector<std::string_view> names = all_names();
    return names;
}

bool is_function_name(std::string_view name) {
    const auto& names = function_names();
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace blockscope
