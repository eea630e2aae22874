// What a state looks like as text. Free functions; nothing here changes a program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/loops/loop_program.h"

namespace blockscope {

struct ListingLine {
    std::string text;                              // indented by two spaces a level
    NodeId node;                                   // what it shows
    std::optional<ValueRef> value = std::nullopt;  // of loads and stores: what is moved
};

// The paper's pseudocode (docs/listing.md has the grammar).
std::vector<ListingLine> listing_lines(const LoopProgram& program);
std::string listing(const BlockProgram& program);

// The hierarchy as an indented outline, one node a line, with ids, types and edges.
std::string outline(const BlockProgram& program);

// Graphviz input: maps as dotted clusters, buffered edges red.
std::string dot(const BlockProgram& program);

}  // namespace blockscope
