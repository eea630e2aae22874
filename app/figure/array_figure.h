// The array program as a picture: operators and arrays before there are blocks (Blockbuster section 1).
#pragma once

#include "app/figure/figure.h"
#include "core/program/array_program.h"

namespace blockscope {

// Boxes of an array program have these in place of nodes: operator i, and output k behind all operators.
NodeId array_box(int op);
NodeId array_output_box(const ArrayProgram& program, int output);
// The operator that a box shows (of an output, whose result it is); -1 for any other id.
int array_op(const ArrayProgram& program, NodeId box);

// "S[M,N] bf16"; "[M,N] bf16" of a nameless intermediate.
std::string array_label(const ArrayOp& op, const DimTable& dims);
// "matmul", "softmax", "exp(S)", "S+b".
std::string array_op_label(const ArrayProgram& program, int op);

// One box for each operator and each output. All arrays are in global memory: every edge is buffered.
Figure make_array_figure(const ArrayProgram& program, const Measure& measure);

}  // namespace blockscope
