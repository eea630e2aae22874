// Random block programs, built map by map, for what conversion from array programs does not reach: maps that
// take one value iterated and broadcast, siblings with mixed modes, reductions of shared lists, outputs
// used twice, dimensions nested in themselves, extensions and peelings of every variant at every level.
#pragma once

#include <cstdint>

#include "core/graph/graph.h"

namespace blockscope {

// Always valid, without ragged blocks (types do not tell which block of a ragged axis a value is),
// small, and the same for one seed on every platform.
BlockProgram random_block_program(std::uint64_t seed);

// `graph` without the nodes that reach no output; its inputs stay if `keep_inputs`.
GraphPtr without_dead_nodes(const Graph& graph, bool keep_inputs);

}  // namespace blockscope
