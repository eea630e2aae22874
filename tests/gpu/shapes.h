// Small sizes and blocks that dimensions take turns at, and what results may differ by.
#pragma once

#include <array>

#include "core/graph/graph.h"
#include "core/program/array_program.h"

namespace blockscope::test {

struct Shape {
    int size;
    int block;
};
using Shapes = std::array<Shape, 4>;

// As far as the operators of the program allow it.
DimTable shaped(const BlockProgram& program, const Shapes& shapes);

// What a measurement on a card allows where arrays have this type; of float32 with products in tf32.
double tolerance_of(ElemType elem, const BlockProgram& state);

// Everything in one type of 16 bits; conversions to other types stay.
ArrayProgram in_type(ArrayProgram program, ElemType elem);

}  // namespace blockscope::test
