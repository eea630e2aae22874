// What both evaluators share: scalars made from numbers, and uninterpreted operators.
#pragma once

#include <string>
#include <vector>

#include "core/exec/evaluate.h"
#include "core/scalar/exact.h"

namespace blockscope {

constexpr double kMasked = -1e30;  // what a causal mask adds to the scores that it hides

template <class S>
S scalar_from(double value);
template <>
inline double scalar_from<double>(double value) {
    return value;
}
template <>
inline Exact scalar_from<Exact>(double value) {
    return exact_from(value);
}

std::uint64_t hash_of(const std::string& text);

// Number of elements of an array of this shape.
std::int64_t element_count(const std::vector<std::int64_t>& shape);

// The causal mask of this many rows and columns: 0 where column - row <= columns - rows, else kMasked.
template <class S>
Tensor<S> causal_mask(std::int64_t rows, std::int64_t columns);

// Output `port`, of the given shape, of the custom operator `name` on whole arrays: a function that nothing
// is known about. Exact: a hash of all inputs. Double: values in [-1, 1] that depend smoothly on all
// inputs, so that rounding errors stay small.
Tensor<Exact> custom_array(const std::string& name, const std::vector<const Tensor<Exact>*>& inputs, int port,
                           std::vector<std::int64_t> shape);
Tensor<double> custom_array(const std::string& name, const std::vector<const Tensor<double>*>& inputs,
                            int port, std::vector<std::int64_t> shape);

}  // namespace blockscope
