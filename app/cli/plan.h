// The parts of blockscope-cli plan: which kernels to build of a program on a device
// (app/worker/program_plan.h), decisions on a plain graph, the questions `legality` and `benefit`, and
// schedules of a contest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/envelope.h"
#include "app/cli/terminal.h"
#include "core/plan/decisions.h"
#include "core/plan/problem.h"

namespace blockscope::cli {

// What somebody decides of a plan on the command line, and how ways decide step by step: --pin, --apart and
// --steps of blockscope-cli plan, of programs and of plain graphs.

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

constexpr int kUsualRounds = 9;

struct ProgramPlanArguments {
    std::string file;
    std::string device;         // a name or a description's file; empty: as cost and codegen have it
    std::string way;            // whose kernels are shown and handed over; empty: the best one's
    std::string output;         // a folder that takes what the kernels are built of; empty: none
    bool run = false;           // on this machine's processor, for which the plans are then
    std::optional<int> rounds;  // of running every plan once, in turns, or a kernel; none: kUsualRounds
    bool measure = false;       // kernels of plans on this machine's processor, and decide by that
    double seconds = 0;         // after which the search ends with the plans so far; 0: when it is done
    bool json = false;
    PlanDecisionArguments decisions = {};
};

// Throws UsageError, BadInput.
int program_plan_command(const ProgramPlanArguments& arguments);

// Questions about operators: which two may be one kernel, by the rules of the taxonomy of fusion and the PTO
// guide's checklist; and what fusing brings, by the guide's estimate. Of graphs and numbers that somebody
// writes down in JSON, or of a program's operators on a device.

struct PlanQuestionArguments {
    std::string file;
    std::string device;     // of programs
    std::string operators;  // "A,B": of programs; empty: all
    std::optional<double> local_bytes;
    bool training = false;
    bool json = false;
};

// With up to nine digits.
std::string number(double value);

// Throw UsageError, BadInput.
int legality_command(const PlanQuestionArguments& arguments);
int benefit_command(const PlanQuestionArguments& arguments);

// blockscope-cli plan contest: a schedule for a problem of the MLSys 2026 graph scheduling contest, or what a
// given one costs.

struct ContestArguments {
    std::string problem;
    std::string solution;  // none: one is found
    std::string output;    // where a found one is written
    bool json = false;
};

int contest_command(const ContestArguments& arguments);

}  // namespace blockscope::cli
