#include "core/plan/contest_search.h"

#include <algorithm>
#include <map>

#include "core/plan/contest_cut.h"

namespace blockscope::plan {

namespace {

using Groups = std::vector<Kernel>;

Dag dag_of(const ContestProblem& problem) {
    Dag dag;
    for (const ContestOperator& one : problem.operators) {
        std::set<int> before;
        for (const int input : one.inputs) before.insert(problem.maker[static_cast<std::size_t>(input)]);
        before.erase(-1);
        dag.before.emplace_back(before.begin(), before.end());
        dag.after.push_back(problem.readers[static_cast<std::size_t>(one.output)]);
    }
    return dag;
}

// What the step makes and reads itself does not leave it. Where each operator runs once, nobody else may
// read that.
bool leaks(const ContestProblem& problem, const ContestGroup& group, const Kernel& kernel) {
    return std::any_of(group.ephemeral().begin(), group.ephemeral().end(), [&](int tensor) {
        const auto& readers = problem.readers[static_cast<std::size_t>(tensor)];
        return !std::all_of(readers.begin(), readers.end(), [&](int reader) {
            return std::binary_search(kernel.begin(), kernel.end(), reader);
        });
    });
}

class Searcher {
public:
    explicit Searcher(const ContestProblem& problem) : problem_(problem) {
        static_cast<Dag&>(asked_) = dag_of(problem);
        asked_.cost = [this](const Kernel& kernel) { return alone(kernel, false); };
        asked_.bytes = [this](const Kernel& kernel) { return least_latency(problem_, kernel); };
        asked_.bound = [this](const Kernel& kernel) {
            const ContestGroup group(problem_, kernel);
            return leaks(problem_, group, kernel) ? kNever : least_latency(problem_, kernel);
        };
        asked_.too_large = [](const Kernel&) { return false; };
        asked_.can_fuse = [this](const Kernel& kernel) { return asked_.cost(kernel) < kNever; };
        asked_.least = [this](const std::vector<int>& nodes) { return least_latency(problem_, nodes); };
    }

    ContestPlan run(std::int64_t effort) {
        ContestPlan made;
        Groups single;
        for (const int node : topological_order(asked_)) single.push_back({node});
        accept(schedule_of(single, {}), made.unfused, made.unfused_cost);
        made.fused = made.unfused;
        made.fused_cost = made.unfused_cost;
        asked_.most_nodes = problem_.operators.size() > kSmall ? kMostOperators : problem_.operators.size();
        const Plan once = exact_plan(asked_, effort);
        made.optimal = once.optimal;
        made.bounded = once.bounded;
        accept(schedule_of(once.kernels, {}), made.fused, made.fused_cost);
        made.schedule = made.fused;
        made.cost = made.fused_cost;
        for (const Groups& groups : {single, once.kernels, with_copies(single), with_copies(once.kernels)}) {
            const Groups ordered = in_order(groups);
            accept(schedule_of(ordered, retention(ordered)), made.schedule, made.cost);
        }
        return made;
    }

private:
    static constexpr std::size_t kSmall = 24, kMostOperators = 8;
    static constexpr std::size_t kMostOptions = 12;  // sets of tensors to retain after a step

    // The latency of a step that retains nothing, as part of a plan that may compute operators again or not.
    double alone(const Kernel& kernel, bool again) {
        const ContestGroup group(problem_, kernel);
        if (!again && leaks(problem_, group, kernel)) return kNever;
        const auto found = known_.find(kernel);
        if (found != known_.end()) return found->second;
        return known_[kernel] = best_cut(problem_, group, {}).latency;
    }

    ContestSchedule schedule_of(const Groups& groups, const std::vector<std::set<int>>& kept) const {
        ContestSchedule schedule;
        std::set<int> before;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const std::set<int> after = i < kept.size() ? kept[i] : std::set<int>();
            const ContestGroup group(problem_, groups[i]);
            const ContestCut cut = best_cut(problem_, group, {.before = before, .after = after});
            if (cut.latency == kNever) return {};
            schedule.push_back({.operators = groups[i],
                                .granularity = cut.granularity,
                                .retained = {after.begin(), after.end()},
                                .order = cut.order,
                                .claimed = cut.latency});
            before = after;
        }
        return schedule;
    }

    // Takes the schedule if it keeps all rules and costs less.
    void accept(ContestSchedule schedule, ContestSchedule& best, double& cost) const {
        const ContestCost found = contest_cost(problem_, schedule);
        if (schedule.empty() || !found.violations.empty() || !(found.total() < cost)) return;
        best = std::move(schedule);
        cost = found.total();
    }

    std::set<int> read_by(const Kernel& group) const { return ContestGroup(problem_, group).sources(); }
    std::set<int> made_by(const Kernel& group) const { return ContestGroup(problem_, group).results(); }

