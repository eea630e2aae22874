// What --json prints: one versioned object per command (docs/cli.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/run.h"

namespace blockscope::cli {

using Json = nlohmann::ordered_json;

// {"blockscope": command, "version": 1}, to be filled.
Json envelope(const std::string& command);
// Its text; bytes that are not UTF-8 become U+FFFD.
std::string to_text(const Json& json);

Json node_json(NodeId id);
Json nodes_json(const std::vector<NodeId>& ids);
// A match in a state: rule, name, where, selector, roles, explanation.
Json match_json(const BlockProgram& program, const Match& match, const std::string& explanation);

std::string run_envelope(const Run& run, const Shown& shown, const Proof& proof);
// {"blockscope": "error", "version": 1, "exit": ..., "problems": [...]}
std::string error_envelope(int exit_code, const Problems& problems);

}  // namespace blockscope::cli
