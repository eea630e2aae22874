#include "core/diagram/place.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/diagram/arrange.h"
#include "core/diagram/flow.h"
#include "core/diagram/term.h"

namespace blockscope::circuit {

namespace {

int place_of(const std::vector<AxisId>& axes, AxisId axis) {
    const auto found = std::find(axes.begin(), axes.end(), axis);
    return found == axes.end() ? -1 : static_cast<int>(found - axes.begin());
}

// An array has a number at every level: its own at the level of loads, others further on.
class Placer {
public:
    Placer(const Flow& flow, const Plan& plan, const Hierarchy& hierarchy)
        : flow_(flow), loops_(flow, plan), hierarchy_(hierarchy), home_(flow.arrays.size(), hierarchy.local) {
        for (const FlowOp& op : flow.ops)
            for (const int output : op.outputs) home_[at(output)] = tier(op);
    }

    const Problems& problems() const { return loops_.problems(); }

    Circuit run() {
        std::vector<int> all(flow_.ops.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
        std::vector<int> inputs;
        std::vector<int> outputs;
        for (const int input : flow_.inputs) inputs.push_back(black(input));
        for (const int output : flow_.outputs) outputs.push_back(black(output));
        std::map<AxisId, AxisId> entered;
        const std::vector<Part>& groups = loops_.groups();
        for (const Part& group : groups) entered[group.axis] = loops_.part_of(group.axis);
        TermPtr term = body(entered, -1, all, inputs, outputs);
        for (std::size_t g = groups.size(); g-- > 0;) term = grouped(groups[g], term);
        Circuit circuit{.axes = loops_.axes(),
                        .root = term,
                        .inputs = {},
                        .outputs = flow_.output_names,
                        .lowest_level = hierarchy_.lowest(),
                        .levels = hierarchy_.names};
        for (const int input : flow_.inputs) circuit.inputs.push_back(flow_.arrays[at(input)].name);
        return circuit;
    }

private:
    int number(int array, int level) const {
        const int step = level == hierarchy_.local ? 0 : level < hierarchy_.local ? level + 1 : level;
        return array + step * static_cast<int>(flow_.arrays.size());
    }
    int black(int array) const { return number(array, 0); }
    bool is_black(int numbered) const { return numbered >= black(0) && of_black(numbered) < black(0); }
    int of_black(int numbered) const { return numbered - black(0); }
    int home(int array) const { return home_[at(array)]; }
    // Where a loop takes what it does not split: where everything runs, if that is one level.
    int entered_at(int array) const {
        const bool one = hierarchy_.threads == hierarchy_.matrix && home(array) == hierarchy_.local;
        return one ? hierarchy_.threads : home(array);
    }
    int tier(const FlowOp& op) const {
        return op.apply.op.kind == OperatorKind::Contraction ? hierarchy_.matrix : hierarchy_.threads;
    }

    std::vector<ArrayType> types(const std::map<AxisId, AxisId>& entered) const {
        std::vector<ArrayType> types(at(number(0, hierarchy_.lowest() + 1)));
        for (int level = 0; level <= hierarchy_.lowest(); ++level) {
            for (std::size_t i = 0; i < flow_.arrays.size(); ++i) {
                ArrayType type = flow_.arrays[i].type;
                for (AxisId& axis : type.axes)
                    if (entered.count(axis) > 0) axis = entered.at(axis);
                type.level = level;
                type.cached = level > 0 && level < hierarchy_.local;
                types[at(number(static_cast<int>(i), level))] = std::move(type);
            }
        }
        return types;
    }

    Apply low(const FlowOp& op, const std::map<AxisId, AxisId>& entered) const {
        Apply result = op.apply;
        for (std::vector<AxisId>* axes : {&result.own, &result.weave})
            for (AxisId& axis : *axes)
                if (entered.count(axis) > 0) axis = entered.at(axis);
        for (std::vector<Segment>* segments : {&result.inputs, &result.outputs})
            for (Segment& segment : *segments) segment.level = tier(op);
        return result;
    }

    Step transfer(int array, int from, int to, const std::vector<ArrayType>& types) const {
        Apply apply;
        apply.op = {OperatorKind::Transfer, to > from ? "load" : "save"};
        const auto end = [&](int level) {
            const ArrayType& type = types[at(number(array, level))];
            Segment segment{.slots = {},
                            .elem = type.elem,
                            .level = level,
                            .cached = type.cached,
                            .name = flow_.arrays[at(array)].name};
            for (std::size_t i = 0; i < type.axes.size(); ++i)
                segment.slots.push_back({false, static_cast<int>(i)});
            return segment;
        };
        apply.weave = types[at(number(array, from))].axes;
        apply.inputs = {end(from)};
        apply.outputs = {end(to)};
        return {circuit::apply(std::move(apply)), {number(array, from)}, {number(array, to)}};
    }

    // The columns of one body while they are made, and the arrays that are there already.
    struct Body {
        std::vector<ArrayType> types;
        std::vector<Step> steps;
        std::set<int> present;
    };

    void move(Body& body, int array, int from, int to) const {
        if (!body.present.insert(number(array, to)).second) return;
        body.steps.push_back(transfer(array, from, to, body.types));
    }

    // Brings an array from where it was made to `level`, by way of the level of loads.
    void bring(Body& body, int array, int level) const {
        const int from = home(array);
        if (body.present.count(number(array, level)) > 0) return;
        const bool direct = from == hierarchy_.local || level == hierarchy_.local || hierarchy_.fragments;
        if (direct && level != 0) return move(body, array, from, level);
        if (from != hierarchy_.local) move(body, array, from, hierarchy_.local);
        move(body, array, hierarchy_.local, level);
    }

    // From level 0, by way of the caches.
    void load(Body& body, int array) const {
        for (int level = 1; level <= hierarchy_.local; ++level) move(body, array, level - 1, level);
    }

    TermPtr body(const std::map<AxisId, AxisId>& entered, int around, const std::vector<int>& ops,
                 const std::vector<int>& inputs, const std::vector<int>& outputs) {
        Body made{types(entered), {}, {inputs.begin(), inputs.end()}};
        for (const int input : inputs)
            if (is_black(input) && !loops_.streamed_inside(of_black(input), around))
                load(made, of_black(input));
        for (const std::vector<int>& item : in_order(ops, around)) {
            const int loop = loops_.loop_of(item.front(), around);
            if (loop >= 0)
                run_loop(made, looped(entered, loop, item));
            else
                operate(made, flow_.ops[at(item.front())], entered);
            const std::vector<int>& outputs_made = made.steps.back().outputs;
            made.present.insert(outputs_made.begin(), outputs_made.end());
        }
        for (const int output : outputs)
            if (is_black(output)) bring(made, of_black(output), 0);
        return arrange(made.types, std::move(made.steps), inputs, outputs);
    }

    // What a loop takes is there before it.
    void run_loop(Body& body, Step loop) const {
        const int count = static_cast<int>(flow_.arrays.size());
        for (const int input : loop.inputs)
            if (body.present.count(input) == 0) bring(body, input % count, hierarchy_.threads);
        body.steps.push_back(std::move(loop));
    }

    void operate(Body& body, const FlowOp& op, const std::map<AxisId, AxisId>& entered) const {
        Step step{circuit::apply(low(op, entered)), {}, {}};
        for (const int input : op.inputs) {
            bring(body, input, tier(op));
            step.inputs.push_back(number(input, tier(op)));
        }
        for (const int output : op.outputs) step.outputs.push_back(number(output, tier(op)));
        body.steps.push_back(std::move(step));
    }

    // Single operators, and loops as the lists of theirs: an item comes as soon as all that it needs is
    // there.
    std::vector<std::vector<int>> in_order(const std::vector<int>& ops, int around) const {
        std::vector<std::vector<int>> items;
        std::map<int, std::size_t> of_loop;
        for (const int i : ops) {
            const int loop = loops_.loop_of(i, around);
            if (loop < 0) {
                items.push_back({i});
            } else if (of_loop.count(loop) > 0) {
                items[of_loop[loop]].push_back(i);
            } else {
                of_loop[loop] = items.size();
                items.push_back({i});
            }
        }
        std::set<int> missing;
        for (const int i : ops)
            missing.insert(flow_.ops[at(i)].outputs.begin(), flow_.ops[at(i)].outputs.end());
        std::vector<std::vector<int>> sorted;
        while (!items.empty()) {
            const auto ready = std::find_if(items.begin(), items.end(), [&](const std::vector<int>& item) {
                std::set<int> made;
                for (const int i : item) {
                    for (const int input : flow_.ops[at(i)].inputs)
                        if (missing.count(input) > 0 && made.count(input) == 0) return false;
                    made.insert(flow_.ops[at(i)].outputs.begin(), flow_.ops[at(i)].outputs.end());
                }
                return true;
            });
            if (ready == items.end()) throw InternalError("streams that wait for each other");
            for (const int i : *ready)
                for (const int output : flow_.ops[at(i)].outputs) missing.erase(output);
            sorted.push_back(*ready);
            items.erase(ready);
        }
        return sorted;
    }

    bool is_stored(int array) const {
        return std::count(flow_.stored.begin(), flow_.stored.end(), array) > 0;
    }

    // Whether an array is an output of the algorithm, or taken by an operator that is not among `ops`.
    bool leaves(int array, const std::vector<int>& ops) const {
        if (std::count(flow_.outputs.begin(), flow_.outputs.end(), array) > 0) return true;
        for (int i = 0; i < static_cast<int>(flow_.ops.size()); ++i) {
            const std::vector<int>& inputs = flow_.ops[at(i)].inputs;
            if (std::count(inputs.begin(), inputs.end(), array) > 0 &&
                std::count(ops.begin(), ops.end(), i) == 0)
                return true;
        }
        return false;
    }

    Step looped(std::map<AxisId, AxisId> entered, int loop, const std::vector<int>& ops) {
        const Part& part = loops_.loop(loop).part;
        entered[part.axis] = loops_.part_of(part.axis);
        std::vector<int> inputs;
        std::set<int> made;
        for (const int i : ops) {
            for (const int input : flow_.ops[at(i)].inputs) {
                const bool streamed =
                    has(flow_.arrays[at(input)].type.axes, part.axis) || loops_.streamed_inside(input, loop);
                const int entering = number(input, streamed ? 0 : entered_at(input));
                if (made.count(input) == 0 &&
                    std::find(inputs.begin(), inputs.end(), entering) == inputs.end())
                    inputs.push_back(entering);
            }
            made.insert(flow_.ops[at(i)].outputs.begin(), flow_.ops[at(i)].outputs.end());
        }
        // What a stream has accumulated leaves it where it is; what groups have made, and what a stream
        // stores, is saved part by part.
        const bool group = part.kind == PartitionKind::Group;
        std::vector<int> outputs;
        for (const int array : made) {
            const bool along = has(flow_.arrays[at(array)].type.axes, part.axis);
            if (leaves(array, ops) && (along == group || is_stored(array)))
                outputs.push_back(along ? black(array) : number(array, home(array)));
        }
        Partition what{.kind = part.kind,
                       .whole = part.axis,
                       .part = loops_.part_of(part.axis),
                       .count = part.axis,
                       .split = {},
                       .join = {},
                       .body = nullptr,
                       .origin = {}};
        what.body = body(entered, loop, ops, inputs, outputs);
        for (const ArrayType& array : what.body->domain)
            what.split.push_back({place_of(array.axes, what.part), false});
        for (const ArrayType& array : what.body->codomain)
            what.join.push_back({place_of(array.axes, what.part), false});
        return {partition(std::move(what)), inputs, outputs};
    }

    TermPtr grouped(const Part& group, const TermPtr& term) {
        Partition what{.kind = PartitionKind::Group,
                       .whole = group.axis,
                       .part = loops_.part_of(group.axis),
                       .count = group.axis,
                       .split = {},
                       .join = {},
                       .body = term,
                       .origin = {}};
        for (const ArrayType& array : term->domain)
            what.split.push_back({place_of(array.axes, what.part), false});
        for (const ArrayType& array : term->codomain)
            what.join.push_back({place_of(array.axes, what.part), false});
        return partition(std::move(what));
    }

    const Flow& flow_;
    PlanLoops loops_;
    Hierarchy hierarchy_;
    std::vector<int> home_;  // by array: the level where it is made, or loaded to
};

}  // namespace

Problems impossible(const Flow& flow, const Plan& plan) {
    if (Problems problems = refusals(flow, plan); !problems.empty()) return problems;
    return Placer(flow, plan, {}).problems();
}

Result<Circuit> fused(const Flow& flow, const Plan& plan, const Hierarchy& hierarchy) {
    if (Problems problems = refusals(flow, plan); !problems.empty()) return problems;
    Placer placer(flow, plan, hierarchy);
    if (Problems problems = placer.problems(); !problems.empty()) return problems;
    return placer.run();
}

// Plans: which groups and streams are possible, and the natural ones.

Problems refusals(const Flow& flow, const Plan& plan) {
    const std::vector<AxisVerdict> verdicts = axis_verdicts(flow);
    Problems problems;
    for (const Part& part : plan) {
        const auto found = std::find_if(verdicts.begin(), verdicts.end(), [&](const AxisVerdict& verdict) {
            return verdict.axis == part.axis;
        });
        if (found == verdicts.end()) {
            problems.push_back({{}, Text("found a partition of an axis that no array has")});
            continue;
        }
        const bool group = part.kind == PartitionKind::Group;
        if (group ? found->group : found->stream) continue;
        const Reason& why = (group ? found->group_reasons : found->stream_reasons).front();
        problems.push_back({{},
                            group ? Text("%1 cannot be grouped: %2 (%3)", axis_of(flow.axes, part.axis).name,
                                         why.sentence, why.theorem)
                                  : Text("%1 cannot be streamed: %2 (%3)", axis_of(flow.axes, part.axis).name,
                                         why.sentence, why.theorem)});
    }
    return problems;
}

namespace {

// Whether groups of the axis each do some contraction that does not have it.
bool computes_again(const Flow& flow, AxisId axis) {
    return std::any_of(flow.ops.begin(), flow.ops.end(), [&](const FlowOp& op) {
        return op.apply.op.kind == OperatorKind::Contraction &&
               std::find(op.apply.weave.begin(), op.apply.weave.end(), axis) == op.apply.weave.end();
    });
}

}  // namespace

Plan natural_plan(const Flow& flow, const DimTable& dims, std::int64_t stream) {
    Plan plan;
    const std::vector<AxisVerdict> verdicts = axis_verdicts(flow);
    for (const AxisVerdict& verdict : verdicts) {
        if (!verdict.group || computes_again(flow, verdict.axis)) continue;
        const std::string& name = axis_of(flow.axes, verdict.axis).name;
        std::int64_t size = axis_of(flow.axes, verdict.axis).size;
        for (const Dim& dim : dims)
            if (name.compare(0, dim.name.size(), dim.name) == 0 &&
                name.find_first_not_of('\'', dim.name.size()) == std::string::npos)
                size = dim.block;
        plan.push_back({verdict.axis, PartitionKind::Group, size});
    }
    for (const AxisVerdict& verdict : verdicts) {
        // In one part it is no stream.
        if (!verdict.stream || (stream > 1 && axis_of(flow.axes, verdict.axis).size <= stream)) continue;
        Plan longer = plan;
        longer.push_back({verdict.axis, PartitionKind::Stream, stream});
        if (fused(flow, longer)) plan = std::move(longer);
    }
    return plan;
}

PlanLoops::PlanLoops(const Flow& flow, const Plan& plan) : flow_(flow), axes_(flow.axes) {
    for (const Part& part : plan) enter(part);
}

void PlanLoops::enter(const Part& part) {
    const Axis& whole = axis_of(flow_.axes, part.axis);
    if (part.size < 1 || part.size > whole.size)
        return problem(Text("found parts of %1 of %2; expected 1 to %3", part.size, whole.name, whole.size));
    if (part_.count(part.axis) > 0) return problem(Text("found two partitions of %1", whole.name));
    const bool group = part.kind == PartitionKind::Group;
    axes_.push_back({.name = (group ? "g_" : "s_") + whole.name,
                     .size = part.size,
                     .sequence = whole.sequence,
                     .whole = part.axis,
                     .partition = part.kind});
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
            problem(
                Text("found streams of %1 and %2, which share only some of their operators; expected one "
                     "inside the other",
                     axis_of(axes_, loops_[at(l)].part.axis).name, axis_of(axes_, part.axis).name));
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

namespace {

// What only caches for all processors together, outermost first.
std::vector<std::string> shared_caches(const Device& device) {
    std::vector<std::string> names;
    for (const MemoryLevel& level : device.memory)
        if (level.role == LevelRole::Cache && level.per != Share::Processor)
            names.insert(names.begin(), level.name);
    return names;
}

}  // namespace

Hierarchy hierarchy_of(const Device& device, bool caches, bool fragments) {
    Hierarchy made;
    made.names = {global_memory(device).name};
    if (caches)
        for (const std::string& name : shared_caches(device)) made.names.push_back(name);
    made.local = static_cast<int>(made.names.size());
    made.fragments = fragments;
    if (device.kind == DeviceKind::Gpu) {
        for (const char* name : {"shared", "registers", "tensor cores"}) made.names.emplace_back(name);
        made.threads = made.local + 1;
        made.matrix = made.local + 2;
        return made;
    }
    std::vector<std::string> own;
    for (const MemoryLevel& level : device.memory)
        if (level.role == LevelRole::Cache && level.per == Share::Processor) own.push_back(level.name);
    if (own.empty()) own.emplace_back("local");
    made.names.push_back(own.back());
    if (own.size() > 1) made.names.push_back(own.front());
    made.threads = made.matrix = made.lowest();
    return made;
}

}  // namespace blockscope::circuit
