// A plan that somebody changes by hand: an operator goes to another kernel, and what that costs.
#pragma once

#include "app/worker/program_plan.h"

namespace blockscope::worker {

struct MovedPlan {
    plan::Plan plan;    // kernels in an order in which they can run; none if it cannot be built
    Text why_not = {};  // then why
};

// `node` goes to the kernel of `other`, or becomes one of its own where `other` is -1. What is left of its
// kernel falls into its connected parts. Costs that are not known yet are searched.
MovedPlan move_operator(KernelCosts& costs, const plan::Plan& plan, int node, int other);

}  // namespace blockscope::worker
