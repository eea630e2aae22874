// Elementwise operators are expression trees over their inputs (Blockbuster section 2.1,
// "elementwise operation") of the primitive scalar functions, applied to each element independently.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/graph/type.h"
#include "core/scalar/primitives.h"

namespace blockscope {

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

// An immutable expression. Trees may share parts; the counts take shared parts each time and saturate at
// kMostNodes.
struct Expr {
    using Value = std::variant<Arg, Number, SizeOf, Call>;
    static constexpr int kMostNodes = 1'000'000'000;

    explicit Expr(Value value);

    Value value;
    int size = 1;            // nodes of the tree
    int argument_uses = 0;   // of them Args
    int argument_count = 0;  // one past the largest index of an Arg
};

ExprPtr arg(int index);
ExprPtr number(double value);
ExprPtr size_of(DimId dim);
ExprPtr call(Fn fn, ExprPtr a);
ExprPtr call(Fn fn, ExprPtr a, ExprPtr b);

bool equal(const Expr& a, const Expr& b);  // same tree

// Nodes of the tree, Arg{i} counted as arguments[i] of them, as one if there is no such entry; saturates at
// `limit`.
int tree_size(const Expr& expr, int limit, const std::vector<int>& arguments = {});

// `expr` with Arg{i} replaced by replacements[i]. Parts that do not change are shared with it.
ExprPtr substitute(const ExprPtr& expr, const std::vector<ExprPtr>& replacements);

// One past the largest argument index; 0 for a constant.
inline int argument_count(const Expr& expr) {
    return expr.argument_count;
}

// The expression as a listing writes it: plain arithmetic with ** for powers, sizes as DD, args
// as `names`. `exp(t3*(DD**-0.5))`, `(t3/KK-t7**2)**(-0.5)`, `1/t5`.
std::string to_string(const Expr& expr, const std::vector<std::string>& names, const DimTable& dims);

}  // namespace blockscope
