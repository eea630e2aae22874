// Where NVRTC may be.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/support/result.h"
#include "gpu/library_search.h"

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

// NVRTC, opened when it is first wanted and never linked. Nothing here needs a GPU.

// One kernel as ptxas reports it.
struct KernelReport {
    std::string kernel;
    int registers = 0;
    int spill_stores = 0;  // bytes
    int spill_loads = 0;
    int stack = 0;
    int shared_bytes = 0;  // static
};

struct Compiled {
    std::vector<char> cubin;
    std::vector<KernelReport> kernels;
    std::vector<std::string> warnings;
    std::string log;     // all of it
    double seconds = 0;  // that compiling took, whenever that was
    bool from_cache = false;
};

class Nvrtc {
public:
    // Looks in the usual places. The search is kept, whether it succeeds or not. `driver_version` is the
    // newest CUDA that this machine's driver runs (12040; 0: not known): a compiler of a newer major version
    // is taken only where there is no other, as the driver may not load what it makes.
    static Nvrtc open(int driver_version = 0);

    explicit operator bool() const { return library_ != nullptr; }
    const Search& search() const { return search_; }
    // For people: what was tried, and how to install what is missing.
    std::string report() const;
    std::string version() const;  // "13.0"
    std::vector<int> architectures() const;

    // What it is called with for an architecture.
    static std::vector<std::string> options(const std::string& architecture);
    // `architecture` is that of a card: "sm_80", "sm_90a". A failure is a problem with the compiler's log; a
    // warning that ptxas serialised tensor-core instructions is a failure, too.
    Result<Compiled> compile(const std::string& source, const std::string& architecture) const;

private:
    struct Library;
    int major() const;
    std::shared_ptr<const Library> library_;
    Search search_;
};

// "12.4" of 12040, as drivers tell their version.
std::string cuda_version(int number);

// Commands, any of which installs NVRTC.
std::vector<std::string> nvrtc_commands();

// What ptxas says of each kernel (--ptxas-options=-v), and warnings, among which is whatever costs speed.
std::vector<KernelReport> read_report(const std::string& log);
std::vector<std::string> read_warnings(const std::string& log);
// The one that says that wgmma instructions wait for each other; empty if there is none.
std::string serialised(const std::vector<std::string>& warnings);

// $XDG_CACHE_HOME/blockscope/cubin, or the folder that stands for it; empty if there is none.
std::string cubin_folder();

// CUBINs in a folder, by source, options (with the architecture) and version of the compiler.
class CubinCache {
public:
    explicit CubinCache(std::string folder) : folder_(std::move(folder)) {}
    // Compiles unless the same was compiled before. What cannot be written is compiled every time.
    Result<Compiled> compile(const Nvrtc& nvrtc, const std::string& source,
                             const std::string& architecture) const;

private:
    std::string folder_;
};

}  // namespace blockscope::gpu
