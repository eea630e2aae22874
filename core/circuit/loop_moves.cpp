// Loops being written: where values are, and how they get from level to level and into loops.
#include <algorithm>

#include "core/circuit/loop_writer.h"
#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

int place_of(const std::vector<AxisId>& axes, AxisId axis) {
    const auto found = std::find(axes.begin(), axes.end(), axis);
    return found == axes.end() ? -1 : static_cast<int>(found - axes.begin());
}

}  // namespace

bool LoopWriter::is_in(int value, Depth depth) const {
    const auto& there = scopes_[static_cast<std::size_t>(depth)].there;
    const auto first = there.lower_bound({value, 0});
    return first != there.end() && first->first.first == value;
}

// The level to move it from: that of loads if it is there, else the lowest.
int LoopWriter::level_in(int value, Depth depth) const {
    const auto& there = scopes_[static_cast<std::size_t>(depth)].there;
    if (there.count({value, hierarchy_.local}) > 0) return hierarchy_.local;
    int level = -1;
    for (const auto& [key, made] : there)
        if (key.first == value) level = key.second;
    if (level < 0) throw InternalError(values_.at(static_cast<std::size_t>(value)).name + " is not there");
    return level;
}

int LoopWriter::enter(int outside, int value, int level, Depth depth) {
    Scope& here = scope(depth);
    const int inside = array(value, level, depth);
    here.inputs.push_back(inside);
    here.outside.push_back(outside);
    here.there[{value, level}] = inside;
    return inside;
}

// What is streamed comes in from global memory, everything else where it is, or where it can be moved on
// from.
void LoopWriter::come_in(int value, int level, Depth depth) {
    const Depth outer = depth_around(depth);
    if (!is_in(value, outer)) {
        // Of what the inner stream has, a whole part of the outer one stays in global memory.
        if (depth == kInner && streamed_by(value, streams_[1]))
            come_in(value, 0, outer);
        else
            fetch(value, hierarchy_.local, outer);
    }
    Scope& around = scope(outer);
    int from = level;
    if (around.there.count({value, level}) == 0) {
        from = level_in(value, outer);
        const bool direct = from <= hierarchy_.local || level == hierarchy_.local || hierarchy_.fragments;
        if (!direct) {
            fetch(value, hierarchy_.local, outer);
            from = hierarchy_.local;
        }
    }
    enter(around.there.at({value, from}), value, from, depth);
}

int LoopWriter::fetch(int value, int level, Depth depth) {
    Scope& here = scope(depth);
    const auto found = here.there.find({value, level});
    if (found != here.there.end()) return found->second;
    if (!is_in(value, depth)) {
        come_in(value, level, depth);
        return fetch(value, level, depth);
    }
    int from = level_in(value, depth);
    for (; from < hierarchy_.local && from < level; ++from) move(value, from, from + 1, depth);
    if (from == level) return here.there.at({value, level});
    const bool direct = from == hierarchy_.local || level == hierarchy_.local || hierarchy_.fragments;
    if (from != hierarchy_.local && (!direct || level == 0)) {
        move(value, from, hierarchy_.local, depth);
        from = hierarchy_.local;
    }
    return from == level ? here.there.at({value, level}) : move(value, from, level, depth);
}

int LoopWriter::move(int value, int from, int to, Depth depth) {
    Scope& here = scope(depth);
    const int before = here.there.at({value, from});
    const int after = array(value, to, depth);
    Apply apply;
    apply.op = {OperatorKind::Transfer, to > from ? "load" : "save"};
    apply.weave = types_[static_cast<std::size_t>(before)].axes;
    const auto end = [&](int number) {
        const ArrayType& type = types_[static_cast<std::size_t>(number)];
        Segment segment{
            {}, type.elem, type.level, type.cached, values_[static_cast<std::size_t>(value)].name};
        for (std::size_t i = 0; i < type.axes.size(); ++i)
            segment.slots.push_back({false, static_cast<int>(i)});
        return segment;
    };
    apply.inputs = {end(before)};
    apply.outputs = {end(after)};
    here.steps.push_back({circuit::apply(std::move(apply)), {before}, {after}});
    here.there[{value, to}] = after;
    return after;
}

// The head makes the first of what goes round (Figure 27: F of an axis of size 0).
LoopWriter::Carried LoopWriter::begin(int value, int level, const std::string& first) {
    const int start = array(value, level, now().head);
    Apply apply;
    apply.op = {OperatorKind::Custom, first};
    apply.weave = types_[static_cast<std::size_t>(start)].axes;
    Segment segment{{},
                    types_[static_cast<std::size_t>(start)].elem,
                    level,
                    false,
                    values_[static_cast<std::size_t>(value)].name};
    for (std::size_t i = 0; i < apply.weave.size(); ++i)
        segment.slots.push_back({false, static_cast<int>(i)});
    apply.outputs = {segment};
    scope(now().head).steps.push_back({circuit::apply(std::move(apply)), {}, {start}});
    return {value, level, enter(enter(start, value, level, now().loop), value, level, now().sub)};
}

void LoopWriter::end(const Carried& carried, int made) {
    for (const Depth depth : {now().sub, now().loop}) {
        Scope& here = scope(depth);
        const int came = here.there.at({carried.value, carried.level});
        const auto input = std::find(here.inputs.begin(), here.inputs.end(), came);
        here.outputs.push_back(made);
        here.carry.push_back(static_cast<int>(input - here.inputs.begin()));
        made = array(carried.value, carried.level, depth_around(depth));
        here.results.push_back(made);
    }
    scope(now().head).there[{carried.value, carried.level}] = made;
}

Step LoopWriter::closed(Depth depth, AxisId whole, AxisId part) {
    Scope& here = scope(depth);
    Partition what{PartitionKind::Stream, whole, part, whole, {}, {}, nullptr, {}, here.carry};
    what.body = arrange(types_, std::move(here.steps), here.inputs, here.outputs);
    for (const ArrayType& type : what.body->domain) what.split.push_back({place_of(type.axes, part), false});
    what.join.resize(here.outputs.size());
    return {partition(std::move(what)), here.outside, here.results};
}

}  // namespace blockscope::circuit
