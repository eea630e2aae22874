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
#include <functional>
#include <optional>
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

using ScoreOf = std::function<Score(const PlainGraph& graph, const Kernel& kernel)>;

Score by_cost(const PlainGraph& graph, const Kernel& kernel) {
    return {cost_of(graph, kernel), 1};
}

Score by_count(const PlainGraph& graph, const Kernel& kernel) {
    return cost_of(graph, kernel) == kNever ? kWorst : Score{1, bytes_of(graph, kernel)};
}

// No plan of these nodes costs less: as many launches as the local memory asks for, all work, and every
// input, output and result from outside once.
double least_cost(const PlainGraph& graph, const std::vector<int>& nodes) {
    double local = 0, work = 0, bytes = 0;
    std::vector<int> read;
    for (const int node : nodes) {
        const auto at = static_cast<std::size_t>(node);
        local += graph.local[at];
        work += graph.work[at];
        bytes += graph.in_bytes[at] + (graph.output[at] ? graph.out_bytes[at] : 0);
        for (const int source : graph.before[at])
            if (!std::binary_search(nodes.begin(), nodes.end(), source)) read.push_back(source);
    }
    std::sort(read.begin(), read.end());
    read.erase(std::unique(read.begin(), read.end()), read.end());
    for (const int source : read) bytes += graph.out_bytes[static_cast<std::size_t>(source)];
    const double kernels =
        graph.cap > 0 && graph.cap < kNever ? std::max(1.0, std::ceil(local / graph.cap)) : 1;
    return graph.launch * kernels + std::max(bytes / graph.bandwidth, work / graph.peak);
}

class Search {
public:
    Search(const PlainGraph& graph, ScoreOf score, bool of_cost, std::int64_t most_candidates,
           std::size_t most_nodes)
        : graph_(graph),
          score_(std::move(score)),
          of_cost_(of_cost),
          left_(most_candidates),
          most_nodes_(most_nodes) {}

    // Nothing if the search would look at too many candidates.
    std::optional<Plan> run() {
        NodeSet all(static_cast<std::size_t>(graph_.nodes()));
        for (int node = 0; node < graph_.nodes(); ++node) all.add(node);
        Plan plan;
        std::vector<NodeSet> open = parts(all);
        for (const NodeSet& part : open)
            if (best(part) == kWorst && left_ >= 0) return plan;
        if (left_ < 0) return std::nullopt;
        plan.value = 0;
        while (!open.empty()) {
            const NodeSet part = std::move(open.back());
            open.pop_back();
            const Kernel& kernel = known_.at(part).kernel;
            plan.kernels.push_back(kernel);
            plan.value += cost_of(graph_, kernel);
            NodeSet rest = part;
            for (const int node : kernel) rest.remove(node);
            for (NodeSet& one : parts(rest)) open.push_back(std::move(one));
        }
        plan.states = static_cast<std::int64_t>(known_.size());
        return plan;
    }

private:
    struct Known {
        Score score = kWorst;
        Kernel kernel;  // the first
    };

