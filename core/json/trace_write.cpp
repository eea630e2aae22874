#include "core/json/json_io.h"
#include "core/json/match_json.h"
#include "core/json/trace_json.h"

namespace blockscope::json {

Value lineage_value(const std::vector<Lineage>& made) {
    Array values;
    for (const Lineage& lineage : made) {
        values.push_back(Object{{"node", lineage.made.value}, {"from", id_values(lineage.from)}});
    }
    return values;
}

namespace {

Value step_value(const Step& step, int buffered_before, int buffered_after) {
    Object object;
    add_match(object, step.match, step.before->dims);
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
