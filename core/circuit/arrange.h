// From a flat list of operators to a diagram: which arrays stand where in every column.
#pragma once

#include <string>
#include <vector>

#include "core/circuit/flow.h"
#include "core/circuit/term.h"

namespace blockscope::circuit {

// One column with something in it. Arrays are numbers; `types` of arrange() says what they are.
struct Step {
    TermPtr term;
    std::vector<int> inputs;
    std::vector<int> outputs;
};

// A diagram from the arrays `inputs` to the arrays `outputs`. Operands are brought beside each other where
// they cross the fewest wires; an array that is needed again is copied, one that is never used is deleted.
TermPtr arrange(const std::vector<ArrayType>& types, std::vector<Step> steps, const std::vector<int>& inputs,
                const std::vector<int>& outputs);

// The diagram of a flow, its groups as blocks.
Circuit circuit_of(const Flow& flow);

// The circuit as a block that runs `count` times; its first output has to have the type of its first input.
// Throws InternalError if it has not.
Circuit repeated(const Circuit& circuit, const std::string& title, const std::string& count);

}  // namespace blockscope::circuit
