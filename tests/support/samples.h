// The programs under samples/.
#pragma once

#include <string>
#include <vector>

#include "core/fusion/trace.h"
#include "core/graph/graph.h"
#include "core/program/array_program.h"

namespace blockscope::test {

// Names without folder and ".bp", in order.
std::vector<std::string> sample_names();
// Without those that differ from one before in their sizes only, as most of MCFuser's do: for tests that no
// size decides.
std::vector<std::string> distinct_samples();
std::string sample_text(const std::string& name);
// Throws std::runtime_error with the problems if the sample is not valid.
ArrayProgram read_sample(const std::string& name);
// Its block program, and the whole run of the algorithm on it: made once in a process and shared by its
// tests.
ProgramPtr block_sample(const std::string& name);
const Trace& sample_trace(const std::string& name);

// These sizes of the program's dimensions, made even and in longer blocks where its operators need that.
template <class Program>
DimTable fitted(DimTable dims, const Program& program) {
    const BlockNeeds needs = block_needs(program);
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (need_of(needs, i) != BlockNeed::Any) dims[i].size += dims[i].size % 2;
    meet_needs(dims, needs);
    return dims;
}

// For names of parameterised tests: letters, digits and underscores only.
std::string test_name(const std::string& name);

}  // namespace blockscope::test
