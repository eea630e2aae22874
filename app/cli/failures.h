// Exit codes (docs/cli.md), the failures that end a command early, and how they are said.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/support/result.h"

namespace blockscope::cli {

enum ExitCode : int {
    kFine = 0,
    kInternal = 1,
    kUsage = 2,
    kBadInput = 3,
    kMismatch = 4,
    kNoDevice = 5,
    kTimeout = 6,
    kPartial = 7,
    kInterrupted = 130,
};

// The arguments ask for something that is not there (a step, a rule, a node), or for a file that cannot be
// written.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// There is no such device, or no worker that could measure on it.
class NoDevice : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// A file that is no program. `text` is its contents as far as they could be read.
class BadInput : public std::runtime_error {
public:
    BadInput(Problems problems, std::string text = {})
        : std::runtime_error("bad input"), problems_(std::move(problems)), text_(std::move(text)) {}

    const Problems& problems() const { return problems_; }
    const std::string& text() const { return text_; }

private:
    Problems problems_;
    std::string text_;
};

// Says the sentence on stderr, with `json` as an envelope on stdout, too, and returns the code.
int fail(int code, const std::string& sentence, bool json);

// The exit code of a command that may fail in any of the known ways; what failed is said. What it has printed
// is on stdout then, or it has failed for that.
int guarded(const std::function<int()>& command, bool json);

}  // namespace blockscope::cli
