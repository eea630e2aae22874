#include "core/circuit/level_plans.h"

#include <algorithm>

#include "core/circuit/sized_formula.h"
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

// What the columns hold below global memory, those alike once.
std::vector<SizedFormula> column_sizes(const Resources& resources, const std::vector<std::string>& symbols,
                                       const Values& at) {
    std::vector<SizedFormula> sizes;
    for (const LevelMemory& level : resources.memory)
        for (const ColumnMemory& column : level.columns) sizes.emplace_back(column.size, symbols, at);
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

double widest(const std::vector<SizedFormula>& columns, const std::vector<double>& sizes) {
    double most = 0;
    for (const SizedFormula& column : columns) most = std::max(most, column.value(sizes));
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
                                     const Values& at, double limit) {
    ChoiceLists choices;
    std::vector<std::string> symbols;
    for (const GroupAxis& group : groups) {
        // What saves nothing is 1.
        const bool varies = group.whole > 1 && falls_with(resources.transferred, group.symbol);
        choices.push_back(varies ? candidates(group.whole) : std::vector<std::int64_t>{1});
        symbols.push_back(group.symbol);
    }
    const std::vector<SizedFormula> columns = column_sizes(resources, symbols, at);
    const SizedFormula transferred(resources.transferred, symbols, at);
    std::optional<GroupSizes> best;
    each_choice(choices, [&](const std::vector<std::int64_t>& chosen) {
        const std::vector<double> sizes(chosen.begin(), chosen.end());
        const double space = widest(columns, sizes);
        if (space > limit) return;
        const double moved = transferred.value(sizes);
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
