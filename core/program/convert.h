// Array program -> block program, operator by operator through a lookup table (Blockbuster
// section 2.2, Table 2; docs/block-programs.md has the whole table). All of it unfused: every operator
// becomes top-level maps of its own.
#pragma once

#include "core/graph/graph.h"
#include "core/program/array_program.h"

namespace blockscope {

// What a top-level node of the initial block program came from.
struct Origin {
    NodeId node;
    int op;  // index in ArrayProgram::ops; of an output node, the operator whose result it is
};

struct Conversion {
    BlockProgram program;
    std::vector<Origin> origins;  // one per top-level node, in their order
};

// `program` must be valid (check_program). A matmul's right operand is needed transposed:
// an input is then read transposed (VT), a product that is only needed transposed is computed so,
// anything else goes through the miscellaneous operator "transpose". All inputs are kept, operators whose
// results reach no output are left out. An output that is an input is copied by an elementwise operator.
Conversion to_block_program(const ArrayProgram& program);

// Names that listings would use for two things: an input V that is read transposed prints as VT, and so
// may no other input or output be called. `program` must be valid otherwise; check_program asks.
Problems check_listing_names(const ArrayProgram& program);

}  // namespace blockscope
