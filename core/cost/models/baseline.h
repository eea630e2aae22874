// What people run without this program: an array program as real kernels, to compare a fused state with.
//
//     S = Q @ K.T * D^-0.5        library: a product that scales as it stores S, softmax, a product:
//     P = softmax(S)              S is stored, loaded, P stored, loaded: 4·M·N values
//     O = P @ V                   operators: product, scale, exp, row sum, quotient, product: 9·M·N values
//
// The unfused block program is nobody's: it stores the partial products of a block product (docs/costs.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/cost/kernel_work.h"
#include "core/cost/models/model.h"
#include "core/program/array_program.h"

namespace blockscope {

enum class BaselineKind : std::uint8_t {
    Library,    // a product with the elementwise operators behind it; softmax, norms, and all else: one each
    Compiler,   // products by themselves; elementwise operators and reductions of the same rows in one kernel
    Operators,  // every elementary operator one kernel: softmax is exp, row sum, quotient
    Unfused,    // the block program before the first step; not made here
};
const std::vector<BaselineKind>& all_baselines();
std::string to_string(BaselineKind kind);  // "library"
std::optional<BaselineKind> baseline_named(const std::string& name);
Text baseline_title(BaselineKind kind);  // "library kernels": what is said to be slower

// One kernel: reads each of its arrays once, writes each once. A transpose that only products read is part of
// them, and a causal mask is generated.
struct BaselineKernel {
    std::string name;        // "S = matmul, multiply": its result and what it does
    std::vector<int> ops;    // indices of the array program, in order; an operator may be in several kernels
    std::vector<int> reads;  // arrays: indices of Baseline::arrays
    std::vector<int> writes;
    double matrix = 0;  // FLOPs of products
    double vector = 0;  // operations
    double special = 0;
    ElemType elem = ElemType::F32;  // of the products' operands
};

struct BaselineArray {
    Buffer::Kind kind = Buffer::Kind::Intermediate;
    double bytes = 0;
};

struct Baseline {
    BaselineKind kind = BaselineKind::Library;
    std::vector<BaselineKernel> kernels;  // in an order in which they can run
    std::vector<BaselineArray> arrays;

    double read(const BaselineKernel& kernel) const;     // bytes
    double written(const BaselineKernel& kernel) const;  // bytes
    double bytes() const;                                // of all kernels
};

// Throws InternalError for BaselineKind::Unfused. `program` is valid, its sizes those of its dimensions.
Baseline baseline(const ArrayProgram& program, BaselineKind kind);

// The program with the sizes that dimensions of the same names have in `dims`.
ArrayProgram at_sizes(ArrayProgram program, const DimTable& dims);
// The program with its arrays in the element types that `types` has.
ArrayProgram in_types(ArrayProgram program, const StoredTypes& types);

// How long its kernels take one after the other, by peaks and what libraries reach of them (docs/costs.md).
// A kernel takes launch + max(memory, matrix, vector + special); what a cache still holds of the kernels
// before is not read from memory. It has no tails of waves and no ragged tiles: a baseline is rather too fast
// than too slow.
Prediction predict_baseline(const Baseline& baseline, const Device& device, const ModelSetting& setting = {});

struct BaselineSeconds {
    BaselineKind kind = BaselineKind::Library;
    double seconds = 0;
    std::size_t kernels = 1;
};

// What models do not tell apart: a state and a baseline whose times differ by less are equally fast.
constexpr double kTie = 0.02;

// The best of other block sizes that were searched.
struct SearchedBlocks {
    double seconds = 0;
    std::string sizes;         // "M = 64, N = 256"
    std::string options = {};  // "--set M=4096/64 --set N=4096/256"
};

// Whether the best state of a run is worth building.
struct Verdict {
    bool fuse = true;  // no baseline is faster, at these block sizes or at the others
    BaselineKind against = BaselineKind::Library;           // the fastest of them
    double times = 1;                                       // its seconds over those of the state
    std::optional<SearchedBlocks> others = std::nullopt;    // where only they make it worth building
    std::optional<SearchedBlocks> searched = std::nullopt;  // what a search found, whatever it is worth
    // "1.3 times faster than library kernels."
    // "At these block sizes the best state is 1.3 times slower than library kernels; with M = 64, N = 256 it
    // takes 12.0 µs and is 1.1 times faster."
    // "Do not fuse this at these block sizes: the best state is 1.3 times slower than library kernels. Others
    // were not searched."
    // "Do not fuse this: ..., and no block sizes that were searched are better. Parts of it may be worth a
    // kernel: its plan says which." The last sentence is said where the fastest of them has more than one
    // kernel.
    Text sentence;
};
// `baselines` is not empty, and all seconds are positive. `others`: what a search for block sizes found;
// none: nobody has searched.
Verdict verdict(double best_seconds, const std::vector<BaselineSeconds>& baselines,
                const std::optional<SearchedBlocks>& others = std::nullopt);
// The same of the best that a search for block sizes found: there are no others to look for.
Verdict verdict_on_search(double best_seconds, const std::vector<BaselineSeconds>& baselines);

// Of a processor that nobody has measured: "AMD Ryzen 9 9950X is not calibrated: these times are by its
// description alone. `blockscope-cli calibrate` measures this machine's processor, which is then called
// local-cpu." Empty of cards, whose descriptions are what their makers publish, and of what is calibrated.
Text not_calibrated(const Device& device);

// "2.1 times faster than library kernels", "4% slower than library kernels"; in a tie "as fast as ...".
Text compared_with(double seconds, const BaselineSeconds& baseline);

}  // namespace blockscope
