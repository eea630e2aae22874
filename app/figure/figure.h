// What is drawn of one state of a block program: boxes within boxes, ports on the rims of maps, edges from
// box to box (Blockbuster section 2.1). A value without positions; app/layout places it, app/scene paints it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/graph/graph.h"
#include "core/program/array_program.h"
#include "core/support/geometry.h"
#include "core/support/text.h"

namespace blockscope {

enum class BoxKind : std::uint8_t {
    Input,        // "Q(M,D)"
    Output,       // "O(M,L)"
    Functional,   // "dot", "row_scale"
    Elementwise,  // its formula
    Reduction,    // the circled plus (or max) on its own
    Misc,         // an opaque operator
    Frame,        // a map, unfolded: dotted, its children inside
    Cloud,        // a map, folded
};

enum class PortMark : std::uint8_t {
    Plain,
    Sum,      // reduced output: the circled plus inside the map's exit
    Max,      // reduced by maximum
    Carried,  // a value that the loop carries: an output, and the entry through which the body reads the last
              // one
};

// A small circle on a map's rim. Inputs are on the top rim, outputs on the bottom rim.
struct Port {
    PortMark mark = PortMark::Plain;
    PortIn mode = PortIn::Broadcast;  // of inputs
    int slot = 0;  // index in Node::inputs (outputs) of the outermost map of the box; -1 for the
                   // entry of a carried value
};

struct Box {
    BoxKind kind = BoxKind::Functional;
    // The nodes that the box shows: one, but for a frame of nested maps that hold nothing else (outermost
    // first).
    std::vector<NodeId> nodes;
    int parent = -1;            // index of the enclosing Frame; -1 at the top level
    std::vector<int> children;  // of a Frame, in execution order
    std::string label;          // empty for frames
    std::string corner;         // of frames and clouds: "M,N", "x=1:X"
    std::string name;           // what the program's reader calls it: "P", "acc"; empty for most
    std::string peeled;         // "k=0" if the box belongs to a peeled iteration (rule 7), else empty
    Text detail;  // for tooltips and accessible names: "elementwise n7: exp(x), block[M,N] bf16"
    std::vector<Port> in, out;  // of Frame and Cloud
    Size size;                  // of its text with padding (what the layout gives leaves and clouds at least)

    NodeId id() const { return nodes.front(); }
};

// One end of an edge: a leaf box (port -1), or a port of a frame or cloud.
struct End {
    int box = 0;
    int port = -1;
    bool operator==(const End&) const = default;
};

// An edge within one container (a frame, or -1 for the top level). `from` is a sibling's output, or an input
// port of the container itself; `to` a sibling's input, or an output port of the container.
struct Edge {
    int container = -1;
    End from, to;
    ValueRef value;   // what flows, as the inner level names it
    NodeId consumer;  // and where: the node and the input of it
    int input = 0;
    Type type;
    bool buffered = false;  // through global memory: drawn red
    std::string label;      // "(M,N) block", with "k=0" for the first element of a list
    // Of edges that run beside each other from map to map the one that is drawn for all of them, by its
    // index, and how many they are. -1: the edge is drawn itself.
    int bundle = -1;
    int bundled = 0;
};

struct Figure {
    std::vector<Box> boxes;  // parents before children
    std::vector<Edge> edges;
    std::vector<int> roots;  // boxes of the top level, in execution order
    std::unordered_map<std::uint32_t, int>
        box_of;  // by NodeId: the box that shows it, or the cloud that hides it

