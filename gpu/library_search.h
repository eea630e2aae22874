// What was looked for on this machine, and what came of it.
#pragma once

#include <string>
#include <vector>

namespace blockscope::gpu {

struct Search {
    struct Attempt {
        std::string path;
        std::string outcome;  // "opened", or the dynamic linker's words
    };
    std::vector<Attempt> attempts;
    std::string found;  // the path that was opened; empty if none was

    // "  PATH: OUTCOME" a line.
    std::string lines() const;
};

}  // namespace blockscope::gpu
