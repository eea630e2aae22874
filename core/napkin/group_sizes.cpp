#include "core/napkin/group_sizes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/algebra/formula.h"
#include "core/algebra/search.h"
#include "core/diagram/place.h"

namespace blockscope::circuit {

namespace {

// Parts of size 1: their symbols stay apart from those of the wholes.
Plan symbolic(Plan plan) {
    for (Part& part : plan) part.size = 1;
    return plan;
}

}  // namespace

std::optional<BestGroups> best_groups(const Flow& flow, const Plan& plan, double limit) {
    const Result<Circuit> circuit = fused(flow, symbolic(plan));
    if (!circuit) return std::nullopt;
    Values at = sizes(circuit->axes);
    for (const Part& part : plan)
        if (part.kind == PartitionKind::Stream)
            at["s_" + axis_of(flow.axes, part.axis).name] = static_cast<double>(part.size);
    const std::optional<GroupSizes> best = best_sizes(resources(*circuit), group_axes(flow, plan), at, limit);
    if (!best) return std::nullopt;
    BestGroups made{plan, best->transferred, best->memory};
    std::size_t group = 0;
    for (Part& part : made.plan)
        if (part.kind == PartitionKind::Group) part.size = best->sizes[group++];
    return made;
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

namespace {

// Equation 4 with some groups as their whole axes and all sizes put in.
class ClippedSolver {
public:
    ClippedSolver(const Resources& resources, const std::vector<GroupAxis>& groups,
                  const std::vector<std::string>& streams, const Values& at)
        : groups_(groups), streams_(streams), at_(at) {
        transferred_ = with_sizes(resources.transferred);
        memory_ = with_sizes(resources.widest(1));
    }

    std::optional<algebra::LawPiece> solve(const std::vector<std::string>& whole) const {
        Formula transferred = transferred_, memory = memory_;
        std::vector<std::string> open;
        for (const GroupAxis& group : groups_) {
            if (std::find(whole.begin(), whole.end(), group.symbol) == whole.end()) {
                open.push_back(group.symbol);
                continue;
            }
            const Formula size = Formula::number(static_cast<double>(group.whole));
            transferred = transferred.with(group.symbol, size);
            memory = memory.with(group.symbol, size);
        }
        std::optional<PowerLaw> law = power_law(transferred, memory, open, streams_);
        // A root of a sum with a part of a stream in it is a number.
        if (!law) law = power_law(with_streams(transferred), with_streams(memory), open);
        if (!law) return std::nullopt;
        algebra::LawPiece piece{.from = 0, .law = law->numbers(at_), .whole = {}, .sizes = {}};
        for (const GroupChoice& choice : law->choices) piece.sizes.push_back(size_of(choice));
        return piece;
    }

private:
    bool is_part(const std::string& symbol) const {
        return std::find(streams_.begin(), streams_.end(), symbol) != streams_.end() ||
               std::any_of(groups_.begin(), groups_.end(),
                           [&](const GroupAxis& group) { return group.symbol == symbol; });
    }

    Formula with_sizes(Formula formula) const {
        for (const std::string& symbol : formula.symbols())
            if (!is_part(symbol)) formula = formula.with(symbol, Formula::number(at_.at(symbol)));
        return formula;
    }

    Formula with_streams(Formula formula) const {
        for (const std::string& symbol : streams_)
            formula = formula.with(symbol, Formula::number(at_.at(symbol)));
        return formula;
    }

    algebra::GroupSize size_of(const GroupChoice& choice) const {
        algebra::GroupSize size{
            .groups = {}, .factor = choice.value(at_, 1), .power = choice.memory.value(), .whole = 1};
        for (const GroupAxis& group : groups_) {
            const Rational exponent = algebra::power_of(choice.groups, group.symbol);
            if (exponent.is_zero()) continue;
            size.groups.push_back(group.symbol);
            size.whole *= std::pow(static_cast<double>(group.whole), exponent.value());
        }
        std::sort(size.groups.begin(), size.groups.end());
        return size;
    }

    const std::vector<GroupAxis>& groups_;
    const std::vector<std::string>& streams_;
    const Values& at_;
    Formula transferred_, memory_;
};

}  // namespace

std::optional<algebra::ClippedLaw> clipped_law(const Resources& resources,
                                               const std::vector<GroupAxis>& groups,
                                               const std::vector<std::string>& streams, const Values& at) {
    const ClippedSolver solver(resources, groups, streams, at);
    return algebra::clipped_law([&](const std::vector<std::string>& whole) { return solver.solve(whole); });
}

Analysis analyse(const Flow& flow, const Plan& plan) {
    Result<Circuit> circuit = fused(flow, plan);
    if (!circuit) throw InternalError(to_string(circuit.problems().front()));
    Analysis result{
        .plan = plan, .circuit = std::move(circuit).value(), .resources = {}, .law = {}, .no_law = {}};
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
        if (found != term.powers.end() && found->second < Rational(0)) return true;
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
    const auto judge = [&](const std::vector<std::int64_t>& chosen) -> std::optional<GroupSizes> {
        const std::vector<double> sizes(chosen.begin(), chosen.end());
        const double space = widest(columns, sizes);
        if (space > limit) return std::nullopt;
        return GroupSizes{chosen, transferred.value(sizes), space};
    };
    const auto order = [](const GroupSizes& found) { return std::pair(found.transferred, found.memory); };
    auto found = search(choices, judge, order).best;
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

LevelPlans level_plans(const Resources& resources, const std::vector<GroupAxis>& groups, const Values& at,
                       const std::vector<ByteLevel>& levels, double bytes) {
    LevelPlans made;
    made.seconds = 0;
    std::vector<GroupAxis> around = groups;
    for (const ByteLevel& level : levels) {
        LevelPlan plan{.level = level, .values = level.memory / bytes};
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
