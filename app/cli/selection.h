// What the user points at: nodes by name ("n3,n5", "/n1/n3,n5"), matches by rule and nodes ("1@n3,n5"), pairs
// of dimensions that are written as one ("D=L"), and other sizes of dimensions ("M=8192/64").
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/diagram/term.h"
#include "core/graph/graph.h"
#include "core/rules/conditions.h"

namespace blockscope::cli {

using Selection = LevelNodes;

// Parses "n3,n5" or "/n1/n3,n5" and looks the nodes up in `program`. The path may be left out: node
// names are unique in a program. Throws UsageError if there is no such node, or not there.
Selection find_selection(const BlockProgram& program, const std::string& text);

// A path of maps: "/" is the top level, "/n1/n3" the inner graph of n3 in n1.
std::vector<NodeId> find_path_argument(const BlockProgram& program, const std::string& text);

RuleId find_rule(const std::string& text);
DimId find_dim(const BlockProgram& program, const std::string& name);

// The match of "RULE@NODES": the one whose roles are exactly these nodes, else the only one whose
// roles include them. Throws UsageError with the rule's reason if there is none.
Match find_match(const BlockProgram& program, const std::string& choice);

// "1@/n1/n3,n5": what find_match needs to find `match` again.
std::string selector(const Match& match);
std::string to_string(const std::vector<NodeId>& path);  // "/n1/n3"; "/" for the top level

// The dimensions of the maps around a level, "M/N", or "top".
std::string where(const BlockProgram& program, const std::vector<NodeId>& path);

// ---- --same NAME=NAME: two dimensions of one size, written as one.

// The two dimensions of "D=L", the one that stays first. Throws UsageError if there are none of these names,
// or they differ in size or blocks.
std::pair<DimId, DimId> same_dims(const BlockProgram& program, const std::string& text);

// The axes of a diagram whose sizes are written alike then. Throws UsageError for names that no axis has and
// for other sizes.
void write_alike(circuit::Axes& axes, const std::vector<std::string>& same);

// ---- --set NAME=SIZE: other sizes of dimensions.

// The program with other sizes: each of `sizes` is NAME=SIZE or NAME=SIZE/BLOCK. Without BLOCK the block
// stays, or shrinks to the size. Throws UsageError with what is wrong.
ProgramPtr resized(const ProgramPtr& program, const std::vector<std::string>& sizes);

}  // namespace blockscope::cli
