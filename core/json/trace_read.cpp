#include <algorithm>

#include "core/json/json_io.h"
#include "core/json/trace_json.h"

namespace blockscope::json {
namespace {

constexpr std::size_t kMaxSteps = 1'000'000;
constexpr std::size_t kMaxRoles = 64;
constexpr std::size_t kMaxSentenceBytes = 65'536;

std::optional<std::vector<NodeId>> read_ids(const Reader& list, std::size_t most) {
    if (!list.array(0, most)) return std::nullopt;
    std::vector<NodeId> ids;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const auto id = list.at(i).integer(1, kMaxId);
        if (!id) return std::nullopt;
        ids.push_back(NodeId{static_cast<std::uint32_t>(*id)});
    }
    return ids;
}

// Reads steps and applies each to the state before it.
class Replayer {
public:
    Replayer(ProgramPtr state, const Reader& dims) : dims_(dims), state_(std::move(state)) {
        buffered_ = buffered_edges(*state_);
    }

    std::optional<Step> step(const Reader& reader);

private:
    const Rule* read_rule(const Reader& reader) const;
    std::optional<Match> read_match(const Reader& reader) const;
    bool read_roles(const Reader& list, Match& match) const;
    bool present(const Reader& reader, const Match& match) const;
    bool same(const Reader& reader, const Step& step);

    Dims dims_;
    ProgramPtr state_;
    int buffered_ = 0;
};

const Rule* Replayer::read_rule(const Reader& reader) const {
    std::vector<std::string> names;
    for (const Rule& rule : rules()) names.push_back(to_string(rule.id));
    const auto index = reader.choice(names);
    return index ? &rules()[static_cast<std::size_t>(*index)] : nullptr;
}

bool Replayer::read_roles(const Reader& list, Match& match) const {
    if (!list.array(1, kMaxRoles)) return false;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Reader reader = list.at(i);
        if (!reader.object({"role", "node"})) return false;
        const auto name = reader.member("role").string(kMaxNameBytes);
        const auto node = reader.member("node").integer(1, kMaxId);
        if (!name || !node) return false;
        match.roles.push_back({*name, NodeId{static_cast<std::uint32_t>(*node)}});
    }
    return true;
}

std::optional<Match> Replayer::read_match(const Reader& reader) const {
    Match match;
    const Rule* rule = read_rule(reader.member("rule"));
    const auto path = read_ids(reader.member("path"), kMaxMapDepth);
    if (!rule || !path || !read_roles(reader.member("roles"), match)) return std::nullopt;
    match.rule = rule->id;
    match.path = *path;
    if (reader.has("dim")) {
        const auto dim = dims_.find(reader.member("dim"));
        if (!dim) return std::nullopt;
        match.dim = *dim;
    }
    return match;
}

// Whether the match is there in the present state.
bool Replayer::present(const Reader& reader, const Match& match) const {
    const GraphPtr graph = graph_at(*state_, match.path);
    if (!graph) {
        reader.member("path").problem(
            "at this step the program has no maps with these ids inside each other");
        return false;
    }
    const GraphIndex index(*graph);
    for (std::size_t i = 0; i < match.roles.size(); ++i) {
        if (index.find(match.roles[i].node)) continue;
        const Reader roles = reader.member("roles");
        roles.at(i).problem("at this step the graph at the given path has no node " +
                            to_string(match.roles[i].node));
        return false;
    }
    // A match is anchored at one of its nodes; which one is the rule's affair.
    for (const Role& role : match.roles) {
        std::vector<Match> found;
        rule(match.rule).matches_at(Level{state_->dims, index}, index.position(role.node), found);
        for (Match& other : found) other.path = match.path;
        if (std::find(found.begin(), found.end(), match) != found.end()) return true;
    }
    reader.problem("rule " + to_string(match.rule) +
                   " has no match with these roles and this dimension at this step");
    return false;
}

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
    const auto match = read_match(reader);
    if (!reader.member("explanation").string(kMaxSentenceBytes) || !match || !present(reader, *match)) {
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
