// Learned linear maps: contractions with weights, drawn as one box on the axis that they map instead of a
// second array (Abbott, Neural Circuit Diagrams). No program says what is learned; names do.
#pragma once

#include <string>
#include <vector>

#include "core/circuit/flow.h"

namespace blockscope::circuit {

// The label of a learned map, a Custom operator weaved over every axis that its weights lack.
inline constexpr const char* kLearned = "L";

// The inputs that are weights by their names: W, W1, Wq, W_up, ...
std::vector<std::string> weights_of(const Flow& flow);

// `flow` with the contractions that alone use one of these inputs as learned maps; those inputs are gone.
Flow with_learned_maps(const Flow& flow, const std::vector<std::string>& weights);

}  // namespace blockscope::circuit
