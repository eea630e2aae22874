// What the statements of a loop program do with temporaries: which forms of a block they read.
#pragma once

#include <array>
#include <vector>

#include "core/engine/plan.h"

namespace blockscope::engine {

// One load, and how often each item that it names is loaded.
struct LoadUse {
    const Load* load;
    double repeats = 1;  // iterations of the loops around it that are not among its indices
};

struct TempUses {
    explicit TempUses(const LoopProgram& program);

    std::vector<std::array<bool, 2>> needed;  // by temporary: forms that are read
    std::vector<bool> multiplied;             // by temporary: an operand of a matmul
    std::vector<std::vector<LoadUse>> loads;  // by buffer
    std::vector<bool> misc;                   // by buffer: read or written by a miscellaneous operator
};

// Which memory a plan's buffers take, and in which layouts.

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
