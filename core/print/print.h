// Short texts that the outline and the Graphviz output share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/loops/loop_program.h"
#include "core/support/text.h"

namespace blockscope {

// "n9", "n9.1" (a node with several outputs), with ",0" indices of a peeled reference: "n9[0]".
std::string reference(const GraphIndex& index, const ValueRef& ref);

// What a node does, without its id and inputs: "input Q", "dot", "exp(a*(DD**-0.5))" with a, b, ...
// for its inputs, "forall M", "for K from 1", "sum over N", the name of a miscellaneous operator.
std::string label(const Node& node, const DimTable& dims);
Text label_text(const Node& node, const DimTable& dims);

// "iterated", "broadcast", "continued"; "collected", "sum", "max", "carried".
std::string to_string(PortIn mode);
std::string to_string(PortOut mode);

// What a state looks like as text. Free functions; nothing here changes a program.

struct ListingLine {
    std::string text;                              // indented by two spaces a level
    NodeId node;                                   // what it shows
    std::optional<ValueRef> value = std::nullopt;  // of loads and stores: what is moved
};

// The paper's pseudocode (docs/listing.md has the grammar).
std::vector<ListingLine> listing_lines(const LoopProgram& program);

// The hierarchy as an indented outline, one node a line, with ids, types and edges.
std::string outline(const BlockProgram& program);

// Graphviz input: maps as dotted clusters, buffered edges red.
std::string dot(const BlockProgram& program);

}  // namespace blockscope
