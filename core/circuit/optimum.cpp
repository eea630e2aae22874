#include "core/circuit/optimum.h"

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

// Parts of size 1: their symbols stay apart from those of the wholes.
Plan symbolic(Plan plan) {
    for (Part& part : plan) part.size = 1;
    return plan;
}

class Search {
public:
    Search(const Circuit& circuit, const Flow& flow, const Plan& plan, double limit)
        : costs_(resources(circuit)), values_(sizes(circuit.axes)), plan_(plan), limit_(limit) {
        for (std::size_t i = 0; i < plan.size(); ++i) {
            const Axis& whole = axis_of(flow.axes, plan[i].axis);
            const bool group = plan[i].kind == PartitionKind::Group;
            symbols_.push_back((group ? "g_" : "s_") + whole.name);
            values_[symbols_.back()] = static_cast<double>(plan[i].size);
            if (!group) continue;
            // What saves nothing is 1.
            const bool varies = whole.size > 1 && falls_with(costs_.transferred, symbols_.back());
            open_.push_back(i);
            choices_.push_back(varies ? candidates(whole.size) : std::vector<std::int64_t>{1});
        }
    }

    std::optional<Optimum> run() {
        each_choice(choices_, [&](const std::vector<std::int64_t>& chosen) {
            for (std::size_t i = 0; i < open_.size(); ++i) {
                plan_[open_[i]].size = chosen[i];
                values_[symbols_[open_[i]]] = static_cast<double>(chosen[i]);
            }
            weigh();
        });
        return std::move(best_);
    }

private:
    double memory() const {
        double most = 0;
        for (const LevelMemory& level : costs_.memory)
            for (const ColumnMemory& column : level.columns)
                most = std::max(most, column.size.value(values_));
        return most;
    }

    void weigh() {
        const double space = memory();
        if (space > limit_) return;
        const double moved = costs_.transferred.value(values_);
        if (best_ && (moved > best_->transferred || (moved == best_->transferred && space >= best_->memory)))
            return;
        best_ = Optimum{plan_, moved, space};
    }

    Resources costs_;
    Values values_;
    Plan plan_;
    double limit_;
    std::vector<std::string> symbols_;  // by part
    std::vector<std::size_t> open_;     // the groups
    ChoiceLists choices_;
    std::optional<Optimum> best_;
};

}  // namespace

std::optional<Optimum> best_groups(const Flow& flow, const Plan& plan, double limit) {
    const Result<Circuit> circuit = fused(flow, symbolic(plan));
    if (!circuit) return std::nullopt;
    return Search(*circuit, flow, plan, limit).run();
}

std::string memory_symbol(const Axes& axes) {
    const bool taken =
        std::any_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.name == "M"; });
    return taken ? "Mem" : "M";
}

Analysis analyse(const Flow& flow, const Plan& plan) {
    Result<Circuit> circuit = fused(flow, plan);
    if (!circuit) throw InternalError(to_string(circuit.problems().front()));
    Analysis result{plan, std::move(circuit).value(), {}, {}};
    result.resources = resources(result.circuit);
    std::vector<std::string> groups;
    for (const Part& part : plan)
        if (part.kind == PartitionKind::Group) groups.push_back("g_" + axis_of(flow.axes, part.axis).name);
    result.law = power_law(result.resources.transferred, result.resources.widest(1), groups);
    return result;
}

}  // namespace blockscope::circuit
