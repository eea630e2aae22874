// Block programs and grouped and streamed diagrams that are the same algorithm.
#pragma once

#include "core/circuit/place.h"
#include "core/circuit/resources.h"
#include "core/graph/graph.h"

namespace blockscope::circuit {

// A state of a block program as the napkin counts it: loads at the heads of loops (Section 2.4, circuit_of
// with LoadPlacement::Hoisted), and its partition.
struct StateAlgorithm {
    struct Part {
        std::string axis;  // of the program
        PartitionKind kind = PartitionKind::Group;
        std::int64_t size = 1;
        bool operator==(const Part&) const = default;
    };
    Circuit circuit;
    Resources resources;
    std::vector<Part> parts;  // groups first, outer ones first
};
// A problem says why the state is not one algorithm of groups and streams: peeled loops, a dimension that is
// split in several ways.
Result<StateAlgorithm> algorithm_of(const BlockProgram& state);

// A program split by a plan, with everything that its streams keep (with_accumulators, Section 5.1).
struct PlannedAlgorithm {
    Circuit circuit;
    Resources resources;
};
Result<PlannedAlgorithm> algorithm_of(const Flow& flow, const Plan& plan);

// The plan on `flow` (separated) that splits it as the state is split. A problem names an axis that `flow`
// does not have, or that cannot be split so.
Result<Plan> plan_of(const Flow& flow, const StateAlgorithm& state);

// Whether two diagrams move the same between the two levels, H, and hold the same, M.
struct HM {
    double transferred = 0;
    double memory = 0;
    bool operator==(const HM&) const = default;
};
HM hm_of(const Circuit& circuit, const Resources& resources);

}  // namespace blockscope::circuit
