// Smaller blocks for states whose operands do not fit a target's shared memory.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/graph/graph.h"

namespace blockscope::gpu {

// The program's sizes with as few halvings of its blocks as `fits` wants, none under 16: all ways of one,
// then of two, up to six. Nothing if none of them fits. Does not ask for the blocks as they are.
std::optional<DimTable> fitting_blocks(const BlockProgram& program,
                                       const std::function<bool(const BlockProgram&)>& fits);

// What asks for those blocks: "--set K=4096/64 --set N=4096/64".
std::string set_words(const DimTable& from, const DimTable& to);

}  // namespace blockscope::gpu
