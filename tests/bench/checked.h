// Inputs of a sample at chosen sizes, and what has to come out: nothing is timed before its result was
// compared with the float64 reference.
#pragma once

#include <string>

#include "core/engine/cpu_program.h"
#include "core/measure/reference.h"

namespace blockscope::bench {

class Checked {
public:
    // Random float32 inputs and the reference's outputs: all elements, or rows of every block where that
    // takes too long. Throws std::runtime_error where neither can be had.
    explicit Checked(ArrayProgram program);

    const Tensors<double>& inputs() const { return inputs_; }

    // A state of the program (at any block sizes), on these inputs, run once. Throws std::runtime_error if it
    // cannot run, or with the element that is wrong.
    CpuProgram prepared(const BlockProgram& state, int threads) const;

    // Throws std::runtime_error with the element that is wrong; `who` is whose outputs they are.
    void check(const std::string& who, const Tensors<double>& outputs) const;

private:
    measure::Reference program_;
    Tensors<double> inputs_;
    measure::Expected expected_;
};

}  // namespace blockscope::bench
