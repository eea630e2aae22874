// The output of --json: one versioned object per command (docs/cli.md).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/run.h"
#include "core/json/value.h"

namespace blockscope::cli {

using Json = json::Value;

// {"blockscope": command, "version": 1}, to which the command adds its members.
Json envelope(const std::string& command);
// The value as text. Bytes that are not UTF-8 become U+FFFD.
std::string to_text(const Json& json);

// Values that JSON has, in an array.
template <class T>
Json list_json(const std::vector<T>& values) {
    return json::Array(values.begin(), values.end());
}
// A document of ours as a value.
Json parsed(const std::string& text);
// Appends the members of `more`, an object, to `json`.
void add_members(Json& json, const Json& more);

// Prints `text`, or writes it to `output` unless that is empty or "-". With `json` that is what is printed,
// with the text or the file's name added.
void hand_out(const std::string& text, const std::string& output, std::optional<Json> json);

Json node_json(NodeId id);
Json nodes_json(const std::vector<NodeId>& ids);
// A match in a state: rule, name, where, selector, roles, explanation.
Json match_json(const BlockProgram& program, const Match& match, const std::string& explanation);

// `worth`: which state is the best, of whole runs.
std::string run_envelope(const Run& run, const Shown& shown, const Proof& proof,
                         const std::optional<Worth>& worth);
// {"blockscope": "error", "version": 1, "exit": ..., "problems": [...]}
std::string error_envelope(int exit_code, const Problems& problems);

}  // namespace blockscope::cli
