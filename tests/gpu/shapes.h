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

DimTable shaped(DimTable dims, const Shapes& shapes);

// Of the largest number, where arrays have this type.
double tolerance_of(ElemType elem);

// Everything in one type of 16 bits; conversions to other types stay.
ArrayProgram in_type(ArrayProgram program, ElemType elem);

}  // namespace blockscope::test