    // The box that shows or hides `id`; -1 if the figure does not know it.
    int find(NodeId id) const {
        const auto it = box_of.find(id.value);
        return it == box_of.end() ? -1 : it->second;
    }
};

enum class TextRole : std::uint8_t { Label, Corner, Edge };
// The extent of one line of text in pixels at scale 1.
using Measure = std::function<Size(const std::string&, TextRole)>;
// Without fonts: 7 pixels a character. For tests and for programs without a display.
Size plain_measure(const std::string& text, TextRole role);

// The maps to draw as clouds. A nest of maps that hold nothing else folds if its outermost map does.
using Folds = std::set<NodeId>;

// Names of operators and maps besides what they are: an array of the program, "m" of an online softmax.
// Operators have theirs in their label ("m: max(x,y)"), maps in a corner, clouds in place of their contents.
using BoxNames = std::map<NodeId, std::string>;

Figure make_figure(const BlockProgram& program, const Folds& folds, const Measure& measure,
                   const BoxNames& names = {});

// Folds of all maps at nesting depth `depth` (0 folds the top-level maps), counted as frames are drawn.
Folds folds_at_depth(const BlockProgram& program, int depth);

// Edges (indices) and boxes through which one value goes: from where it is made through all ports to every
// operator that uses it. `edge` is any edge on its way.
struct ValuePath {
    std::vector<int> edges;
    std::vector<int> boxes;  // producer and consumers (leaf boxes and the frames whose rim it crosses)
};
ValuePath value_path(const Figure& figure, int edge);

// The array program as a picture: operators and arrays before there are blocks (Blockbuster section 1).

// Boxes of an array program have these in place of nodes: operator i, and output k behind all operators.
NodeId array_box(int op);
NodeId array_output_box(const ArrayProgram& program, int output);
// The operator that a box shows (of an output, whose result it is); -1 for any other id.
int array_op(const ArrayProgram& program, NodeId box);

// "S[M,N] bf16"; "[M,N] bf16" of a nameless intermediate.
std::string array_label(const ArrayOp& op, const DimTable& dims);
// "matmul", "softmax", "exp(S)", "S+b".
std::string array_op_label(const ArrayProgram& program, int op);

// One box for each operator and each output. All arrays are in global memory: every edge is buffered.
Figure make_array_figure(const ArrayProgram& program, const Measure& measure);

// Maps that hold nothing but one map are drawn as one frame with the dimensions of both (Blockbuster
// section 2.1).

// A map with the maps that it holds and nothing else beside them. Only parallel maps over their whole range
// nest: a frame's sums and entries then belong to one dimension.
struct MapNest {
    std::vector<const Node*> maps;  // outermost first
    const Map& outer() const { return *maps.front()->as<Map>(); }
    const Map& inner() const { return *maps.back()->as<Map>(); }
    const Graph& body() const { return *inner().body; }

    std::map<NodeId, int> in;  // by input node of the innermost body: index of the frame's input port
    std::vector<std::vector<int>>
        outputs;  // by output of the innermost body: indices of the frame's output ports
};

// `map` must be a map.
MapNest nest_of(const Node& map);

// Texts of a picture: labels of boxes and edges, and what tooltips and screen readers say.

// "Q(M,D)", "dot", "exp(x*(DD**-0.5))" (shortened), "+"; empty for maps. Outputs: see output_label.
std::string box_label(const Node& node, const DimTable& dims);
// "O(M,L)".
std::string output_label(const Output& output, const Type& type, const DimTable& dims);
// "M,N"; "k=1:K" for a map that starts at 1.
std::string frame_corner(const MapNest& nest, const DimTable& dims);
// What a folded map computes, shortened.
std::string cloud_label(const MapNest& nest, const DimTable& dims);
// "k=0" of a node that belongs to iteration 0 of maps over these dimensions (rule 7); empty if there are
// none.
std::string peeled_index(const std::vector<DimId>& iterations, const DimTable& dims);
// "(M,N) block"; "k=0: (N) block" of the first element of a list.
std::string edge_label(const Node& producer, const ValueRef& ref, const DimTable& dims);
// "elementwise n7: exp(x), block[M,N] bf16".
Text box_detail(const Node& node, const DimTable& dims);
Text frame_detail(const MapNest& nest, const DimTable& dims);

}  // namespace blockscope