    std::vector<NodeSet> parts(const NodeSet& nodes) const {
        std::vector<NodeSet> all;
        NodeSet waiting = nodes;
        for (const int node : nodes.list()) {
            if (!waiting.has(node)) continue;
            NodeSet part(static_cast<std::size_t>(graph_.nodes()));
            std::vector<int> reached{node};
            waiting.remove(node);
            for (std::size_t i = 0; i < reached.size(); ++i) {
                part.add(reached[i]);
                const auto at = static_cast<std::size_t>(reached[i]);
                for (const auto* edges : {&graph_.before[at], &graph_.after[at]})
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
        return of_cost_ ? Score{least_cost(graph_, part.list()), 1} : Score{1, 0};
    }

    Score best(const NodeSet& part) {
        if (const auto found = known_.find(part); found != known_.end()) return found->second.score;
        Known known;
        for (const Candidate& candidate : candidates(part)) {
            if (left_ < 0) return kWorst;
            const std::vector<NodeSet> rest = parts(part.without(candidate.nodes));
            Score least = candidate.score;
            for (const NodeSet& one : rest) least = least + at_least(one);
            if (!(least < known.score)) continue;
            Score score = candidate.score;
            for (const NodeSet& one : rest) {
                score = score + best(one);
                if (!(score < known.score)) break;
            }
            if (score < known.score) known = {score, candidate.nodes.list()};
        }
        if (left_ < 0) return kWorst;
        return known_.emplace(part, std::move(known)).first->second.score;
    }

    struct Candidate {
        NodeSet nodes;
        Score score;
    };

    // Every kernel that can be launched first. Each grows from one that has no source in the part, by a
    // reader of what it holds together with all that this reads in the part: so all are reached.
    std::vector<Candidate> candidates(const NodeSet& part) {
        std::vector<Candidate> found;
        std::unordered_set<NodeSet, HashOf> seen;
        std::vector<NodeSet> open;
        const auto grow = [&](NodeSet nodes) {
            if (!seen.insert(nodes).second) return;
            const Kernel kernel = nodes.list();
            if (kernel.size() > most_nodes_ || local(kernel) > graph_.cap) return;
            if (--left_ < 0) return;
            found.push_back({nodes, score_(graph_, kernel)});
            open.push_back(std::move(nodes));
        };
        for (const int node : part.list()) {
            if (reads_inside(node, part)) continue;
            NodeSet one(static_cast<std::size_t>(graph_.nodes()));
            one.add(node);
            grow(std::move(one));
        }
        while (!open.empty() && left_ >= 0) {
            const NodeSet nodes = std::move(open.back());
            open.pop_back();
            for (const int node : nodes.list())
                for (const int next : graph_.after[static_cast<std::size_t>(node)])
                    if (!nodes.has(next)) grow(with_sources(nodes, next, part));
        }
        // The largest first: what they leave is small, and a good score early leaves others out.
        std::stable_sort(found.begin(), found.end(),
                         [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
        return found;
    }

    bool reads_inside(int node, const NodeSet& part) const {
        const auto& before = graph_.before[static_cast<std::size_t>(node)];
        return std::any_of(before.begin(), before.end(), [&](int source) { return part.has(source); });
    }

    NodeSet with_sources(NodeSet nodes, int node, const NodeSet& part) const {
        std::vector<int> open{node};
        nodes.add(node);
        while (!open.empty()) {
            const auto at = static_cast<std::size_t>(open.back());
            open.pop_back();
            for (const int source : graph_.before[at])
                if (part.has(source) && !nodes.has(source)) {
                    nodes.add(source);
                    open.push_back(source);
                }
        }
        return nodes;
    }

    double local(const Kernel& kernel) const {
        double sum = 0;
        for (const int node : kernel) sum += graph_.local[static_cast<std::size_t>(node)];
        return sum;
    }

    const PlainGraph& graph_;
    const ScoreOf score_;
    const bool of_cost_;
    std::int64_t left_;  // candidates; below 0: given up
    const std::size_t most_nodes_;
    std::unordered_map<NodeSet, Known, HashOf> known_;
};

std::vector<int> all_nodes(const PlainGraph& graph) {
    std::vector<int> nodes(static_cast<std::size_t>(graph.nodes()));
    for (int node = 0; node < graph.nodes(); ++node) nodes[static_cast<std::size_t>(node)] = node;
    return nodes;
}

// With smaller and smaller kernels until the search ends; `otherwise` is at least as good as what it ends
// with.
Plan searched(const PlainGraph& graph, const ScoreOf& score, bool of_cost, std::int64_t most_candidates,
              Plan (*otherwise)(const PlainGraph& graph)) {
    const double bound = least_cost(graph, all_nodes(graph));
    const auto total = static_cast<std::size_t>(graph.nodes());
    for (const std::size_t most_nodes : {total, std::size_t{16}, std::size_t{8}, std::size_t{4}}) {
        if (most_nodes > total) continue;
        std::optional<Plan> plan = Search(graph, score, of_cost, most_candidates, most_nodes).run();
        if (!plan) continue;
        plan->optimal = most_nodes == total;
        plan->bound = plan->optimal ? plan->value : bound;
        if (!plan->optimal) {
            plan->bounded = "kernels of at most " + std::to_string(most_nodes) + " operators";
            Plan other = otherwise(graph);
            if (other.value < plan->value) {
                plan->value = other.value;
                plan->kernels = std::move(other.kernels);
            }
        }
        return *plan;
    }
    Plan plan = otherwise(graph);
    plan.bound = bound;
    plan.bounded = "too many ways to build it: by largest saving instead";
    return plan;
}

}  // namespace

Plan exact_plan(const PlainGraph& graph, std::int64_t most_candidates) {
    return searched(graph, by_cost, true, most_candidates, greedy_plan);
}

Plan fewest_kernels_plan(const PlainGraph& graph, std::int64_t most_candidates) {
    Plan plan = searched(graph, by_count, false, most_candidates, edge_greedy_plan);
    plan.optimal = false;  // of the cost
    plan.bound = 0;
    return plan;
}

}  // namespace blockscope::plan