    // Each after those that it reads from, next the one that shares most with the one before.
    Groups in_order(const Groups& groups) const {
        std::vector<std::set<int>> reads, makes;
        for (const Kernel& one : groups) {
            reads.push_back(read_by(one));
            makes.push_back(made_by(one));
        }
        std::set<int> missing;
        for (const auto& one : makes) missing.insert(one.begin(), one.end());
        std::vector<std::size_t> waiting(groups.size());
        for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] = i;
        std::set<int> at_hand;
        Groups ordered;
        while (!waiting.empty()) {
            auto next = waiting.end();
            double most = -1;
            for (auto it = waiting.begin(); it != waiting.end(); ++it) {
                double shared = 0;
                bool ready = true;
                for (const int tensor : reads[*it]) {
                    if (missing.count(tensor) > 0) ready = false;
                    if (at_hand.count(tensor) > 0)
                        shared += problem_.tensors[static_cast<std::size_t>(tensor)].size();
                }
                if (!ready || shared <= most) continue;
                next = it;
                most = shared;
            }
            if (next == waiting.end()) return groups;
            at_hand = reads[*next];
            at_hand.insert(makes[*next].begin(), makes[*next].end());
            for (const int tensor : makes[*next]) missing.erase(tensor);
            ordered.push_back(groups[*next]);
            waiting.erase(next);
        }
        return ordered;
    }

    // Sets of tensors that may stay after step `i`, nothing first.
    std::vector<std::set<int>> options(const Groups& groups, std::size_t i) const {
        std::vector<std::set<int>> all{{}};
        if (i + 1 == groups.size()) return all;
        std::set<int> candidates = made_by(groups[i]);
        const std::set<int> loaded = read_by(groups[i]), next = read_by(groups[i + 1]);
        candidates.insert(loaded.begin(), loaded.end());
        for (const int tensor : candidates) {
            if (next.count(tensor) == 0) continue;
            if (problem_.tensors[static_cast<std::size_t>(tensor)].size() > problem_.capacity) continue;
            // A result that stays is not written: whoever else reads it would not find it.
            if (loaded.count(tensor) == 0 && read_later(groups, i + 2, tensor)) continue;
            const std::size_t before = all.size();
            for (std::size_t k = 0; k < before && all.size() < kMostOptions; ++k) {
                all.push_back(all[k]);
                all.back().insert(tensor);
            }
        }
        return all;
    }

    bool read_later(const Groups& groups, std::size_t from, int tensor) const {
        for (std::size_t i = from; i < groups.size(); ++i)
            if (read_by(groups[i]).count(tensor) > 0) return true;
        return false;
    }

    // What stays after each step so that all take the least, by dynamic programming along the steps.
    std::vector<std::set<int>> retention(const Groups& groups) const {
        struct Best {
            double cost = kNever;
            std::size_t from = 0;
        };
        std::vector<std::vector<std::set<int>>> choices;
        std::vector<std::vector<Best>> best;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const ContestGroup group(problem_, groups[i]);
            choices.push_back(options(groups, i));
            best.emplace_back(choices[i].size());
            const std::size_t sources = i == 0 ? 1 : choices[i - 1].size();
            for (std::size_t after = 0; after < choices[i].size(); ++after)
                for (std::size_t before = 0; before < sources; ++before) {
                    const double so_far = i == 0 ? 0 : best[i - 1][before].cost;
                    if (so_far == kNever) continue;
                    const Residents residents{.before = i == 0 ? std::set<int>() : choices[i - 1][before],
                                              .after = choices[i][after]};
                    const double cost = so_far + best_cut(problem_, group, residents).latency;
                    if (cost < best[i][after].cost) best[i][after] = {.cost = cost, .from = before};
                }
        }
        std::vector<std::set<int>> kept(groups.size());
        std::size_t at = 0;
        for (std::size_t i = groups.size(); i-- > 0;) {
            kept[i] = choices[i][at];
            at = best[i][at].from;
        }
        return kept;
    }

    // A step whose results others read runs within each of them instead, as long as that saves something.
    Groups with_copies(Groups groups) {
        for (bool better = true; better;) {
            better = false;
            for (std::size_t i = 0; i < groups.size() && !better; ++i)
                if (auto copied = copied_into_readers(groups, i)) {
                    groups = std::move(*copied);
                    better = true;
                }
        }
        return groups;
    }

    std::optional<Groups> copied_into_readers(const Groups& groups, std::size_t step) {
        const std::set<int> made = made_by(groups[step]);
        for (const int tensor : made)
            if (problem_.readers[static_cast<std::size_t>(tensor)].empty()) return std::nullopt;
        Groups changed;
        double saved = alone(groups[step], true);
        for (std::size_t i = 0; i < groups.size(); ++i) {
            if (i == step) continue;
            changed.push_back(groups[i]);
            const std::set<int> reads = read_by(groups[i]);
            if (std::none_of(made.begin(), made.end(), [&](int one) { return reads.count(one) > 0; }))
                continue;
            std::set<int> both(groups[i].begin(), groups[i].end());
            both.insert(groups[step].begin(), groups[step].end());
            if (both.size() > kMostOperators) return std::nullopt;
            changed.back().assign(both.begin(), both.end());
            saved += alone(groups[i], true) - alone(changed.back(), true);
            if (!(saved > 0)) return std::nullopt;
        }
        return changed;
    }

    const ContestProblem& problem_;
    plan::Problem asked_;
    std::map<Kernel, double> known_;
};

}  // namespace

ContestPlan contest_plan(const ContestProblem& problem, std::int64_t effort) {
    return Searcher(problem).run(effort);
}

}  // namespace blockscope::plan
