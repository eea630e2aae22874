// Runs the real executable.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/text_cases.h"

namespace blockscope::test {

struct Outcome {
    int code = -1;  // exit code; 128 + signal if a signal ended it
    std::string out;
    std::string err;
};
void PrintTo(const Outcome& outcome, std::ostream* to);

// Ended with `code`, and its output holds all of `out`, its messages all of `err`.
testing::Matcher<const Outcome&> ends(int code, const std::vector<std::string>& out,
                                      const std::vector<std::string>& err = {});

// `environment` holds NAME=VALUE entries on top of an environment without NO_COLOR and CLICOLOR_FORCE.
Outcome run_cli(const std::vector<std::string>& arguments, const std::string& input = {},
                const std::vector<std::string>& environment = {});

// The same with `file` as stdout, which is not truncated; with a stdout that is closed if it is empty.
Outcome run_cli_into(const std::string& file, const std::vector<std::string>& arguments);

// The same with a pseudo-terminal as stdin, stdout and stderr; everything it prints is in `out`.
Outcome run_in_terminal(const std::vector<std::string>& arguments, int columns,
                        const std::vector<std::string>& environment = {});

// Starts it with a stdin that never ends, waits until it reads, sends `signal`, and returns the exit code.
int interrupted_by(const std::vector<std::string>& arguments, int signal);

std::string sample(const std::string& name);       // path of samples/NAME
std::string source_file(const std::string& name);  // contents of a file of the repository

}  // namespace blockscope::test
