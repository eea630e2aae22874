// Array program -> block program, operator by operator through a lookup table (Blockbuster
// section 2.2, Table 2). All of it unfused: every operator becomes top-level maps of its own.
#pragma once

#include "core/graph/graph.h"
#include "core/program/array_program.h"

namespace blockscope {

// What a top-level node of the initial block program came from.
struct Origin {
    NodeId node;
    int op;  // index in ArrayProgram::ops
};

struct Conversion {
    BlockProgram program;
    std::vector<Origin> origins;
};

// `program` must be valid (check_program). A matmul's right operand is needed transposed:
// an input is then read transposed (VT), a product that is only needed transposed is computed so,
// anything else goes through the miscellaneous operator "transpose".
Conversion to_block_program(const ArrayProgram& program);

}  // namespace blockscope
