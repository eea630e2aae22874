// What a fuzz target promises beyond not crashing.
#pragma once

#include <string>

#include "core/support/result.h"

namespace blockscope::fuzz {

inline void require(bool condition, const std::string& what) {
    if (!condition) throw InternalError("fuzz target: " + what);
}

// A refusal says something, of the file that was read.
template <class T>
void require_reasons(const Result<T>& result, const std::string& file) {
    require(!result.problems().empty(), "a refusal without problems");
    for (const Problem& problem : result.problems()) {
        require(!problem.message.empty() && problem.place.file == file, "a problem without message or file");
    }
}

}  // namespace blockscope::fuzz
