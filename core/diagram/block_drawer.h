// Values of a block program as arrays of a diagram.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/cost/terms.h"
#include "core/diagram/arrange.h"
#include "core/diagram/term.h"
#include "core/graph/graph.h"

namespace blockscope::circuit {

struct BlockValue {
    ArrayType type;
    std::vector<int> lists;   // places in type.axes of its list dimensions, outermost first
    std::vector<DimId> dims;  // of `lists`
    std::vector<int> item;    // places of the item's rows and columns
    bool mask = false;        // generated, never read
    int hidden = 0;           // list dimensions in one block that are left out
    std::string name;

    bool is_list() const { return !lists.empty(); }
    AxisId axis(std::size_t i) const { return type.axes.at(static_cast<std::size_t>(item.at(i))); }
};

// A value of this type at level 0. Each list dimension is merged with the item's axis along the same
// dimension, if there is one; otherwise it is the axis `count[dimension]` of block numbers.
BlockValue list_value(const Type& type, const std::vector<AxisId>& count);

// Without its list dimension number `list`, which has one block.
BlockValue without_list(BlockValue value, std::size_t list);

// What one iteration sees of a list: its first list dimension is cut.
BlockValue element(BlockValue list, AxisId part, Cut& cut);

// The list of what all iterations over `dim` give: along `whole` where the item has its part, else along the
// blocks' numbers.
BlockValue collected(BlockValue item, DimId dim, AxisId part, AxisId whole, AxisId count, Cut& cut);

// An item as an operator takes it: axes[i] is the index in its weave of the item's axis i, -1 its own axis.
Segment item_segment(const BlockValue& value, const std::vector<int>& axes);

// A functional operator on items, without its outputs.
Apply functional_apply(FunctionalOp op, const std::vector<BlockValue>& args);

// Draws the graphs of a block program level by level; circuit_of() is the only user.

class BlockDrawer {
public:
    explicit BlockDrawer(const BlockProgram& program, LoadPlacement placement = LoadPlacement::AsListed)
        : program_(program), hoisted_(placement == LoadPlacement::Hoisted) {}
    // Throws NotHoisted.
    Circuit run();

    // What has no form with its loads at the heads of loops.
    struct NotHoisted {
        Text what;
    };

private:
    // One graph: its arrays, numbered, and the columns made so far.
    struct Sheet {
        std::vector<BlockValue> values;
        std::map<int, int> loaded;                 // array at level 0 -> its copy at level 1
        std::map<std::pair<int, bool>, int> cut;   // array and whether of its first part -> that, or the rest
        std::map<std::pair<NodeId, int>, int> of;  // output of a node -> array
        std::vector<Step> steps;

        int add(BlockValue value) {
            values.push_back(std::move(value));
            return static_cast<int>(values.size()) - 1;
        }
        const BlockValue& value(int array) const { return values.at(static_cast<std::size_t>(array)); }
    };

    struct Inner {
        TermPtr term;
        std::vector<BlockValue> outputs;
    };

    // What the inner graph of a map gets: arrays, the number in `arrays` of each input port, how each output
    // port leaves, and the array that it goes on from (-1: none).
    struct Ports {
        std::vector<BlockValue> arrays;
        std::vector<int> inputs;
        std::vector<PortOut> modes;
        std::vector<int> starts;
    };

    // The axes that the parts of one map, or one peeled map, belong to.
    struct Whole {
        AxisId axis;
        AxisId count;
    };

    // A map on its way to a partition.
    struct MapParts {
        Partition made;
        std::vector<int> arrays;  // of the sheet: what comes in
        Ports ports;
        std::map<std::pair<int, bool>, int> known;  // array and whether iterated -> number in `arrays`
    };

