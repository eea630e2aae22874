// What the dynamic linker says of a library that it did not open.
#pragma once

#include <dlfcn.h>

#include <string>

namespace blockscope::gpu {

// Right after dlopen failed; without the path that it begins with, which is said beside it.
inline std::string linker_words(const std::string& path) {
    std::string words = dlerror();
    if (words.rfind(path + ": ", 0) == 0) words.erase(0, path.size() + 2);
    return words;
}

}  // namespace blockscope::gpu
