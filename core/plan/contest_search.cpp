#include "core/plan/contest.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/plan/contest_step.h"
#include "core/plan/problem.h"

namespace blockscope::plan {

// The best tiles of one step of a contest's schedule (contest.h).

struct ContestCut {
    Granularity granularity;
    std::optional<std::vector<int>> order{};
    double latency = kNever;  // kNever: nothing fits
};

// Of the sizes that divide the results, at most 32 of each side; row by row or, where there are few tiles, in
// a snake.
ContestCut best_cut(const ContestProblem& problem, const ContestGroup& group, const Residents& residents);

// No cut of these operators, or of a schedule of them, takes less: every native tile once, and what comes
// from outside and leaves once.
double least_latency(const ContestProblem& problem, const std::vector<int>& operators);

namespace {

constexpr double kMostFollowed = 2048;  // slices of a cut that is tried in a snake
constexpr std::size_t kMostSizes = 32;  // of one side of a tile
constexpr double kLess = 1 - 1e-9;      // of equal cuts the first, the largest, stays

// From the largest; of more than are tried, some all the way down.
std::vector<std::int64_t> divisors(std::int64_t of) {
    std::vector<std::int64_t> all;
    for (std::int64_t one = 1; one * one <= of; ++one) {
        if (of % one != 0) continue;
        all.push_back(one);
        if (one * one != of) all.push_back(of / one);
    }
    std::sort(all.rbegin(), all.rend());
    if (all.size() <= kMostSizes) return all;
    std::vector<std::int64_t> some;
    for (std::size_t i = 0; i < kMostSizes; ++i) some.push_back(all[i * (all.size() - 1) / (kMostSizes - 1)]);
    return some;
}

// Every other row the other way round, or every other column.
std::vector<int> snake(std::int64_t down, std::int64_t across, bool by_rows) {
    std::vector<int> order;
    const std::int64_t lines = by_rows ? down : across, length = by_rows ? across : down;
    for (std::int64_t line = 0; line < lines; ++line)
        for (std::int64_t i = 0; i < length; ++i) {
            const std::int64_t at = line % 2 == 0 ? i : length - 1 - i;
            order.push_back(static_cast<int>(by_rows ? line * across + at : at * across + line));
        }
    return order;
}

class CutSearch {
public:
    CutSearch(const ContestProblem& problem, const ContestGroup& group, const Residents& residents)
        : problem_(problem), group_(group), residents_(residents) {}

    ContestCut run() {
        const ContestTensor& result = problem_.tensors[static_cast<std::size_t>(*group_.results().begin())];
        const std::int64_t longest = group_.longest_reduction();
        const auto depths = group_.only_products() ? divisors(longest) : std::vector<std::int64_t>{longest};
        std::vector<Granularity> fitting;
        for (const std::int64_t width : divisors(result.width))
            for (const std::int64_t height : divisors(result.height))
                for (const std::int64_t depth : depths) {
                    const Granularity size{.width = width, .height = height, .depth = depth};
                    if (group_.working_set(size, residents_) > problem_.capacity) continue;
                    if (group_.why_not(size)) continue;
                    fitting.push_back(size);
                    row_by_row(size);
                }
        for (const Granularity& size : fitting) snakes(size, result);
        return std::move(best_);
    }

private:
    void offer(const Granularity& size, std::optional<std::vector<int>> order) {
        if (group_.slices_followed(size, residents_, order.has_value()) > kMostFollowed) return;
        const double latency = group_.latency(size, residents_, order);
        if (latency < best_.latency * kLess || best_.latency == kNever)
            best_ = {.granularity = size, .order = std::move(order), .latency = latency};
    }

    void row_by_row(const Granularity& size) { offer(size, std::nullopt); }

    void snakes(const Granularity& size, const ContestTensor& result) {
        const std::int64_t down = result.height / size.height, across = result.width / size.width;
        if (down * across == 1 || group_.slices_followed(size, residents_, true) > kMostFollowed) return;
        if (group_.least_latency(size, residents_) >= best_.latency * kLess) return;
        offer(size, snake(down, across, true));
        offer(size, snake(down, across, false));
    }

    const ContestProblem& problem_;
    const ContestGroup& group_;
    const Residents& residents_;
    ContestCut best_;
};

}  // namespace

ContestCut best_cut(const ContestProblem& problem, const ContestGroup& group, const Residents& residents) {
    return CutSearch(problem, group, residents).run();
}

double least_latency(const ContestProblem& problem, const std::vector<int>& operators) {
    const auto inside = [&](int node) {
        return std::find(operators.begin(), operators.end(), node) != operators.end();
    };
    const auto pieces = [](std::int64_t side, std::int64_t native) {
        const std::int64_t count = (side + native - 1) / native;
        return static_cast<double>(count);
    };
    double compute = 0, elements = 0;
    std::set<int> sources;
    for (const int one : operators) {
        const ContestOperator& node = problem.operators[static_cast<std::size_t>(one)];
        const ContestTensor& result = problem.tensors[static_cast<std::size_t>(node.output)];
        compute += node.cost * pieces(result.width, problem.native_width) *
                   pieces(result.height, problem.native_height);
        for (const int input : node.inputs)
            if (!inside(problem.maker[static_cast<std::size_t>(input)])) sources.insert(input);
        const auto& readers = problem.readers[static_cast<std::size_t>(node.output)];
        if (readers.empty() || !std::all_of(readers.begin(), readers.end(), inside))
            elements += result.size();
    }
    for (const int one : sources) elements += problem.tensors[static_cast<std::size_t>(one)].size();
    return std::max(compute, elements / problem.bandwidth);
}

namespace {

using Groups = std::vector<FusionGroup>;

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
bool leaks(const ContestProblem& problem, const ContestGroup& group, const FusionGroup& kernel) {
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
        asked_.cost = [this](const FusionGroup& kernel) { return alone(kernel, false); };
        asked_.bytes = [this](const FusionGroup& kernel) { return least_latency(problem_, kernel); };
        asked_.bound = [this](const FusionGroup& kernel) {
            const ContestGroup group(problem_, kernel);
            return leaks(problem_, group, kernel) ? kNever : least_latency(problem_, kernel);
        };
        asked_.too_large = [](const FusionGroup&) { return false; };
        asked_.can_fuse = [this](const FusionGroup& kernel) { return asked_.cost(kernel) < kNever; };
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
    double alone(const FusionGroup& kernel, bool again) {
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

    std::set<int> read_by(const FusionGroup& group) const { return ContestGroup(problem_, group).sources(); }
    std::set<int> made_by(const FusionGroup& group) const { return ContestGroup(problem_, group).results(); }

    // Each after those that it reads from, next the one that shares most with the one before.
    Groups in_order(const Groups& groups) const {
        std::vector<std::set<int>> reads, makes;
        for (const FusionGroup& one : groups) {
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
    std::map<FusionGroup, double> known_;
};

}  // namespace

ContestPlan contest_plan(const ContestProblem& problem, std::int64_t effort) {
    return Searcher(problem).run(effort);
}

}  // namespace blockscope::plan
