// Which memory a plan's buffers take, and in which layouts.
#pragma once

#include "core/engine/plan.h"
#include "core/engine/temp_use.h"

namespace blockscope::engine {

// Inputs and outputs lie in memory as the program declares them, intermediates as blocks one after another in
// the forms that their readers want. An input whose blocks are multiplied more than once is packed into
// blocks first if the other form is wanted, or if its blocks are not multiplied well where they lie.
void lay_out(Plan& plan, const TempUses& uses, Precision precision);

// Whether a matmul reads the blocks of an array about as fast where they lie as when they are packed: rows
// next to one another, or far apart as far as that does not matter to the operand.
bool multiplied_in_place(const Plan& plan, const Region& region);

// The region that a load of this form reads: the form itself where it exists, else the other one.
int region_for(const Plan& plan, int buffer, Form form);

}  // namespace blockscope::engine
