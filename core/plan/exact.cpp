// The least plan by dynamic programming. What remains to be built is a set of nodes that holds every reader
// of its members; it falls into weakly connected parts, and no kernel reaches over two of them. So
//
//     best(part) = least over S of cost(S) + sum of best(parts of what is left of the part without S)
//
// where S can be launched first: connected, and everything that it reads in the part is in it.
#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/plan/ways.h"

namespace blockscope::plan {

namespace {

// A set of nodes, a bit each.
class NodeSet {
public:
    explicit NodeSet(std::size_t nodes = 0) : words_((nodes + 63) / 64) {}

    bool has(int node) const { return (words_[word(node)] >> bit(node) & 1U) != 0; }
    void add(int node) { words_[word(node)] |= std::uint64_t{1} << bit(node); }
    void remove(int node) { words_[word(node)] &= ~(std::uint64_t{1} << bit(node)); }
    NodeSet without(const NodeSet& other) const {
        NodeSet left = *this;
        for (std::size_t i = 0; i < words_.size(); ++i) left.words_[i] &= ~other.words_[i];
        return left;
    }
    std::vector<int> list() const {
        std::vector<int> nodes;
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
                nodes.push_back(static_cast<int>(i) * 64 + std::countr_zero(rest));
        return nodes;
    }
    bool operator==(const NodeSet&) const = default;
    std::size_t hash() const {
        std::uint64_t all = 0;
        for (const std::uint64_t w : words_) all = (all ^ w) * 0x9E3779B97F4A7C15U ^ (all >> 29U);
        return all;
    }

private:
    static std::size_t word(int node) { return static_cast<std::size_t>(node) / 64; }
    static unsigned bit(int node) { return static_cast<unsigned>(node) % 64; }
    std::vector<std::uint64_t> words_;
};

struct HashOf {
    std::size_t operator()(const NodeSet& set) const { return set.hash(); }
};

// What a plan is judged by, the first number first.
struct Score {
    double first = 0, second = 0;
    Score operator+(const Score& other) const { return {first + other.first, second + other.second}; }
    auto operator<=>(const Score&) const = default;
};
constexpr Score kWorst{kNever, kNever};

using ScoreOf = Score (*)(const Problem& problem, const FusionGroup& kernel);

// Of plans with equal costs the one with the fewest kernels is the best. A group that is not one launch
// counts as one kernel more than its operators, so that kernels of their own are preferred.
Score by_cost(const Problem& problem, const FusionGroup& kernel) {
    const double cost = problem.cost(kernel);
    if (cost == kNever) return kWorst;
    const bool single = kernel.size() == 1 || problem.can_fuse(kernel);
    return {cost, single ? 1 : static_cast<double>(kernel.size()) + 1};
}

Score cost_bound(const Problem& problem, const FusionGroup& kernel) {
    return {problem.bound(kernel), 1};
}

Score count_bound(const Problem& problem, const FusionGroup& kernel) {
    return {1, problem.bytes(kernel)};
}

Score by_count(const Problem& problem, const FusionGroup& kernel) {
    const bool builds = kernel.size() == 1 ? problem.cost(kernel) < kNever : problem.can_fuse(kernel);
    return builds ? Score{1, problem.bytes(kernel)} : kWorst;
}

struct Objective {
    ScoreOf score;
    ScoreOf bound;         // a candidate scores no less
    bool of_cost = false;  // what Problem::least() bounds
};

constexpr int kDeepest = 1'500;  // kernels in a row; each takes up to 3 KB of the stack

class Search {
public:
    Search(const Problem& problem, const Objective& objective, std::int64_t effort, std::size_t most_nodes)
        : problem_(problem), objective_(objective), effort_(effort), most_nodes_(most_nodes) {}

