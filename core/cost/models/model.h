// Time models: how long a state takes on a device, kernel by kernel, as terms in seconds. A model is an entry
// of a table, like a rule; docs/time-models.md has formulas, symbols and sources. Pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/cost/kernel_work.h"

namespace blockscope {

// One part of a time: "memory", "matrix", "launch".
struct TimeTerm {
    std::string name;
    double seconds = 0;
};

struct KernelTime {
    int kernel = 0;  // index of the top-level operator; -1: before the first
    NodeId node;
    std::vector<TimeTerm> terms;  // all that the model has, also those that are 0
    double seconds = 0;           // what the model makes of them: their sum, or the largest, ...
    int binding = -1;             // the term that decides: index in terms
    std::string sentence;         // why, in one sentence
};

struct Prediction {
    std::vector<KernelTime> kernels;
    double seconds = 0;
    std::vector<TimeTerm> terms;  // of all kernels together
    std::string binding;          // the term that is largest in the kernels that it binds
    std::string sentence;
};

// A kernel whose reductions other thread blocks compute in parts, which a second launch puts together.
struct PartsOfKernel {
    int parts = 1;
    double bytes = 0;    // that a thread block of a part leaves for the second launch
    bool added = false;  // by atomics, to what the other parts leave
};

// How the device is used.
struct ModelSetting {
    int processors = 0;  // that work; 0: all
    bool warm = true;    // caches hold what a run before this one left there
    // GPUs: how many thread blocks of a kernel an SM holds at once, as its compiled code needs registers and
    // shared memory; by the kernel's node. Of others the model estimates it.
    std::map<NodeId, int> resident = {};
    std::map<NodeId, PartsOfKernel> parts = {};  // GPUs: of kernels that are not whole, by the kernel's node
};

struct ModelInput {
    const StateWork& state;
    const Device& device;
    const ModelSetting& setting;
};

struct TimeModel {
    std::string name;         // "roofline": for options and files
    std::string title;        // "Roofline"
    std::string explanation;  // some sentences
    std::string reference;    // where it is published
    std::string formula;      // one line
    std::vector<KernelTime> (*kernels)(const ModelInput& input);
};

// All models, in the order in which they are shown.
const std::vector<TimeModel>& time_models();
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
std::string rate_text(double per_second, const std::string& unit);

}  // namespace blockscope
