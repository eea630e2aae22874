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
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/plan/branches.h"
#include "core/plan/problem.h"
#include "core/plan/ways.h"

namespace blockscope::plan {

namespace {

// ---- What remains to be launched while kernels are launched one after the other.

// A weakly connected set of nodes that holds every reader of its members, given by its sources in ascending
// order: the nodes that read nothing in the set. Its other nodes are those to which a path leads from a
// source, so that a set of thousands of nodes takes a few numbers.
using Remainder = std::vector<int>;

struct HashOfNodes {
    std::size_t operator()(const std::vector<int>& nodes) const;
};

// The remainders of a graph: those at the start, and those that a launched kernel leaves.
class Remainders {
public:
    explicit Remainders(const Dag& dag);

    // The weakly connected parts of the whole graph.
    std::vector<Remainder> whole() const;
    bool has(const Remainder& part, int node) const;
    // The nodes of a part, ascending.
    FusionGroup nodes(const Remainder& part) const;
    // What remains of a part after the launch of a kernel, which holds all nodes of the part that it reads.
    std::vector<Remainder> without(const Remainder& part, const FusionGroup& kernel) const;
    // The kernel, extended by a node and by all nodes of the part that this one reads.
    FusionGroup with(const FusionGroup& kernel, int node, const Remainder& part) const;

private:
    using Bits = std::vector<std::uint64_t>;
    bool leads(int from, int to) const;
    std::optional<std::vector<int>> few_before(int node) const;
    static bool meet(const Bits& a, const Bits& b);
    std::vector<Remainder> parts(const std::vector<int>& sources) const;