    // None if the search would take more than its effort, or was stopped.
    std::optional<Plan> run() {
        try {
            return searched_plan();
        } catch (const Stopped&) {
            stopped_ = true;
            return std::nullopt;
        }
    }
    bool stopped() const { return stopped_; }
    // The effort so far.
    std::int64_t spent() const { return spent_; }

private:
    bool gives_up() const { return too_deep_ || spent_ > effort_; }
    std::optional<Plan> searched_plan() {
        NodeSet all(static_cast<std::size_t>(problem_.nodes()));
        for (int node = 0; node < problem_.nodes(); ++node) all.add(node);
        Plan plan;
        std::vector<NodeSet> open = parts(all);
        for (const NodeSet& part : open)
            if (best(part) == kWorst && !gives_up()) return plan;
        if (gives_up()) return std::nullopt;
        plan.value = 0;
        while (!open.empty()) {
            const NodeSet part = std::move(open.back());
            open.pop_back();
            const FusionGroup& kernel = known_.at(part).kernel;
            plan.kernels.push_back(kernel);
            plan.value += problem_.cost(kernel);
            NodeSet rest = part;
            for (const int node : kernel) rest.remove(node);
            for (NodeSet& one : parts(rest)) open.push_back(std::move(one));
        }
        plan.states = static_cast<std::int64_t>(known_.size());
        return plan;
    }

    // Counts effort, and ends the search with Stopped while the sign is up.
    void spend(std::size_t nodes) {
        constexpr std::int64_t kBetweenChecks = 20'000;
        spent_ += static_cast<std::int64_t>(nodes);
        unchecked_ += static_cast<std::int64_t>(nodes);
        if (unchecked_ < kBetweenChecks) return;
        unchecked_ = 0;
        problem_.stop->check();
    }

    struct Known {
        Score score = kWorst;
        FusionGroup kernel;  // the first
    };

    std::vector<NodeSet> parts(const NodeSet& nodes) {
        std::vector<NodeSet> all;
        NodeSet waiting = nodes;
        const std::vector<int> list = nodes.list();
        spend(list.size());
        for (const int node : list) {
            if (!waiting.has(node)) continue;
            NodeSet part(static_cast<std::size_t>(problem_.nodes()));
            std::vector<int> reached{node};
            waiting.remove(node);
            for (std::size_t i = 0; i < reached.size(); ++i) {
                part.add(reached[i]);
                const auto at = static_cast<std::size_t>(reached[i]);
                for (const auto* edges : {&problem_.before[at], &problem_.after[at]})
                    for (const int next : *edges) {
                        if (!waiting.has(next)) continue;
                        waiting.remove(next);
                        reached.push_back(next);
                    }
            }
            all.push_back(std::move(part));
        }
        return all;
    }

    Score at_least(const NodeSet& part) {
        if (const auto found = known_.find(part); found != known_.end()) return found->second.score;
        return objective_.of_cost ? Score{problem_.least(part.list()), 1} : Score{1, 0};
    }

    Score best(const NodeSet& part) {
        if (const auto found = known_.find(part); found != known_.end()) return found->second.score;
        if (depth_ == kDeepest) too_deep_ = true;
        ++depth_;
        Known known;
        for (const Candidate& candidate : candidates(part)) {
            if (gives_up()) break;
            const std::vector<NodeSet> rest = parts(part.without(candidate.nodes));
            Score others;
            for (const NodeSet& one : rest) others = others + at_least(one);
            if (!(candidate.bound + others < known.score)) continue;
            const FusionGroup kernel = candidate.nodes.list();
            Score score = objective_.score(problem_, kernel);
            if (!(score + others < known.score)) continue;
            for (const NodeSet& one : rest) {
                score = score + best(one);
                if (!(score < known.score)) break;
            }
            if (score < known.score) known = {score, kernel};
        }
        --depth_;
        if (gives_up()) return kWorst;
        return known_.emplace(part, std::move(known)).first->second.score;
    }

    struct Candidate {
        NodeSet nodes;
        Score bound;  // it scores no less
    };

