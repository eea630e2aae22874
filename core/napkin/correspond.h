// Block programs and grouped and streamed diagrams that are the same algorithm.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/diagram/flow.h"
#include "core/diagram/place.h"
#include "core/diagram/resources.h"
#include "core/graph/graph.h"

namespace blockscope::circuit {

// An axis of an input, an output or a stored intermediate of a program.
struct ProgramWire {
    std::string array;
    std::string dim;
    int number = 0;  // of those along this dimension, in the program's order of its axes
    auto operator<=>(const ProgramWire&) const = default;
};

// A state of a block program as the napkin counts it: loads at the heads of loops (Section 2.4, circuit_of
// with LoadPlacement::Hoisted), and its partition.
struct StateAlgorithm {
    struct Part {
        std::string axis;  // of the program
        PartitionKind kind = PartitionKind::Group;
        std::int64_t size = 1;
        // As in circuit::Part: groups of a part of the state, a stream in every part of another one.
        bool inner = false;
        std::set<ProgramWire> wires = {};  // that it splits
    };
    // An intermediate result that goes through global memory from one loop to the next.
    struct Stored {
        std::string name;  // as in a listing: I1, I2, ...
        Formula moved;     // values saved and loaded: what it adds to H
    };
    Circuit circuit;
    Resources resources;
    std::vector<Part> parts;  // groups around everything first, outer ones first
    std::vector<Stored> stored = {};
};
// A problem says why the state has no groups and streams alone: peeled loops.
Result<StateAlgorithm> algorithm_of(const BlockProgram& state);

// A program split by a plan, with everything that its streams keep (with_accumulators, Section 5.1).
struct PlannedAlgorithm {
    Circuit circuit;
    Resources resources;
};
Result<PlannedAlgorithm> algorithm_of(const Flow& flow, const Plan& plan);

// A program and the plan that splits it as a state is split. The flow is the program's own, unless the state
// has several loops along one axis: then each of them reads the inputs anew (with_copies), and a
// normalisation of an input is two passes over it; where the state stores the exponentials of a softmax, so
// does the flow.
struct SplitAlike {
    Flow flow;
    Plan plan;
};
// `flow` is separated. A problem names a loop for which `flow` has no axis, or that cannot be split so, or
// the intermediate results in global memory that make the state several algorithms one after the other.
Result<SplitAlike> split_alike(const Flow& flow, const StateAlgorithm& state);

// Whether two diagrams move the same between the two levels, H, and hold the same, M.
struct HM {
    double transferred = 0;
    double memory = 0;
    bool operator==(const HM&) const = default;
};
HM hm_of(const Circuit& circuit, const Resources& resources);

// ---- Algorithms that pass over an axis more than once: each loop along it reads the program's inputs anew,
// from a copy of its own (Figure 6), so that it has an axis of its own, which is grouped or streamed by
// itself. Or it reads what the one before it stored.

// Operator `op` takes a flow's input as its input number `input`.
struct InputUse {
    int op = 0;
    std::size_t input = 0;
    auto operator<=>(const InputUse&) const = default;
};

// The uses of inputs that have the axis in the place where they are used.
std::vector<InputUse> input_uses(const Flow& flow, AxisId axis);

// The flow with copies of inputs: use i reads copy number copies[i] of its input. Uses of an input with the
// same number share a copy; the first number that occurs stands for the input itself. Copies have the name of
// what they are copies of. The result is not separated.
Flow with_copies(const Flow& flow, const std::vector<InputUse>& uses, const std::vector<int>& copies);

// Every rmsnorm and layernorm of an input along `axis` as two passes over it: sums that come to one number
// per row, or two, and the shift, scale, weight and bias of values that are read again. The fusion theorem is
// not needed then: the sums are streamable (Section 2.4), and the rest is weaved over the axis.
Flow in_two_passes(const Flow& flow, AxisId axis);

// Every softmax as two passes, between which its exponentials go through global memory (Flow::stored, named
// I1, I2, ...): exponentials and their sums, then the quotients. Not separated; the exponentials of the
// second pass are an input, so that each pass gets an axis of its own.
Flow with_stored_exponentials(const Flow& flow);

// ---- Normalisations along streamed axes, drawn with what their accumulators keep (Section 5.1, Appendix
// A.3.2).

// `flow` with every softmax, rmsnorm and layernorm along one of the axes `streamed` in the form that its
// accumulator has (Figures 28 and 43): values and their sum along the axis, which is kept beside the results
// so far, and the division as the tail, after the contractions that the normalised values end in. Softmax is
// exp(x) with its sum, as in block programs, without the running maximum of Table 4 (which a safe form keeps
// as well). As in block programs, too, rmsnorm is x with its sum of squares; layernorm keeps the sum of x as
// well, and the sums of what it is multiplied by, which its shift needs.
//
// In the diagrams of Section 2.4 a stream shows its output y alone, so that M is at least what they say;
// drawn so, "all variables are explicitly shown" (Section 5.1), and M is exact.
//
// A normalisation whose values do not only reach contractions along the axis, through operators that are
// linear in them, stays as it is. Masks are made where they are used.
Flow with_accumulators(const Flow& flow, const std::vector<AxisId>& streamed);

// Which axes of a program's inputs, outputs and stored intermediates each loop of a state splits.
struct StateWires {
    std::map<const Partition*, std::set<ProgramWire>> split;
    // What is saved to global memory and loaded again, in the order of the saves: "I1", "I2", ...
    struct Stored {
        std::string name;
        std::set<const Apply*> transfers;  // that save it, and that load it
    };
    std::vector<Stored> stored;
};

// `drawn` is `state` with its loads at the heads of loops, so that nothing is sliced; masks have no wires.
StateWires state_wires(const BlockProgram& state, const Circuit& circuit);

}  // namespace blockscope::circuit
