// Array programs as short texts, one line per operator, for tables of expectations.
#pragma once

#include <string>

#include "core/program/array_program.h"

namespace blockscope {

// "S [M, N] bf16 = elementwise x0*(DD**-0.5) (%4)"; inputs of the Array source are left out.
std::string structure(const ArrayProgram& program);

}  // namespace blockscope
