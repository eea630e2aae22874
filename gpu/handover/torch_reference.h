// An array program in plain PyTorch, operator by operator: what fused kernels are compared with.
#pragma once

#include <string>

#include "core/program/array_program.h"
#include "core/support/result.h"

namespace blockscope::gpu {

// "bfloat16": what torch calls the type.
std::string torch_type(ElemType elem);

// `name`, or with an underscore behind it where Python has that word, or generated files have another use for
// it.
std::string python_name(const std::string& name);

// The source of reference.py: reference(Q, K, V) of the program's inputs in their order. An operator that
// nobody but its author knows is a problem.
Result<std::string> torch_reference(const ArrayProgram& program);

}  // namespace blockscope::gpu
