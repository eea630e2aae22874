// States of programs, run by the engine and compared with the reference in float64.
#pragma once

#include <string>

#include "core/engine/cpu_program.h"
#include "core/exec/evaluate.h"

namespace blockscope::test {

// The same program with other sizes.
BlockProgram sized(const BlockProgram& program, const DimTable& dims);
ArrayProgram sized(const ArrayProgram& program, const DimTable& dims);

// Sizes for vector code: blocks of some tens of elements that are no multiples of a vector, two or three of
// them, the last one ragged.
DimTable vector_dims(const DimTable& dims);

// Inputs as the engine sees them: rounded to float32, or to bfloat16.
Tensors<double> rounded(Tensors<double> inputs, Precision precision);

// Empty if running `state` (outputs filled with NaN before, twice with equal bits) gives `expected` up to
// `tolerance` times each output's largest value; else a sentence, the plan and the listing.
std::string check_engine(const BlockProgram& state, const Tensors<double>& inputs,
                         const Tensors<double>& expected, const EngineOptions& options,
                         double tolerance = 2e-5);

}  // namespace blockscope::test
