// A block program's structure as one string, exact enough to compare: every map with the modes of
// its inputs, every operator with its operands.
#pragma once

#include <string>

#include "core/graph/graph.h"
#include "tests/support/array_maker.h"

namespace blockscope::test {

// Inputs of a level are x0, x1, ..., its operators v0, v1, ... in order. A map over M that iterates over x0
// and takes x1 broadcast is "M[i x0, b x1]{...}"; the value that a level gives is behind "->".
std::string sketch(const Graph& graph, const DimTable& dims);
// One sketch a line for every top-level node that is no input or output.
std::string sketch(const BlockProgram& program);
// The sketch of an array program's block program; a test failure where verify() finds something.
std::string converted(const ArrayProgram& program);
inline std::string converted(const ArrayMaker& maker) {
    return converted(maker.program);
}
// Top-level nodes that are no inputs or outputs.
int top_level_operators(const BlockProgram& program);

}  // namespace blockscope::test
