// Where an output of a term comes from. Internal to the layout.
#pragma once

#include "core/circuit/term.h"

namespace blockscope::circuit {

struct Producer {
    const Term* term = nullptr;  // an operator or a partition; null if an input runs through
    int output = 0;              // of `term`; or the input
    int above = 0, below = 0;    // how many arrays stand beside it
};

// Partitions into one part are seen through.
Producer producer_of(const Axes& axes, const Term& term, int output);

// Whether it has one part only.
bool is_trivial(const Axes& axes, const Partition& what);

}  // namespace blockscope::circuit
