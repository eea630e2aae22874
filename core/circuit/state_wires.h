// Which axes of a program's inputs, outputs and stored intermediates each loop of a state splits.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/circuit/correspond.h"

namespace blockscope::circuit {

struct StateWires {
    std::map<const Partition*, std::set<ProgramWire>> split;
    // What is saved to global memory and loaded again, in the order of the saves: "I1", "I2", ...
    struct Stored {
        std::string name;
        std::set<const Apply*> transfers;  // that save it, and that load it
    };
    std::vector<Stored> stored;
};

// `drawn` is `state` with its loads at the heads of loops, so that nothing is sliced; masks have no wires.
StateWires state_wires(const BlockProgram& state, const Circuit& drawn);

}  // namespace blockscope::circuit