    // Every kernel that can be launched first. Each grows from one that has no source in the part, by a
    // reader of what it holds together with all that this reads in the part: so all are reached.
    std::vector<Candidate> candidates(const NodeSet& part) {
        std::vector<Candidate> found;
        std::unordered_set<NodeSet, HashOf> seen;
        std::vector<NodeSet> open;
        const auto grow = [&](NodeSet nodes) {
            const FusionGroup kernel = nodes.list();
            spend(kernel.size() + 1);
            if (gives_up() || kernel.size() > most_nodes_ || problem_.too_large(kernel)) return;
            if (!seen.insert(nodes).second) return;
            found.push_back({nodes, objective_.bound(problem_, kernel)});
            open.push_back(std::move(nodes));
        };
        for (const int node : part.list()) {
            if (reads_inside(node, part)) continue;
            NodeSet one(static_cast<std::size_t>(problem_.nodes()));
            one.add(node);
            grow(std::move(one));
        }
        while (!open.empty() && !gives_up()) {
            const NodeSet nodes = std::move(open.back());
            open.pop_back();
            for (const int node : nodes.list())
                for (const int next : problem_.after[static_cast<std::size_t>(node)])
                    if (!gives_up() && !nodes.has(next)) grow(with_sources(nodes, next, part));
        }
        // Those that cost most first: as a rule they are the largest, and leave the least to be looked at.
        std::stable_sort(found.begin(), found.end(),
                         [](const Candidate& a, const Candidate& b) { return a.bound > b.bound; });
        return found;
    }

    bool reads_inside(int node, const NodeSet& part) const {
        const auto& before = problem_.before[static_cast<std::size_t>(node)];
        return std::any_of(before.begin(), before.end(), [&](int source) { return part.has(source); });
    }

    NodeSet with_sources(NodeSet nodes, int node, const NodeSet& part) const {
        std::vector<int> open{node};
        nodes.add(node);
        while (!open.empty()) {
            const auto at = static_cast<std::size_t>(open.back());
            open.pop_back();
            for (const int source : problem_.before[at])
                if (part.has(source) && !nodes.has(source)) {
                    nodes.add(source);
                    open.push_back(source);
                }
        }
        return nodes;
    }

