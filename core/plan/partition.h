// Kernels that are joined two by two, for ways of deciding.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/plan/problem.h"

namespace blockscope::plan {

// Each kernel has the number of its lowest node.
class Partition {
public:
    explicit Partition(const Problem& problem) : problem_(problem) {
        for (int node = 0; node < problem.nodes(); ++node) {
            kernel_of_.push_back(node);
            kernels_[node] = {node};
        }
    }

    int kernel_of(int node) const { return kernel_of_[static_cast<std::size_t>(node)]; }
    const FusionGroup& nodes(int kernel) const { return kernels_.at(kernel); }
    const std::map<int, FusionGroup>& kernels() const { return kernels_; }

    FusionGroup together(int a, int b) const {
        FusionGroup both;
        std::merge(nodes(a).begin(), nodes(a).end(), nodes(b).begin(), nodes(b).end(),
                   std::back_inserter(both));
        return both;
    }

    // Whether the two as one would both lead to a third kernel and read from it.
    bool closes_cycle(int a, int b) const {
        // Nothing leads back from one that the other leads to: they are in an order now.
        if (has_edge(a, b)) return leads_around(a, b);
        if (has_edge(b, a)) return leads_around(b, a);
        return leads_around(a, b) || leads_around(b, a);
    }

    // The one with the lower number stays, which is that of its lowest node.
    int join(int a, int b) {
        if (b < a) std::swap(a, b);
        FusionGroup both = together(a, b);
        for (const int node : nodes(b)) kernel_of_[static_cast<std::size_t>(node)] = a;
        kernels_[a] = std::move(both);
        kernels_.erase(b);
        return a;
    }

    // Pairs with an edge between them, the lower number first.
    std::set<std::pair<int, int>> neighbours(int kernel) const {
        std::set<std::pair<int, int>> found;
        for (const int node : nodes(kernel))
            for (const auto* edges : {&problem_.before, &problem_.after})
                for (const int next : (*edges)[static_cast<std::size_t>(node)])
                    if (kernel_of(next) != kernel) found.insert(std::minmax(kernel, kernel_of(next)));
        return found;
    }

    // In an order in which they can be launched.
    std::vector<FusionGroup> in_order() const {
        std::map<int, std::set<int>> sources;
        for (const auto& [kernel, nodes] : kernels_)
            for (const int node : nodes)
                for (const int source : problem_.before[static_cast<std::size_t>(node)])
                    if (kernel_of(source) != kernel) sources[kernel].insert(kernel_of(source));
        std::map<int, std::vector<int>> readers;
        std::set<int> ready;
        for (const auto& [kernel, nodes] : kernels_) {
            if (sources[kernel].empty()) ready.insert(kernel);
            for (const int source : sources[kernel]) readers[source].push_back(kernel);
        }
        std::vector<FusionGroup> order;
        while (!ready.empty()) {
            const int kernel = *ready.begin();
            ready.erase(ready.begin());
            order.push_back(nodes(kernel));
            for (const int reader : readers[kernel]) {
                sources[reader].erase(kernel);
                if (sources[reader].empty()) ready.insert(reader);
            }
        }
        return order;
    }

private:
    bool has_edge(int from, int to) const {
        for (const int node : nodes(from))
            for (const int next : problem_.after[static_cast<std::size_t>(node)])
                if (kernel_of(next) == to) return true;
        return false;
    }

    // Whether a path leads from one to the other through a third.
    bool leads_around(int from, int to) const {
        std::vector<bool> seen(kernel_of_.size());
        seen[static_cast<std::size_t>(from)] = true;
        std::vector<int> open{from};
        while (!open.empty()) {
            const int kernel = open.back();
            open.pop_back();
            problem_.stop->check();
            for (const int node : nodes(kernel))
                for (const int next : problem_.after[static_cast<std::size_t>(node)]) {
                    const int other = kernel_of(next);
                    if (other == to && kernel != from) return true;
                    if (other == to || seen[static_cast<std::size_t>(other)]) continue;
                    seen[static_cast<std::size_t>(other)] = true;
                    open.push_back(other);
                }
        }
        return false;
    }

    const Problem& problem_;
    std::vector<int> kernel_of_;
    std::map<int, FusionGroup> kernels_;
};

}  // namespace blockscope::plan
