// Circuits as JSON (docs/circuit-diagrams.md).
#pragma once

#include "core/circuit/resources.h"
#include "core/json/value.h"

namespace blockscope::circuit {

// {"format": "blockscope circuit", "version": 1, "axes": [...], "inputs": [...], "outputs": [...], "diagram":
// {...}}
json::Value to_json(const Circuit& circuit);

// What it costs: formulas, their values at the circuit's sizes, and the transfers and columns that they sum.
json::Value to_json(const Circuit& circuit, const Resources& resources);

}  // namespace blockscope::circuit
