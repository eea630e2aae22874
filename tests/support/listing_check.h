// Listings of block programs, executed and compared with the block program's own meaning.
#pragma once

#include <cstdint>
#include <string>

#include "core/graph/graph.h"
#include "tests/support/listing_reader.h"

namespace blockscope::reader {

// What the program declares around its listing: the arrays of its inputs and outputs, and its
// miscellaneous operators with the meaning that evaluate() gives them.
Signature signature_of(const BlockProgram& program);

// The arrays that a listing may load: `inputs`, and the masks that the program generates.
Tensors<double> with_masks(const BlockProgram& program, Tensors<double> inputs);

// Every second dimension in one block.
DimTable with_single_blocks(DimTable dims, std::uint64_t seed);

// Executes the listing of `program` at `dims` (sizes; names as in the program) on random inputs, parallel
// loops in both orders, and compares with evaluate(): the paper's loops and the built ones, and those once
// more where every second dimension is in one block. Empty if all is well, else a sentence and the listing.
std::string check_listing(const BlockProgram& program, const DimTable& dims, std::uint64_t seed);

}  // namespace blockscope::reader
