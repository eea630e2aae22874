// What a step did, in one line: what was done, why that is legal, and what it saves in bytes or prepares.
//
//     The loops over M for x*(DD**-0.5) of S and exp(x) of P are one now, as each iteration needs only its
//     counterpart. Saves no bytes yet: S still goes through memory. Step 10 uses this.
//
// Everything in it is derived from the states before and after and from the later steps of the run; the
// claims behind the words are given, too, so that they can be checked.
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

// What the sentence says as numbers and values.
struct StepClaims {
    int step = 0;                   // 1 is the first
    std::int64_t bytes_before = 0;  // between global and local memory
    std::int64_t bytes_after = 0;
    std::int64_t launches_before = 0;
    std::int64_t launches_after = 0;
    // Values that went through global memory as intermediates, and do not any more; as the state before names
    // them. Those whose edges are still buffered are `kept`: lists of one item, which the loops that are
    // built keep in local memory.
    std::vector<ValueRef> freed = {};
    std::vector<ValueRef> kept = {};
    std::set<ValueKey> freed_keys = {};  // of `freed`, in the state after
    // Lists of one item that were kept in local memory before, and are no lists any more: their red edges are
    // gone, and no bytes. As the state before names them.
    std::vector<ValueKey> unlisted = {};
    // Values that one matched part hands to another and that were in local memory before.
    std::vector<ValueRef> local = {};
    // Values that one matched part hands to another and that still go through global memory afterwards.
    std::vector<ValueRef> still_stored = {};
    // Inputs and intermediates of which fewer, or more, bytes are loaded than before, the largest change
    // first; as the state before names them. Freed values are not among them.
    std::vector<ValueRef> read_less = {};
    std::vector<ValueRef> read_more = {};
    std::optional<int> used_by = {};  // the later step that uses what this one brought together
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

// A run with the names of its arrays, to be told step by step. Keeps the trace.
class RunStory {
public:
    // `array`: the array program that the run's initial program was made from; null: names are left out.
    RunStory(Trace trace, const ArrayProgram* array, const Form& form = {});

    const Trace& trace() const { return trace_; }
    int steps() const { return static_cast<int>(trace_.steps.size()); }
    // Of the step `number`, 1 <= number <= steps(). Made when first asked for.
    StepStory step(int number) const;
    // Of the state after `number` steps, 0 <= number <= steps().
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
