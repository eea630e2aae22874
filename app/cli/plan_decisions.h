// What somebody decides of a plan on the command line, and how ways decide step by step: --pin, --apart and
// --steps of blockscope-cli plan, of programs and of plain graphs.
#pragma once

#include <string>
#include <vector>

#include "app/cli/envelope.h"
#include "app/cli/terminal.h"
#include "core/plan/decisions.h"
#include "core/plan/problem.h"

namespace blockscope::cli {

struct PlanDecisionArguments {
    std::vector<std::string> pin;    // "A,B,C": one kernel
    std::vector<std::string> apart;  // "A:B": not in one kernel
    std::string steps;               // a name of plan::stepped_ways()
};

// Throws UsageError where a name is none, or no plan obeys them.
plan::Decisions decisions_of(const PlanDecisionArguments& arguments, const plan::Dag& dag,
                             const std::vector<std::string>& names);

std::vector<std::string> stepped_way_names();
// The decisions of --steps, as text or in JSON. Throws UsageError for graphs of too many operators.
void print_steps(const plan::Problem& problem, const std::vector<std::string>& names, const std::string& way,
                 const Style& style);
Json steps_json(const plan::Problem& problem, const std::vector<std::string>& names, const std::string& way);

}  // namespace blockscope::cli
