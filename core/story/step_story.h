// Tells a step of a run in one line: what it does, why that is legal, and how many bytes it saves or which
// later step it prepares.
//
//     The loops over M for x*(DD**-0.5) of S and exp(x) of P are one now, as each iteration needs only its
//     counterpart. Saves no bytes yet: S still goes through memory. Step 10 uses this.
//
// The sentence is derived from the states before and after the step and from the later steps of the run. Its
// claims are also available as values, so that tests can check them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/fusion/trace.h"
#include "core/state/state.h"
#include "core/story/program_names.h"

namespace blockscope {

// The claims of a sentence, as numbers and values.
struct StepClaims {
    int step = 0;                   // 1 is the first
    std::int64_t bytes_before = 0;  // between global and local memory
    std::int64_t bytes_after = 0;
    std::int64_t launches_before = 0;
    std::int64_t launches_after = 0;
    // Intermediates that went through global memory before the step and no longer do, as values of the state
    // before. `kept` has those whose edges are still buffered: lists of one item, which the generated loops
    // keep in local memory.
    std::vector<ValueRef> freed = {};
    std::vector<ValueRef> kept = {};
    std::set<ValueKey> freed_keys = {};  // of `freed`, in the state after
    // Lists of one item, kept in local memory before the step, that are no lists after it: their red edges
    // disappear, but no bytes are saved. As values of the state before.
    std::vector<ValueKey> unlisted = {};
    // Values that one matched part hands to another and that were in local memory before.
    std::vector<ValueRef> local = {};
    // Values that one matched part hands to another and that still go through global memory afterwards.
    std::vector<ValueRef> still_stored = {};
    // Inputs and intermediates of which fewer (more) bytes are loaded than before, the largest change first,
    // as values of the state before. Without the freed values.
    std::vector<ValueRef> read_less = {};
    std::vector<ValueRef> read_more = {};
    std::optional<int> used_by = {};  // the later step that this one prepares, see used_by()
};

struct StepStory {
    Text done;     // "The loops over M for exp(x) of P and row_sum of P are one now"
    Text because;  // "neither needs the other"
    Text effect;   // "Saves no bytes yet: S still goes through memory. Step 10 uses this."
    StepClaims claims;

    // "DONE, as BECAUSE."
    Text reasoned() const;
    // All of it as one line: "DONE, as BECAUSE. EFFECT"
    Text sentence() const;
};

// Tells a run step by step, with the names of its arrays. Keeps the trace.
class RunStory {
public:
    // `array`: the array program that the run's initial program was made from; null: names are left out.
    RunStory(Trace trace, const ArrayProgram* array, const Form& form = {});

    const Trace& trace() const { return trace_; }
    int steps() const { return static_cast<int>(trace_.steps.size()); }
    // The story of the step `number`, 1 <= number <= steps().
    StepStory step(int number) const;
    // The names in the state after `number` steps, 0 <= number <= steps().
    ProgramNames names(int number) const;

private:
    Trace trace_;
    std::optional<ArrayProgram> array_;
    Form form_;
};

// The later step of the trace that uses what step `number` (1 is the first) brought together: the first one
// that matches something from one of the matched parts and something from another one. None if there is none.
std::optional<int> used_by(const Trace& trace, int number);

// The values that a state stores in global memory, or sends through an operator on whole arrays, as
// intermediates.
std::set<ValueKey> stored_values(const State& state, const ProgramNames& names);

}  // namespace blockscope
