// Subgraphs that several rules name: a mapped row_scale or row_shift, and a matrix multiplication.
#pragma once

#include "core/rules/why.h"

namespace blockscope {

// S = K-map { op(iterated a, broadcast c) } and nothing else in it; op is row_scale or row_shift.
struct MappedScale {
    ValueRef a;  // the list that the map iterates over
    ValueRef c;  // the vector that every iteration takes
    int a_port = 0;
    int c_port = 0;
};
bool is_mapped_scale(const Node& node, FunctionalOp op, const Level& level, MappedScale& found, Why& why);

// P = N-map { K-map { dot(left, right) }; sum over K } and nothing else in it.
struct MappedMatmul {
    DimId contraction;  // K
    int left = 0;       // the port of P that gives dot's left operand
    int right = 0;      // ... and its right operand
};
bool is_mapped_matmul(const Node& node, const Level& level, MappedMatmul& found, Why& why);

// Whether `matmul` takes all of `scale`'s result, once, as dot's left operand, and contracts it over the
// scale's dimension.
bool takes_as_left(const Node& scale, const Node& matmul, const Level& level, MappedMatmul& found, Why& why);

}  // namespace blockscope
