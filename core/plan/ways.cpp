#include "core/plan/ways.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "core/plan/partition.h"

namespace blockscope::plan {

namespace {

// What can be joined: the largest saving first, then the lowest nodes.
using Ranked = std::tuple<double, int, int>;  // the saving, negative; the pair

}  // namespace

Plan plan_of(const Problem& problem, std::vector<Kernel> kernels) {
    Plan plan;
    plan.value = 0;
    for (const Kernel& kernel : kernels) plan.value += problem.cost(kernel);
    if (plan.value < kNever) plan.kernels = std::move(kernels);
    return plan;
}

Plan greedy_plan(const Problem& problem) {
    Partition partition(problem);
    std::map<int, double> costs;
    for (const auto& [kernel, nodes] : partition.kernels()) costs[kernel] = problem.cost(nodes);
    std::set<Ranked> ranked;
    std::map<std::pair<int, int>, double> rank_of;
    const auto forget = [&](int kernel) {
        for (auto it = rank_of.begin(); it != rank_of.end();) {
            const auto [a, b] = it->first;
            if (a != kernel && b != kernel) {
                ++it;
                continue;
            }
            ranked.erase({it->second, a, b});
            it = rank_of.erase(it);
        }
    };
    const auto rank = [&](const std::pair<int, int>& pair) {
        const double cost = problem.cost(partition.together(pair.first, pair.second));
        const double saving = costs[pair.first] + costs[pair.second] - cost;
        if (cost == kNever || !(saving > 0) || !rank_of.emplace(pair, -saving).second) return;
        ranked.insert({-saving, pair.first, pair.second});
    };
    for (const auto& [kernel, nodes] : partition.kernels())
        for (const auto& pair : partition.neighbours(kernel)) rank(pair);
    while (true) {
        const auto found = std::find_if(ranked.begin(), ranked.end(), [&](const Ranked& one) {
            return !partition.closes_cycle(std::get<1>(one), std::get<2>(one));
        });
        if (found == ranked.end()) break;
        const auto [saving, a, b] = *found;
        forget(a);
        forget(b);
        const int kernel = partition.join(a, b);
        costs[kernel] = problem.cost(partition.nodes(kernel));
        for (const auto& pair : partition.neighbours(kernel)) rank(pair);
    }
    return plan_of(problem, partition.in_order());
}

Plan edge_greedy_plan(const Problem& problem) {
    Partition partition(problem);
    for (const int node : topological_order(problem))
        for (const int reader : problem.after[static_cast<std::size_t>(node)]) {
            const int a = partition.kernel_of(node), b = partition.kernel_of(reader);
            if (a == b || !problem.can_fuse(partition.together(a, b)) || partition.closes_cycle(a, b))
                continue;
            partition.join(a, b);
        }
    return plan_of(problem, partition.in_order());
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

std::vector<NamedPlan> quick_plans(const Problem& problem) {
    return {{"greedy", greedy_plan(problem)},
            {"edges", edge_greedy_plan(problem)},
            {"each", one_kernel_each(problem)},
            {"one", one_kernel(problem)}};
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
        {"compiler", Text("as a compiler")},
        {"library", Text("library kernels")},
        {"each", Text("one kernel per operator")},
        {"one", Text("everything one kernel")},
    };
    return all;
}

Text way_title(const std::string& name) {
    for (const WayTitle& row : way_titles())
        if (row.name == name) return row.title;
    return Text(name);
}

}  // namespace blockscope::plan