    AxisId new_axis(Axis axis);
    AxisId new_part(DimId dim, AxisId whole, PartitionKind kind);
    AxisId first_axis(DimId dim);  // block 0 of a dimension
    const Whole& rest(DimId dim);  // all others
    BlockValue input_value(const Node& node) const;
    // A dimension whose loops are none: in one block, with loads at the heads of loops.
    bool single(DimId dim) const { return hoisted_ && program_.dims.at(dim.value).blocks() == 1; }
    BlockValue list_of(const Type& type) const;

    Inner draw(const Graph& graph, const Ports& ports);
    // The nodes of `graph`, whose inputs have their arrays; the arrays of its outputs.
    std::vector<int> draw_nodes(Sheet& sheet, const Graph& graph, const std::vector<PortOut>& modes,
                                const std::vector<int>& starts);
    void load_at_head(Sheet& sheet, const Graph& graph);
    // Whether an operator or a serial loop of `graph` takes what `node` gives as an item.
    bool takes_item(const Graph& graph, NodeId node) const;
    static TermPtr closed(const Sheet& sheet, const std::vector<int>& inputs,
                          const std::vector<int>& results);
    int result(Sheet& sheet, const Node& node, PortOut mode, int start);
    static int accumulated(Sheet& sheet, int array, NodeId node, PortOut mode, int start);

    // ---- arrays ----
    int array_of(Sheet& sheet, const ValueRef& ref);
    // The array at level 1, loaded (or, of a mask, made) here if it is not there yet.
    int item(Sheet& sheet, const ValueRef& ref);
    static int item(Sheet& sheet, int array, NodeId node);
    static int load(Sheet& sheet, int array, NodeId node);
    // As soon as it is there, as in a listing.
    static int save(Sheet& sheet, int array, NodeId node);
    // Block 0, or all others, of a list along its first list dimension: wires are split, nothing moves.
    int sliced(Sheet& sheet, int array, DimId dim, bool first, NodeId node);
    // The list of block 0 and of all others; `rest` -1: of block 0 alone.
    int rejoined(Sheet& sheet, int first, int rest, const BlockValue& list, NodeId node);
    DimId first_dim(const Sheet& sheet, int array) const;

    // ---- operators ----
    void functional(Sheet& sheet, const Node& node, FunctionalOp op);
    void elementwise(Sheet& sheet, const Node& node, const Elementwise& op);
    void misc(Sheet& sheet, const Node& node, const Misc& op);
    std::vector<int> items(Sheet& sheet, const Node& node);
    static void finish(Sheet& sheet, const Node& node, Apply apply, std::vector<int> inputs);

    // ---- maps and reductions ----
    void map(Sheet& sheet, const Node& node, const Map& what);
    void bind_inputs(Sheet& sheet, const Node& node, const Map& what, MapParts& parts);
    void bind_outputs(Sheet& sheet, const Node& node, const Map& what, MapParts& parts);
    Inner draw_body(Sheet& sheet, const Node& node, const Map& what, MapParts& parts);
    void only_first(Sheet& sheet, const Node& node, const Map& what);
    int beginning(Sheet& sheet, const Node& node, std::size_t port, double init,
                  const std::vector<AxisId>& axes);
    void map_in_place(Sheet& sheet, const Node& node, const Map& what);
    // The axes of an item of this type that outlives the innermost map.
    std::vector<AxisId> likely_axes(const Type& type) const;
    void reduce(Sheet& sheet, const Node& node, const Reduce& what);
    TermPtr reduction(const BlockValue& value, const std::vector<DimId>& dims, std::size_t depth,
                      const Reduce& what, NodeId node, BlockValue& result);

    const BlockProgram& program_;
    bool hoisted_;
    Circuit circuit_;
    std::vector<AxisId> count_;  // by dimension: its number of blocks
    std::map<DimId, AxisId> first_;
    std::map<DimId, Whole> rest_;
    std::vector<std::pair<DimId, AxisId>>
        around_;  // dimensions and parts of the maps around, outermost first
};

}  // namespace blockscope::circuit
