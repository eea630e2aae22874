#include "core/json/json_io.h"
#include "core/json/match_json.h"
#include "core/json/trace_json.h"

namespace blockscope::json {
namespace {

constexpr std::size_t kMaxSteps = 1'000'000;
constexpr std::size_t kMaxSentenceBytes = 65'536;

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
    int buffered_ = 0;
};

// Whether the file says of the step what the replay gives.
bool Replayer::same(const Reader& reader, const Step& step) {
    const int buffered = buffered_edges(*step.after);
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
        member.problem("this step gives " + printable(text, 200) + ", found " + member.found());
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
        !check_match(reader, *state_, *match)) {
        return std::nullopt;
    }
    Step step = checked_apply(state_, *match);
    if (!same(reader, step)) return std::nullopt;
    state_ = step.after;
    return step;
}

void read_snapshots(const Reader& list, Trace& trace) {
    if (!list.array(0, kMaxSteps)) return;
    std::int64_t least = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto steps = list.at(i).integer(least, static_cast<std::int64_t>(trace.steps.size()));
        if (!steps) return;
        trace.snapshots.push_back(static_cast<int>(*steps));
        least = *steps;
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
    read_snapshots(reader.member("snapshots"), trace);
    trace.stopped = reader.member("stopped").string(kMaxSentenceBytes).value_or("");
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
        !reader.object({"format", "version", "initial", "steps", "snapshots", "stopped"})) {
        return report.problems();
    }
    Trace trace = json::read(reader);
    if (!report.clean()) return report.problems();
    return trace;
}

}  // namespace blockscope
