#include "core/circuit/level_plans.h"

#include <algorithm>

#include "core/cost/choices.h"

namespace blockscope::circuit {

namespace {

std::vector<std::int64_t> candidates(std::int64_t size) {
    std::vector<std::int64_t> result;
    for (std::int64_t g = 1; g < size; g *= 2) result.push_back(g);
    result.push_back(size);
    return result;
}

bool falls_with(const Formula& formula, const std::string& symbol) {
    for (const Monomial& term : formula.monomials()) {
        const auto found = term.powers.find(symbol);
        if (found != term.powers.end() && found->second < Fraction(0)) return true;
    }
    return false;
}

double widest(const Resources& resources, const Values& at) {
    double most = 0;
    for (const LevelMemory& level : resources.memory)
        for (const ColumnMemory& column : level.columns) most = std::max(most, column.size.value(at));
    return most;
}

}  // namespace

std::vector<GroupAxis> group_axes(const Flow& flow, const Plan& plan) {
    std::vector<GroupAxis> groups;
    for (const Part& part : plan)
        if (part.kind == PartitionKind::Group)
            groups.push_back({"g_" + axis_of(flow.axes, part.axis).name, axis_of(flow.axes, part.axis).size});
    return groups;
}

std::optional<GroupSizes> best_sizes(const Resources& resources, const std::vector<GroupAxis>& groups,
                                     Values at, double limit) {
    ChoiceLists choices;
    for (const GroupAxis& group : groups) {
        // What saves nothing is 1.
        const bool varies = group.whole > 1 && falls_with(resources.transferred, group.symbol);
        choices.push_back(varies ? candidates(group.whole) : std::vector<std::int64_t>{1});
    }
    std::optional<GroupSizes> best;
    each_choice(choices, [&](const std::vector<std::int64_t>& chosen) {
        for (std::size_t i = 0; i < groups.size(); ++i) at[groups[i].symbol] = static_cast<double>(chosen[i]);
        const double space = widest(resources, at);
        if (space > limit) return;
        const double moved = resources.transferred.value(at);
        if (best && (moved > best->transferred || (moved == best->transferred && space >= best->memory)))
            return;
        best = GroupSizes{chosen, moved, space};
    });
    return best;
}

LevelPlans level_plans(const Resources& resources, const std::vector<GroupAxis>& groups, const Values& at,
                       const std::vector<ByteLevel>& levels, double bytes) {
    LevelPlans made;
    made.seconds = 0;
    std::vector<GroupAxis> around = groups;
    for (const ByteLevel& level : levels) {
        LevelPlan plan{level, level.memory / bytes, {}, false, 0, 0, 0};
        if (const std::optional<GroupSizes> best = best_sizes(resources, around, at, plan.values)) {
            plan.fits = true;
            plan.transferred = best->transferred;
            plan.memory = best->memory;
            plan.seconds = bytes / level.bandwidth * best->transferred;
            for (std::size_t i = 0; i < groups.size(); ++i) {
                plan.groups.emplace_back(groups[i].symbol, best->sizes[i]);
                // What saves nothing may be any size further in.
                if (best->sizes[i] > 1) around[i].whole = best->sizes[i];
            }
            if (made.seconds) *made.seconds += plan.seconds;
        } else {
            made.seconds.reset();
        }
        made.levels.push_back(std::move(plan));
    }
    return made;
}

}  // namespace blockscope::circuit
