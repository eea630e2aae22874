// Cutting arrays into lists of items, and putting them together again.
#pragma once

#include "core/exec/array_layout.h"
#include "core/exec/block_value.h"
#include "core/exec/tensor.h"

namespace blockscope {

// The value of type `type` that `array` holds (ArrayLayout). The array's shape must fit.
template <class S>
Value<S> cut(const Tensor<S>& array, const Type& type, bool transposed, const DimTable& dims,
             BlockMemory<S>& memory);

// The array that holds `value`. Throws InternalError if lists or items have other extents than `type` says.
template <class S>
Tensor<S> assemble(const Value<S>& value, const Type& type, const DimTable& dims);

}  // namespace blockscope
