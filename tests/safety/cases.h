// Small block programs for the tests of the numerical-safety pass, and what is demanded of every result.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/safety/safety.h"
#include "tests/exec/programs.h"

namespace blockscope::test {

inline const DimId kM{0};
inline const DimId kN{1};
inline const DimId kK{2};
inline const DimId kL{3};

// M 7/3, N 9/2, K 5/2, L 4/3: a number of blocks of its own for each, all ragged.
DimTable small_dims();

struct Loop {
    DimId dim;
    PortOut mode = PortOut::Collected;  // of all outputs
};
using Body = std::function<Refs(Builder&, const Refs&)>;

// `body` inside `loops`, outermost first. A loop iterates over the inputs whose first dimension is its own.
// The inputs are A, B, C, ..., the outputs X, Y, Z.
BlockProgram in_loops(const std::vector<Type>& inputs, const std::vector<Loop>& loops, const Body& body);

// The body in a nest of maps of a graph under construction; returns the outermost map's outputs.
Refs nest(Hand& hand, Builder& level, const std::vector<Loop>& loops, const Refs& inputs, const Body& body);

// The safe form; it is valid, equal to `program` in exact arithmetic, close to it in doubles, has the same
// inputs and outputs, its lineage names nodes of both programs, and its listing means what it does.
SafeProgram expect_safe(const BlockProgram& program, int exponentials,
                        SharedExponent sharing = SharedExponent::PerRow);
// The results for inputs in the thousands, where a plain exponential overflows, are finite.
void expect_finite(const BlockProgram& safe, double scale = 3000);
// Close in doubles, inputs in [-scale, scale].
void expect_close(const BlockProgram& found, const BlockProgram& expected, double scale);

// Nodes of all levels, outer ones before inner ones.
std::vector<NodePtr> all_nodes(const Graph& graph);
int count(const BlockProgram& program, const std::function<bool(const Node&)>& what);
int count(const BlockProgram& program, FunctionalOp op);
// Elementwise operators with an exponential in them.
int count_exponentials(const BlockProgram& program);
// Carried outputs with this initial value.
int count_carried(const BlockProgram& program, double init);

}  // namespace blockscope::test
