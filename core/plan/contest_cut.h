// The best tiles of one step of a contest's schedule (contest_search.h).
#pragma once

#include "core/plan/contest_step.h"
#include "core/plan/problem.h"

namespace blockscope::plan {

struct ContestCut {
    Granularity granularity;
    std::optional<std::vector<int>> order{};
    double latency = kNever;  // kNever: nothing fits
};

// Of all sizes that divide the results, row by row or, where there are few tiles, in a snake.
ContestCut best_cut(const ContestProblem& problem, const ContestGroup& group, const Residents& residents);

// No cut of these operators, or of a schedule of them, takes less: every native tile once, and what comes
// from outside and leaves once.
double least_latency(const ContestProblem& problem, const std::vector<int>& operators);

}  // namespace blockscope::plan
