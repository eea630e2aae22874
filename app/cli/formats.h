// States in the formats that other programs read.
#pragma once

#include <ostream>
#include <string>

#include "app/cli/run.h"

namespace blockscope::cli {

std::string print_state(const BlockProgram& program, Format format);

// The states that `shown` names; several are set apart by a comment line in the format's own syntax,
// and in JSON they are one trace.
void print_states(std::ostream& out, const Trace& trace, const Shown& shown, Format format);

}  // namespace blockscope::cli
