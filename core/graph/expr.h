// Elementwise operators are expression trees over their inputs (Blockbuster section 2.1,
// "elementwise operation"): any scalar function, applied to each element independently.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/graph/dim.h"

namespace blockscope {

// Primitive scalar functions. sigmoid, silu, gelu, relu, rsqrt, ... are composed of these by the
// language (core/program/functions.h), so that a listing needs no others.
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
    Floor,  // one argument
    Add,
    Sub,
    Mul,
    Div,
    Pow,
    Max,
    Min,  // two arguments
};
constexpr int kFnCount = 17;

int arity(Fn fn);
std::string to_string(Fn fn);  // "neg", "exp", ..., "add", ..., "max"; also the name in JSON

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Arg {
    int index;  // which input of the operator
    bool operator==(const Arg&) const = default;
};
struct Number {
    double value;  // finite
    bool operator==(const Number&) const = default;
};
struct SizeOf {
    DimId dim;  // the dimension's size in elements; a listing prints D's as DD
    bool operator==(const SizeOf&) const = default;
};
struct Call {
    Fn fn;
    std::vector<ExprPtr> args;  // arity(fn) of them
};

// An immutable expression. Trees may share parts.
struct Expr {
    std::variant<Arg, Number, SizeOf, Call> value;
};

ExprPtr arg(int index);
ExprPtr number(double value);
ExprPtr size_of(DimId dim);
ExprPtr call(Fn fn, ExprPtr a);
ExprPtr call(Fn fn, ExprPtr a, ExprPtr b);

bool equal(const Expr& a, const Expr& b);  // same tree

// Nodes of the tree, shared parts counted each time; saturates at `limit`.
int tree_size(const Expr& expr, int limit);

// `expr` with Arg{i} replaced by replacements[i].
ExprPtr substitute(const ExprPtr& expr, const std::vector<ExprPtr>& replacements);

// One past the largest argument index; 0 for a constant.
int argument_count(const Expr& expr);

// The expression as a listing writes it: plain arithmetic with ** for powers, sizes as DD, args
// as `names`. `exp(t3*(DD**-0.5))`, `(t3/KK-t7**2)**(-0.5)`, `1/t5`.
std::string to_string(const Expr& expr, const std::vector<std::string>& names, const DimTable& dims);

}  // namespace blockscope
