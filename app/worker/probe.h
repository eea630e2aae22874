// What this machine is, and what it is doing right now.
#pragma once

#include <string>

#include "core/measure/machine.h"

namespace blockscope::worker {

measure::Machine this_machine();
measure::Conditions current_conditions();
// "2026-01-31T12:34:56Z"
std::string utc_now();

// The clock of the core that runs this, in GHz, by a chain of dependent additions of about a millisecond,
// which take a cycle each; 0 on processors for which this is not written.
double clock_ghz();

}  // namespace blockscope::worker
