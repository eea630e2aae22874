// Static counts against what the listing does when it is executed: by the tests' reader of its text, which
// knows nothing of the lowering, and by the interpreter of loop programs.
#pragma once

#include <string>

#include "core/state/state.h"

namespace blockscope::test {

// A program as it is, in both forms of its loops, which are made once for all that is asked of them.
struct BothLoops {
    explicit BothLoops(const ProgramPtr& program);
    explicit BothLoops(BlockProgram program);

    State built;
    State paper;
};

// Empty if the static counts of the program are what execution counts, else a sentence.
std::string count_difference(const BothLoops& program);

// Empty if every quantity's derivation adds up to the count, its formula included, else a sentence.
std::string derivation_difference(const BothLoops& program, const BothLoops& unfused);

}  // namespace blockscope::test
