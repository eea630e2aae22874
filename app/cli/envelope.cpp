#include "app/cli/envelope.h"

#include <iostream>

#include "app/cli/load.h"
#include "app/cli/selection.h"
#include "core/print/print.h"

namespace blockscope::cli {
namespace {

constexpr int kVersion = 1;

// `buffered`: edges before the step.
Json step_json(const Step& step, int number, int buffered) {
    Json json = {{"number", number}};
    add_members(json, match_json(*step.before, step.match, step.explanation.str()));
    json["made"] = json::Array{};
    for (const Lineage& made : step.made) {
        json["made"].push_back({{"node", node_json(made.made)}, {"from", nodes_json(made.from)}});
    }
    json["removed"] = nodes_json(step.removed);
    json["buffered_before"] = buffered;
    json["buffered_after"] = buffered + step.buffered_edges;
    return json;
}

std::string verdict(Proof::Verdict verdict) {
    switch (verdict) {
        case Proof::Verdict::Proven:
            return "proven";
        case Proof::Verdict::Mismatch:
            return "mismatch";
        case Proof::Verdict::Skipped:
            return "skipped";
    }
    return {};
}

Json proof_json(const Proof& proof) {
    Json json = {{"verdict", verdict(proof.verdict)}, {"sentence", proof.sentence}};
    if (proof.mismatch) {
        json["step"] = *proof.failed_step;
        json["output"] = proof.mismatch->output;
        json["element"] = proof.mismatch->index;
        json["seed"] = proof.mismatch->seed;
    }
    return json;
}

Json state_json(const State& state, int step, bool safe) {
    Json json = {{"step", step},
                 {"safe", safe},
                 {"form", to_string(state.form().loops)},
                 {"nodes", node_count(*state.program())},
                 {"buffered", buffered_edges(*state.program())},
                 {"listing", json::Array{}}};
    for (const ListingLine& line : state.listing()) {
        json["listing"].push_back({{"text", line.text}, {"node", node_json(line.node)}});
    }
    return json;
}

}  // namespace

Json envelope(const std::string& command) {
    return {{"blockscope", command}, {"version", kVersion}};
}

std::string to_text(const Json& json) {
    return json::print_indented(json);
}

Json parsed(const std::string& text) {
    Result<json::Value> value = json::parse(text, "a document of ours");
    if (!value) throw InternalError(to_string(value.problems().front()));
    return std::move(value).value();
}

void add_members(Json& json, const Json& more) {
    for (const json::Member& member : std::get<json::Object>(more.data)) json[member.key] = member.value;
}

void hand_out(const std::string& text, const std::string& output, std::optional<Json> json) {
    const bool to_stdout = output.empty() || output == "-";
    if (!to_stdout) write_file(output, text);
    if (json) {
        (*json)[to_stdout ? "content" : "output"] = to_stdout ? text : output;
        std::cout << to_text(*json) << '\n';
    } else if (to_stdout) {
        std::cout << text;
    }
}

Json node_json(NodeId id) {
    return blockscope::to_string(id);
}

Json nodes_json(const std::vector<NodeId>& ids) {
    Json json = json::Array{};
    for (const NodeId id : ids) json.push_back(node_json(id));
    return json;
}

Json match_json(const BlockProgram& program, const Match& match, const std::string& explanation) {
    Json roles = json::Array{};
    for (const Role& role : match.roles)
        roles.push_back({{"role", role.name}, {"node", node_json(role.node)}});
    return {{"rule", to_string(match.rule)},
            {"name", rule(match.rule).name.str()},
            {"selector", selector(match)},
            {"path", nodes_json(match.path)},
            {"where", where(program, match.path)},
            {"dim", program.dims[match.dim.value].name},
            {"roles", roles},
            {"explanation", explanation}};
}

std::string run_envelope(const Run& run, const Shown& shown, const Proof& proof,
                         const std::optional<Worth>& worth) {
    Json json = envelope(run.command);
    json["file"] = run.loaded.name;
    json["steps"] = json::Array{};
    int buffered = buffered_edges(*run.trace.initial);
    for (int i = 0; i < shown.last; ++i) {
        const Step& step = run.trace.steps[static_cast<std::size_t>(i)];
        json["steps"].push_back(step_json(step, i + 1, buffered));
        buffered += step.buffered_edges;
    }
    json["snapshots"] = json::Array{};
    for (const int snapshot : run.trace.snapshots) {
        if (snapshot <= shown.last) json["snapshots"].push_back(snapshot);
    }
    json["total_steps"] = run.trace.steps.size();
    json["stopped"] = run.trace.stopped.str();
    json["proof"] = proof_json(proof);
    if (worth) json["best"] = worth_json(*worth);
    json["states"] = json::Array{};
    for (int step = shown.first(); step <= shown.last; ++step) {
        json["states"].push_back(state_json(State(run.trace.state(step), shown.form), step, false));
        if (!shown.safe.empty())
            json["states"].push_back(state_json(shown.state(run.trace, step), step, true));
    }
    return to_text(json);
}

std::string error_envelope(int exit_code, const Problems& problems) {
    Json json = envelope("error");
    json["exit"] = exit_code;
    json["problems"] = json::Array{};
    for (const Problem& problem : problems) {
        Json entry = {{"message", problem.message.str()}};
        if (!problem.place.file.empty()) entry["file"] = problem.place.file;
        if (problem.place.line > 0) entry["line"] = problem.place.line;
        if (problem.place.column > 0) entry["column"] = problem.place.column;
        if (!problem.place.pointer.empty()) entry["pointer"] = problem.place.pointer;
        json["problems"].push_back(entry);
    }
    return to_text(json);
}

}  // namespace blockscope::cli
