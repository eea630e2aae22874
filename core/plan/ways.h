// Ways of deciding which operators become one kernel. Every way gives kernels that hold each
// node once, are weakly connected, and can be launched one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/plan/problem.h"
#include "core/support/text.h"

namespace blockscope::plan {

struct Plan {
    double value = kNever;             // the sum of the kernels' costs; kNever: nothing fits
    std::vector<FusionGroup> kernels;  // in an order in which they can run; empty if nothing fits
    bool optimal = false;              // proven: no plan costs less
    std::int64_t states = 0;           // remainders that the search looked at
    double bound = 0;                  // no plan costs less than this
    bool stopped = false;              // by the problem's sign: then it is what was found until then
    std::string bounded;               // what kept it from being proven: "kernels of at most 8 operators"
    std::int64_t effort = 0;           // that the search took
};

struct NamedPlan {
    std::string way;  // "greedy"
    Plan plan;
};

// How far a search goes, with all sizes of kernels that it tries: nodes of candidates and of remainders that
// it looks at, some seconds' worth.
constexpr std::int64_t kEffort = 300'000'000;

// The least value. Dynamic programming over what remains to be built, split into its weakly connected parts,
// which do not know of each other. Never worse than a plan that is `known`; without one it
// begins with the greedy ways, and of few operators with everything as one kernel.
Plan exact_plan(const Problem& problem, std::int64_t effort = kEffort,
                const std::vector<NamedPlan>& known = {});
// Two kernels become one as long as that saves something: the pair that saves most first, of equal ones that
// with the lowest nodes. What rounding makes of savings does not count: 1e-12 of the costs that they are of.
// Told to stop, it has what it had joined until then, and so has the next way.
Plan greedy_plan(const Problem& problem);
// As the taxonomy of fusion tells of TorchInductor: every edge in topological order, fused at once where that
// closes no cycle and is one launch that fits, whatever it saves.
Plan edge_greedy_plan(const Problem& problem);
// As it tells of XLA, whose colours are kernels: the fewest kernels that are one launch each, or one
// operator; of these the least traffic.
Plan fewest_kernels_plan(const Problem& problem, std::int64_t effort = kEffort,
                         const std::vector<NamedPlan>& known = {});
Plan one_kernel_each(const Problem& problem);
// All of every weakly connected part.
Plan one_kernel(const Problem& problem);

// Kernels that were decided elsewhere, in an order in which they can run; they hold every node once.
Plan plan_of(const Problem& problem, std::vector<FusionGroup> kernels);

// What the ways find that search nothing.
std::vector<NamedPlan> quick_plans(const Problem& problem);
// Adds what the fewest and the exact way find. Both begin with the plans that are there, and share the
// effort.
void add_searched(const Problem& problem, std::int64_t effort, std::vector<NamedPlan>& plans);
// What all of ways() find, in that order. So no plan is better than the exact one.
std::vector<NamedPlan> plans_of_ways(const Problem& problem, std::int64_t effort = kEffort);

struct Way {
    const char* name;  // as JSON has it: "exact"
    std::function<Plan(const Problem& problem)> decide;
};
const std::vector<Way>& ways();
// Null: none of this name.
const Way* find_way(const std::string& name);

// What ways are called, in the order in which the window has them: also those of programs alone
// (app/worker/program_plan.h), and plans in which somebody has decided something (decisions.h).
struct WayTitle {
    const char* name;
    Text title;  // "largest saving first"
};
const std::vector<WayTitle>& way_titles();
// Of one; a name that has no row is its own title.
Text way_title(const std::string& name);

}  // namespace blockscope::plan
