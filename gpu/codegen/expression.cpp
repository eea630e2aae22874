#include "gpu/codegen/expression.h"

#include <cmath>
#include <cstdio>
#include <optional>

#include "core/exec/scalar.h"
#include "core/support/result.h"

namespace blockscope::gpu {

namespace {

std::optional<double> constant(const Expr& expr, const DimTable& dims) {
    if (const auto* number = std::get_if<Number>(&expr.value)) return number->value;
    if (const auto* size = std::get_if<SizeOf>(&expr.value))
        return static_cast<double>(dims.at(size->dim.value).size);
    const auto* inner = std::get_if<Call>(&expr.value);
    if (!inner) return std::nullopt;
    const std::optional<double> a = constant(*inner->args.front(), dims);
    const std::optional<double> b = constant(*inner->args.back(), dims);
    if (!a || !b) return std::nullopt;
    return apply(inner->fn, *a, *b);
}

// Powers with a constant exponent that have an instruction of their own.
std::optional<std::string> power(const std::string& base, double exponent) {
    if (exponent == 2) return "square(" + base + ")";
    if (exponent == 0.5) return "square_root(" + base + ")";
    if (exponent == -0.5) return "rsqrtf(" + base + ")";
    if (exponent == -1) return "quotient(1.0f, " + base + ")";
    return std::nullopt;
}

// What stands under the root if the expression is one: dividing by a root is one instruction and a product.
std::optional<std::string> under_root(const Expr& expr, const std::vector<std::string>& args,
                                      const DimTable& dims) {
    const auto* inner = std::get_if<Call>(&expr.value);
    if (!inner || inner->fn != Fn::Sqrt) return std::nullopt;
    return to_cuda(*inner->args.front(), args, dims);
}

std::string applied(Fn fn, const std::string& a, const std::string& b) {
    switch (fn) {
        case Fn::Neg:
            return "-(" + a + ")";
        case Fn::Exp:
            return "exponential(" + a + ")";
        case Fn::Log:
            return "logf(" + a + ")";
        case Fn::Sqrt:
            return "square_root(" + a + ")";
        case Fn::Tanh:
            return "tanhf(" + a + ")";
        case Fn::Erf:
            return "erff(" + a + ")";
        case Fn::Abs:
            return "fabsf(" + a + ")";
        case Fn::Sin:
            return "sinf(" + a + ")";
        case Fn::Cos:
            return "cosf(" + a + ")";
        case Fn::Floor:
            return "floorf(" + a + ")";
        case Fn::Add:
            return "(" + a + " + " + b + ")";
        case Fn::Sub:
            return "(" + a + " - " + b + ")";
        case Fn::Mul:
            return "(" + a + " * " + b + ")";
        case Fn::Div:
            return "quotient(" + a + ", " + b + ")";
        case Fn::Pow:
            return "powf(" + a + ", " + b + ")";
        case Fn::Max:
            return "fmaxf(" + a + ", " + b + ")";
        case Fn::Min:
            return "fminf(" + a + ", " + b + ")";
    }
    throw InternalError("unknown scalar function");
}

}  // namespace

std::string literal(double value) {
    if (std::isinf(value)) return value < 0 ? "-INFINITY_F" : "INFINITY_F";
    if (std::isnan(value)) return "bits_to_float(0x7fc00000u)";
    if (std::abs(value) > 3.4e38) return value < 0 ? "-INFINITY_F" : "INFINITY_F";
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", value);
    std::string result = text;
    if (result.find_first_of(".e") == std::string::npos) result += ".0";
    return result + "f";
}

std::string to_cuda(const Expr& expr, const std::vector<std::string>& args, const DimTable& dims) {
    if (const std::optional<double> value = constant(expr, dims)) return literal(*value);
    if (const auto* argument = std::get_if<Arg>(&expr.value))
        return args.at(static_cast<std::size_t>(argument->index));
    const Call& inner = std::get<Call>(expr.value);
    const std::string a = to_cuda(*inner.args.front(), args, dims);
    if (inner.fn == Fn::Pow)
        if (const std::optional<double> exponent = constant(*inner.args.back(), dims))
            if (const std::optional<std::string> special = power(a, *exponent)) return "(" + *special + ")";
    if (inner.fn == Fn::Div)
        if (const std::optional<std::string> root = under_root(*inner.args.back(), args, dims))
            return "(" + a + " * rsqrtf(" + *root + "))";
    return applied(inner.fn, a, to_cuda(*inner.args.back(), args, dims));
}

}  // namespace blockscope::gpu
