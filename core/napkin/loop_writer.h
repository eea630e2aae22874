// Writes a streamed algorithm as an explicit loop: head, loop, sub-loop, tail; with a second stream, a loop
// of that inside every part of the first. pseudocode() is the only user.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/diagram/arrange.h"
#include "core/diagram/flow.h"
#include "core/diagram/place.h"

namespace blockscope::circuit {

// How large the parts are.
struct LoopSizes {
    std::int64_t group = 1, stream = 1, sub = 1;
    std::int64_t inner = 1, inner_sub = 1;  // of the second stream
};

class LoopWriter {
public:
    // `flow` and `hierarchy` outlive the writer. `streams` are the verdicts on the axes that are streamed:
    // one, or a second one that runs in every part of the first. What does not have the first one's axis is
    // done again there.
    LoopWriter(const Flow& flow, std::vector<AxisVerdict> streams, const Hierarchy& hierarchy);

    // Before run(): parts larger than what they are parts of are as large as that. Gives the rows' part.
    AxisId split(AxisId rows, const LoopSizes& sizes);
    Circuit run();

private:
    // Around the loop, in it, in its sub-loop; in the inner loop, which stands in the loop, and its sub-loop.
    enum Depth : int { kAround, kLoop, kSub, kInner, kInnerSub };
    static Depth depth_around(Depth depth) { return depth == kInner ? kLoop : static_cast<Depth>(depth - 1); }

    // A stream: where its accumulators begin, where it takes parts, and parts of parts.
    struct Stream {
        AxisVerdict verdict;
        AxisId part = {}, sub_part = {};
        Depth head = kAround, loop = kLoop, sub = kSub;
        AxisId axis() const { return verdict.axis; }
    };

    // The columns of one depth while they are written. Arrays are numbers (types_).
    struct Scope {
        std::vector<Step> steps;
        std::vector<int> inputs, outside;          // what comes in: inside, and outside
        std::vector<int> outputs, results;         // what is carried out: inside, and outside
        std::vector<int> carry;                    // by output: the input that it is carried to
        std::map<std::pair<int, int>, int> there;  // by value and level
    };

    // A value that goes round in the loop being written, and where it came into the sub-loop.
    struct Carried {
        int value = 0, level = 0, array = 0;
    };

    // ---- what there is ----
    int value(std::string name, std::vector<AxisId> axes, ElemType elem);
    int array(int value, int level, Depth depth);
    std::vector<AxisId> axes_at(std::vector<AxisId> axes, Depth depth) const;
    Scope& scope(Depth depth) { return scopes_[static_cast<std::size_t>(depth)]; }
    bool streamed_by(int value, const Stream& stream) const;
    bool streamed(int value) const;  // by any of them
    bool is_in(int value, Depth depth) const;
    int level_in(int value, Depth depth) const;

    // ---- moving it ----
    // The value at a level, moved there if it is not: by way of shared memory where there is no other.
    int fetch(int value, int level, Depth depth);
    void come_in(int value, int level, Depth depth);
    int enter(int outside, int value, int level, Depth depth);
    int move(int value, int from, int to, Depth depth);
    Carried begin(int value, int level, const std::string& first);
    void end(const Carried& carried, int made);
    Step closed(Depth depth, AxisId whole, AxisId part);

    // ---- operators (loop_operators.cpp) ----
    bool along(const FlowOp& op, const Stream& stream) const;
    bool accumulates(int op) const;
    bool is_late(const FlowOp& op) const;
    Depth depth_of(int op) const;
    int tier(const FlowOp& op) const;
    Apply at_depth(const FlowOp& op, Depth depth) const;
    void write(const std::vector<int>& ops, std::vector<int>& tail);
    std::vector<int> before_inner() const;
    void close();
    void operate(int op, Depth depth);
    void normalise(int op);
    void add_up(int op);
    void contract(int op, Depth depth);
    void accumulate(int op);
    int split_box(std::vector<Step> steps, std::vector<int> inputs, int output, Depth depth);
    // An operator that is only named, weaved over the axes of what it makes.
    struct Named {
        OperatorKind kind = OperatorKind::Custom;
        std::string label;
        std::vector<std::pair<int, int>> takes;  // values, and the arrays that they are
        int makes = 0;                           // a value
        int level = 0;
    };
    Step named(const Named& what, Depth depth);
    int put(Step step, Depth depth);
    void finish();
    void scale_at_the_end(int value, int norm);

    const Flow& flow_;
    std::vector<Stream> streams_;  // the outer one first
    std::size_t now_ = 0;          // that is being written
    const Stream& now() const { return streams_[now_]; }
    const Hierarchy& hierarchy_;
    AxisId rows_, group_;
    Axes axes_;
    std::vector<FlowArray> values_;  // the flow's arrays, then what the loop keeps besides
    std::vector<ArrayType> types_;
    Scope scopes_[5];
    std::set<int> late_;           // values that are made in the sub-loop, or from what it makes
    std::map<int, int> norm_of_;   // by value: the softmax or norm that it comes from
    std::map<int, int> kept_;      // by that operator: the value with its auxiliary numbers
    std::map<int, int> kept_now_;  // and where that is in the sub-loop
    std::vector<std::pair<int, int>> to_scale_;  // values, and the operator whose numbers scale them
    std::vector<int> to_divide_;                 // means
};

}  // namespace blockscope::circuit
