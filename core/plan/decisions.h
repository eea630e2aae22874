// Decisions that somebody has made already: kernels that are as they are, operators that are not in one
// kernel. The ways of deciding solve the rest.
//
//     Decisions made;
//     made.kernels = {{0, 1, 2}};                      // these are one kernel, alone
//     made.apart = {{4, 5}};                           // these are not in one
//     if (!problem_with(graph, made))
//         Plan plan = decided_plan(problem, made, *find_way("exact"));
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/plan/ways.h"
#include "core/support/result.h"
#include "core/support/text.h"

namespace blockscope::plan {

struct Decisions {
    std::vector<FusionGroup> kernels;
    std::vector<std::pair<int, int>> apart;

    bool none() const { return kernels.empty() && apart.empty(); }
};

// Why no plan obeys them, whatever kernels cost; nodes by these names.
std::optional<Text> problem_with(const Dag& dag, const Decisions& made,
                                 const std::vector<std::string>& names);

// A plan that obeys them: each kernel that is decided becomes a node of a smaller problem, which the way
// solves. They have no problem.
Plan decided_plan(const Problem& problem, const Decisions& made, const Way& way);

// "a,b,c": nodes of these names, for a kernel; "a:b", two that stay apart.
Result<FusionGroup> read_kernel(const std::string& text, const std::vector<std::string>& names);
Result<std::pair<int, int>> read_pair(const std::string& text, const std::vector<std::string>& names);

}  // namespace blockscope::plan
