// Arranges a flat list of operators as a diagram: it chooses the order of the columns and which arrays stand
// where in each of them, so that few wires cross.
#pragma once

#include <string>
#include <vector>

#include "core/cost/terms.h"
#include "core/diagram/flow.h"
#include "core/diagram/term.h"
#include "core/graph/graph.h"
#include "core/support/result.h"

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

// The diagram that a block program corresponds to: parallel maps are groups, serial maps are streams with
// carried outputs, lists lie at level 0, items at level 1.
//
// Dimension X of the program is axis X; within maps over it stand g_X (groups) or s_X (streams), and X/x is
// the number of blocks of a list whose items do not have X. `program` must be valid.
//
// A peeled map (rule 7) stands beside its first iteration: lists are sliced into [0] and [1:], wires X_0 and
// X_1:, and joined again (‖), which moves nothing. Values that are carried from one iteration to the next
// (safe forms) and sums that go on from a first iteration are inputs of their stream, which carries its
// output there. An operator without a block form is an opaque box on whole arrays.
//
// AsListed: an item is loaded where it is used first, as in the listing; such a diagram never fails. Hoisted:
// as the napkin draws algorithms (Section 2.4), with every load at the head of the innermost loop that
// indexes what is loaded, outside of the streams that do not, and loops of one block left out. A problem
// names what has no such form: peeled loops.
Result<Circuit> circuit_of(const BlockProgram& program, LoadPlacement placement = LoadPlacement::AsListed);

}  // namespace blockscope::circuit
