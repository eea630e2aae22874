#include "core/circuit/level_circuit.h"

#include <algorithm>
#include <utility>

#include "core/circuit/place.h"

namespace blockscope::circuit {

namespace {

Hierarchy hierarchy_of(const LevelPlans& plans) {
    Hierarchy made;
    made.names = {"global"};
    for (const LevelPlan& plan : plans.levels) made.names.push_back(plan.level.name);
    made.local = std::max(1, made.lowest() - 1);
    made.threads = made.matrix = made.lowest();
    return made;
}

std::int64_t size_at(const LevelPlan& plan, const std::string& symbol, std::int64_t otherwise) {
    for (const auto& [name, size] : plan.groups)
        if (name == symbol) return size;
    return otherwise;
}

}  // namespace

Result<Circuit> level_circuit(const Study& study) {
    const std::vector<LevelPlan>& levels = study.level_plans.levels;
    if (levels.empty()) return Problem{{}, "found no level whose memory and bandwidth are known"};
    for (const LevelPlan& level : levels)
        if (!level.fits) return Problem{{}, "found no groups that fit into " + level.level.name};
    const Hierarchy hierarchy = hierarchy_of(study.level_plans);
    const auto symbol = [&](const Part& part) { return "g_" + axis_of(study.flow.axes, part.axis).name; };
    Plan plan = study.plan;
    for (Part& part : plan)
        if (part.kind == PartitionKind::Group)
            part.size =
                size_at(levels[static_cast<std::size_t>(hierarchy.local) - 1], symbol(part), part.size);
    Result<Circuit> drawn = fused(study.flow, plan, hierarchy);
    if (!drawn) return drawn;
    Circuit made = std::move(drawn).value();
    for (const Part& part : plan) {
        if (part.kind != PartitionKind::Group) continue;
        Axis& axis = *std::find_if(made.axes.begin(), made.axes.end(),
                                   [&](const Axis& one) { return one.whole == part.axis; });
        axis.at_levels.resize(levels.size() + 1);
        axis.level_sizes.resize(levels.size() + 1);
        for (int level = 1; level <= hierarchy.lowest(); ++level) {
            const auto at = static_cast<std::size_t>(level);
            const char letter = static_cast<char>('g' + level - hierarchy.local);
            const Axis& whole = axis_of(study.flow.axes, part.axis);
            axis.level_sizes[at] = size_at(levels[at - 1], symbol(part), part.size);
            axis.at_levels[at] =
                axis.level_sizes[at] == whole.size ? whole.name : letter + symbol(part).substr(1);
        }
    }
    return made;
}

}  // namespace blockscope::circuit
