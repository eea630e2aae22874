// Reduces a failing program to the few operators that make it fail.
#pragma once

#include <functional>

#include "core/graph/graph.h"
#include "core/program/array_program.h"

namespace blockscope {

// Smaller valid programs for which `fails` still holds, down to one that no single simplification keeps
// failing: an output dropped, an operator replaced by an operand or by an input, a dimension made
// smaller, an expression made simpler. `program` itself must fail.
ArrayProgram shrink(const ArrayProgram& program, const std::function<bool(const ArrayProgram&)>& fails);
BlockProgram shrink(const BlockProgram& program, const std::function<bool(const BlockProgram&)>& fails);

// Operators without inputs and outputs; of a block program at all levels, maps counted.
int operator_count(const ArrayProgram& program);
int operator_count(const BlockProgram& program);

}  // namespace blockscope
