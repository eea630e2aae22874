// Everything that the napkin derives of one algorithm on one device, put together: what `analyze` prints and
// the window's tables show. Sections 2 to 6 and the appendices, of any program and any device.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagram/document.h"
#include "core/diagram/flow.h"
#include "core/diagram/place.h"
#include "core/napkin/clocks.h"
#include "core/napkin/expand.h"
#include "core/napkin/group_sizes.h"
#include "core/napkin/levels.h"

namespace blockscope::circuit {

// One level of Equation 2.
struct LevelCost {
    napkin::TransferLevel level;  // values, seconds per value
    double instances = 1;
    double transfers = 0;                 // H*(a, M_l), values into each level, all instances together
    double seconds = 0;                   // weighted
    std::vector<std::string> whole = {};  // groups that are their whole axes: symbols
    std::string from = {};                // the level that feeds it
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

// What H* says on the levels of a device, at one size of value.
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
LevelModels level_models(const algebra::ClippedLaw& law, const Device& device, double bytes, double link);

// What an algorithm needs so that transfers do not bind it (Appendix B.1).
struct Intensity {
    Formula per_operation;  // transfers
    double values_per_second = 0;
    double operations_per_second = 0;
    double least_memory = 0;                                 // values; 0: no memory is enough
    std::vector<std::pair<std::string, double>> least_axes;  // at the memory limit; 0: no size is enough
};

// The algorithm as a kernel of warpgroups (Section 5).
struct WarpgroupKernel {
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
    std::vector<Text> broken;
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
    std::string rows, stream;               // axes; empty: rows_of and stream_of choose
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
    Text no_law;                  // why there is none: the end of a sentence
    // H* at these sizes, where no group is larger than its axis: all numbers below are of it.
    std::optional<algebra::ClippedLaw> clipped;
    double bytes = 1;   // per value: of the widest input
    std::string local;  // the level that the limit is of
    double memory = 0;  // values
    std::optional<BestGroups> best;
    LevelPlans level_plans;
    std::optional<LevelModels> models;
    std::optional<Intensity> intensity;
    Text no_intensity;  // why there is none
    std::optional<WarpgroupKernel> kernel;
    Text no_kernel;  // why there is none
};

// A problem says which axis there is not, or why it cannot be split as asked; or that the flow has more than
// 128 operators, too many for one kernel.
Result<Study> study(const Flow& flow, const Device& device, const StudyOptions& options = {});

// What a block of a program may hold on a device, in bytes, and the level: shared memory, else the largest
// cache of one processor.
std::pair<std::string, double> local_memory(const Device& device);

// The symbols that a configuration chooses: groups of other axes; of all warpgroups, a thread, a warpgroup;
// of the stream, its sub-loops.
std::vector<std::string> configured_symbols(const WarpgroupKernel& kernel);
// Those, and the tiles of results (d′, d″) that some variable has.
std::vector<std::string> chosen_symbols(const WarpgroupKernel& kernel);

// The algorithm as a document: drawn on the levels of `device`, axes with their divisors, with how it runs.
Result<CircuitDocument> document(const Study& study, const Device& device, const std::string& title);

// ---- The algorithm of a study as a kernel of warpgroups (Section 5): the axis whose rows the threads share,
// the part of every other axis that one thread block works on, and how many warpgroups fit.

// The largest WarpgroupKernel::allowance that is looked for: at that, special functions may take at least so
// much longer.
constexpr double kMostAllowance = 4;

// The verdict on the axis that is asked for, or on the one that is taken by itself; null with a reason in
// `why`. Rows, by themselves: the longest axis with groups in `plan` that only the left operand of a product
// has (no batch or head, which both have); without products the first that can be grouped. Streams: the one
// that carries most numbers along (softmax, a norm).
const AxisVerdict* rows_of(const Study& study, const std::string& asked, Text& why);
const AxisVerdict* stream_of(const Study& study, const std::string& asked, Text& why);

// The axis of this name, which there is.
AxisId axis_named(const Axes& axes, const std::string& name);

// What a loop is drawn of where no device says more: one thread block's flow (one part of batches and heads)
// and the axes, those asked for or taken by themselves. Where no stream is asked for and another axis that
// streams is longer than what a thread block has of columns, one of the two runs in every part of the other
// (`inner`; none: -1). A problem says which axis there is not.
struct LoopSplit {
    Flow flow;
    AxisId rows, stream, inner = {};
};
Result<LoopSplit> loop_split(const Flow& flow, const std::string& rows = {}, const std::string& stream = {});

// What its schedule is put in and not derived: "Special functions are taken to last 66.7% longer than their
// operations alone; this is put in, not derived." Empty without overheads. FlashAttention-3's 740 of 989
// TFLOP/s come out only with it.
Text put_in(const WarpgroupKernel& kernel);
// Operations per second of matrices in that schedule: of the ideal rate, what the utilisation leaves.
double scheduled_rate(const WarpgroupKernel& kernel);

// A problem says why the algorithm is no such kernel on this device.
Result<WarpgroupKernel> kernel_of(const Study& study, const Device& device, const StudyOptions& options);

// ---- Numbers by which kernels of one program are compared.

// Clocks of all blocks on one processor by the bound of Section 5.7 and the transfers without caches (B.0.1),
// up to what is the same for all sizes: of kernels of one program, of which a warpgroup fits. `flow` is the
// program's.
double clocks_of(const WarpgroupKernel& kernel, const Device& device, const Flow& flow);

// How many divisors its sizes break.
std::size_t broken_of(const WarpgroupKernel& kernel, const Device& device);

// The least part of the stream from which on the rows, which are read again in every part, do not bind the
// kernel; 0 where longer parts read more rows. The kernel's clocks are known.
double least_part(const WarpgroupKernel& kernel, const Device& device);

// Operations of matrices that are done, over those of the program, which `flow` is.
double repeats_of(const WarpgroupKernel& kernel, const Flow& flow);

// ---- What a diagram says by itself. Some diagrams are no program of operators on whole axes, such as those
// of peeled and safe states, where iterations are sliced off and carried on.

// A partition of the diagram.
struct DiagramPart {
    std::string axis, part;  // names
    PartitionKind kind = PartitionKind::Group;
    std::int64_t size = 1;   // of one part
    std::int64_t parts = 1;  // how many
    bool operator==(const DiagramPart&) const = default;
};

struct DiagramStudy {
    Circuit circuit;
    Resources resources;
    std::vector<DiagramPart> parts;  // outermost first, each symbol once
    std::string memory_symbol;
    std::optional<PowerLaw> law;  // H* over the sizes of its groups
    bool law_of_numbers = false;
    Text no_law;                                 // why there is none
    std::optional<algebra::ClippedLaw> clipped;  // H* at these sizes, no group larger than its axis
    double bytes = 1;                            // per value: of the widest input
    std::string local;                           // the level that the limit is of
    double memory = 0;                           // values
    std::vector<GroupAxis> groups;
    std::optional<GroupSizes> best;
    LevelPlans level_plans;
    std::optional<LevelModels> models;
};

// Levels, H* and the best sizes of the groups that are drawn; streams stay as they are. Only `memory` and
// `link` of the options count.
DiagramStudy study_diagram(Circuit circuit, const Device& device, const StudyOptions& options = {});

// ---- An algorithm drawn on all levels of a device, each with groups of its own (Sections 3.1 and 4.2,
// Figures 20 and 24): the tiles of a level lie in those of the level around it.

// The study's plan on the levels of its level plans. g is a part at the level that loads come to, h further
// in, f, e, ... at the caches around it (asterisks); what is not split there has the name of the axis.
// Everything runs at the innermost level, so that H into each level is that of its plan (Equation 2), whose
// saves only cross the levels that do not cache. A problem says that not even single rows fit into some
// level.
Result<Circuit> level_circuit(const Study& study);

// Pseudocode expansions as diagrams (Sections 5.1 to 5.4, Figures 27 to 32). The stream is a loop in
// parentheses after its head, and its accumulators are arrays that run around the loop. A later use of them
// is a loop over parts of a part. Each multiply-add stands in the box that may be split. The tree of expand.h
// becomes a circuit here, which is laid out, painted and written like any other.

struct PseudocodeOptions {
    Hierarchy hierarchy;       // two levels (Figure 30), or those of a device (Figure 31)
    std::int64_t rows = 128;   // g of the grouped axis
    std::int64_t stream = 64;  // s of the stream
    std::int64_t sub = 64;     // u of its sub-loop
    AxisId inner = {};         // streamed in every part of the stream; none: -1
    std::int64_t inner_stream = 64, inner_sub = 64;
    std::vector<Divisor> divisors;  // Figure 32
};

// The expansion of `flow` (separated) grouped along `rows` and streamed along `stream`. A problem says why
// not.
Result<Circuit> pseudocode(const Flow& flow, AxisId rows, AxisId stream,
                           const PseudocodeOptions& options = {});

// That of a study's kernel on the levels of its device, with its sizes and divisors. A problem says why there
// is no kernel.
Result<Circuit> pseudocode(const Study& study, const Device& device);

}  // namespace blockscope::circuit
