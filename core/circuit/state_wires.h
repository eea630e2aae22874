// Which axes of a program's inputs and outputs each loop of a state splits.
#pragma once

#include <map>
#include <set>

#include "core/circuit/correspond.h"

namespace blockscope::circuit {

struct StateWires {
    std::map<const Partition*, std::set<ProgramWire>> split;
    // Something that is no input is loaded: it was saved to global memory before.
    bool stored = false;
};

// `drawn` is `state` with its loads at the heads of loops, so that nothing is sliced; masks have no wires.
StateWires state_wires(const BlockProgram& state, const Circuit& drawn);

}  // namespace blockscope::circuit