    const Problem& problem_;
    const Objective& objective_;
    const std::int64_t effort_;
    std::int64_t spent_ = 0;
    std::int64_t unchecked_ = 0;  // of it since the sign was asked
    bool too_deep_ = false;
    bool stopped_ = false;
    int depth_ = 0;
    const std::size_t most_nodes_;
    std::unordered_map<NodeSet, Known, HashOf> known_;
};

Score total(const Problem& problem, ScoreOf score, const Plan& plan) {
    if (plan.value == kNever) return kWorst;
    Score sum;
    for (const FusionGroup& kernel : plan.kernels) sum = sum + score(problem, kernel);
    return sum;
}

constexpr std::size_t kFew = 24;  // operators of which one kernel is costed quickly

// The plan of one kernel is tried for few operators only: the cost of a large kernel takes long.
std::vector<NamedPlan> quick_plans_of(const Problem& problem) {
    std::vector<NamedPlan> plans{{"greedy", greedy_plan(problem)}, {"edges", edge_greedy_plan(problem)}};
    if (static_cast<std::size_t>(problem.nodes()) <= kFew) plans.push_back({"one", one_kernel(problem)});
    return plans;
}

NamedPlan best_of(const Problem& problem, const Objective& objective, const std::vector<NamedPlan>& plans) {
    NamedPlan best{plans.front().way, {}};
    Score least = kWorst;
    for (const auto& [way, plan] : plans) {
        const Score score = total(problem, objective.score, plan);
        if (!(score < least)) continue;
        least = score;
        best.way = way;
        best.plan.value = plan.value;
        best.plan.kernels = plan.kernels;
    }
    return best;
}

// What the search has, or the known plan where that is better.
Plan better_of(const Problem& problem, const Objective& objective, Plan found, const Plan& known) {
    if (!(total(problem, objective.score, known) < total(problem, objective.score, found))) return found;
    found.value = known.value;
    found.kernels = known.kernels;
    return found;
}

// "largest saving first instead".
std::string instead(const std::string& way) {
    const std::string title = way_title(way).str();
    return title.substr(0, title.find(',')) + " instead";
}

// Sizes of kernels that are tried: as large as may be, and if that is too much, small ones and larger ones.
std::vector<std::size_t> sizes_of(const Problem& problem) {
    std::vector<std::size_t> sizes{std::min(static_cast<std::size_t>(problem.nodes()), problem.most_nodes)};
    for (const std::size_t smaller : {4, 8, 16})
        if (smaller < sizes.front()) sizes.push_back(smaller);
    return sizes;
}

// The known plan, with the reason why there is none of the search.
Plan known_instead(const NamedPlan& known, const char* why) {
    Plan plan = known.plan;
    plan.bounded = why + instead(known.way);
    return plan;
}

// The first search has half of the effort, the others what is left. Never worse than what is known.
Plan searched(const Problem& problem, const Objective& objective, std::int64_t effort,
              const NamedPlan& known) {
    const std::vector<std::size_t> sizes = sizes_of(problem);
    Plan plan = known_instead(known, "too many ways to build it: ");
    std::int64_t spent = 0;
    for (const std::size_t most_nodes : sizes) {
        const bool first = most_nodes == sizes.front();
        Search search(problem, objective, first && sizes.size() > 1 ? effort / 2 : effort - spent,
                      most_nodes);
        std::optional<Plan> found = search.run();
        spent += search.spent();
        if (search.stopped()) {
            plan = plan.states == 0 ? known_instead(known, "stopped: ") : plan;
            plan.stopped = true;
        }
        if (!found && first && !plan.stopped) continue;
        if (!found) break;
        found->bounded = "kernels of at most " + std::to_string(most_nodes) + " operators";
        plan = better_of(problem, objective, *std::move(found), plan);
        if (!first) continue;
        plan.optimal = most_nodes == static_cast<std::size_t>(problem.nodes());
        if (plan.optimal) plan.bounded.clear();
        break;
    }
    plan.effort = spent;
    return plan;
}

// No plan costs less: no kernel reaches over two parts.
double least_of(const Problem& problem, const std::vector<FusionGroup>& parts) {
    double least = 0;
    for (const FusionGroup& part : parts) least += problem.least(part);
    return least;
}

// Whether a plan costs no more than the least, up to the rounding of sums.
bool reaches(double value, double least) {
    return value < kNever && value <= least * (1 + 1e-12);
}

}  // namespace

Plan exact_plan(const Problem& problem, std::int64_t effort, const std::vector<NamedPlan>& known) {
    const Objective objective{.score = by_cost, .bound = cost_bound, .of_cost = true};
    const NamedPlan best = best_of(problem, objective, known.empty() ? quick_plans_of(problem) : known);
    const std::vector<FusionGroup> parts = connected_parts(problem);
    const double least = least_of(problem, parts);
    // Of few operators the search is quick, and finds the fewest kernels of those that cost as much.
    const bool fewest = best.plan.kernels.size() == parts.size() || problem.nodes() > static_cast<int>(kFew);
    Plan plan = best.plan;
    if (!fewest || !reaches(plan.value, least)) plan = searched(problem, objective, effort, best);
    if (reaches(plan.value, least)) {
        plan.optimal = true;
        plan.stopped = false;
        plan.bounded.clear();
    }
    plan.bound = plan.optimal ? plan.value : least;
    return plan;
}

Plan fewest_kernels_plan(const Problem& problem, std::int64_t effort, const std::vector<NamedPlan>& known) {
    const Objective objective{.score = by_count, .bound = count_bound};
    const NamedPlan best = best_of(problem, objective, known.empty() ? quick_plans_of(problem) : known);
    // No plan has fewer kernels than there are parts, and only one has so few.
    if (best.plan.kernels.size() == connected_parts(problem).size()) return best.plan;
    Plan plan = searched(problem, objective, effort, best);
    plan.optimal = false;  // of the cost
    return plan;
}

}  // namespace blockscope::plan
