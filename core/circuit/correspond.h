// Block programs and grouped and streamed diagrams that are the same algorithm.
#pragma once

#include <set>

#include "core/circuit/place.h"
#include "core/circuit/resources.h"
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
// has several loops along one axis: then each of them reads the inputs anew (passes.h), and a normalisation
// of an input is two passes over it; where the state stores the exponentials of a softmax, so does the flow.
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

}  // namespace blockscope::circuit