    const Dag& dag_;
    std::vector<Bits> reach_;                           // by node: itself and those that a path leads to
    std::vector<std::optional<std::vector<int>>> few_;  // by node: those that lead to it, where they are few
};

std::size_t HashOfNodes::operator()(const std::vector<int>& nodes) const {
    std::uint64_t all = nodes.size();
    for (const int node : nodes)
        all = (all ^ static_cast<std::uint64_t>(node)) * 0x9E3779B97F4A7C15U ^ (all >> 29U);
    return all;
}

Remainders::Remainders(const Dag& dag)
    : dag_(dag), reach_(static_cast<std::size_t>(dag.nodes())), few_(reach_.size()) {
    const std::size_t words = (static_cast<std::size_t>(dag.nodes()) + 63) / 64;
    const std::vector<int> order = topological_order(dag);
    for (std::size_t i = order.size(); i-- > 0;) {
        Bits& reached = reach_[slot(order[i])];
        reached.resize(words);
        reached[slot(order[i]) / 64] |= std::uint64_t{1} << (slot(order[i]) % 64);
        for (const int next : dag.after[slot(order[i])])
            for (std::size_t w = 0; w < words; ++w) reached[w] |= reach_[slot(next)][w];
    }
    for (const int node : order) few_[slot(node)] = few_before(node);
}

// None for a node that many lead to: has() then follows the sources to it instead.
std::optional<std::vector<int>> Remainders::few_before(int node) const {
    constexpr std::size_t kFew = 32;
    std::set<int> all;
    for (const int source : dag_.before[slot(node)]) {
        const std::optional<std::vector<int>>& above = few_[slot(source)];
        if (!above) return std::nullopt;
        all.insert(source);
        all.insert(above->begin(), above->end());
        if (all.size() > kFew) return std::nullopt;
    }
    return std::vector<int>(all.begin(), all.end());
}

bool Remainders::leads(int from, int to) const {
    return (reach_[slot(from)][slot(to) / 64] >> (slot(to) % 64) & 1U) != 0;
}

bool Remainders::meet(const Bits& a, const Bits& b) {
    for (std::size_t w = 0; w < a.size(); ++w)
        if ((a[w] & b[w]) != 0) return true;
    return false;
}

bool Remainders::has(const Remainder& part, int node) const {
    const auto is_source = [&](int one) { return std::binary_search(part.begin(), part.end(), one); };
    if (is_source(node)) return true;
    if (const auto& above = few_[slot(node)]) return std::any_of(above->begin(), above->end(), is_source);
    return std::any_of(part.begin(), part.end(), [&](int source) { return leads(source, node); });
}

FusionGroup Remainders::nodes(const Remainder& part) const {
    Bits all((static_cast<std::size_t>(dag_.nodes()) + 63) / 64);
    for (const int source : part)
        for (std::size_t w = 0; w < all.size(); ++w) all[w] |= reach_[slot(source)][w];
    FusionGroup nodes;
    for (std::size_t w = 0; w < all.size(); ++w)
        for (std::uint64_t rest = all[w]; rest != 0; rest &= rest - 1)
            nodes.push_back(static_cast<int>(w) * 64 + std::countr_zero(rest));
    return nodes;
}

// Two sources are in one part if a path leads from both to the same node, or others join them so.
std::vector<Remainder> Remainders::parts(const std::vector<int>& sources) const {
    struct Part {
        Remainder sources;
        Bits reach;
    };
    std::vector<Part> parts;
    for (const int source : sources) {
        Part joined{{source}, reach_[slot(source)]};
        const auto met = std::partition(parts.begin(), parts.end(), [&](const Part& part) {
            return !meet(part.reach, reach_[slot(source)]);
        });
        for (auto part = met; part != parts.end(); ++part) {
            joined.sources.insert(joined.sources.end(), part->sources.begin(), part->sources.end());
            for (std::size_t w = 0; w < joined.reach.size(); ++w) joined.reach[w] |= part->reach[w];
        }
        parts.erase(met, parts.end());
        parts.push_back(std::move(joined));
    }
    std::vector<Remainder> all;
    for (Part& part : parts) {
        std::sort(part.sources.begin(), part.sources.end());
        all.push_back(std::move(part.sources));
    }
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<Remainder> Remainders::whole() const {
    std::vector<int> sources;
    for (int node = 0; node < dag_.nodes(); ++node)
        if (dag_.before[slot(node)].empty()) sources.push_back(node);
    return parts(sources);
}

std::vector<Remainder> Remainders::without(const Remainder& part, const FusionGroup& kernel) const {
    const auto built = [&](int node) { return std::binary_search(kernel.begin(), kernel.end(), node); };
    std::vector<int> sources;
    for (const int source : part)
        if (!built(source)) sources.push_back(source);
    for (const int node : kernel)
        for (const int next : dag_.after[slot(node)]) {
            const std::vector<int>& read = dag_.before[slot(next)];
            const bool waits = std::any_of(read.begin(), read.end(),
                                           [&](int source) { return !built(source) && has(part, source); });
            if (!waits && !built(next)) sources.push_back(next);
        }
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    return parts(sources);
}

FusionGroup Remainders::with(const FusionGroup& kernel, int node, const Remainder& part) const {
    std::set<int> more{node};
    std::vector<int> open{node};
    while (!open.empty()) {
        const int next = open.back();
        open.pop_back();
        for (const int source : dag_.before[slot(next)])
            if (!std::binary_search(kernel.begin(), kernel.end(), source) && has(part, source) &&
                more.insert(source).second)
                open.push_back(source);
    }
    FusionGroup grown;
    std::merge(kernel.begin(), kernel.end(), more.begin(), more.end(), std::back_inserter(grown));
    return grown;
}

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

constexpr int kDeepest = 1'500;       // parts that wait for each other; each takes up to 3 KB of the stack
constexpr std::size_t kLong = 1'000;  // of nodes, that are looked at in one go

class Search {
public:
    Search(const Problem& problem, const Objective& objective, std::int64_t effort, std::size_t most_nodes)
        : problem_(problem),
          objective_(objective),
          effort_(effort),
          most_nodes_(most_nodes),
          remainders_(problem) {}

    // None if the search would take more than its effort, or was stopped.
    std::optional<Plan> run() {
        try {
            branches_ = Branches(problem_);
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
        Plan plan;
        std::vector<Remainder> open = remainders_.whole();
        look_at_ends();
        for (const Remainder& part : open)
            if (best(in_order(part)) == kWorst && !gives_up()) return plan;
        if (gives_up()) return std::nullopt;
        plan.value = 0;
        while (!open.empty()) {
            const Remainder part = std::move(open.back());
            open.pop_back();
            FusionGroup kernel = kernel_of(part);
            plan.value += problem_.cost(kernel);
            for (Remainder& one : remainders_.without(part, kernel)) open.push_back(std::move(one));
            plan.kernels.push_back(std::move(kernel));
        }
        plan.states = static_cast<std::int64_t>(known_.size());
        return plan;
    }

    // Of long graphs the ends are looked at first, so that no part waits for a thousand others.
    void look_at_ends() {
        const std::vector<int> order = topological_order(problem_);
        for (std::size_t at = order.size() / kLong * kLong; at > 0 && !gives_up(); at -= kLong) {
            FusionGroup built(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(at));
            std::sort(built.begin(), built.end());
            for (const Remainder& whole : remainders_.whole()) {
                FusionGroup in_whole;
                for (const int node : built)
                    if (remainders_.has(whole, node)) in_whole.push_back(node);
                for (const Remainder& part : remainders_.without(whole, in_whole)) best(in_order(part));
            }
        }
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

    // The one of all parts that are the same but for exchanged branches which the search looks at.
    Remainder in_order(const Remainder& part) const {
        return branches_.none() ? part : branches_.exchanged(part, LikeBranches(branches_).in_order(part));
    }

    // The first kernel of a part whose least cost is known.
    FusionGroup kernel_of(const Remainder& part) const {
        if (branches_.none()) return known_.at(part).kernel;
        const Exchange exchange = LikeBranches(branches_).in_order(part);
        const FusionGroup& kernel = known_.at(branches_.exchanged(part, exchange)).kernel;
        return branches_.exchanged(kernel, inverse(exchange));
    }

    // Of finding these parts: each source was held against each part, as bits for all nodes that it leads to.
    std::size_t effort_of(const std::vector<Remainder>& parts) const {
        constexpr int kNodesAtOnce = 512;
        std::size_t sources = 0;
        for (const Remainder& part : parts) sources += part.size();
        return sources * (parts.size() + static_cast<std::size_t>(problem_.nodes() / kNodesAtOnce));
    }

    struct Known {
        Score score = kWorst;
        FusionGroup kernel;  // the first
    };

    Score at_least(const Remainder& part) {
        if (const auto found = known_.find(part); found != known_.end()) return found->second.score;
        if (!objective_.of_cost) return {1, 0};
        const auto [place, fresh] = least_.try_emplace(part, 0.0);
        if (fresh) {
            const FusionGroup nodes = remainders_.nodes(part);
            spend(nodes.size());
            place->second = problem_.least(nodes);
        }
        return {place->second, 1};
    }

    Score best(const Remainder& part) {
        if (const auto found = known_.find(part); found != known_.end()) return found->second.score;
        if (depth_ == kDeepest) too_deep_ = true;
        ++depth_;
        Known known;
        for (const Candidate& candidate : candidates(part)) {
            if (gives_up()) break;
            if (!(candidate.bound < known.score)) continue;
            std::vector<Remainder> rest = remainders_.without(part, candidate.nodes);
            spend(part.size() + effort_of(rest));
            Score others;
            for (Remainder& one : rest) {
                one = in_order(one);
                others = others + at_least(one);
            }
            if (!(candidate.bound + others < known.score)) continue;
            Score score = objective_.score(problem_, candidate.nodes);
            if (!(score + others < known.score)) continue;
            for (const Remainder& one : rest) {
                score = score + best(one);
                if (!(score < known.score)) break;
            }
            if (score < known.score) known = {score, candidate.nodes};
        }
        --depth_;
        if (gives_up()) return kWorst;
        return known_.emplace(part, std::move(known)).first->second.score;
    }

    struct Candidate {
        FusionGroup nodes;
        Score bound;  // it scores no less
    };

    // Every kernel that can be launched first. Each grows from one that has no source in the part, by a
    // reader of what it holds together with all that this reads in the part: so all are reached. Of those
    // that differ by exchanged branches there is one.
    std::vector<Candidate> candidates(const Remainder& part) {
        std::vector<Candidate> found;
        std::unordered_set<FusionGroup, HashOfNodes> seen;
        std::vector<FusionGroup> open;
        const LikeBranches like(branches_, part);
        const auto grow = [&](FusionGroup kernel) {
            spend(kernel.size() + 1);
            if (gives_up() || kernel.size() > most_nodes_ || problem_.too_large(kernel)) return;
            if (!branches_.none()) kernel = branches_.exchanged(kernel, like.in_order(kernel));
            if (!seen.insert(kernel).second) return;
            found.push_back({kernel, objective_.bound(problem_, kernel)});
            open.push_back(std::move(kernel));
        };
        for (const int source : branches_.none() ? part : like.one_of_each(part, {})) grow({source});
        while (!open.empty() && !gives_up()) {
            const FusionGroup kernel = std::move(open.back());
            open.pop_back();
            for (const int next : readers_of(kernel, like)) {
                if (gives_up()) break;
                grow(remainders_.with(kernel, next, part));
            }
        }
        // Those that cost most first: as a rule they are the largest, and leave the least to be looked at.
        std::stable_sort(found.begin(), found.end(),
                         [](const Candidate& a, const Candidate& b) { return a.bound > b.bound; });
        return found;
    }

    // Who reads what the kernel holds; of branches that are alike one.
    FusionGroup readers_of(const FusionGroup& kernel, const LikeBranches& like) {
        FusionGroup readers;
        for (const int node : kernel)
            for (const int next : problem_.after[slot(node)])
                if (!std::binary_search(kernel.begin(), kernel.end(), next)) readers.push_back(next);
        spend(readers.size());
        std::sort(readers.begin(), readers.end());
        readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
        return branches_.none() ? readers : like.one_of_each(readers, kernel);
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
    const Remainders remainders_;
    Branches branches_;
    std::unordered_map<Remainder, Known, HashOfNodes> known_;
    std::unordered_map<Remainder, double, HashOfNodes> least_;
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
        const bool worse =
            total(problem, objective.score, known.plan) < total(problem, objective.score, *found);
        if (worse) {
            found->bounded = "no plan of " + found->bounded + " is better: " + instead(known.way);
            found->value = known.plan.value;
            found->kernels = known.plan.kernels;
        }
        plan = *std::move(found);
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
