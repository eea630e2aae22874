// The three examples of Blockbuster section 5 as array programs.
#pragma once

#include "core/fusion/trace.h"
#include "core/program/array_program.h"

namespace blockscope::test {

ArrayProgram paper_attention();
ArrayProgram paper_layernorm_matmul();
ArrayProgram paper_rmsnorm_swiglu();

// The run of the algorithm on an array program.
Trace fused_trace(const ArrayProgram& program);

}  // namespace blockscope::test
