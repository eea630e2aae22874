#include "core/scalar/primitives.h"

#include <cmath>

#include "core/scalar/exact.h"

namespace blockscope {

namespace {

template <double (*kFunction)(double)>
double real(double a, double) {
    return kFunction(a);
}

double real_negation(double a, double) {
    return -a;
}
double real_sum(double a, double b) {
    return a + b;
}
double real_difference(double a, double b) {
    return a - b;
}
double real_product(double a, double b) {
    return a * b;
}
double real_quotient(double a, double b) {
    return a / b;
}
double real_max(double a, double b) {
    return a > b || std::isnan(a) ? a : b;
}
double real_min(double a, double b) {
    return a < b || std::isnan(a) ? a : b;
}

// Nothing is known of the function but that equal arguments give equal results.
Exact hashed_pair(Fn fn, Exact a, Exact b) {
    return exact_from_hash(mix(mix(static_cast<std::uint64_t>(fn) + 1, a.p), b.p));
}
template <Fn kFn>
Exact hashed(Exact a, Exact) {
    return hashed_pair(kFn, a, {});
}

Exact exact_negation(Exact a, Exact) {
    return Exact{} - a;
}
Exact exact_exponential(Exact a, Exact) {
    return exponential(a);
}
Exact exact_root(Exact a, Exact) {
    return half_power(a, 1);
}
Exact exact_sum(Exact a, Exact b) {
    return a + b;
}
Exact exact_difference(Exact a, Exact b) {
    return a - b;
}
Exact exact_product(Exact a, Exact b) {
    return a * b;
}
Exact exact_quotient(Exact a, Exact b) {
    return a * inverse(b);
}
Exact exact_power(Exact a, Exact b) {
    const std::optional<int> halves = small_half(b);
    return halves ? half_power(a, *halves) : hashed_pair(Fn::Pow, a, b);
}
Exact exact_max(Exact a, Exact b) {
    return before(a, b) ? b : a;
}
Exact exact_min(Exact a, Exact b) {
    return before(a, b) ? a : b;
}

}  // namespace

constexpr std::array<Primitive, kFnCount> kPrimitives = {{
    {.fn = Fn::Neg,
     .name = "neg",
     .form = FnForm::Negation,
     .sign = "-",
     .real = real_negation,
     .exact = exact_negation,
     .cuda = "-($a)"},
    {.fn = Fn::Exp,
     .name = "exp",
     .cost = FnCost::Special,
     .pass = PassKind::Exp,
     .real = real<std::exp>,
     .exact = exact_exponential,
     .cuda = "exponential($a)"},
    {.fn = Fn::Log,
     .name = "log",
     .cost = FnCost::Special,
     .pass = PassKind::Log,
     .real = real<std::log>,
     .exact = hashed<Fn::Log>,
     .cuda = "logf($a)",
     .host = "std::log"},
    {.fn = Fn::Sqrt,
     .name = "sqrt",
     .cost = FnCost::Special,
     .pass = PassKind::Divide,
     .real = real<std::sqrt>,
     .exact = exact_root,
     .cuda = "square_root($a)"},
    {.fn = Fn::Tanh,
     .name = "tanh",
     .cost = FnCost::Special,
     .pass = PassKind::Tanh,
     .real = real<std::tanh>,
     .exact = hashed<Fn::Tanh>,
     .cuda = "tanhf($a)",
     .host = "std::tanh"},
    {.fn = Fn::Erf,
     .name = "erf",
     .cost = FnCost::Special,
     .pass = PassKind::Erf,
     .real = real<std::erf>,
     .exact = hashed<Fn::Erf>,
     .cuda = "erff($a)",
     .host = "std::erf"},
    {.fn = Fn::Abs,
     .name = "abs",
     .real = real<std::abs>,
     .exact = hashed<Fn::Abs>,
     .cuda = "fabsf($a)",
     .host = "std::fabs"},
    {.fn = Fn::Sin,
     .name = "sin",
     .cost = FnCost::Special,
     .pass = PassKind::Slow,
     .real = real<std::sin>,
     .exact = hashed<Fn::Sin>,
     .cuda = "sinf($a)",
     .host = "std::sin"},
    {.fn = Fn::Cos,
     .name = "cos",
     .cost = FnCost::Special,
     .pass = PassKind::Slow,
     .real = real<std::cos>,
     .exact = hashed<Fn::Cos>,
     .cuda = "cosf($a)",
     .host = "std::cos"},
    {.fn = Fn::Floor,
     .name = "floor",
     .real = real<std::floor>,
     .exact = hashed<Fn::Floor>,
     .cuda = "floorf($a)",
     .host = "std::floor"},
    {.fn = Fn::Add,
     .name = "add",
     .arity = 2,
     .form = FnForm::Sum,
     .sign = "+",
     .real = real_sum,
     .exact = exact_sum,
     .cuda = "($a + $b)"},
    {.fn = Fn::Sub,
     .name = "sub",
     .arity = 2,
     .form = FnForm::Sum,
     .sign = "-",
     .real = real_difference,
     .exact = exact_difference,
     .cuda = "($a - $b)"},
    {.fn = Fn::Mul,
     .name = "mul",
     .arity = 2,
     .form = FnForm::Product,
     .sign = "*",
     .real = real_product,
     .exact = exact_product,
     .cuda = "($a * $b)"},
    {.fn = Fn::Div,
     .name = "div",
     .arity = 2,
     .pass = PassKind::Divide,
     .form = FnForm::Product,
     .sign = "/",
     .real = real_quotient,
     .exact = exact_quotient,
     .cuda = "quotient($a, $b)"},
    {.fn = Fn::Pow,
     .name = "pow",
     .arity = 2,
     .cost = FnCost::SpecialUnlessSquare,
     .pass = PassKind::Slow,
     .form = FnForm::Power,
     .sign = "**",
     .real = std::pow,
     .exact = exact_power,
     .cuda = "powf($a, $b)",
     .host = "std::pow"},
    {.fn = Fn::Max,
     .name = "max",
     .arity = 2,
     .real = real_max,
     .exact = exact_max,
     .cuda = "fmaxf($a, $b)",
     .host = "std::fmax"},
    {.fn = Fn::Min,
     .name = "min",
     .arity = 2,
     .real = real_min,
     .exact = exact_min,
     .cuda = "fminf($a, $b)",
     .host = "std::fmin"},
}};

namespace {

constexpr bool primitives_in_order() {
    for (int i = 0; i < kFnCount; ++i)
        if (static_cast<int>(kPrimitives[static_cast<std::size_t>(i)].fn) != i) return false;
    return true;
}
static_assert(primitives_in_order(), "the rows stand in the order of Fn");

constexpr bool special_functions_are_slow_passes() {
    for (const Primitive& row : kPrimitives)
        if (row.cost != FnCost::Vector && row.pass == PassKind::Simple) return false;
    return true;
}
static_assert(special_functions_are_slow_passes(), "no special function is one instruction an element");

}  // namespace

}  // namespace blockscope
