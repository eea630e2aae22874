// A program as a flat list of weaved operators between numbered arrays. Diagrams are arranged from it, and
// the napkin's rules decide on it which axes can be grouped and streamed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/diagram/term.h"
#include "core/program/array_program.h"
#include "core/support/result.h"
#include "core/support/text.h"

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

// ---- Adding to a flow.

// Adds an array and returns its number.
int add_array(Flow& flow, const std::string& name, std::vector<AxisId> axes, ElemType elem);

// The array weaved over all of its axes, in their order.
Segment whole_segment(const Flow& flow, int array);

// The array weaved over its axes, which are some of `axes`.
Segment segment_within(const Flow& flow, int array, const std::vector<AxisId>& axes);

// An operand of a normalisation with the normalised axis weaved over, as the last one.
Segment weaved_segment(Segment segment, const Apply& normalisation);

// ---- Learned linear maps: contractions with weights, drawn as one box on the axis that they map instead of
// a second array (Abbott, Neural Circuit Diagrams). No program says which inputs are learned, so their names
// decide.

// The label of a learned map, a Custom operator weaved over every axis that its weights lack.
inline constexpr const char* kLearned = "L";

// The inputs that are weights by their names: W, W1, Wq, W_up, ...
std::vector<std::string> weights_of(const Flow& flow);

// `flow` with the contractions that alone use one of these inputs as learned maps; those inputs are gone.
Flow with_learned_maps(const Flow& flow, const std::vector<std::string>& weights);

// Which axes of an algorithm can be split among processors and which can be streamed, and why, by the rules
// of the napkin: Section 2.3 (groups), Section 2.4 and the fusion theorem of Appendix A.1 (streams).

// One step of the argument.
struct Reason {
    Text theorem;  // "Section 2.3", "Appendix A.3.1", "Theorem 1, composition", ...
    Text sentence;
    int op = -1;  // that it speaks of: index in Flow::ops
};

struct AxisVerdict {
    AxisId axis;
    bool group = false;
    bool stream = false;
    std::vector<Reason> group_reasons;   // why, or why not
    std::vector<Reason> stream_reasons;  // the steps of the theorem, or the one that fails
    std::vector<int> accumulators;       // if it streams: the operators whose results are carried along
    // Numbers per row that the accumulators keep besides their result: 3 for softmax (Table 4: maximum, its
    // correction, sum), 1 for rmsnorm (sum of squares), 2 for layernorm (sum, sum of squares); 0 for
    // contractions.
    int auxiliary = 0;
};

// One verdict per axis that any array has. `flow` is separated.
std::vector<AxisVerdict> axis_verdicts(const Flow& flow);

}  // namespace blockscope::circuit
