
#include "core/json/json_io.h"
#include "core/json/parts.h"

namespace blockscope::json {
namespace {

constexpr std::size_t kMaxSteps = 1'000'000;

// Reads steps and applies each to the state before it.
class Replayer {
public:
    Replayer(ProgramPtr state, const Reader& dims) : dims_(dims), state_(std::move(state)) {
        buffered_ = buffered_edges(*state_);
    }

    std::optional<Step> step(const Reader& reader);

private:
    bool same(const Reader& reader, const Step& step);

    Dims dims_;
    ProgramPtr state_;
    Stepper stepper_;
    int buffered_ = 0;
};

// Whether the file says of the step what the replay gives.
bool Replayer::same(const Reader& reader, const Step& step) {
    const int buffered = buffered_ + step.buffered_edges;
    const std::vector<std::pair<const char*, Value>> expected = {{"made", lineage_value(step.made)},
                                                                 {"removed", id_values(step.removed)},
                                                                 {"buffered_before", buffered_},
                                                                 {"buffered_after", buffered}};
    buffered_ = buffered;
    bool fine = true;
    for (const auto& [key, value] : expected) {
        const Reader member = reader.member(key);
        if (member.is(value)) continue;
        std::string text = print(value);
        text.pop_back();
        member.problem(Text("this step gives %1, found %2", printable(text, 200), member.found()));
        fine = false;
    }
    return fine;
}

std::optional<Step> Replayer::step(const Reader& reader) {
    if (!reader.object({"rule", "path", "dim?", "roles", "explanation", "made", "removed", "buffered_before",
                        "buffered_after"})) {
        return std::nullopt;
    }
    const auto match = read_match(reader, dims_);
    if (!reader.member("explanation").string(kMaxSentenceBytes) || !match ||
        !check_match(reader, state_->dims, stepper_.level(state_, match->path), *match)) {
        return std::nullopt;
    }
    Step step = stepper_.apply(state_, *match);
    if (!same(reader, step)) return std::nullopt;
    state_ = step.after;
    return step;
}

void read_snapshots(const Reader& list, Endings& endings, Trace& trace) {
    if (!list.array(0, kMaxSteps)) return;
    const auto most = static_cast<std::int64_t>(trace.steps.size());
    std::int64_t least = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (least > most) return list.at(i).problem(Text("there is no step behind the snapshot before"));
        const auto steps = list.at(i).integer(least, most);
        if (!steps) return;
        const Text problem = endings.snapshot_problem(*trace.state(static_cast<int>(*steps)));
        if (!problem.empty()) return list.at(i).problem(problem);
        trace.snapshots.push_back(static_cast<int>(*steps));
        least = *steps + 1;
    }
}

// The trace; what is wrong with it is reported. Each step depends on those before it, so the first wrong
// one ends the reading.
Trace read(const Reader& reader) {
    Trace trace;
    Report& report = reader.report();
    const Reader initial = reader.member("initial");
    if (!initial.object({"dims", "next_id", "graph"})) return trace;
    trace.initial = read_block_program(initial);
    const Reader steps = reader.member("steps");
    if (!trace.initial || !steps.array(0, kMaxSteps)) return trace;
    const Reader dims = initial.member("dims");
    Replayer replayer(trace.initial, dims);
    for (std::size_t i = 0; i < steps.size() && report.clean(); ++i) {
        if (auto step = replayer.step(steps.at(i))) trace.steps.push_back(std::move(*step));
    }
    if (!report.clean()) return trace;
    const auto rules = read_rule_set(reader);
    if (!rules) return trace;
    trace.rules = *rules;
    Endings endings(trace.rules);
    read_snapshots(reader.member("snapshots"), endings, trace);
    const auto stopped =
        read_stop_reason(reader.member("stopped"), endings, *trace.last(), !trace.steps.empty());
    if (!stopped) return trace;
    trace.stopped = *stopped;
    if (const Text problem = snapshots_problem(trace); report.clean() && !problem.empty())
        reader.member("snapshots").problem(problem);
    return trace;
}

}  // namespace
}  // namespace blockscope::json

namespace blockscope {

Result<Trace> read_trace(const std::string& text, const std::string& file) {
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    json::Report report(file);
    const json::Reader reader(*document, report);
    if (!json::check_header(reader, json::kTraceFormat) ||
        !reader.object({"format", "version", "rules?", "initial", "steps", "snapshots", "stopped"})) {
        return report.problems();
    }
    Trace trace = json::read(reader);
    if (!report.clean()) return report.problems();
    return trace;
}

}  // namespace blockscope
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
    object.push_back({"explanation", step.explanation.str()});
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
        const int after = before + step.buffered_edges;
        steps.push_back(json::step_value(step, before, after));
        before = after;
    }
    json::Array snapshots;
    for (const int snapshot : trace.snapshots) snapshots.push_back(snapshot);
    json::Object object{{"format", json::kTraceFormat}, {"version", 1}};
    json::add_rule_set(object, trace.rules);
    object.push_back({"initial", std::move(initial)});
    object.push_back({"steps", std::move(steps)});
    object.push_back({"snapshots", std::move(snapshots)});
    object.push_back({"stopped", trace.stopped.str()});
    return json::print(object);
}

}  // namespace blockscope
