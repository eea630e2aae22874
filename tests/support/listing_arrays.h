// Whole arrays and their blocks, for the listing reader.
#pragma once

#include <cstdint>
#include <vector>

#include "core/exec/evaluate.h"
#include "core/graph/type.h"
#include "tests/support/listing_value.h"

namespace blockscope::reader {

// An array as the program declares it: Q[B,H,M,D] has dims B,H,M,D and items block[M,D]. The last
// dimensions split the item's axes; the others count whole (batch dimensions).
struct ArrayDecl {
    std::vector<DimId> dims;
    Item item;
};

// Where the item's axes stand in `dims`; -1 if none (the item then is the first block of that axis).
struct Axes {
    explicit Axes(const ArrayDecl& decl);
    int rows = -1;
    int cols = -1;
};

std::vector<std::int64_t> array_shape(const ArrayDecl& decl, const DimTable& dims);

// The item at `index`, one number per dimension.
Value cut(const Tensor<double>& array, const ArrayDecl& decl, const DimTable& dims,
          const std::vector<std::int64_t>& index);
// The other way round. A loose literal fills the item. Throws ListingError if the shape does not fit.
void put(Tensor<double>& array, const ArrayDecl& decl, const DimTable& dims,
         const std::vector<std::int64_t>& index, const Value& value);

// Throws ListingError if `value` is not of the shape of the item at `index`. Loose literals fit.
void check_shape(const ArrayDecl& decl, const DimTable& dims, const std::vector<std::int64_t>& index,
                 const Value& value);

Value transposed(const Value& block);
// The declaration with its two axes swapped, so that V[N,L] reads as VT[L,N].
ArrayDecl transposed(const ArrayDecl& decl);

// All index tuples of `decl`, in order.
std::vector<std::vector<std::int64_t>> all_indices(const ArrayDecl& decl, const DimTable& dims);

}  // namespace blockscope::reader
