// blockscope-cli plan contest: a schedule for a problem of the MLSys 2026 graph scheduling contest, or what a
// given one costs.
#pragma once

#include <string>

namespace blockscope::cli {

struct ContestArguments {
    std::string problem;
    std::string solution;  // none: one is found
    std::string output;    // where a found one is written
    bool json = false;
};

int contest_command(const ContestArguments& arguments);

}  // namespace blockscope::cli
