// Questions about operators: which two may be one kernel, by the rules of the taxonomy of fusion and the PTO
// guide's checklist; and what fusing brings, by the guide's estimate. Of graphs and numbers that somebody
// writes down in JSON, or of a program's operators on a device.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace blockscope::cli {

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

}  // namespace blockscope::cli
