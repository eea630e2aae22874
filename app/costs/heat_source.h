// What the heat map of a document's state needs besides its counts.
#pragma once

#include "app/costs/heat.h"
#include "app/document/document.h"

namespace blockscope {

// For the metric that the heat map shows now; what is not known (not predicted, not measured, still being
// counted) is missing.
HeatSource heat_source(Document& document, StateId state);

}  // namespace blockscope
