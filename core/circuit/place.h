// An algorithm on a two-level hierarchy (Section 2.2): the inputs come from level 0, everything is computed
// at level 1, the outputs go back; axes are split into groups and streams as a plan says.
#pragma once

#include <cstdint>
#include <vector>

#include "core/circuit/flow.h"
#include "core/support/result.h"

namespace blockscope::circuit {

struct Part {
    AxisId axis;  // of the separated flow
    PartitionKind kind = PartitionKind::Group;
    std::int64_t size = 1;
    bool operator==(const Part&) const = default;
};

using Plan = std::vector<Part>;  // groups and streams, outer ones first

// The whole of `flow` (separated) as one fused algorithm: loads where an array is used first, in the
// innermost stream that it takes part in; saves at the end. A problem says which axis cannot be split as
// asked, and why.
Result<Circuit> fused(const Flow& flow, const Plan& plan);

// All axes that can be, grouped; of those that can be streamed as many as go together, in the order of the
// flow's axes. Group sizes are the blocks of the dimensions, `stream` is every stream's size.
Plan natural_plan(const Flow& flow, const DimTable& dims, std::int64_t stream);

}  // namespace blockscope::circuit
