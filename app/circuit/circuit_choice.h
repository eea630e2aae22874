// Which diagram of a document is shown, and its making. No Qt.
#pragma once

#include "app/document/content.h"
#include "core/circuit/term.h"

namespace blockscope {

enum class CircuitKind : std::uint8_t {
    State,       // of a state of the block program: its maps are groups and streams
    Program,     // of the array program, with its named parts
    Algorithm,   // of the array program as one algorithm on two levels, grouped and streamed wherever it can
                 // be
    Model,       // of the array program, with what its names say is learned as learned maps
    Pseudocode,  // of the array program as an explicit loop with head, accumulators, sub-loop and tail
};

// A problem says why there is no such diagram, or that it would be too large.
Result<circuit::Circuit> circuit_of_state(const BlockProgram& program);
Result<circuit::Circuit> circuit_for(const Content& content, StateId state, CircuitKind kind);

}  // namespace blockscope
