// What a fuzz target promises beyond not crashing.
#pragma once

#include <string>

#include "core/support/result.h"

namespace blockscope::fuzz {

inline void require(bool condition, const std::string& what) {
    if (!condition) throw InternalError("fuzz target: " + what);
}

// A refusal says something, of the file that was read or of a member of it ("model.pt2/models/model.json").
template <class T>
void require_reasons(const Result<T>& result, const std::string& file) {
    require(!result.problems().empty(), "a refusal without problems");
    for (const Problem& problem : result.problems()) {
        const std::string& place = problem.place.file;
        const bool of_file = place == file || place.compare(0, file.size() + 1, file + "/") == 0;
        require(!problem.message.empty() && of_file, "a problem without message or file");
    }
}

}  // namespace blockscope::fuzz
