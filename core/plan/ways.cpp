#include "core/plan/ways.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/plan/partition.h"

namespace blockscope::plan {

namespace {

constexpr double kRounding = 1e-12;

class Greedy {
public:
    explicit Greedy(const Problem& problem) : problem_(problem), partition_(problem) {}

    // Ends with Stopped while the sign is up; what is joined stays.
    void run() {
        for (const auto& [kernel, nodes] : partition_.kernels()) {
            problem_.stop->check();
            costs_[kernel] = problem_.cost(nodes);
        }
        for (const auto& [kernel, nodes] : partition_.kernels()) rank_all(kernel);
        while (const std::optional<Ranked> found = best()) {
            problem_.stop->check();
            join({found->a, found->b});
        }
    }
    const Partition& partition() const { return partition_; }

private:
    using Pair = std::pair<int, int>;
    // What can be joined: the largest saving first, then the lowest nodes.
    struct Ranked {
        double loss = 0;  // the saving, negative
        int a = 0, b = 0;
        auto operator<=>(const Ranked&) const = default;
    };
    struct Joined {
        double cost = 0, loss = 0;
    };

    double rounding(const Pair& pair) const {
        return kRounding * (costs_.at(pair.first) + costs_.at(pair.second));
    }

    void rank_all(int kernel) {
        for (const Pair& pair : partition_.neighbours(kernel)) {
            problem_.stop->check();
            if (!joined_.contains(pair)) rank(pair);
        }
    }

    void rank(const Pair& pair) {
        const double cost = problem_.cost(partition_.together(pair.first, pair.second));
        if (cost == kNever) return;
        const double saving = costs_.at(pair.first) + costs_.at(pair.second) - cost;
        // Of a kernel that cannot be built alone both are infinite.
        if (std::isfinite(saving) && !(saving > rounding(pair))) return;
        joined_[pair] = {cost, -saving};
        ranked_.insert({-saving, pair.first, pair.second});
    }

    void forget_all(int kernel) {
        for (const Pair& pair : partition_.neighbours(kernel)) {
            const auto found = joined_.find(pair);
            if (found == joined_.end()) continue;
            ranked_.erase({found->second.loss, pair.first, pair.second});
            joined_.erase(found);
        }
    }

    std::optional<Ranked> best() const {
        std::optional<Ranked> best;
        double most_loss = kNever;  // that is the same but for rounding
        for (auto one = ranked_.begin(); one != ranked_.end() && one->loss <= most_loss;) {
            if ((best && std::pair(best->a, best->b) < std::pair(one->a, one->b)) ||
                partition_.closes_cycle(one->a, one->b)) {
                ++one;
                continue;
            }
            if (!best) most_loss = one->loss + rounding({one->a, one->b});
            best = *one;
            // Those behind it that save exactly as much have higher nodes.
            one = ranked_.upper_bound({one->loss, std::numeric_limits<int>::max(), 0});
        }
        return best;
    }

    void join(const Pair& pair) {
        const double cost = joined_.at(pair).cost;
        forget_all(pair.first);
        forget_all(pair.second);
        const int kernel = partition_.join(pair.first, pair.second);
        costs_[kernel] = cost;
        rank_all(kernel);
    }

