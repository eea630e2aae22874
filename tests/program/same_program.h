// Equality of array programs, places apart.
#pragma once

#include <string>

#include "core/program/array_program.h"

namespace blockscope {

// Empty if the programs are the same, else where they differ first.
std::string difference(const ArrayProgram& a, const ArrayProgram& b);

}  // namespace blockscope
