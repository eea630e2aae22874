// Which arrays a block program needs transposed, and which it computes so from the start.
// dot(a, b) is a @ b.T, so that a matmul needs its right operand transposed.
#pragma once

#include <vector>

#include "core/program/array_program.h"

namespace blockscope {

// How later operators and outputs use an array. Neither: nothing that reaches an output uses it.
struct Forms {
    bool normal = false;
    bool transposed = false;
};

struct FormPlan {
    std::vector<Forms> needed;  // by operator
    // By operator: whether it computes the transpose of its result instead of the result. Matmuls
    // swap their operands for that; elementwise operators, broadcasts and sums over a batch dimension do
    // it where their matrices are available transposed. Inputs are read in both forms as needed.
    std::vector<bool> computed_transposed;
};

// `program` must be valid.
FormPlan plan_forms(const ArrayProgram& program);

}  // namespace blockscope
