#include "core/plan/problem.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>
#include <set>

#include "core/plan/plain_graph.h"

namespace blockscope::plan {

namespace {

std::vector<bool> members(const Dag& dag, const FusionGroup& kernel) {
    std::vector<bool> inside(static_cast<std::size_t>(dag.nodes()));
    for (const int node : kernel) inside[static_cast<std::size_t>(node)] = true;
    return inside;
}

bool weakly_connected(const Dag& dag, const FusionGroup& kernel) {
    std::vector<bool> waiting = members(dag, kernel);
    std::vector<int> reached{kernel.front()};
    waiting[static_cast<std::size_t>(kernel.front())] = false;
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (const auto* edges : {&dag.before, &dag.after})
            for (const int next : (*edges)[static_cast<std::size_t>(reached[i])]) {
                if (!waiting[static_cast<std::size_t>(next)]) continue;
                waiting[static_cast<std::size_t>(next)] = false;
                reached.push_back(next);
            }
    return reached.size() == kernel.size();
}

// Grows candidates by a neighbour at a time, together with all that lies on paths between the two. Whoever
// starts at a node of a candidate and adds its nodes so never leaves it: all are reached.
class Growth {
public:
    explicit Growth(const Dag& dag)
        : order_(topological_order(dag)), place_(order_.size()), reach_(order_.size()) {
        for (std::size_t i = order_.size(); i-- > 0;) {
            place_[at(order_[i])] = i;
            std::vector<bool>& reached = reach_[at(order_[i])];
            reached.resize(order_.size());
            for (const int next : dag.after[at(order_[i])]) {
                reached[at(next)] = true;
                for (std::size_t other = 0; other < order_.size(); ++other)
                    if (reach_[at(next)][other]) reached[other] = true;
            }
        }
    }

    FusionGroup with(const FusionGroup& kernel, int neighbour) const {
        FusionGroup grown = kernel;
        grown.push_back(neighbour);
        std::size_t first = place_[at(neighbour)], last = first;
        for (const int node : kernel) {
            first = std::min(first, place_[at(node)]);
            last = std::max(last, place_[at(node)]);
        }
        for (std::size_t i = first + 1; i < last; ++i)
            if (std::find(grown.begin(), grown.end(), order_[i]) == grown.end() &&
                between(kernel, neighbour, order_[i]))
                grown.push_back(order_[i]);
        std::sort(grown.begin(), grown.end());
        return grown;
    }

private:
    static std::size_t at(int node) { return static_cast<std::size_t>(node); }
    bool leads(int from, int to) const { return reach_[at(from)][at(to)]; }
    bool between(const FusionGroup& kernel, int neighbour, int node) const {
        const bool after = leads(neighbour, node), before = leads(node, neighbour);
        return (after || before) && std::any_of(kernel.begin(), kernel.end(), [&](int one) {
                   return (after && leads(node, one)) || (before && leads(one, node));
               });
    }

