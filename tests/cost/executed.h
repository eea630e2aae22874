// Static counts against what the listing does when it is executed: by the tests' reader of its text, which
// knows nothing of the lowering, and by the interpreter of loop programs.
#pragma once

#include <string>

#include "core/cost/counts.h"
#include "tests/support/listing_reader.h"

namespace blockscope::test {

reader::Work executed(const BlockProgram& program);

// Empty if the static counts of `program` are what execution counts, else a sentence.
std::string count_difference(const BlockProgram& program);

// Empty if every quantity's derivation adds up to the count, its formula included, else a sentence.
std::string derivation_difference(const BlockProgram& program, const BlockProgram& unfused);

}  // namespace blockscope::test
