// Names for what a model has: its own where they are names of the language, else ones that say what a
// dimension is.
#pragma once

#include <string>
#include <vector>

#include "core/import/emit.h"

namespace blockscope::model {

// Gives names to the dimensions, the inputs and, where a reader wants one, the operators of `emitted`; the
// others stay nameless and are printed inside of what uses them.
void give_names(EmittedProgram& emitted, const TensorGraph& graph, const TrackedDimensions& dims,
                const std::map<int, WeightPart>& parts);

}  // namespace blockscope::model
