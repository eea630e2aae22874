// The one part of the reference evaluator that has to be fast: products of large matrices of doubles.
#pragma once

#include <cstddef>

namespace blockscope {

// c [rows, cols] = a [rows, inner] @ b [inner, cols], row-major. Each element is summed in the order of
// `inner`, whatever the number of threads; large products take all cores.
void multiply(const double* a, const double* b, double* c, std::size_t rows, std::size_t inner,
              std::size_t cols);

}  // namespace blockscope
