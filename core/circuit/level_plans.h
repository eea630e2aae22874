// The multi-level sum of Section 4.2 (Equation 2) with group sizes of each level's own.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/circuit/levels.h"
#include "core/circuit/optimum.h"

namespace blockscope::circuit {

// One level with the groups that move least into it. Its tiles lie in those of the level around it (Figures
// 20 and 24), so that no group is larger than there.
struct LevelPlan {
    ByteLevel level;
    double values = 0;  // that one instance holds
    // By group of the algorithm: its symbol and size. Empty with `fits` false: not even single rows fit.
    std::vector<std::pair<std::string, std::int64_t>> groups;
    bool fits = false;
    double transferred = 0;  // H into all instances together, values
    double memory = 0;       // M at these sizes
    double seconds = 0;      // w_l H: bytes over the bandwidth at which the level is fed
};

struct LevelPlans {
    std::vector<LevelPlan> levels;  // outermost first
    std::optional<double> seconds;  // Σ w_l H_l; none if nothing fits into some level
};

// The axes that are split among groups, as the formulas of a diagram name their parts, and their sizes.
struct GroupAxis {
    std::string symbol;      // "g_M"
    std::int64_t whole = 1;  // size of the axis
};
std::vector<GroupAxis> group_axes(const Flow& flow, const Plan& plan);

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
