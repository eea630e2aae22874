// Failures of commands: exit codes, what is said, and where.
#pragma once

#include <functional>
#include <string>

#include "core/support/result.h"

namespace blockscope::cli {

// Says the sentence on stderr, with `json` as an envelope on stdout, too, and returns the code.
int fail(int code, const std::string& sentence, bool json);

// The exit code of a command that may fail in any of the known ways; what failed is said.
int guarded(const std::function<int()>& command, bool json);

}  // namespace blockscope::cli
