// Where NVRTC may be.
#pragma once

#include <string>
#include <vector>

namespace blockscope::gpu {

// A library and the built-ins that it opens itself by bare name: unless the linker's cache lists
// those, they have to be opened first, by path.
struct Candidate {
    std::string library;
    std::string builtins;  // empty: where the linker finds it
};

// $BLOCKSCOPE_NVRTC (a library or a folder) alone if it is set. Else, in order: the program's own folder and
// the folder lib beside it, $CUDA_PATH and $CUDA_HOME, /usr/local/cuda and its versions (newest first),
// Python's nvidia packages, then bare names.
std::vector<Candidate> nvrtc_candidates();

}  // namespace blockscope::gpu
