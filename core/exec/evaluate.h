// Two independent meanings of a program, over doubles or exact numbers: the array program on whole
// arrays, and the block program block by block. They share no code but scalar arithmetic.
#pragma once

#include "core/exec/exact.h"
#include "core/exec/tensor.h"
#include "core/graph/graph.h"
#include "core/program/array_program.h"
#include "core/support/stop_sign.h"

namespace blockscope {

// Inputs for every input of the program, of the shapes that its dimensions give, reproducible
// from `seed`. Doubles are uniform in [-scale, scale]; exact numbers uniform. The causal mask is
// not among them: evaluators make it.
Tensors<double> random_doubles(const ArrayProgram& program, std::uint64_t seed, double scale = 1);
Tensors<Exact> random_exact(const ArrayProgram& program, std::uint64_t seed);
Tensors<double> random_doubles(const BlockProgram& program, std::uint64_t seed, double scale = 1);
Tensors<Exact> random_exact(const BlockProgram& program, std::uint64_t seed);

// Outputs by name. Nothing is rounded to element types: casts change no value. Missing inputs or wrong shapes
// are an InternalError. While `stop` is up, it ends with Stopped.
Tensors<double> evaluate(const ArrayProgram& program, const Tensors<double>& inputs);
Tensors<Exact> evaluate(const ArrayProgram& program, const Tensors<Exact>& inputs);
Tensors<double> evaluate(const BlockProgram& program, const Tensors<double>& inputs);
Tensors<Exact> evaluate(const BlockProgram& program, const Tensors<Exact>& inputs,
                        const StopSign& stop = kNeverStop);

}  // namespace blockscope
