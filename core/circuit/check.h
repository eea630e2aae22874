// Whether a diagram holds together.
#pragma once

#include <string>
#include <vector>

#include "core/circuit/term.h"

namespace blockscope::circuit {

// Everything that does not fit, as sentences: shapes that do not meet, weaves that an output lacks, operators
// between levels, partitions of an axis that is not there. None for a sound circuit.
std::vector<std::string> verify(const Circuit& circuit);

}  // namespace blockscope::circuit
