// Long programs of a real shape, for speed and growth.
#pragma once

#include "core/program/array_program.h"

namespace blockscope {

// Array operators of one decoder block of the stack.
constexpr int kDecoderBlockOperators = 25;

// `blocks` decoder blocks on top of each other, with weights of their own: multi-head causal attention
// with normalised queries and keys and capped scores, SwiGLU, norms before and after both, residuals.
ArrayProgram decoder_stack(int blocks);

}  // namespace blockscope
