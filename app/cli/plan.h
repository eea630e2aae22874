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

// The decisions about a plan that the user gives on the command line (--pin, --apart), and how a search
// decides step by step (--steps), for programs and for plain graphs.

struct PlanDecisionArguments {
    std::vector<std::string> pin;    // "A,B,C": one kernel
    std::vector<std::string> apart;  // "A:B": not in one kernel
    std::string steps;               // a name of plan::stepped_ways()
};

// Throws UsageError for an unknown operator, or if no plan obeys the decisions.
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
    std::string way;            // the search whose kernels are shown and written; empty: the best one
    std::string output;         // the folder for the kernels' programs; empty: none is written
    bool run = false;           // runs the plans on this machine's CPU, for which they are made then
    std::optional<int> rounds;  // of running every plan once, in turns, or a kernel; none: kUsualRounds
    bool measure = false;       // measures the kernels on this machine's CPU and decides by the times
    double seconds = 0;         // the search's time limit, after which it keeps the plans so far; 0: none
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
    std::string solution;  // the file of a schedule to rate; empty: the command looks for one
    std::string output;    // the file for the schedule that it finds
    bool json = false;
};

int contest_command(const ContestArguments& arguments);

}  // namespace blockscope::cli
