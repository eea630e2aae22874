// A state as CUDA: source text, the arrays that it works on, and the launches in order (docs/gpu.md).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/cost/device.h"
#include "core/graph/type.h"
#include "core/loops/loop_program.h"
#include "core/support/result.h"
#include "core/support/stop_sign.h"

namespace blockscope {
struct StateWork;  // core/cost/kernel_work.h
}

namespace blockscope::gpu {

// The instruction wgmma.mma_async as functions. Its accumulators are so many operands of their own, for each
// number of columns another many, that the functions are written by a program.

// One instruction: operands of a type (f16, bf16, e4m3; f32 for tf32) by so many columns, 8 to 256.
using WgmmaShape = std::pair<ElemType, int>;

// The shapes that group_step (resources/cuda/wgmma.cuh) wants for a result of so many columns.
std::set<WgmmaShape> wgmma_shapes(ElemType elem, std::int64_t columns);

// Functions
//     wgmma<LEFT_TRANSPOSED, RIGHT_TRANSPOSED, FIRST>(T(), Size<N>(), upper, lower, left, right)
// for the left operand in shared memory and in registers.
std::string wgmma_functions(const std::set<WgmmaShape>& shapes);

enum class Target : std::uint8_t {
    F32,  // no tensor cores, float32 arithmetic; sm_75 and later
    // Products by mma.sync, operands by cp.async: the same code for all, which differ in shared memory.
    Sm80,
    Sm86,
    Sm89,
    Sm90,
    Sm90a,  // products by wgmma, operands by the bulk copy engine (TMA); elsewhere as for sm_80
    Sm100,
    Sm120,
};
std::string to_string(Target target);  // "f32", "sm_80"
std::vector<Target> all_targets();
std::optional<Target> target_named(const std::string& name);
bool has_tensor_cores(Target target);
bool has_warpgroups(Target target);  // wgmma and TMA
bool has_eight_bits(Target target);  // mma.sync of e4m3 and e5m2
int shared_limit(Target target);     // bytes that a thread block of it may have

// How a reduction's parts come together: in a workspace that a second launch reads, always in the same order;
// or by atomics where all of them are plain sums, in any order, so that last bits differ from run to run.
enum class Combine : std::uint8_t {
    ByModel,  // what is predicted to be fastest; without a prediction by a workspace
    Workspace,
    Atomics,  // where it is possible
};

// What of a program decides how all of its kernels are written. Of programs whose kernels stand in one set it
// is what they need together (joined()).
struct SetNeeds {
    bool tensor_cores = false;        // a product is for them
    bool in_float32 = false;          // a product is not
    bool coarse = true;               // no array has 32 bits
    bool half_masks = false;          // Generation::half_masks
    std::int64_t largest_block = 0;   // numbers of one in registers
    std::int64_t most_rows = 16;      // of a block
    std::int64_t most_numbers = 0;    // of blocks alive at once; of targets with tensor cores
    std::int64_t longest_vector = 0;  // along rows; 0: none
    bool operator==(const SetNeeds&) const = default;
};
SetNeeds joined(const SetNeeds& a, const SetNeeds& b);

struct CodegenOptions {
    Target target = Target::F32;
    int threads = 0;    // of a thread block, a multiple of 32; 0: by the size of the blocks
    bool tf32 = false;  // products of float32 by tensor cores, with operands of 11 significant bits
    int stages = 0;     // tiles of a load in shared memory at once, at most; 0: as many as suit
    // Reductions in parts that thread blocks of their own compute: 1 none, n that many wherever it is
    // possible, 0 as the model says for `device` (none without a device).
    int parts = 1;
    const Device* device = nullptr;
    Combine combine = Combine::ByModel;
    bool reference = true;  // with the lines of the plain target, for reference()
    // Without lines: the launches alone, for whoever predicts times. They name no arrays then, and no shapes
    // of instructions.
    bool text = true;
    // What the program's kernels do, for `device`; worked out from it if empty.
    std::function<const StateWork&()> work = {};
    // What programs need whose kernels stand beside these in one set; null: there are none.
    const SetNeeds* beside = nullptr;
    StopSign stop{};  // asked for each kernel and statement; generate() then ends with Stopped
};

// An array in the device's memory, row-major: inputs and outputs as the program declares them, intermediates
// as lists of whole blocks.
struct DeviceArray {
    enum class Kind : std::uint8_t { Input, Output, Intermediate, Workspace };
    Kind kind = Kind::Intermediate;
    std::string name;  // as the program declares it; "t3" for a temporary that outlives a kernel
    ElemType elem = ElemType::F32;
    std::vector<std::int64_t> shape;
    std::int64_t elements = 1;  // 0 of a mask, which kernels compute where they read it
    int buffer = -1;            // of the loop program; -1 for a workspace
    bool zeroed = false;        // holds zeros before the first launch, and behind the last one again
};

// An array as the bulk copy engine reads it: what cuTensorMapEncodeTiled wants to know. Axes innermost first;
// lines of 128 bytes are swizzled, and what lies outside of the array is zero.
struct TensorMap {
    int array = 0;                      // of KernelSet::arrays
    std::vector<std::int64_t> sizes;    // numbers along each axis, two to five axes
    std::vector<std::int64_t> strides;  // bytes from one to the next; the first is the size of a number
    std::vector<int> box;               // numbers along each axis that one copy takes
    bool operator==(const TensorMap&) const = default;
};
// The driver's number of an element type (CUtensorMapDataType).
int tensor_map_type(ElemType elem);

struct Launch {
    std::string kernel;
    std::int64_t tiles = 1;  // thread blocks
    int threads = 0;         // of each, those that only copy counted in
    int shared_bytes = 0;
    std::vector<int> arrays;      // the kernel's parameters: pointers to these,
    std::vector<TensorMap> maps;  // then these
    NodeId node;                  // the top-level operator
    int parts = 1;                // of a reduction, that its thread blocks compute side by side,
    std::int64_t part_bytes = 0;  // and what a thread block of one leaves for
    bool adds = false;            // to one place, by atomics
    double rest = 0;              // share of the kernel's work that each part does again
    bool combines = false;        // the next launch, which puts them together
    int stages = 0;               // of tiles in shared memory at once, the most of any load; 0: none
    int registers = 0;            // of a thread, as expected before it is compiled
    bool wgmma = false;           // instructions of warpgroups compute products of it
};

struct SourceLine {
    std::string text;
    NodeId node;  // what it does; NodeId{0} for lines that are nobody's
};

struct KernelSet {
    Target target = Target::F32;
    bool tensor_cores = false;  // whether any product is for them; without one the plain library is used
    bool fast_math =
        false;  // exponentials, quotients and roots by one instruction: where arrays have 16 bits
    // Whether kernels may have threads that only copy; those that cannot be written so have a note.
    bool warp_specialised = false;
    std::set<WgmmaShape> wgmma;
    std::vector<std::string> notes;  // full sentences, each with a line of the listing and its node
    // Products that are computed in another type than that of their left operand, by their nodes.
    std::map<NodeId, ElemType> computed_in;
    int threads = 256;              // that compute, of a thread block
    int panel_bytes = 0;            // shared memory of products in float32
    std::vector<SourceLine> lines;  // of the kernels, without the tile library
    std::vector<DeviceArray> arrays;
    std::vector<Launch> launches;
    // The same kernels in the lines of the plain target, for reference(): launch by launch the same thread
    // blocks, which may name their arrays in another order.
    std::vector<SourceLine> reference_lines;
    std::vector<Launch> reference_launches;
};

// What cannot be generated is a problem that says which operator (a line of the listing, a node) and why.
Result<KernelSet> generate(const LoopProgram& program, const CodegenOptions& options = {});

// What generate() goes by for the whole set, without those beside.
SetNeeds set_needs(const LoopProgram& program, const CodegenOptions& options);

// Threads of a thread block that the values of a program may be spread over: enough for the registers that
// they take, and no more than there are rows for. For f32 whatever the blocks' size suggests.
std::vector<int> thread_choices(const LoopProgram& program, Target target);

// The kernels as one text that a CUDA compiler takes: settings, tile library, kernels. The first line of
// `lines` is line first_line(set) of it, counted from 1.
std::string source(const KernelSet& set);
int first_line(const KernelSet& set);

// The same with a host main(): nvcc makes a program of it. It fills the inputs with random numbers; runs each
// launch and compares some of its thread blocks with the host's, in double precision and from the same
// arrays; times all launches by events; and prints a checksum of each output. It exits with 1 if anything
// differs.
std::string standalone_source(const KernelSet& set);

// Host code, in a namespace of its own: what a thread block of each launch computes, in double precision.
//     void run_<kernel>(long long tile, void** arrays);
std::string reference(const KernelSet& set);

// Settings and tile library, which the kernels follow.
std::string prelude(const KernelSet& set);

// The kernels of a plan as one file that nvcc makes a program of: each kernel in a namespace of its own, the
// arrays between them, and one sequence of launches.
// In the order in which they run. Inputs and outputs of the same name are the same array. The program fills
// the inputs with random numbers, runs all launches five times, and prints the times and a checksum of each
// output that no other kernel reads.
std::string plan_source(const std::vector<KernelSet>& kernels);

}  // namespace blockscope::gpu
