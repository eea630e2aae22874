// Elementwise expressions as CUDA in float32.
#pragma once

#include <string>
#include <vector>

#include "core/graph/expr.h"

namespace blockscope::gpu {

// `args` stand for the inputs. Parts without arguments are computed here, in double precision.
std::string to_cuda(const Expr& expr, const std::vector<std::string>& args, const DimTable& dims);

// A float literal: "0.125f", "-INFINITY_F".
std::string literal(double value);

}  // namespace blockscope::gpu
