// Problems as a person reads them: place, sentence, the line at fault.
#pragma once

#include <ostream>
#include <string>

#include "app/cli/terminal.h"
#include "core/support/result.h"

namespace blockscope::cli {

// `text` is the input that they are about; empty if there is none.
void print_problems(std::ostream& out, const Problems& problems, const std::string& text, const Style& style);

}  // namespace blockscope::cli
