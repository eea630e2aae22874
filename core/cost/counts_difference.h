// Counts compared figure by figure: the static ones (count()) with those of a run (execute()).
#pragma once

#include <string>

#include "core/cost/counts.h"

namespace blockscope {

// The first figure in which counts of `program` differ: "loads of K: 12 and 13". Empty if none does. Of local
// memory the values are compared.
std::string counts_difference(const LoopProgram& program, const Counts& a, const Counts& b);

}  // namespace blockscope
