// --same NAME=NAME: two dimensions of one size, written as one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/circuit/term.h"
#include "core/graph/graph.h"

namespace blockscope::cli {

// The two dimensions of "D=L", the one that stays first. Throws UsageError if there are none of these names,
// or they differ in size or blocks.
std::pair<DimId, DimId> same_dims(const BlockProgram& program, const std::string& text);

// The axes of a diagram whose sizes are written alike then. Throws UsageError for names that no axis has and
// for other sizes.
void write_alike(circuit::Axes& axes, const std::vector<std::string>& same);

}  // namespace blockscope::cli
