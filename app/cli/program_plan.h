// blockscope-cli plan FILE: which kernels to build of a program on a device (app/worker/program_plan.h).
#pragma once

#include <string>

#include "app/cli/plan_decisions.h"

namespace blockscope::cli {

struct ProgramPlanArguments {
    std::string file;
    std::string device;    // a name or a description's file; empty: as cost and codegen have it
    std::string way;       // whose kernels are shown and handed over; empty: the best one's
    std::string output;    // a folder that takes what the kernels are built of; empty: none
    bool run = false;      // on this machine's processor, for which the plans are then
    int rounds = 9;        // of running every plan once, in turns, or a kernel
    bool measure = false;  // kernels of plans on this machine's processor, and decide by that
    double seconds = 0;    // after which the search ends with the best plan so far; 0: when it is done
    bool json = false;
    PlanDecisionArguments decisions = {};
};

// Throws UsageError, BadInput.
int program_plan_command(const ProgramPlanArguments& arguments);

}  // namespace blockscope::cli
