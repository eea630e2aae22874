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
    // one, or a second one that runs in every part of the first. Each part of the first one repeats the
    // operators that do not have its axis.
    LoopWriter(const Flow& flow, std::vector<AxisVerdict> streams, const Hierarchy& hierarchy);

    // Call before run(). Limits a part to the size of what it is a part of. Returns the axis of the rows'
    // part.
    AxisId split(AxisId rows, const LoopSizes& sizes);
    Circuit run();

private:
    // Where a step stands: before or after the loop, in the loop, in its sub-loop, in the second stream's
    // loop (which stands in the first one), or in that loop's sub-loop.
    enum Depth : int { kAround, kLoop, kSub, kInner, kInnerSub };
    static Depth depth_around(Depth depth) { return depth == kInner ? kLoop : static_cast<Depth>(depth - 1); }

    // An axis that is streamed, and the depths of its loop nest: `head` is where its accumulators are
    // initialised, `loop` runs over the parts of the axis, and `sub` over the parts of a part.
    struct Stream {
        AxisVerdict verdict;
        AxisId part = {}, sub_part = {};
        Depth head = kAround, loop = kLoop, sub = kSub;
        AxisId axis() const { return verdict.axis; }
    };

    // The steps of one depth while they are written, and the arrays that cross its border. An array is given
    // as its index in types_.
    struct Scope {
        std::vector<Step> steps;
        std::vector<int> inputs, outside;          // what comes in: the array inside, and the one outside
        std::vector<int> outputs, results;         // what goes out: the array inside, and the one outside
        std::vector<int> carry;                    // by output: the input that takes it in the next iteration
        std::map<std::pair<int, int>, int> there;  // by value and level: the array
    };

    // A value that the loop being written carries from one iteration to the next, and the array in which it
    // enters the sub-loop.
    struct Carried {
        int value = 0, level = 0, array = 0;
    };

    // ---- values, and the arrays that hold them ----
    int value(std::string name, std::vector<AxisId> axes, ElemType elem);
    int array(int value, int level, Depth depth);
    std::vector<AxisId> axes_at(std::vector<AxisId> axes, Depth depth) const;
    Scope& scope(Depth depth) { return scopes_[static_cast<std::size_t>(depth)]; }
    bool streamed_by(int value, const Stream& stream) const;
    bool streamed(int value) const;  // by any stream
    bool is_in(int value, Depth depth) const;
    int level_in(int value, Depth depth) const;

    // ---- moving values between the levels of the memory hierarchy ----
    // The array that holds a value at a level. Moves the value there if it is elsewhere, through shared
    // memory where there is no direct way.
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
    // An operator of which only the name is drawn, woven over the axes of the value that it makes.
    struct Named {
        OperatorKind kind = OperatorKind::Custom;
        std::string label;
        std::vector<std::pair<int, int>> takes;  // values, and the arrays that hold them
        int makes = 0;                           // the value that it makes
        int level = 0;
    };
    Step named(const Named& what, Depth depth);
    int put(Step step, Depth depth);
    void finish();
    void scale_at_the_end(int value, int norm);

    const Flow& flow_;
    std::vector<Stream> streams_;  // the outer one first
    std::size_t now_ = 0;          // the index of the stream that is being written
    const Stream& now() const { return streams_[now_]; }
    const Hierarchy& hierarchy_;
    AxisId rows_, group_;
    Axes axes_;
    std::vector<FlowArray> values_;  // the flow's arrays, then those that only the loop has
    std::vector<ArrayType> types_;
    Scope scopes_[5];
    std::set<int> late_;           // values that are made in the sub-loop, or from a value that it makes
    std::map<int, int> norm_of_;   // by value: the softmax or norm that it comes from
    std::map<int, int> kept_;      // by that operator: the value with the numbers kept of a row (KeptNumbers)
    std::map<int, int> kept_now_;  // by that operator: the array that holds this value in the sub-loop
    std::vector<std::pair<int, int>> to_scale_;  // values, and the operator whose numbers scale them
    std::vector<int> to_divide_;                 // means, which are sums until the loop has ended
};

}  // namespace blockscope::circuit
