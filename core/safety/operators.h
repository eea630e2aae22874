// Elementwise expressions as products (Blockbuster, appendix): the algebra of significand-exponent
// pairs goes through products, quotients, powers and exponentials, and through nothing else.
#pragma once

#include <vector>

#include "core/graph/expr.h"
#include "core/safety/level.h"

namespace blockscope::safety {

// An expression f(x_0, x_1, ...) with arguments x_i = s_i * e^t_i, read as
//   f(x) = significand(s) * e^(exponent(x) + sum of powers[i] * t_i).
struct Product {
    ExprPtr significand;              // over the arguments' significands; null: 1
    ExprPtr exponent;                 // what exponentials contribute; null: nothing
    std::vector<double> powers;       // by argument
    std::vector<bool> whole;          // arguments that must be plain: they stand where no product is
    bool exponential_within = false;  // an exponential of an argument stands where no product is
};

// `arguments`: how many the operator has. With `exponentials` false an exponential is a function
// like any other.
Product as_product(const ExprPtr& expr, int arguments, bool exponentials);

// Arguments that occur in `expr`, ascending.
std::vector<int> arguments_of(const Expr& expr);

// Functional and elementwise operators on significand-exponent pairs (Blockbuster, appendix).

// Each rewrites one node of the level's old graph (`old` has its index) and sets its value.
void rewrite_functional(Level& level, const NodePtr& node);
void rewrite_elementwise(Level& level, const GraphIndex& old, const NodePtr& node);

// Whether the expression over the node's inputs is never positive, because it subtracts a maximum
// that it takes part in: row_shift(x,-z) or x-z with z = row_max(x), block_max(x) or
// max(..., x or one of these, ...). Its exponential lies between 0 and 1 and is safe as it is.
bool never_positive(const GraphIndex& old, const Node& node, const Expr& expr);

}  // namespace blockscope::safety
