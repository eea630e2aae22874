// What a worker measures on: the processor, a GPU, or the fake of the tests. Everything here may block, crash
// or never return; that is why it lives in a process of its own.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/exec/evaluate.h"
#include "core/graph/graph.h"
#include "core/json/value.h"
#include "core/measure/failure.h"
#include "core/measure/sampling.h"
#include "core/state/state.h"

namespace blockscope::measure {

struct BackendInfo {
    std::string name;               // "cpu": what requests call it
    std::string model;              // "Intel Xeon", for people
    std::string architecture = {};  // of a card: "sm_80"; empty for processors
    bool operator==(const BackendInfo&) const = default;
};

struct PrepareOptions {
    ElemType elem = ElemType::F32;  // of the inputs; sums are float32 at least
    bool tf32 = false;              // on a card: products of f32 by tensor cores, operands of 11 bits
    int threads = 0;                // 0: all cores
    std::string target = {};        // of a card's code generator: "sm_80"; empty: what suits the card
    int block_threads = 0;          // of a card's thread blocks; 0: what suits the program
    int stages = 0;                 // of tiles that a card copies ahead, at most; 0: what suits the program
    double range = 1;               // the random inputs lie in [-range, range]
    LoopForm loops = LoopForm::Built;
    bool operator==(const PrepareOptions&) const = default;
};

// A kernel as it is on a card: what time models take from it (ModelSetting).
struct PreparedKernel {
    NodeId node;
    int resident = 0;       // thread blocks that a multiprocessor holds at once, by what was compiled
    int parts = 1;          // of its reductions
    double part_bytes = 0;  // that a thread block of a part leaves
    bool added = false;     // by atomics
    bool by_warps = false;  // as ModelSetting has it
    // Products of the kernel's program that are computed in another type, as ModelSetting has it; of the
    // first kernel alone.
    std::map<NodeId, ElemType> computed_in = {};
    bool operator==(const PreparedKernel&) const = default;
};

// A program that is ready to run. All calls come from one thread.
class Prepared {
public:
    virtual ~Prepared() = default;
    // How it was lowered and compiled, for people; may be empty.
    virtual std::string log() const { return {}; }
    // Of cards.
    virtual std::vector<PreparedKernel> kernels() const { return {}; }
    // PrepareOptions::target of another way to compute the same, in case this one turns out to be wrong here;
    // empty if there is none, or a target was asked for.
    virtual std::string instead() const { return {}; }
    // By array name; every number is one that the element type has (round_to).
    virtual std::optional<Failure> set_inputs(const Tensors<double>& inputs) = 0;
    // Fills all outputs (and what lies between) with NaN, so that what a run leaves out shows.
    virtual std::optional<Failure> poison() = 0;
    // Computes all outputs; the seconds that it took.
    virtual Outcome<double> run() = 0;
    // The seconds that a run has to take to be timed on its own, as far as the device's clock needs any;
    // warm runs that are shorter are timed several at once.
    virtual double least_seconds() const { return 0; }
    // `runs` executions between two points in time, back to back: the seconds of one.
    virtual Outcome<double> run_many(int runs);
    // What nothing takes between the same two points in time; 0: not known.
    virtual Outcome<double> empty_seconds() { return 0.0; }
    // The device's clock right after a run, where it can be measured.
    virtual Outcome<Clock> clock() { return Clock(); }
    // The same with clocks around the top-level operators: the seconds of each, in the order of the listing.
    // None if the device times programs as a whole only.
    virtual Outcome<std::vector<double>> run_kernels() { return std::vector<double>(); }
    virtual Outcome<Tensors<double>> outputs() = 0;
    // Makes the next run a cold one: no cache holds anything of the program. False if the device cannot do
    // that for this program alone; Backend::flush_caches() then does it for everything.
    virtual bool evict() { return false; }
};

inline Outcome<double> Prepared::run_many(int runs) {
    double sum = 0;
    for (int i = 0; i < runs; ++i) {
        const Outcome<double> seconds = run();
        if (!seconds) return seconds.failure();
        sum += *seconds;
    }
    return sum / runs;
}

// Called now and then during long work, with what is being done; false asks to stop.
using WorkProgress = std::function<bool(const std::string& phase, int done, int total)>;

class Backend {
public:
    virtual ~Backend() = default;
    virtual BackendInfo info() const = 0;
    virtual Outcome<std::unique_ptr<Prepared>> prepare(const BlockProgram& program,
                                                       const PrepareOptions& options) = 0;
    // Makes the next sample a cold one: no cache holds anything of the program. A failure where that cannot
    // be done: what is timed then would be no cold run.
    virtual std::optional<Failure> flush_caches() = 0;
    // Of the processors that the device's programs share with others; none where that says nothing of its
    // times.
    virtual std::optional<CpuTimes> cpu_times() { return std::nullopt; }
    // Measures the device: its description in JSON (core/json/device_files.h).
    virtual Outcome<json::Value> calibrate(const WorkProgress& progress) = 0;
};

}  // namespace blockscope::measure
