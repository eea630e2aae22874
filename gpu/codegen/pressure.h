// How many numbers of blocks are alive at once.
#pragma once

#include "gpu/codegen/products.h"

namespace blockscope::gpu {

// The most numbers of blocks in registers, of a whole thread block, between two lines of the program.
// Operands that a line uses last do not count beside its result, nor do delayed products.
std::int64_t most_numbers_alive(const LoopProgram& program, const Values& values, const Products& products,
                                const std::set<int>& delayed);
// The same of some lines alone, where `size` says what a temporary takes.
std::int64_t most_alive(const std::vector<const Statement*>& lines, const LoopProgram& program,
                        const std::function<std::int64_t(Temp)>& size);

}  // namespace blockscope::gpu