    std::vector<int> order_;
    std::vector<std::size_t> place_;        // by node: in the order
    std::vector<std::vector<bool>> reach_;  // by node: those that a path leads to
};

}  // namespace

std::string names_of(const FusionGroup& kernel, const std::vector<std::string>& names) {
    std::string text;
    for (const int node : kernel) text += (text.empty() ? "" : ", ") + names[slot(node)];
    return text;
}

std::vector<FusionGroup> connected_parts(const Dag& dag) {
    std::vector<FusionGroup> parts;
    std::vector<bool> seen(static_cast<std::size_t>(dag.nodes()));
    for (int node = 0; node < dag.nodes(); ++node) {
        if (seen[slot(node)]) continue;
        FusionGroup part{node};
        seen[slot(node)] = true;
        for (std::size_t i = 0; i < part.size(); ++i)
            for (const auto* edges : {&dag.before, &dag.after})
                for (const int next : (*edges)[slot(part[i])])
                    if (!seen[slot(next)]) {
                        seen[slot(next)] = true;
                        part.push_back(next);
                    }
        std::sort(part.begin(), part.end());
        parts.push_back(std::move(part));
    }
    return parts;
}

Candidates all_candidates(const Dag& dag, std::size_t most_nodes, std::size_t limit) {
    const Growth growth(dag);
    // By size. Each candidate grows out of smaller ones, so that all of a size are there when its turn comes.
    std::vector<std::set<FusionGroup>> found(static_cast<std::size_t>(dag.nodes()) + 1);
    std::size_t count = 0;
    Candidates all;
    all.most_nodes = std::min(most_nodes, static_cast<std::size_t>(dag.nodes()));
    const auto add = [&](FusionGroup kernel) {
        const std::size_t size = kernel.size();
        if (size > all.most_nodes) return;
        if (found[size].insert(std::move(kernel)).second && ++count > limit) {
            // Some of the largest size go, with all of their size.
            while (all.most_nodes > size && found[all.most_nodes].empty()) --all.most_nodes;
            count -= found[all.most_nodes].size();
            found[all.most_nodes--].clear();
        }
    };
    for (int node = 0; node < dag.nodes(); ++node) add({node});
    for (std::size_t size = 1; size < all.most_nodes; ++size)
        for (const FusionGroup& kernel : found[size]) {
            std::set<int> neighbours;
            for (const int node : kernel)
                for (const auto* edges : {&dag.before, &dag.after})
                    for (const int next : (*edges)[static_cast<std::size_t>(node)]) neighbours.insert(next);
            for (const int next : neighbours)
                if (size < all.most_nodes && !std::binary_search(kernel.begin(), kernel.end(), next))
                    add(growth.with(kernel, next));
        }
    for (std::size_t size = 1; size <= all.most_nodes; ++size)
        all.kernels.insert(all.kernels.end(), found[size].begin(), found[size].end());
    return all;
}

bool is_candidate(const Dag& dag, const FusionGroup& kernel) {
    if (kernel.empty() || !weakly_connected(dag, kernel)) return false;
    // No path may leave the group and come back into it.
    const std::vector<bool> inside = members(dag, kernel);
    std::vector<bool> seen(inside.size());
    std::vector<int> outside;
    const auto go = [&](int node) {
        for (const int next : dag.after[static_cast<std::size_t>(node)])
            if (!inside[static_cast<std::size_t>(next)] && !seen[static_cast<std::size_t>(next)]) {
                seen[static_cast<std::size_t>(next)] = true;
                outside.push_back(next);
            }
    };
    for (const int node : kernel) go(node);
    for (std::size_t i = 0; i < outside.size(); ++i) {
        for (const int next : dag.after[static_cast<std::size_t>(outside[i])])
            if (inside[static_cast<std::size_t>(next)]) return false;
        go(outside[i]);
    }
    return true;
}

// Nodes that are reached before all are, if there is a cycle.
std::vector<int> topological_order(const Dag& dag) {
    std::vector<std::size_t> missing;
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (int node = 0; node < dag.nodes(); ++node) {
        missing.push_back(dag.before[static_cast<std::size_t>(node)].size());
        if (missing.back() == 0) ready.push(node);
    }
    std::vector<int> order;
    while (!ready.empty()) {
        const int node = ready.top();
        ready.pop();
        order.push_back(node);
        for (const int next : dag.after[static_cast<std::size_t>(node)])
            if (--missing[static_cast<std::size_t>(next)] == 0) ready.push(next);
    }
    return order;
}

Problem::Problem(const PlainGraph& graph)
    : Dag(graph),
      cost([&graph](const FusionGroup& kernel) { return cost_of(graph, kernel); }),
      can_fuse([&graph](const FusionGroup& kernel) { return cost_of(graph, kernel) < kNever; }),
      bytes([&graph](const FusionGroup& kernel) { return bytes_of(graph, kernel); }),
      bound(cost),
      too_large([&graph](const FusionGroup& kernel) {
          double local = 0;
          for (const int node : kernel) local += graph.local[static_cast<std::size_t>(node)];
          return local > graph.cap;
      }),
      least([&graph](const std::vector<int>& nodes) { return least_cost(graph, nodes); }) {
    std::map<std::vector<double>, int> numbers;
    for (std::size_t node = 0; node < graph.before.size(); ++node) {
        const std::vector<double> what{graph.out_bytes[node], graph.in_bytes[node], graph.work[node],
                                       graph.local[node], graph.output[node] ? 1.0 : 0.0};
        alike.push_back(numbers.emplace(what, static_cast<int>(numbers.size())).first->second);
    }
}

}  // namespace blockscope::plan
