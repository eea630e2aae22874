// Whole arrays in row-major order, for the reference evaluators.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace blockscope {

template <class S>
struct Tensor {
    std::vector<std::int64_t> shape;  // batch sizes, then the axes' sizes
    std::vector<S> data;              // row-major

    std::int64_t size() const { return static_cast<std::int64_t>(data.size()); }
};

// By array name as the program declares it (V, never VT).
template <class S>
using Tensors = std::map<std::string, Tensor<S>>;

}  // namespace blockscope
