// A state as CUDA: source text, the arrays that it works on, and the launches in order (docs/gpu.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/loops/loop_program.h"
#include "core/support/result.h"

namespace blockscope::gpu {

enum class Target : std::uint8_t {
    F32,  // no tensor cores, float32 arithmetic; sm_75 and later
};
std::string to_string(Target target);  // "f32"

struct CodegenOptions {
    Target target = Target::F32;
    int threads = 0;  // of a thread block, a multiple of 32; 0: by the size of the blocks
};

// An array in the device's memory, row-major: inputs and outputs as the program declares them, intermediates
// as lists of whole blocks.
struct DeviceArray {
    enum class Kind : std::uint8_t { Input, Output, Intermediate, Workspace };
    Kind kind = Kind::Intermediate;
    std::string name;  // as the program declares it; "t3" for a temporary that outlives a kernel
    ElemType elem = ElemType::F32;
    std::vector<std::int64_t> shape;
    std::int64_t elements = 1;
    int buffer = -1;  // of the loop program; -1 for a workspace
};

struct Launch {
    std::string kernel;
    std::int64_t tiles = 1;  // thread blocks
    int shared_bytes = 0;
    std::vector<int> arrays;  // the kernel's parameters: pointers to these
    NodeId node;              // the top-level operator
};

struct SourceLine {
    std::string text;
    NodeId node;  // what it does; NodeId{0} for lines that are nobody's
};

struct KernelSet {
    Target target = Target::F32;
    int threads = 256;
    std::vector<SourceLine> lines;  // of the kernels, without the tile library
    std::vector<DeviceArray> arrays;
    std::vector<Launch> launches;
};

// What cannot be generated is a problem that says which operator (a line of the listing, a node) and why.
Result<KernelSet> generate(const LoopProgram& program, const CodegenOptions& options = {});

// The kernels as one text that a CUDA compiler takes: settings, tile library, kernels. The first line of
// `lines` is line first_line(set) of it, counted from 1.
std::string source(const KernelSet& set);
int first_line(const KernelSet& set);

// The same with a host main() that fills the inputs with random numbers, runs all launches, times them and
// prints a checksum of each output: nvcc makes a program of it.
std::string standalone_source(const KernelSet& set);

// Settings and tile library, which the kernels follow.
std::string prelude(const KernelSet& set);

}  // namespace blockscope::gpu
