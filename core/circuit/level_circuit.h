// An algorithm drawn on all levels of a device, each with groups of its own (Sections 3.1 and 4.2, Figures 20
// and 24): the tiles of a level lie in those of the level around it.
#pragma once

#include "core/circuit/study.h"

namespace blockscope::circuit {

// The study's plan on the levels of its level plans. g is a part at the level that loads come to, h further
// in, f, e, ... at the caches around it (asterisks); what is not split there has the name of the axis.
// Everything runs at the innermost level, so that H into each level is that of its plan (Equation 2), whose
// saves only cross the levels that do not cache. A problem says that not even single rows fit into some
// level.
Result<Circuit> level_circuit(const Study& study);

}  // namespace blockscope::circuit
