// The best group sizes of an algorithm under a memory limit, searched: for programs without a closed form,
// and for sizes that have to be whole.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagram/place.h"
#include "core/diagram/resources.h"
#include "core/napkin/levels.h"

namespace blockscope::circuit {

struct BestGroups {
    Plan plan;
    double transferred = 0;  // H, values
    double memory = 0;       // of the widest column, values
};

// The plan like `plan` with the group sizes (powers of two, or the whole axis) that transfer least among
// those whose widest column holds at most `limit` values; of equal ones that with the least memory. Streams
// keep their sizes. Empty if none fits, or if the plan itself is not possible.
std::optional<BestGroups> best_groups(const Flow& flow, const Plan& plan, double limit);

// The law with all sizes but those of groups put in, as sums of sizes are numbers then; none if that has no
// law either.
std::optional<PowerLaw> law_of_numbers(const Resources& resources, const Values& at,
                                       const std::vector<std::string>& groups);

// An axis that is split among groups: its part as the formulas of a diagram name it, and its size.
struct GroupAxis {
    std::string symbol;      // "g_M"
    std::int64_t whole = 1;  // size of the axis
};
std::vector<GroupAxis> group_axes(const Flow& flow, const Plan& plan);

// H* at these sizes with no group larger than its axis. `streams` are symbols, as in power_law. None where
// Equation 4 has no solution with the sizes put in.
std::optional<algebra::ClippedLaw> clipped_law(const Resources& resources,
                                               const std::vector<GroupAxis>& groups,
                                               const std::vector<std::string>& streams, const Values& at);

// The diagram of a flow's natural plan with streams of 1, its resources and, where there is one, its power
// law.
struct Analysis {
    Plan plan;
    Circuit circuit;
    Resources resources;
    std::optional<PowerLaw> law;
    Text no_law;  // why there is none
};
Analysis analyse(const Flow& flow, const Plan& plan);

// ---- The multi-level sum of Section 4.2 (Equation 2), where each level has group sizes of its own.

// One level with the groups that move least into it. Its tiles lie in those of the level around it (Figures
// 20 and 24), so that no group is larger than there.
struct LevelPlan {
    ByteLevel level;
    double values = 0;  // that one instance holds
    // By group of the algorithm: its symbol and size. Empty with `fits` false: not even single rows fit.
    std::vector<std::pair<std::string, std::int64_t>> groups = {};
    bool fits = false;
    double transferred = 0;  // H into all instances together, values
    double memory = 0;       // M at these sizes
    double seconds = 0;      // w_l H: bytes over the bandwidth at which the level is fed
};

struct LevelPlans {
    std::vector<LevelPlan> levels;  // outermost first
    std::optional<double> seconds;  // Σ w_l H_l; none if nothing fits into some level
};

// Sizes, powers of two or the whole axis, that transfer least within `limit` values.
struct GroupSizes {
    std::vector<std::int64_t> sizes;  // by group
    double transferred = 0, memory = 0;
};
// `at` has the other symbols' values. Of equal sizes those with the least memory. None if nothing fits.
std::optional<GroupSizes> best_sizes(const Resources& resources, const std::vector<GroupAxis>& groups,
                                     const Values& at, double limit);

// `resources` are those of a two-level diagram whose formulas have the groups' symbols; `bytes` per value.
LevelPlans level_plans(const Resources& resources, const std::vector<GroupAxis>& groups, const Values& at,
                       const std::vector<ByteLevel>& levels, double bytes);

}  // namespace blockscope::circuit
