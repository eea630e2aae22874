#include "core/circuit/optimum.h"

#include <algorithm>

#include "core/circuit/level_plans.h"

namespace blockscope::circuit {

namespace {

// Parts of size 1: their symbols stay apart from those of the wholes.
Plan symbolic(Plan plan) {
    for (Part& part : plan) part.size = 1;
    return plan;
}

}  // namespace

std::optional<Optimum> best_groups(const Flow& flow, const Plan& plan, double limit) {
    const Result<Circuit> circuit = fused(flow, symbolic(plan));
    if (!circuit) return std::nullopt;
    Values at = sizes(circuit->axes);
    for (const Part& part : plan)
        if (part.kind == PartitionKind::Stream)
            at["s_" + axis_of(flow.axes, part.axis).name] = static_cast<double>(part.size);
    const std::optional<GroupSizes> best = best_sizes(resources(*circuit), group_axes(flow, plan), at, limit);
    if (!best) return std::nullopt;
    Optimum made{plan, best->transferred, best->memory};
    std::size_t group = 0;
    for (Part& part : made.plan)
        if (part.kind == PartitionKind::Group) part.size = best->sizes[group++];
    return made;
}

std::string memory_symbol(const Axes& axes) {
    const bool taken =
        std::any_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.name == "M"; });
    return taken ? "Mem" : "M";
}

std::optional<PowerLaw> law_of_numbers(const Resources& resources, const Values& at,
                                       const std::vector<std::string>& groups) {
    const auto put_in = [&](Formula formula) {
        for (const std::string& symbol : formula.symbols())
            if (std::find(groups.begin(), groups.end(), symbol) == groups.end())
                formula = formula.with(symbol, Formula::number(at.at(symbol)));
        return formula;
    };
    return power_law(put_in(resources.transferred), put_in(resources.widest(1)), groups);
}

Analysis analyse(const Flow& flow, const Plan& plan) {
    Result<Circuit> circuit = fused(flow, plan);
    if (!circuit) throw InternalError(to_string(circuit.problems().front()));
    Analysis result{plan, std::move(circuit).value(), {}, {}, {}};
    result.resources = resources(result.circuit);
    std::vector<std::string> groups, streams;
    for (const Part& part : plan) {
        const bool group = part.kind == PartitionKind::Group;
        (group ? groups : streams).push_back((group ? "g_" : "s_") + axis_of(flow.axes, part.axis).name);
    }
    NoPowerLaw none;
    result.law = power_law(result.resources.transferred, result.resources.widest(1), groups, streams, &none);
    result.no_law = none.why;
    return result;
}

}  // namespace blockscope::circuit
