// From a tensor graph whose dimensions are known to an array program.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/import/axes.h"
#include "core/import/recognise.h"
#include "core/program/array_program.h"

namespace blockscope::model {

// Where the numbers of a program's input lie: in the order of its dimensions, a size and a step through the
// elements of a tensor of the model.
struct InputNumbers {
    int op = -1;      // in the program
    int tensor = -1;  // of the graph
    std::int64_t offset = 0;
    Sizes sizes;
    Sizes steps;
};

// The same for an output: where its numbers go in the tensor of the model.
struct OutputNumbers {
    int tensor = -1;
    Sizes sizes;
    Sizes steps;
};

struct CustomNode {
    std::size_t node = 0;
    std::vector<int> ops;  // in the program
};

struct EmittedProgram {
    ArrayProgram program;                // its dimensions and operators have no names yet
    std::vector<int> atoms;              // by dimension
    std::vector<std::string> hints;      // by operator: what the model calls it; may be empty
    std::vector<InputNumbers> inputs;    // masks apart
    std::map<int, int> leaves;           // of all inputs: operator -> tensor, a part of a weight for itself
    std::vector<OutputNumbers> outputs;  // in the order of the program's
    std::vector<CustomNode> customs;
    std::vector<Text> remarks;
    int activations = 0;
    Text hopeless;  // why nothing can be made of the graph; empty: something was
};

// Emits every node, those of `opaque` as custom operators. Nodes that have no form are added to `opaque` with
// the reason, and the result is then worth nothing: the dimensions have to be tracked anew without them.
// `declared` are the atoms whose dimensions the program declares first, in a readable order; it may be empty.
EmittedProgram emit_program(const TensorGraph& graph, const TrackedDimensions& dims,
                            const std::vector<AtomRole>& roles, const std::map<int, WeightPart>& parts,
                            const std::vector<int>& declared, std::map<std::size_t, Text>& opaque);

}  // namespace blockscope::model
