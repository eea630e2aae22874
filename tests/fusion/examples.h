// The paper's three examples as block programs (Blockbuster section 5).
#pragma once

#include "core/program/convert.h"
#include "tests/support/paper_examples.h"

namespace blockscope::test {

inline BlockProgram attention() {
    return to_block_program(paper_attention()).program;
}
inline BlockProgram layernorm_matmul() {
    return to_block_program(paper_layernorm_matmul()).program;
}
inline BlockProgram rmsnorm_swiglu() {
    return to_block_program(paper_rmsnorm_swiglu()).program;
}

}  // namespace blockscope::test
