// Nests of maps around one block operator: the subgraphs of Blockbuster's Table 2 are built of them.
#pragma once

#include <functional>
#include <vector>

#include "core/graph/builder.h"

namespace blockscope {

// A value that enters a nest of maps. `iterated[i]` says whether the i-th map (outermost first)
// takes it iterated; it takes it broadcast otherwise. Nothing is inferred from names of
// dimensions, which may repeat: in A (M,K) @ B (M,K).T the outer M-map takes B broadcast.
struct NestInput {
    ValueRef value;
    std::vector<bool> iterated;
};

// Builds what the innermost map holds, from the inputs' values there, in the order of the inputs.
using NestBody = std::function<ValueRef(Builder&, const std::vector<ValueRef>&)>;

// Adds maps over `dims`, outermost first, around `body` to `builder` and returns the collected result; with
// no dims the body itself. Inputs that are the same value taken in the same way share a port.
ValueRef nest(Builder& builder, const std::vector<DimId>& dims, const std::vector<NestInput>& inputs,
              const NestBody& body);

}  // namespace blockscope
