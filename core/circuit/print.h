// Diagrams as text.
#pragma once

#include <string>

#include "core/circuit/term.h"

namespace blockscope::circuit {

std::string to_string(OperatorKind kind);  // "contraction", "softmax", ...

// "[M D] ⊗ [N D]@1": the axes of each array, and its level if it is not 0.
std::string to_string(const Axes& axes, const Tuple& tuple);

// An outline: one line per column, blocks and partitions around their columns. Ends in a newline.
std::string to_string(const Circuit& circuit);

}  // namespace blockscope::circuit
