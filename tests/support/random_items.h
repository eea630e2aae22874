// Random choices among the values and block operators of one level, for random block programs.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/graph/graph.h"
#include "tests/support/random.h"

namespace blockscope {

using Values = std::vector<ValueRef>;
using Condition = std::function<bool(const Type&)>;

inline bool is_item(const Type& type) {
    return !type.is_list();
}

// A value that fits, likely one of the last.
std::optional<ValueRef> choose_value(Random& random, const Builder& b, const Values& values,
                                     const Condition& fits);

// An expression of one argument.
ExprPtr random_unary(Random& random);

// Adds an operator on the item `a` and, if another fitting item is among `values`, on that.
ValueRef random_item_operator(Random& random, Builder& b, const Values& values, ValueRef a);

}  // namespace blockscope
