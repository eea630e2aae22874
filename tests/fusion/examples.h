// The paper's three examples (Blockbuster section 5), made without the parser.
#pragma once

#include "core/graph/graph.h"

namespace blockscope::test {

BlockProgram attention();
BlockProgram layernorm_matmul();
BlockProgram rmsnorm_swiglu();

}  // namespace blockscope::test
