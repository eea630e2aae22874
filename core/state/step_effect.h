// What one step changes of a state's traffic and work, and whether it pays: for whoever has to say in words
// why a step that fuses makes the program slower.
//
//     Step 75 of the decoder block extends a map over N: the operators that move into it run once for each of
//     its 32 iterations. That saves the intermediate between them, and moves their inputs 32 times.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/fusion/trace.h"
#include "core/state/state.h"

namespace blockscope {

struct Prediction;

// An operator that a step makes run more often than before.
struct RepeatedWork {
    NodeId node;       // in the state after the step
    Text what;         // "dot", "exp(x)"
    double times = 1;  // operations as a multiple of those before
    double added = 0;  // operations more than before
};

// When a step pays in bytes: while a dimension has few enough blocks, everything else being as it is.
struct PaysWhile {
    DimId dim;
    std::int64_t blocks = 0;  // at most so many
    std::int64_t blocks_now = 0;
};

struct StepEffect {
    std::int64_t bytes_before = 0;  // between global and local memory
    std::int64_t bytes_after = 0;
    std::int64_t bytes_at_once = 0;  // right after the step, before those that settle it (settled_after())
    std::int64_t saved_intermediates = 0;  // bytes of intermediates that are not moved any more
    std::int64_t operations_before = 0;
    std::int64_t operations_after = 0;
    std::int64_t tasks_before = 0;  // the fewest parallel tasks of a kernel
    std::int64_t tasks_after = 0;
    std::vector<RepeatedWork> repeated = {};  // the one that adds the most operations first
    std::optional<PaysWhile> pays =
        {};  // of steps that move more than before; none: no number of blocks helps

    // Moves more bytes, or does more work, than the state before.
    bool costs_more() const { return bytes_after > bytes_before || operations_after > operations_before; }
};

// The state in which the step after `step` others has had its effect. An extension (rule 6) repeats work at
// once, and saves only when the steps behind it fuse what it has brought together: for those it is the end of
// the algorithm's pass, before the next extension; for all other steps the state right after them.
const ProgramPtr& settled_after(const Trace& trace, int step);
bool is_extension(const Step& step);

// Of the step from its program before to `settled` (null: to the one right after), all in `form`. The
// condition is found by counting both states at other block sizes of the dimension that the step is about, so
// it holds for the other sizes as they are.
StepEffect effect_of(const Step& step, const Form& form = {}, const ProgramPtr& settled = nullptr);

// What would make a step pay that a model calls slower: another number of blocks of one dimension, everything
// else being as it is.
struct TimeCondition {
    bool settled = false;                // nothing: the steps behind it make up for it
    bool too_long = false;               // the program has so many nodes that nothing was tried
    std::optional<PaysWhile> with = {};  // so many blocks, the nearest number found; more or fewer
    std::vector<DimId> tried = {};       // the dimensions that were looked at
};
// How long states take, in two ways: at once and about, and as exactly as a model can, which may take long.
// NaN of a state that cannot be built with its own blocks.
struct SecondsOfStates {
    std::function<double(const State&)> about;
    std::function<double(const State&)> exact;
};

// Halves and doubles the blocks of each dimension that what the step has changed loops over, down to one
// block and up to blocks of 16 elements, until the state `settled` (as of effect_of) takes no longer than the
// one before the step. The first three that pay about are looked at exactly.
TimeCondition time_condition_of(const Step& step, const ProgramPtr& settled, const Form& form,
                                const SecondsOfStates& seconds);
// "It is predicted to pay with 8 blocks of N instead of 32."
Text condition_text(const TimeCondition& condition, const DimTable& dims);

// "Computes dot 32 times over, to save 67.1 MB between kernels: 8 times as much traffic at these sizes. In
// bytes it pays only with at most 2 blocks of N; there are 32." Of a step that moves and computes no more:
// how much less of it runs side by side, "Leaves 32 parallel tasks of 1024."; empty if there are not fewer.
Text warning_of(const StepEffect& effect, const DimTable& dims);

// Which parts of the predicted time have grown, for a step whose counts alone do not tell: of both states on
// one device, by one model. "By the prediction these take longer: idle processors: 43.1 µs instead of 2.10
// µs; global memory: 8.00 µs instead of 4.00 µs, as 26.8 MB pass it instead of 13.4 MB." Empty of a state
// that takes no longer.
Text slower_by_terms(const Prediction& before, const Prediction& after);

}  // namespace blockscope
