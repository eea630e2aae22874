#include "core/program/functions.h"

#include <algorithm>

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

const std::vector<std::string_view> array_functions = {
    "softmax", "rmsnorm", "layernorm", "row_sum", "row_mean", "row_max",    "outer",
    "sum",     "cast",    "causal",    "custom",  "column",   "elementwise"};

std::vector<std::string_view> all_names() {
    std::vector<std::string_view> names = array_functions;
    for (const ElementwiseFunction& function : elementwise_functions()) names.push_back(function.name);
    return names;
}

}  // namespace

const std::vector<ElementwiseFunction>& elementwise_functions() {
    static const std::vector<ElementwiseFunction> table = {
        {"exp", 1, "", 0, unary<Fn::Exp>},
        {"log", 1, "", 0, unary<Fn::Log>},
        {"sqrt", 1, "", 0, unary<Fn::Sqrt>},
        {"rsqrt", 1, "", 0, rsqrt},
        {"square", 1, "", 0, square},
        {"reciprocal", 1, "", 0, reciprocal},
        {"tanh", 1, "", 0, unary<Fn::Tanh>},
        {"erf", 1, "", 0, unary<Fn::Erf>},
        {"abs", 1, "", 0, unary<Fn::Abs>},
        {"sin", 1, "", 0, unary<Fn::Sin>},
        {"cos", 1, "", 0, unary<Fn::Cos>},
        {"floor", 1, "", 0, unary<Fn::Floor>},
        {"ceil", 1, "", 0, ceil},
        {"neg", 1, "", 0, unary<Fn::Neg>},
        {"exp2", 1, "", 0, exp2},
        {"log2", 1, "", 0, log2},
        {"sigmoid", 1, "", 0, sigmoid},
        {"relu", 1, "", 0, relu},
        {"relu6", 1, "", 0, relu6},
        {"gelu", 1, "", 0, gelu},
        {"gelu_tanh", 1, "", 0, gelu_tanh},
        {"silu", 1, "", 0, silu},
        {"swish", 1, "", 0, silu, true},
        {"softplus", 1, "", 0, softplus},
        {"mish", 1, "", 0, mish},
        {"elu", 1, "alpha", 1, elu},
        {"selu", 1, "", 0, selu},
        {"leaky_relu", 1, "slope", 0.01, leaky_relu},
        {"hardsigmoid", 1, "", 0, hardsigmoid},
        {"hardswish", 1, "", 0, hardswish},
        {"hardtanh", 1, "", 0, hardtanh},
        {"max", 2, "", 0, binary<Fn::Max>},
        {"min", 2, "", 0, binary<Fn::Min>},
    };
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
