// A program as text: the listing, the outline, Graphviz input and the short texts that they share, and which
// lines of one listing became which lines of another.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
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

// A text that fuse, render and the export dialog write of a state. Another one is a source NAME_format.cpp in
// this folder, which the next build finds, with the writer and its row in the function NAME_format().
struct StateFormat {
    const char* name;   // "dot": what --format says and names of files end with
    const char* title;  // "DOT (Graphviz)": in a list of formats
    std::string (*write)(const BlockProgram&);
    const char* comment = "# ";  // how a line of comment begins
};
// By name.
const std::vector<StateFormat>& state_text_formats();

// Which lines of one text became which lines of another.

// One line of the two texts together, in reading order: lines that go away stand before those that come in
// their place.
struct LineChange {
    enum class Kind { Same, Removed, Added } kind = Kind::Same;
    int before = -1;  // index of the line in the old text; -1 of an added one
    int after = -1;   // index of the line in the new text; -1 of a removed one
    bool operator==(const LineChange&) const = default;
};

// Whether line `before` of the old text and line `after` of the new one are the same.
using SameLine = std::function<bool(int before, int after)>;

// A shortest way from `before` lines to `after` lines (Myers, "An O(ND) Difference Algorithm"). Texts that
// have more than 2,000 changed lines differ as a whole between what they begin and end with.
std::vector<LineChange> diff_lines(int before, int after, const SameLine& same);

// A line of a listing with all temporaries called t and all intermediates called I, so that renumbering is no
// change: "t3 += dot(t1,t2)" gives "t += dot(t,t)".
std::string without_numbers(std::string_view line);

}  // namespace blockscope
