// Amounts for people, and sizes from the command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/graph.h"

namespace blockscope::cli {

std::string bytes_text(std::int64_t bytes);  // "48 B", "1.50 MB", "4.29 GB": powers of ten
std::string count_text(std::int64_t count);  // "4096", "17.2 G"
std::string ratio_text(double ratio);        // "1.00", "63.8"

// "snapshot 3 does 6.5 times the operations of step 0 at these block sizes; tune looks for better ones" with
// a line break, of states that do over a tenth more; else nothing. Such a state may lose against the unfused
// program only for its block sizes.
std::string repeats_note(const std::string& state, double replication);

// The program with other sizes: each of `sizes` is NAME=SIZE or NAME=SIZE/BLOCK. Without BLOCK the block
// stays, or shrinks to the size. Throws UsageError with what is wrong.
ProgramPtr resized(const ProgramPtr& program, const std::vector<std::string>& sizes);

}  // namespace blockscope::cli
