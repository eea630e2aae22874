// Block sizes to measure: what `tune` and the window try.
#pragma once

#include <vector>

#include "app/worker/session.h"

namespace blockscope::worker {

// The task with its own block sizes first, then the `top` choices that are predicted to be fastest on
// `machine`: by the time model if it was calibrated, else by the block search alone.
std::vector<Task> tuning_candidates(const Task& task, const measure::Machine& machine, int top);

// The record with the least warm median; null if none has a time.
const measure::Record* fastest(const std::vector<measure::Record>& records);

}  // namespace blockscope::worker
