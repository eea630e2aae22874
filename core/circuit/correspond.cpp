#include "core/circuit/correspond.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "core/circuit/accumulators.h"
#include "core/circuit/from_block.h"
#include "core/circuit/passes.h"
#include "core/circuit/state_wires.h"

namespace blockscope::circuit {

namespace {

using Wires = std::set<ProgramWire>;
using StatePart = StateAlgorithm::Part;

Problem not_one(const std::string& what) {
    return {{}, "found " + what + "; expected one algorithm of groups and streams"};
}

bool includes(const Wires& all, const Wires& some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// What splits the executions of a diagram, outermost first.
std::vector<StatePart> parts_in(const Circuit& circuit, const Columns& columns, const StateWires& wires) {
    std::map<const Partition*, std::size_t> around;  // how many executions
    for (const Execution& execution : columns.executions)
        for (const Partition* partition : execution.around) ++around[partition];
    std::vector<StatePart> groups, others;
    std::set<const Partition*> seen;
    for (const Execution& execution : columns.executions) {
        bool streamed = false;
        for (const Partition* partition : execution.around) {
            const bool group = partition->kind == PartitionKind::Group;
            const bool inner = group ? around[partition] < columns.executions.size() : streamed;
            streamed = streamed || !group;
            if (!seen.insert(partition).second) continue;
            (group && !inner ? groups : others)
                .push_back({axis_of(circuit.axes, partition->whole).name, partition->kind,
                            axis_of(circuit.axes, partition->part).size, inner, wires.split.at(partition)});
        }
    }
    groups.insert(groups.end(), others.begin(), others.end());
    return groups;
}

Formula moved_by(const Resources& resources, const std::set<const Apply*>& transfers) {
    Formula sum;
    for (const TransferCost& transfer : resources.transfers)
        if (transfers.count(transfer.apply) > 0) sum += transfer.total;
    return sum;
}

// "intermediate results that go through global memory (I1, I2)"
std::string stored_text(const std::vector<StateAlgorithm::Stored>& stored) {
    std::string names;
    for (const StateAlgorithm::Stored& one : stored) names += (names.empty() ? "" : ", ") + one.name;
    const std::string what =
        stored.size() == 1 ? "an intermediate result that goes" : "intermediate results that go";
    return what + " through global memory (" + names + ")";
}

std::map<AxisId, Wires> wires_of(const Flow& flow) {
    std::map<AxisId, Wires> wires;
    const auto add = [&](int array, const std::string& name) {
        const std::vector<AxisId>& axes = flow.arrays.at(static_cast<std::size_t>(array)).type.axes;
        std::map<std::string, int> along;
        for (const AxisId id : axes) {
            const Axis& axis = axis_of(flow.axes, id);
            const std::string& dim = axis.symbol.empty() ? axis.name : axis.symbol;
            wires[id].insert({name, dim, along[dim]++});
        }
    };
    for (const int input : flow.inputs) add(input, flow.arrays.at(static_cast<std::size_t>(input)).name);
    for (std::size_t i = 0; i < flow.outputs.size(); ++i) add(flow.outputs[i], flow.output_names.at(i));
    return wires;
}

// The axis that a loop splits: it has just the loop's wires, or it alone has all of them.
std::optional<AxisId> axis_for(const std::map<AxisId, Wires>& axes, const Wires& loop) {
    std::optional<AxisId> found;
    if (loop.empty()) return found;
    for (const auto& [axis, wires] : axes) {
        if (wires == loop) return axis;
        if (!includes(wires, loop)) continue;
        if (found) return std::nullopt;
        found = axis;
    }
    return found;
}

// The smallest loop that has all of these wires, of several alike the one that has least so far.
std::optional<std::size_t> loop_for(const std::vector<const StatePart*>& loops, const std::vector<int>& load,
                                    const Wires& wires) {
    std::optional<std::size_t> best;
    for (std::size_t l = 0; l < loops.size(); ++l) {
        if (!includes(loops[l]->wires, wires)) continue;
        const auto rank = [&](std::size_t i) { return std::pair(loops[i]->wires.size(), load[i]); };
        if (!best || rank(l) < rank(*best)) best = l;
    }
    return best;
}

// The flow with a copy of its inputs for each of several loops along one axis. With a copy for every use,
// the axis falls apart into what each use is connected with, which says in which loop it is.
Result<Flow> apart(const Flow& whole, AxisId axis, const std::vector<const StatePart*>& loops) {
    const Flow flow = in_two_passes(whole, axis);
    const std::vector<InputUse> uses = input_uses(flow, axis);
    std::vector<int> copies;
    for (std::size_t u = 0; u < uses.size(); ++u) copies.push_back(static_cast<int>(u));
    const Flow copied = separated(with_copies(flow, uses, copies));
    const std::map<AxisId, Wires> wires = wires_of(copied);
    std::vector<int> load(loops.size(), 0);
    std::vector<int> loop_of;
    for (const InputUse& use : uses) {
        const FlowOp& op = copied.ops.at(static_cast<std::size_t>(use.op));
        const FlowArray& array = copied.arrays.at(static_cast<std::size_t>(op.inputs.at(use.input)));
        const int input = flow.ops.at(static_cast<std::size_t>(use.op)).inputs.at(use.input);
        const std::vector<AxisId>& axes = flow.arrays.at(static_cast<std::size_t>(input)).type.axes;
        const auto place = std::find(axes.begin(), axes.end(), axis) - axes.begin();
        const AxisId own = array.type.axes.at(static_cast<std::size_t>(place));
        const std::optional<std::size_t> loop = loop_for(loops, load, wires.at(own));
        if (!loop) return not_one("loops along " + loops.front()->axis + " that share an operator");
        ++load[*loop];
        loop_of.push_back(static_cast<int>(*loop));
    }
    return with_copies(flow, uses, loop_of);
}

}  // namespace

Result<StateAlgorithm> algorithm_of(const BlockProgram& state) {
    Result<Circuit> drawn = circuit_of(state, LoadPlacement::Hoisted);
    if (!drawn) return drawn.problems();
    StateAlgorithm made{std::move(drawn).value(), {}, {}};
    const StateWires wires = state_wires(state, made.circuit);
    made.resources = resources(made.circuit);
    made.parts = parts_in(made.circuit, made.resources.columns, wires);
    for (const StateWires::Stored& stored : wires.stored)
        made.stored.push_back({stored.name, moved_by(made.resources, stored.transfers)});
    return made;
}

Result<PlannedAlgorithm> algorithm_of(const Flow& flow, const Plan& plan) {
    std::vector<AxisId> streamed;
    for (const Part& part : plan)
        if (part.kind == PartitionKind::Stream) streamed.push_back(part.axis);
    Result<Circuit> drawn = fused(with_accumulators(flow, streamed), plan);
    if (!drawn) return drawn.problems();
    PlannedAlgorithm made{std::move(drawn).value(), {}};
    made.resources = resources(made.circuit);
    return made;
}

Result<SplitAlike> split_alike(const Flow& whole, const StateAlgorithm& state) {
    const Flow flow = state.stored.empty() ? whole : separated(with_stored_exponentials(whole));
    if (flow.stored.size() != state.stored.size()) return not_one(stored_text(state.stored));
    std::map<AxisId, std::vector<const StatePart*>> loops;
    const std::map<AxisId, Wires> known = wires_of(flow);
    for (const StatePart& part : state.parts) {
        const std::optional<AxisId> axis = axis_for(known, part.wires);
        if (!axis) return not_one("a loop along " + part.axis);
        loops[*axis].push_back(&part);
    }
    SplitAlike made{flow, {}};
    for (const auto& [axis, along] : loops) {
        if (along.size() == 1) continue;
        Result<Flow> copied = apart(made.flow, axis, along);
        if (!copied) return copied.problems();
        made.flow = std::move(copied).value();
    }
    made.flow = separated(made.flow);
    const std::map<AxisId, Wires> now = wires_of(made.flow);
    for (const StatePart& part : state.parts) {
        const std::optional<AxisId> axis = axis_for(now, part.wires);
        if (!axis) return not_one("a loop along " + part.axis);
        made.plan.push_back({*axis, part.kind, part.size, part.inner});
    }
    if (Problems problems = impossible(made.flow, made.plan); !problems.empty()) return problems;
    return made;
}

HM hm_of(const Circuit& circuit, const Resources& resources) {
    const Values at = sizes(circuit.axes);
    return {resources.transferred.value(at), resources.widest(1).value(at)};
}

}  // namespace blockscope::circuit
