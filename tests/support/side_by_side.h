// Programs as one that computes what each of them does, none knowing of the others.
#pragma once

#include <vector>

#include "core/program/array_program.h"

namespace blockscope::test {

// Dimensions and arrays of the second program have "_2" behind their names, and so on.
ArrayProgram side_by_side(const std::vector<ArrayProgram>& programs);

}  // namespace blockscope::test
