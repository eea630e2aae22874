// Everything that the napkin derives of one algorithm on one device, put together: what `analyze` prints and
// the window's tables show. Sections 2 to 6 and the appendices, of any program and any device.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/circuit/circuit_json.h"
#include "core/circuit/clocks.h"
#include "core/circuit/expand.h"
#include "core/circuit/level_plans.h"
#include "core/circuit/levels.h"
#include "core/circuit/optimum.h"
#include "core/circuit/overlap.h"
#include "core/circuit/stream.h"

namespace blockscope::circuit {

// One level of Equation 2.
struct LevelCost {
    napkin::TransferLevel level;  // values, seconds per value
    double instances = 1;
    double transfers = 0;  // H*(a, M_l), values into each level, all instances together
    double seconds = 0;    // weighted
};

// A level as an intermediate cache of its children (Section 4.4).
struct CacheCost {
    std::string name;
    double own = 0;               // values that it holds
    double children = 1;          // of each instance
    double together = 0;          // what those hold
    double transfers = 0;         // into it, with its own memory
    double transfers_cached = 0;  // with theirs
};

// Children linked at `link` seconds per value (Section 4.5).
struct CrossCost {
    double children = 2;
    double saved = 0;  // seconds
};

// What a power law says on the levels of a device, at one size of value.
struct LevelModels {
    std::vector<LevelCost> levels;                     // outermost first
    double seconds = 0;                                // Equation 2
    std::vector<std::pair<double, double>> quantised;  // bytes per value, seconds (Equation 3)
    std::vector<CacheCost> caches;
    std::string linked;  // the level whose instances are linked
    double link = 0;     // bytes per second, 0: links cost nothing
    std::vector<CrossCost> cross;
};
// `bytes` per value; `link` as above, bytes per second of all instances together.
LevelModels level_models(const napkin::PowerLaw& law, const Device& device, double bytes, double link);

// What an algorithm needs so that transfers do not bind it (Appendix B.1).
struct Intensity {
    Formula per_operation;  // transfers
    double values_per_second = 0;
    double operations_per_second = 0;
    double least_memory = 0;                                 // values; 0: no memory is enough
    std::vector<std::pair<std::string, double>> least_axes;  // at the memory limit; 0: no size is enough
};

// The algorithm as a kernel of warpgroups (Section 5).
struct Kernel {
    std::string rows, stream;
    std::string inner;                // streamed in every part of the stream; empty: none
    std::vector<std::string> others;  // axes with groups besides: batches, heads, columns of a result
    double repeats = 1;  // operations of matrices that are done, over those that the program has: groups and
                         // parts of the stream do again what does not have their axis
    Flow flow;           // of one thread block: of the axes in `others` g_x
    Expansion expansion;
    Configuration configuration;
    std::vector<LevelUse> uses;
    std::vector<Divisor> divisors;
    std::vector<std::string> broken;
    int fit = 0;  // warpgroups
    ClockAnalysis clocks;
    double least_threads = 0;  // 0: transfers bind it, however many there are
    double least_part = 0;     // then: the part of the stream from which on some number is enough; 0: none is
    double ideal_rate = 0;
    Deployment execution;
    Schedule schedule;
    double utilisation = 0;  // of tensor cores
    // The largest part by which special functions may take longer before anything takes longer.
    double allowance = 0;
    // The share of the time in which the special function units wait.
    double special_idle = 0;

    // Of a warpgroup: w of rows, of which t are one thread's.
    double threads() const;
};

struct StudyOptions {
    std::string rows, stream;               // axes; empty: as kernel.h says
    double stream_size = 64;                // s of the stream, and u of its sub-loops
    std::map<std::string, ElemType> types;  // of variables of the configuration; other names change nothing
    std::optional<double> memory;           // bytes of the limit; by default the device's local memory
    double link = 0;                        // bytes per second
    // Sizes, overlap, overheads; by default, and where it says 0, as many warpgroups as fit.
    std::optional<Deployment> execution;
};

struct Study {
    Flow flow;  // separated
    std::vector<AxisVerdict> verdicts;
    Plan plan;
    Circuit circuit;  // two levels
    Resources resources;
    std::string memory_symbol;  // "M", or "Mem" if an axis has that name
    std::optional<PowerLaw> law;
    bool law_of_numbers = false;  // with the sizes put in, where no formula of symbols solves Equation 4
    std::string no_law;           // why there is none: the end of a sentence
    double bytes = 1;             // per value: of the widest input
    std::string local;            // the level that the limit is of
    double memory = 0;            // values
    std::optional<Optimum> best;
    LevelPlans level_plans;
    std::optional<LevelModels> models;
    std::optional<Intensity> intensity;
    std::string no_intensity;  // why there is none
    std::optional<Kernel> kernel;
    std::string no_kernel;  // why there is none
};

// A problem says which axis there is not, or why it cannot be split as asked; or that the flow has more than
// 128 operators, too many for one kernel.
Result<Study> study(const Flow& flow, const Device& device, const StudyOptions& options = {});

// What a block of a program may hold on a device, in bytes, and the level: shared memory, else the largest
// cache of one processor.
std::pair<std::string, double> local_memory(const Device& device);

// The symbols that a configuration chooses: groups of other axes; of all warpgroups, a thread, a warpgroup;
// of the stream, its sub-loops.
std::vector<std::string> configured_symbols(const Kernel& kernel);
// Those, and the tiles of results (d′, d″) that some variable has.
std::vector<std::string> chosen_symbols(const Kernel& kernel);

// The algorithm as a document: drawn on the levels of `device`, axes with their divisors, with how it runs.
Result<CircuitDocument> document(const Study& study, const Device& device, const std::string& title);

}  // namespace blockscope::circuit
