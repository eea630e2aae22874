// Plans: which groups and streams are possible, and the natural ones.
#include <algorithm>

#include "core/circuit/place.h"
#include "core/circuit/stream.h"

namespace blockscope::circuit {

Problems refusals(const Flow& flow, const Plan& plan) {
    const std::vector<AxisVerdict> verdicts = axis_verdicts(flow);
    Problems problems;
    for (const Part& part : plan) {
        const auto found = std::find_if(verdicts.begin(), verdicts.end(), [&](const AxisVerdict& verdict) {
            return verdict.axis == part.axis;
        });
        if (found == verdicts.end()) {
            problems.push_back({{}, "found a partition of an axis that no array has"});
            continue;
        }
        const bool group = part.kind == PartitionKind::Group;
        if (group ? found->group : found->stream) continue;
        const Reason& why = (group ? found->group_reasons : found->stream_reasons).front();
        problems.push_back({{},
                            axis_of(flow.axes, part.axis).name + " cannot be " +
                                (group ? "grouped: " : "streamed: ") + why.sentence + " (" + why.theorem +
                                ")"});
    }
    return problems;
}

namespace {

// Whether groups of the axis each do some contraction that does not have it.
bool computes_again(const Flow& flow, AxisId axis) {
    return std::any_of(flow.ops.begin(), flow.ops.end(), [&](const FlowOp& op) {
        return op.apply.op.kind == OperatorKind::Contraction &&
               std::find(op.apply.weave.begin(), op.apply.weave.end(), axis) == op.apply.weave.end();
    });
}

}  // namespace

Plan natural_plan(const Flow& flow, const DimTable& dims, std::int64_t stream) {
    Plan plan;
    const std::vector<AxisVerdict> verdicts = axis_verdicts(flow);
    for (const AxisVerdict& verdict : verdicts) {
        if (!verdict.group || computes_again(flow, verdict.axis)) continue;
        const std::string& name = axis_of(flow.axes, verdict.axis).name;
        std::int64_t size = axis_of(flow.axes, verdict.axis).size;
        for (const Dim& dim : dims)
            if (name.compare(0, dim.name.size(), dim.name) == 0 &&
                name.find_first_not_of('\'', dim.name.size()) == std::string::npos)
                size = dim.block;
        plan.push_back({verdict.axis, PartitionKind::Group, size});
    }
    for (const AxisVerdict& verdict : verdicts) {
        // In one part it is no stream.
        if (!verdict.stream || (stream > 1 && axis_of(flow.axes, verdict.axis).size <= stream)) continue;
        Plan longer = plan;
        longer.push_back({verdict.axis, PartitionKind::Stream, stream});
        if (fused(flow, longer)) plan = std::move(longer);
    }
    return plan;
}

}  // namespace blockscope::circuit
