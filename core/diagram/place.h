// An algorithm on a two-level hierarchy (Section 2.2): the inputs come from level 0, everything is computed
// at level 1, the outputs go back; axes are split into groups and streams as a plan says.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/diagram/flow.h"
#include "core/support/result.h"

namespace blockscope::circuit {

struct Part {
    AxisId axis;  // of the separated flow
    PartitionKind kind = PartitionKind::Group;
    std::int64_t size = 1;
    // Groups: around the operators that have the axis alone, inside what was done before; else around
    // everything. A stream: inside the one before it in the plan, whose every part does again what of this
    // stream does not have its axis; else streams that share only some of their operators are refused.
    bool inner = false;
    bool operator==(const Part&) const = default;
};

using Plan = std::vector<Part>;  // groups and streams, outer ones first

// The levels that an algorithm is drawn on (Sections 2.2 and 5.3): 0 is global memory; those between it and
// `local` only cache (asterisks, Section 4.4); loads come to `local`. Operators run at `threads`,
// contractions at `matrix`; what passes between the two goes through `local`, or not, with `fragments`
// (FlashAttention-3).
struct Hierarchy {
    std::vector<std::string> names = {"global", "local"};
    int local = 1;
    int threads = 1;
    int matrix = 1;
    bool fragments = false;
    int lowest() const { return static_cast<int>(names.size()) - 1; }
};

// Of a GPU: global memory, its caches if they are wanted, shared memory, registers, tensor cores. Of a CPU:
// memory, caches that processors share, the largest cache of one processor, the smallest one, where
// everything runs.
Hierarchy hierarchy_of(const Device& device, bool caches, bool fragments);

// The whole of `flow` (separated) as one fused algorithm: loads where an array is used first, in the
// innermost stream that it takes part in; saves at the end. A problem says which axis cannot be split as
// asked, and why.
Result<Circuit> fused(const Flow& flow, const Plan& plan, const Hierarchy& hierarchy = {});

// The parts of a plan that are not possible, each with the theorem that says so.
Problems refusals(const Flow& flow, const Plan& plan);
// Why `fused` cannot draw the plan, without drawing it; empty if it can.
Problems impossible(const Flow& flow, const Plan& plan);

// All axes that can be, grouped, unless contractions without the axis would be done again in every group; of
// those that can be streamed as many as go together, in the order of the flow's axes. Group sizes are the
// blocks of the dimensions, `stream` is every stream's size; what that holds whole is not streamed.
Plan natural_plan(const Flow& flow, const DimTable& dims, std::int64_t stream);

// A plan as loops: which operators of a flow each of its streams and inner groups runs, and which loop lies
// inside which. fused() draws from it.
class PlanLoops {
public:
    // The operators of a stream, or of inner groups, and what it runs inside.
    struct Loop {
        Part part;
        std::set<int> ops;
        int inside = -1;  // index of the loop around it
    };

    // `flow` must outlive it.
    PlanLoops(const Flow& flow, const Plan& plan);

    // Why the plan is not possible; nothing else is of use then.
    const Problems& problems() const { return problems_; }
    const Axes& axes() const { return axes_; }                    // the flow's, and their parts
    AxisId part_of(AxisId axis) const { return part_.at(axis); }  // of an axis that is split
    const std::vector<Part>& groups() const { return groups_; }   // around everything, outer ones first
    const Loop& loop(int index) const { return loops_.at(static_cast<std::size_t>(index)); }

    // The outermost loop inside `around` (-1: none) that runs operator i, -1 if it stands by itself.
    int loop_of(int i, int around) const;
    // Whether a loop inside `around`, at any depth, streams the array.
    bool streamed_inside(int array, int around) const;

private:
    void enter(const Part& part);
    void add_loop(const Part& part);
    bool repeat(int outer, const Loop& inner);
    void problem(Text sentence) { problems_.push_back({{}, std::move(sentence)}); }

    const Flow& flow_;
    Axes axes_;
    Problems problems_;
    std::map<AxisId, AxisId> part_;
    std::vector<Part> groups_;
    std::vector<Loop> loops_;
};

}  // namespace blockscope::circuit
