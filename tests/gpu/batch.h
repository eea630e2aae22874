// Many generated programs compiled at once by the C++ compiler, over the emulator, and run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/exec/evaluate.h"
#include "core/graph/graph.h"
#include "gpu/codegen/kernel_set.h"

namespace blockscope::test {

// Whether there is a compiler; `why` says what is missing.
bool can_emulate(std::string& why);

class Batch {
public:
    Batch();
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    // All programs of a batch have the same target and threads. Returns the program's number.
    int add(gpu::KernelSet set);
    // The source that compile() takes can be changed here: a defect put in on purpose.
    std::string text() const;
    // Throws std::runtime_error with the compiler's words.
    void compile(const std::string& text, const std::string& flags = BLOCKSCOPE_EMULATION_FLAGS);
    void compile() { compile(text()); }

    struct Outcome {
        std::string error;  // of the emulator; empty if all launches ran
        Tensors<double> outputs;
    };
    // Inputs as element types hold them (rounded()). Everything else starts as NaN.
    Outcome run(int program, const Tensors<double>& inputs) const;

    int size() const { return static_cast<int>(sets_.size()); }
    const gpu::KernelSet& set(int program) const { return sets_.at(static_cast<std::size_t>(program)); }

private:
    std::vector<gpu::KernelSet> sets_;
    std::string folder_;
    int compiled_ = 0;
    void* library_ = nullptr;
};

// The inputs' numbers rounded to the element types that the program gives them.
Tensors<double> rounded(Tensors<double> inputs, const BlockProgram& program);

// The largest difference relative to the largest reference value of any output; infinite if anything is not
// a number.
double difference(const Tensors<double>& expected, const Tensors<double>& found);

}  // namespace blockscope::test
