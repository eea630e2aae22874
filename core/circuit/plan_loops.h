// A plan as loops: which operators of a flow each of its streams and inner groups runs, and inside which
// other. Internal to fused() (place.h).
#pragma once

#include <map>
#include <set>

#include "core/circuit/place.h"

namespace blockscope::circuit {

class PlanLoops {
public:
    // The operators of a stream, or of inner groups, and what it runs inside.
    struct Loop {
        Part part;
        std::set<int> ops;
        int inside = -1;  // index of the loop around it
    };

    // `flow` must outlive it.
    PlanLoops(const Flow& flow, const Plan& plan);

    // Why the plan is not possible; nothing else is of use then.
    const Problems& problems() const { return problems_; }
    const Axes& axes() const { return axes_; }                    // the flow's, and their parts
    AxisId part_of(AxisId axis) const { return part_.at(axis); }  // of an axis that is split
    const std::vector<Part>& groups() const { return groups_; }   // around everything, outer ones first
    const Loop& loop(int index) const { return loops_.at(static_cast<std::size_t>(index)); }

    // The outermost loop inside `around` (-1: none) that runs operator i, -1 if it stands by itself.
    int loop_of(int i, int around) const;
    // Whether a loop inside `around`, at any depth, streams the array.
    bool streamed_inside(int array, int around) const;

private:
    void enter(const Part& part);
    void add_loop(const Part& part);
    bool repeat(int outer, const Loop& inner);
    void problem(std::string sentence) { problems_.push_back({{}, std::move(sentence)}); }

    const Flow& flow_;
    Axes axes_;
    Problems problems_;
    std::map<AxisId, AxisId> part_;
    std::vector<Part> groups_;
    std::vector<Loop> loops_;
};

}  // namespace blockscope::circuit
