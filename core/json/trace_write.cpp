#include "core/json/json_io.h"
#include "core/json/trace_json.h"

namespace blockscope::json {

Value id_values(const std::vector<NodeId>& ids) {
    Array values;
    for (const NodeId id : ids) values.push_back(id.value);
    return values;
}

Value lineage_value(const std::vector<Lineage>& made) {
    Array values;
    for (const Lineage& lineage : made) {
        values.push_back(Object{{"node", lineage.made.value}, {"from", id_values(lineage.from)}});
    }
    return values;
}

namespace {

Value step_value(const Step& step, int buffered_before, int buffered_after) {
    const DimTable& dims = step.before->dims;
    Object object = {{"rule", to_string(step.match.rule)}, {"path", id_values(step.match.path)}};
    if (!dims.empty()) object.push_back({"dim", dim_value(step.match.dim, dims)});
    Array roles;
    for (const Role& role : step.match.roles) {
        roles.push_back(Object{{"role", role.name}, {"node", role.node.value}});
    }
    object.push_back({"roles", std::move(roles)});
    object.push_back({"explanation", step.explanation});
    object.push_back({"made", lineage_value(step.made)});
    object.push_back({"removed", id_values(step.removed)});
    object.push_back({"buffered_before", buffered_before});
    object.push_back({"buffered_after", buffered_after});
    return object;
}

}  // namespace
}  // namespace blockscope::json

namespace blockscope {

std::string write_json(const Trace& trace) {
    json::Object initial;
    json::add_block_program(initial, *trace.initial);
    json::Array steps;
    int before = buffered_edges(*trace.initial);
    for (const Step& step : trace.steps) {
        const int after = buffered_edges(*step.after);
        steps.push_back(json::step_value(step, before, after));
        before = after;
    }
    json::Array snapshots;
    for (const int snapshot : trace.snapshots) snapshots.push_back(snapshot);
    return json::print(json::Object{{"format", json::kTraceFormat},
                                    {"version", 1},
                                    {"initial", std::move(initial)},
                                    {"steps", std::move(steps)},
                                    {"snapshots", std::move(snapshots)},
                                    {"stopped", trace.stopped}});
}

}  // namespace blockscope
