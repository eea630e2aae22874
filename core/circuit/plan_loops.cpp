#include "core/circuit/plan_loops.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/circuit/lists.h"

namespace blockscope::circuit {

PlanLoops::PlanLoops(const Flow& flow, const Plan& plan) : flow_(flow), axes_(flow.axes) {
    for (const Part& part : plan) enter(part);
}

void PlanLoops::enter(const Part& part) {
    const Axis& whole = axis_of(flow_.axes, part.axis);
    if (part.size < 1 || part.size > whole.size)
        return problem("found parts of " + std::to_string(part.size) + " of " + whole.name +
                       "; expected 1 to " + std::to_string(whole.size));
    if (part_.count(part.axis) > 0) return problem("found two partitions of " + whole.name);
    const bool group = part.kind == PartitionKind::Group;
    axes_.push_back(
        {(group ? "g_" : "s_") + whole.name, part.size, whole.sequence, part.axis, part.kind, 1, {}});
    part_[part.axis] = {static_cast<int>(axes_.size()) - 1};
    if (group && !part.inner)
        groups_.push_back(part);
    else
        add_loop(part);
}

void PlanLoops::add_loop(const Part& part) {
    Loop loop{part, {}, -1};
    for (std::size_t i = 0; i < flow_.ops.size(); ++i) {
        const Apply& apply = flow_.ops[i].apply;
        if (has(apply.own, part.axis) || has(apply.weave, part.axis)) loop.ops.insert(static_cast<int>(i));
    }
    for (int l = 0; l < static_cast<int>(loops_.size()); ++l) {
        const std::set<int>& ops = loops_[at(l)].ops;
        std::set<int> common;
        std::set_intersection(loop.ops.begin(), loop.ops.end(), ops.begin(), ops.end(),
                              std::inserter(common, common.begin()));
        const bool apart = !common.empty() && common != loop.ops;
        if (apart && !(part.inner && part.kind == PartitionKind::Stream && repeat(l, loop)))
            problem("found streams of " + axis_of(axes_, loops_[at(l)].part.axis).name + " and " +
                    axis_of(axes_, part.axis).name +
                    ", which share only some of their operators; expected one inside the other");
        else if (!common.empty())
            loop.inside = l;
    }
    loops_.push_back(std::move(loop));
}

// Takes all operators of `inner` into the loop `outer`, and into those around it, which do them again in
// every part. False if some of them need what is there only after all parts.
bool PlanLoops::repeat(int outer, const Loop& inner) {
    const AxisId axis = loop(outer).part.axis;
    std::set<int> finished;  // arrays
    for (std::size_t i = 0; i < flow_.ops.size(); ++i) {
        const FlowOp& op = flow_.ops[i];
        const bool mine = loop(outer).ops.count(static_cast<int>(i)) > 0;
        const bool late = std::any_of(op.inputs.begin(), op.inputs.end(),
                                      [&](int input) { return finished.count(input) > 0; });
        if (late && inner.ops.count(static_cast<int>(i)) > 0) return false;
        for (const int output : op.outputs)
            if (late || (mine && !has(flow_.arrays[at(output)].type.axes, axis))) finished.insert(output);
    }
    for (int l = outer; l >= 0; l = loops_[at(l)].inside)
        loops_[at(l)].ops.insert(inner.ops.begin(), inner.ops.end());
    return true;
}

int PlanLoops::loop_of(int i, int around) const {
    for (std::size_t l = 0; l < loops_.size(); ++l)
        if (loops_[l].inside == around && loops_[l].ops.count(i) > 0) return static_cast<int>(l);
    return -1;
}

bool PlanLoops::streamed_inside(int array, int around) const {
    for (std::size_t l = 0; l < loops_.size(); ++l) {
        if (!has(flow_.arrays[at(array)].type.axes, loops_[l].part.axis)) continue;
        int outer = static_cast<int>(l);
        do {
            outer = loops_[at(outer)].inside;
            if (outer == around) return true;
        } while (outer >= 0);
    }
    return false;
}

}  // namespace blockscope::circuit
