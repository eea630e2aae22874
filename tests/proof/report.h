// A failing random program, reduced and as text.
#pragma once

#include <string>

#include "tests/proof/check.h"

namespace blockscope {

// The seed, the failure, the reduced program (text language, or outline of the block program) and how the
// reduced program fails. Takes seconds.
std::string failure_report(std::uint64_t seed, const Failure& failure, const CheckOptions& options);

}  // namespace blockscope
