// Which memory a plan's buffers take, and in which layouts.
#pragma once

#include "core/engine/plan.h"
#include "core/engine/temp_use.h"

namespace blockscope::engine {

// Inputs and outputs lie in memory as the program declares them, intermediates as blocks one after another in
// the forms that their readers want. An input whose blocks are multiplied more than once is packed into
// blocks first if its rows are far apart or the other form is wanted: `packed[buffer][form]`.
void lay_out(Plan& plan, const TempUses& uses, Precision precision);

// The region that a load of this form reads: the form itself where it exists, else the other one.
int region_for(const Plan& plan, int buffer, Form form);

}  // namespace blockscope::engine
