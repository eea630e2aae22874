// A device for tests: computes with the float64 interpreter, tells times that follow from the program's
// counts, and breaks where it is told to.
#pragma once

#include <memory>
#include <string>

#include "core/measure/backend.h"

namespace blockscope::worker {

// `spec`: words set apart by commas. FAULT@WHEN, where WHEN is prepare, check (the two runs of a check),
// measure (all later runs) or calibrate, and FAULT is
//   crash, exit      ends the process (by a signal, with code 3)
//   hang             never returns
//   slow             takes 300 ms more
//   compile, launch, illegal, oom    reports this failure
//   wrong, nan       gives a wrong result (from check on)
//   garbage          writes a line that is no message
//   partial          writes half a message and ends the process
// run=MS makes each run really take MS milliseconds. once=FILE: faults happen only if FILE can be removed.
// Anything else is ignored.
std::unique_ptr<measure::Backend> fake_backend(const std::string& spec, int out);

}  // namespace blockscope::worker
