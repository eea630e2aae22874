// Schedules as JSON (docs/json.md), in clocks per thread.
#pragma once

#include "core/circuit/overlap.h"
#include "core/json/value.h"

namespace blockscope::circuit {

// {"format": "blockscope clocks", "version": 1, "lanes": 3, "period": 18, "tasks": [...], "scheduled": [...],
// "barriers": [...]}
json::Value to_json(const Schedule& schedule);

}  // namespace blockscope::circuit
