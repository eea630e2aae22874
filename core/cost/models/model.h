// Time models: how long a state takes on a device, kernel by kernel, as terms in seconds. A model is an entry
// of a table (models/published.cpp), like a rule; docs/devices.md has formulas, symbols and sources. Pure
// functions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/cost/kernel_work.h"
#include "core/support/text.h"

namespace blockscope {

// One part of a time: "memory", "matrix", "launch".
struct TimeTerm {
    std::string name;
    double seconds = 0;
};

// What passes a level of the memory hierarchy, of all loads and stores: bytes that the levels nearer to the
// processors do not serve.
struct LevelBytes {
    std::string level;  // "L2", "HBM3"
    double bytes = 0;
};

// What a unit computes in a kernel, and how long that takes at the peak rate of the
// processors that are used.
struct UnitWork {
    double operations = 0;
    double at_peak = 0;  // seconds
};

struct KernelTime {
    int kernel = 0;  // index of the top-level operator; -1: before the first
    NodeId node;
    std::vector<TimeTerm> terms;     // all that the model has, also those that are 0
    double seconds = 0;              // what the model makes of them: their sum, or the largest, ...
    int binding = -1;                // the term that decides: index in terms
    Text sentence;                   // why, in one sentence
    Text shortage;                   // "only 32 of 132 processors have a task"; empty: all have one
    std::vector<LevelBytes> levels;  // from the processors outwards; of models that follow caches
    // Of Blockscope's own model on a card: what its units compute, and how long a processor computes, its
    // units one beside the other as far as they overlap.
    UnitWork matrix, vector, special;
    double busy = 0;
};

struct Prediction {
    std::vector<KernelTime> kernels;
    double seconds = 0;
    std::vector<TimeTerm> terms;  // of all kernels together
    std::vector<LevelBytes> levels;
    std::string binding;  // the term that is largest in the kernels that it binds
    Text sentence;
};

// A kernel whose reductions other thread blocks compute in parts, which a second launch puts together.
struct PartsOfKernel {
    int parts = 1;
    double bytes = 0;    // that a thread block of a part leaves for the second launch
    bool added = false;  // by atomics, to what the other parts leave
    double rest = 0;     // share of the kernel's work that each part does again, 0 .. 1
};

// How the device is used.
struct ModelSetting {
    int processors = 0;  // that work; 0: all
    bool warm = true;    // caches hold what a run before this one left there
    // GPUs: how many thread blocks of a kernel an SM holds at once, as its compiled code needs registers and
    // shared memory; by the kernel's node. Of others the model estimates it.
    std::map<NodeId, int> resident = {};
    std::map<NodeId, PartsOfKernel> parts = {};  // GPUs: of kernels that are not whole, by the kernel's node
    // GPUs: kernels whose products warps compute for themselves (instructions of 16 rows) though the device
    // has instructions of warpgroups.
    std::set<NodeId> by_warps = {};
    // GPUs: products that generated kernels compute in another type than that of their left operand, by the
    // product's node: of 8 bits in 16 where one was computed in the kernel, of 16 bits in float32 without
    // tensor cores.
    std::map<NodeId, ElemType> computed_in = {};
};

struct ModelInput {
    const StateWork& state;
    const Device& device;
    const ModelSetting& setting;
};

struct TimeModel {
    std::string name;       // "roofline": for options and files
    Text title;             // "Roofline"
    Text explanation;       // some sentences
    std::string reference;  // where it is published
    Text formula;           // one line
    std::vector<KernelTime> (*kernels)(const ModelInput& input);
};

// The name of a term for people.
Text term_text(const std::string& name);

// All models, in the order in which they are shown.
const std::vector<TimeModel>& time_models();
// "roofline, mcfuser, ..."; the one that is usual is marked as the default.
std::string time_model_names();
constexpr const char* kUsualModel = "blockscope";
// Null if there is none of this name.
const TimeModel* find_time_model(const std::string& name);

Prediction predict(const TimeModel& model, const StateWork& state, const Device& device,
                   const ModelSetting& setting = {});

// ---- What models share.

// Processors that work: those of the setting, at most those of the device.
double busy_processors(const ModelInput& input);

// Seconds of the units of a device for a kernel's operations, if all processors are busy. Matrix products by
// their element types. `plain_vector`: a vector operation takes the slot of a multiply-add, hence counts two.
struct UnitSeconds {
    double matrix = 0;
    double vector = 0;
    double special = 0;
};
UnitSeconds unit_seconds(const KernelWork& kernel, const Device& device, bool plain_vector);

// The index of the largest term.
int largest(const std::vector<TimeTerm>& terms);
// Sets binding to the largest term and seconds to the sum.
void add_up(KernelTime& time);
double seconds_of(const std::vector<TimeTerm>& terms, const std::string& name);

// "1.32 ms", "880 ns"; "67.1 MB", "512 B"; "3.35 TB/s".
std::string seconds_text(double seconds);
std::string bytes_text_of(double bytes);
// "440 MB", "439 MB": what stands beside each other. Numbers that differ have as many digits more as that
// takes: "440.40 MB", "440.38 MB".
struct TwoTexts {
    std::string before, after;
};
TwoTexts bytes_texts_of(double before, double after);
std::string rate_text(double per_second, const std::string& unit);
// How many times: "8", "7.9", "32".
std::string times_text(double times);

// What models share with tests and with each other; time_models() is in published.cpp.

TimeModel blockscope_model();  // its row of the table

// ---- MCFuser, section IV-A and section II.

// alpha = (N_block + N_SM) / N_block, equation 5: few thread blocks leave processors idle.
double mcfuser_alpha(double blocks, double processors);
// phi = 2 T_M T_N K / (2 T_M T_N + T_M K + T_N K), section II: operations per access of a tiled matmul. It is
// memory-bound if phi is under P / W, FLOPs and bytes per second, as the paper compares them.
double mcfuser_phi(double tile_rows, double tile_cols, double depth);
bool mcfuser_memory_bound(double tile_rows, double tile_cols, double depth, const Device& device,
                          ElemType elem);

// ---- Blockscope's own model, by kind of device. A launch or setup before the first kernel has kernel -1.

std::vector<KernelTime> blockscope_gpu(const ModelInput& input);
// One of these times: of a kernel of the state on a GPU.
KernelTime blockscope_gpu(const ModelInput& input, const KernelWork& kernel);
std::vector<KernelTime> blockscope_cpu(const ModelInput& input);

// The model's formula for a kind of device: its own one is another for processors than for cards.
Text formula_on(const TimeModel& model, const Device& device);

// Its free parameters: defaults for a kind of device, what they mean, and between what bounds a fit may move
// them.
struct ModelParameter {
    std::string name;
    std::string meaning;
    double otherwise;  // where a device says nothing
    double least;
    double most;
};
const std::vector<ModelParameter>& blockscope_parameters(DeviceKind kind);
// The device's value, else the default. Throws InternalError for a name that is not listed.
double blockscope_parameter(const Device& device, const std::string& name);

// What caches hold from one kernel to the next, and resources that overlap in part.

// Bytes of a kernel's loads and of its stores that pass a cache, counted over its buffers: misses
// (kernel_work.h) less the first touch of what an earlier kernel (of the run before, if warm) left in `keeps`
// bytes.
struct Passing {
    double loaded = 0;
    double stored = 0;
    double bytes() const { return loaded + stored; }
};
Passing passing(const StateWork& state, int kernel, const CacheView& cache, double keeps, bool warm);
// What all kernels of a state touch, as this counts it.
double touched_bytes(const StateWork& state);

// The longest, and of the others what does not hide behind it: max(R) + (1 - overlap) (sum(R) - max(R)).
double overlapped(const std::vector<double>& resources, double overlap);

}  // namespace blockscope
