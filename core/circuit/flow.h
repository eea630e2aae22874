// A program as a flat list of weaved operators between numbered arrays: what diagrams are arranged from, and
// what is asked which axes can be grouped and streamed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/circuit/term.h"
#include "core/program/array_program.h"
#include "core/support/result.h"

namespace blockscope::circuit {

struct FlowOp {
    Apply apply;
    std::vector<int> inputs;  // arrays, one per input of `apply`
    std::vector<int> outputs;
    ExprPtr expr;  // Elementwise: over its inputs in order
};

// Operators first .. last (of Flow::ops) that make up something with a name.
struct FlowGroup {
    std::string title;
    int first = 0;
    int last = 0;
    bool operator==(const FlowGroup&) const = default;
};

struct FlowArray {
    std::string name;
    ArrayType type;
};

struct Flow {
    Axes axes;
    std::vector<FlowArray> arrays;
    std::vector<FlowOp> ops;  // every one after those whose arrays it takes
    std::vector<int> inputs;
    std::vector<int> outputs;
    std::vector<std::string> output_names;
    // Outputs that come back as inputs of the same name: intermediates that go through global memory. A
    // stream saves them part by part, so that no accumulator maintains them.
    std::vector<int> stored = {};
    std::vector<FlowGroup> groups;  // disjoint or nested, outer ones first
};

// The operators of a valid array program; transposes become crossings of wires where they are read, masks
// operators of their own. Axis i is dimension i of the program.
Flow flow_of(const ArrayProgram& program);

// The operators of a diagram, of any number of levels: transfers are left out, and axes are whole. What was
// drawn of array programs, fused or not, comes out as the program's own flow, but for the expressions of
// elementwise operators, of which only scales, sums and products are known again. A problem names what has no
// such form: iterations that are sliced off, carried on or not along an axis of the arrays.
Result<Flow> flow_of(const Circuit& circuit);

// The parts with a name: attention, SwiGLU, gated or plain layers, norms with what follows them.
std::vector<FlowGroup> named_groups(const Flow& flow);

// The same flow with one axis per set of wires that belong together: wires that run through an operator, or
// meet in one, are one axis. Two axes of the same dimension get different names (M and M').
Flow separated(const Flow& flow);

// What a glyph says of an elementwise operator: "* D^-0.5", "+", "silu(x) * y".
std::string expression_label(const Expr& expr, const DimTable& dims);

// Operations on one item: {vector, special} (powers other than squares, exp, log, sqrt, tanh, ... are
// special).
std::pair<double, double> expression_work(const Expr& expr);

}  // namespace blockscope::circuit
