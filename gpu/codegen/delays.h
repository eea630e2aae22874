// Products that are added to something by the next operator that reads them: tensor cores do that addition,
// too.
#pragma once

#include <set>

#include "gpu/codegen/products.h"

namespace blockscope::gpu {

// Temporaries set once, by a product for tensor cores, and read once, by an `add` behind it in the same body
// with no loop between them. What is computed where they are added needs no registers of its own.
std::set<int> delayed_products(const LoopProgram& program, const Products& products);

}  // namespace blockscope::gpu
