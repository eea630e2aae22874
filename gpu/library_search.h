// Where a library was looked for on this machine, and why it was not opened.
#pragma once

#include <dlfcn.h>
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

// What the dynamic linker says of a library that it did not open.

// Right after dlopen failed; without the path that it begins with, which is said beside it.
inline std::string linker_words(const std::string& path) {
    std::string words = dlerror();
    if (words.rfind(path + ": ", 0) == 0) words.erase(0, path.size() + 2);
    return words;
}

}  // namespace blockscope::gpu
