// A schedule for the MLSys 2026 graph scheduling contest.
#pragma once

#include <string>

#include "core/plan/contest.h"
#include "core/plan/ways.h"

namespace blockscope::plan {

struct ContestPlan {
    ContestSchedule unfused;   // a step for each operator, cut in the best way; empty if one does not fit
    ContestSchedule fused;     // every operator once, nothing retained
    ContestSchedule schedule;  // with operators computed again and tensors retained where that saves time
    double unfused_cost = kNever, fused_cost = kNever, cost = kNever;
    bool optimal = false;  // proven of the fused one: no other steps, of operators that read each other's
                           // results, cost less in their best cuts
    std::string bounded;   // what kept it from being proven
};

// Never worse than unfused. Without steps where nothing fits.
ContestPlan contest_plan(const ContestProblem& problem, std::int64_t effort = kEffort / 10);

}  // namespace blockscope::plan
