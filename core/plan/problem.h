// What a way of deciding asks of the operators that are to become kernels: who reads whose result, and what a
// kernel of some of them costs. A plain graph (plain_graph.h) answers by a formula; a program by the best
// state of each kernel on a device (app/worker/program_plan.h).
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/support/stop_sign.h"

namespace blockscope::plan {

constexpr double kNever = std::numeric_limits<double>::infinity();  // what cannot be built costs

// A fusion group: nodes of an operator graph, ascending, that a plan gives to one kernel, or could. Whether a
// group becomes one launch depends on the state of its own program that is built (app/worker/program_plan.h).
using FusionGroup = std::vector<int>;

// A node as an index.
constexpr std::size_t slot(int node) {
    return static_cast<std::size_t>(node);
}

// "Q, S, P".
std::string names_of(const FusionGroup& kernel, const std::vector<std::string>& names);

// By node: whose results it reads, and who reads its; ascending, without cycles.
struct Dag {
    std::vector<std::vector<int>> before, after;

    int nodes() const { return static_cast<int>(before.size()); }
};

// Weakly connected, and no path leaves it and comes back.
bool is_candidate(const Dag& dag, const FusionGroup& kernel);

// Candidates, small ones first, of equal size ascending.
struct Candidates {
    std::vector<FusionGroup> kernels;
    std::size_t most_nodes = 0;  // all of so many nodes or fewer are there, and no others
};
// The weakly connected parts.
std::vector<FusionGroup> connected_parts(const Dag& dag);

// All of at most `most_nodes` nodes; of fewer where those are more than `limit`.
Candidates all_candidates(const Dag& dag, std::size_t most_nodes, std::size_t limit);

// Nodes so that each comes after those that it reads, the lowest first where there is a choice.
std::vector<int> topological_order(const Dag& dag);

struct PlainGraph;

struct Problem : Dag {
    Problem() = default;
    // The costs of a plain graph, which has to outlive the problem.
    Problem(const PlainGraph& graph);  // NOLINT(google-explicit-constructor): a graph is a problem

    // Of a candidate; kNever: it cannot be built.
    std::function<double(const FusionGroup& kernel)> cost;
    // Whether it is one launch when it is built: ways that join whatever may be one kernel ask this. The
    // fusion of many operators often leaves several launches.
    std::function<bool(const FusionGroup& kernel)> can_fuse;
    std::function<double(const FusionGroup& kernel)> bytes;  // that it moves at least
    // At most the cost, in less time than the cost takes.
    std::function<double(const FusionGroup& kernel)> bound;
    // Neither it nor any kernel that holds it can be built.
    std::function<bool(const FusionGroup& kernel)> too_large;
    // Larger ones are not looked at by ways that try many.
    std::size_t most_nodes = std::numeric_limits<std::size_t>::max();
    const StopSign* stop = &kNeverStop;  // outlives it; long searches end with what they have while it is up
    // No plan of these nodes costs less.
    std::function<double(const std::vector<int>& nodes)> least;
    // By node: two that have the same number here cost the same in kernels that are the same otherwise, in
    // whatever order they read. Empty: nothing is known of that, as of programs, where it is not said.
    std::vector<int> alike;
};

}  // namespace blockscope::plan
