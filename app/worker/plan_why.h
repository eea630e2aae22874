// Why two operators of a program are, or are not, one kernel of a plan: what the other choice would cost, or
// what stands against it.
//
// And the plan with one operator in another kernel.
//
//     why_of(costs, way.plan, matmul, softmax)    // apart: 2.1 ms; as one kernel they would take 2.4 ms
#pragma once

#include <string>
#include <vector>

#include "app/worker/program_plan.h"

namespace blockscope::worker {

struct PlanWhy {
    enum class Kind {
        Split,         // one kernel; `others` are its best two halves that part them
        NoSplit,       // one kernel, and no two halves that part them are kernels that can be built
        Union,         // two kernels; `others` is what they would be together
        NoUnion,       // two kernels, which together cannot be built: `why_not`
        Cycle,         // two kernels; what `through` is in reads of them and is read by them
        NothingShared  // two kernels, neither of which reads a result of the other
    };
    Kind kind = Kind::NothingShared;
    std::vector<plan::FusionGroup> kernels;  // of the plan: one, or first that of `a`, then that of `b`
    double seconds = 0, bytes = 0;           // of these: time, and what they move
    std::vector<plan::FusionGroup> others =
        {};  // halves in the order in which they run, or one; may be empty
    double other_seconds = plan::kNever, other_bytes = 0;
    int other_launches = 0;        // of `others` together
    int other_least_launches = 0;  // of Union: that any of its states has
    Text why_not = {};
    int node_between = -1;  // the operator through which one kernel of both would close a cycle; -1: none
    // An array that both kernels, or both halves, read: as index in ArrayProgram::ops; -1: none.
    int both_read = -1;
};

// `a` and `b` are two nodes; `plan` has kernels, which are built as these states. All that is told is
// searched as kernels of plans are.
PlanWhy why_of(GroupCosts& costs, const plan::Plan& plan, int a, int b, GroupState states = GroupState::Best);

// A plan that somebody changes by hand: an operator goes to another kernel, and what that costs.

struct MovedPlan {
    plan::Plan plan;    // kernels in an order in which they can run; none if it cannot be built
    Text why_not = {};  // then why
};

// `node` goes to the kernel of `other`, or becomes one of its own where `other` is -1. What is left of its
// kernel falls into its connected parts. Costs that are not known yet are searched.
MovedPlan move_operator(GroupCosts& costs, const plan::Plan& plan, int node, int other);

}  // namespace blockscope::worker
