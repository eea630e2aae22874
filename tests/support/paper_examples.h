// The three examples of Blockbuster section 5 as array programs.
#pragma once

#include "core/program/array_program.h"

namespace blockscope::test {

ArrayProgram paper_attention();
ArrayProgram paper_layernorm_matmul();
ArrayProgram paper_rmsnorm_swiglu();

}  // namespace blockscope::test
