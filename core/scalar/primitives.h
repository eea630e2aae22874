// The primitive scalar functions, by name alone: what the vectorised routines of the engine, which may
// include no standard library header, know of them. What each of them is stands in one table,
// core/scalar/primitives.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace blockscope {

// sigmoid, silu, gelu, relu, rsqrt, ... are composed of these by the language (core/program/functions.h), so
// that a listing needs no others. In the order of the table.
enum class Fn : std::uint8_t {
    Neg,
    Exp,
    Log,
    Sqrt,
    Tanh,
    Erf,
    Abs,
    Sin,
    Cos,
    Floor,
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Max,
    Min,
};
constexpr int kFnCount = static_cast<int>(Fn::Min) + 1;

// The table of primitive scalar functions. A row says all that is known of a function, except how the
// engine computes it on vectors of numbers (core/engine/simd_bodies.h). A new primitive is an enumerator in
// core/scalar/primitives.h, a row here, and a body there; every part of the program reads the row.

struct Exact;  // core/scalar/exact.h

// Which unit of a device computes it.
enum class FnCost : std::uint8_t {
    Vector,               // an addition, a comparison: one operation of a vector unit
    Special,              // an exponential, a root: one operation of a special function unit
    SpecialUnlessSquare,  // x**2 is a multiplication, any other power is special
};

// Passes over blocks that a processor makes besides block products, by what an element costs.
enum class PassKind : std::uint8_t {
    Simple,  // one instruction an element: sums, products, maxima, filling
    Divide,  // divisions and square roots
    Exp,
    Log,
    Tanh,
    Erf,
    Slow,  // sines and powers: the C library, one element after the other
    Fold,  // sums and maxima of rows
    Copy,
    Transpose,
    Opaque,  // the stand-in for a miscellaneous operator, one element after the other
};
constexpr int kPassKinds = static_cast<int>(PassKind::Opaque) + 1;

// How a listing writes it: exp(x), -x, x+y, x*y, x**y.
enum class FnForm : std::uint8_t { Function, Negation, Sum, Product, Power };

struct Primitive {
    Fn fn;
    std::string_view name;  // in JSON, in listings and in the text language; unique
    int arity = 1;          // 1 or 2; with 1, the second argument of the functions below is ignored
    FnCost cost = FnCost::Vector;
    PassKind pass = PassKind::Simple;  // over blocks, on a processor
    FnForm form = FnForm::Function;
    std::string_view sign = {};  // between two arguments, or before the one; empty for FnForm::Function
    double (*real)(double a,
                   double b) = nullptr;  // as the C library computes it; max and min of a NaN are NaN
    // The image in finite fields (docs/rules.md). A function without algebraic laws is a fixed hash of its
    // arguments; division, roots and powers use fixed multiplicative maps, max and min a fixed order.
    Exact (*exact)(Exact a, Exact b) = nullptr;
    std::string_view cuda;       // an expression of CUDA, $a and $b being the arguments
    std::string_view host = {};  // the function of C++ in double precision, where the one that `cuda` calls
                                 // is not in the kernels' own library (resources/cuda)
};

extern const std::array<Primitive, kFnCount> kPrimitives;  // in the order of Fn

inline const Primitive& primitive(Fn fn) {
    return kPrimitives[static_cast<std::size_t>(fn)];
}

inline int arity(Fn fn) {
    return primitive(fn).arity;
}
inline std::string to_string(Fn fn) {
    return std::string(primitive(fn).name);
}

// fn(a), or fn(a, b).
inline double apply(Fn fn, double a, double b = 0) {
    return primitive(fn).real(a, b);
}

}  // namespace blockscope
