// What the taxonomy of fusion and the PTO guide say of some operators of a program on a device: the guide's
// estimate on predicted times, the rules and the checklist for every two that an edge joins; and beside them
// what the best state of all of them as one kernel takes.
#pragma once

#include <vector>

#include "app/worker/program_plan.h"
#include "core/plan/benefit.h"
#include "core/plan/legality.h"

namespace blockscope::worker {

// With local memory as the best state of each operator alone takes it.
plan::NamedGraph named_graph(GroupCosts& costs);
// Local memory is what the device has: two operators fit if they have block sizes as one kernel that do. The
// costs outlive this.
plan::LegalityOptions legality_on(GroupCosts& costs);

struct EdgeVerdicts {
    int from = 0, to = 0;  // nodes
    std::vector<plan::Verdict> rules, checks;
    std::vector<Text> warnings = {};
};

struct ProgramBenefit {
    plan::BenefitQuestion question;  // compute, memory and launch of each, in seconds
    plan::Benefit guide;
    double separate = 0;              // predicted: as a kernel each,
    double together = plan::kNever;   // and as one; kNever: that cannot be built,
    Text why_not = {};                // for this reason;
    std::string state = {};           // the state of that one, the best,
    int launches = 0;                 // and its launches
    std::vector<EdgeVerdicts> edges;  // among them
};

// `operators` are nodes, ascending. The guide's terms are the model's: compute is matrix, vector and special
// functions, memory what global memory or the cache before it takes; the model lets them overlap, the guide
// adds them up.
ProgramBenefit benefit_of(GroupCosts& costs, const plan::FusionGroup& operators);

}  // namespace blockscope::worker