    const Problem& problem_;
    Partition partition_;
    std::map<int, double> costs_;
    std::map<Pair, Joined> joined_;  // what two would cost as one
    std::set<Ranked> ranked_;
};

// What is decided so far; `all`: nothing is left to be decided.
Plan plan_so_far(const Problem& problem, const Partition& partition, bool all) {
    Plan plan = plan_of(problem, partition.in_order());
    plan.stopped = !all;
    if (plan.stopped) plan.bounded = "stopped: what it had joined until then";
    return plan;
}

// Whether it ended before the sign went up.
template <class Work>
bool ended(Work work) {
    try {
        work();
        return true;
    } catch (const Stopped&) {
        return false;
    }
}

}  // namespace

Plan plan_of(const Problem& problem, std::vector<FusionGroup> kernels) {
    Plan plan;
    plan.value = 0;
    for (const FusionGroup& kernel : kernels) plan.value += problem.cost(kernel);
    if (plan.value < kNever) plan.kernels = std::move(kernels);
    return plan;
}

Plan greedy_plan(const Problem& problem) {
    Greedy greedy(problem);
    const bool all = ended([&] { greedy.run(); });
    return plan_so_far(problem, greedy.partition(), all);
}

Plan edge_greedy_plan(const Problem& problem) {
    Partition partition(problem);
    const bool all = ended([&] {
        for (const int node : topological_order(problem))
            for (const int reader : problem.after[static_cast<std::size_t>(node)]) {
                problem.stop->check();
                const int a = partition.kernel_of(node), b = partition.kernel_of(reader);
                if (a == b || !problem.can_fuse(partition.together(a, b)) || partition.closes_cycle(a, b))
                    continue;
                partition.join(a, b);
            }
    });
    return plan_so_far(problem, partition, all);
}

Plan one_kernel_each(const Problem& problem) {
    return plan_of(problem, Partition(problem).in_order());
}

Plan one_kernel(const Problem& problem) {
    Partition partition(problem);
    for (int node = 0; node < problem.nodes(); ++node)
        for (const int reader : problem.after[static_cast<std::size_t>(node)])
            if (partition.kernel_of(node) != partition.kernel_of(reader))
                partition.join(partition.kernel_of(node), partition.kernel_of(reader));
    return plan_of(problem, partition.in_order());
}

// The cheapest first: there is something of each when the sign goes up.
std::vector<NamedPlan> quick_plans(const Problem& problem) {
    return {{"each", one_kernel_each(problem)},
            {"one", one_kernel(problem)},
            {"edges", edge_greedy_plan(problem)},
            {"greedy", greedy_plan(problem)}};
}

void add_searched(const Problem& problem, std::int64_t effort, std::vector<NamedPlan>& plans) {
    const Plan fewest = fewest_kernels_plan(problem, effort / 4, plans);
    plans.push_back({"fewest", fewest});
    plans.push_back({"exact", exact_plan(problem, effort - fewest.effort, plans)});
}

std::vector<NamedPlan> plans_of_ways(const Problem& problem, std::int64_t effort) {
    std::vector<NamedPlan> plans = quick_plans(problem), sorted;
    add_searched(problem, effort, plans);
    for (const Way& way : ways())
        for (NamedPlan& one : plans)
            if (one.way == way.name) sorted.push_back(std::move(one));
    return sorted;
}

const std::vector<Way>& ways() {
    static const std::vector<Way> all = {
        {"exact", [](const Problem& problem) { return exact_plan(problem); }},
        {"greedy", greedy_plan},
        {"edges", edge_greedy_plan},
        {"fewest", [](const Problem& problem) { return fewest_kernels_plan(problem); }},
        {"each", one_kernel_each},
        {"one", one_kernel},
    };
    return all;
}

const Way* find_way(const std::string& name) {
    const auto found =
        std::find_if(ways().begin(), ways().end(), [&name](const Way& way) { return way.name == name; });
    return found == ways().end() ? nullptr : &*found;
}

const std::vector<WayTitle>& way_titles() {
    static const std::vector<WayTitle> all = {
        {"exact", Text("exact")},
        {"decided", Text("as decided, the rest exact")},
        {"yours", Text("yours")},
        {"greedy", Text("largest saving first")},
        {"edges", Text("edge by edge, as TorchInductor")},
        {"fewest", Text("fewest kernels, as XLA")},
        {"compiler", Text("as a compiler groups, built here")},
        {"library", Text("as libraries group, built here")},
        {"each", Text("each operator for itself")},
        {"one", Text("everything one kernel")},
        {"the plan found before", Text("the plan found before")},
    };
    return all;
}

Text way_title(const std::string& name) {
    for (const WayTitle& row : way_titles())
        if (row.name == name) return row.title;
    return Text(name);
}

}  // namespace blockscope::plan
