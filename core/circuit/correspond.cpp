#include "core/circuit/correspond.h"

#include <algorithm>
#include <set>

#include "core/circuit/accumulators.h"
#include "core/circuit/from_block.h"

namespace blockscope::circuit {

namespace {

std::string not_one(const std::string& what) {
    return "found " + what + "; expected one algorithm whose axes are each split in one way";
}

// What splits the executions of a diagram, outermost first.
Result<std::vector<StateAlgorithm::Part>> parts_in(const Circuit& circuit, const Columns& columns) {
    std::vector<StateAlgorithm::Part> groups, streams;
    std::set<const Partition*> seen;
    for (const Execution& execution : columns.executions)
        for (const Partition* partition : execution.around) {
            if (!seen.insert(partition).second) continue;
            const StateAlgorithm::Part part{axis_of(circuit.axes, partition->whole).name, partition->kind,
                                            axis_of(circuit.axes, partition->part).size};
            for (const auto* known : {&groups, &streams})
                for (const StateAlgorithm::Part& other : *known)
                    if (other.axis == part.axis) return Problem{{}, not_one("two loops along " + part.axis)};
            (part.kind == PartitionKind::Group ? groups : streams).push_back(part);
        }
    groups.insert(groups.end(), streams.begin(), streams.end());
    return groups;
}

}  // namespace

Result<StateAlgorithm> algorithm_of(const BlockProgram& state) {
    Result<Circuit> drawn = circuit_of(state, LoadPlacement::Hoisted);
    if (!drawn) return drawn.problems();
    StateAlgorithm made{std::move(drawn).value(), {}, {}};
    made.resources = resources(made.circuit);
    Result<std::vector<StateAlgorithm::Part>> parts = parts_in(made.circuit, made.resources.columns);
    if (!parts) return parts.problems();
    made.parts = std::move(parts).value();
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

Result<Plan> plan_of(const Flow& flow, const StateAlgorithm& state) {
    Plan plan;
    for (const StateAlgorithm::Part& part : state.parts) {
        const auto found = std::find_if(flow.axes.begin(), flow.axes.end(),
                                        [&](const Axis& axis) { return axis.name == part.axis; });
        if (found == flow.axes.end()) return Problem{{}, not_one("a loop along " + part.axis)};
        plan.push_back({AxisId{static_cast<int>(found - flow.axes.begin())}, part.kind, part.size});
    }
    if (Problems problems = impossible(flow, plan); !problems.empty()) return problems;
    return plan;
}

HM hm_of(const Circuit& circuit, const Resources& resources) {
    const Values at = sizes(circuit.axes);
    return {resources.transferred.value(at), resources.widest(1).value(at)};
}

}  // namespace blockscope::circuit
