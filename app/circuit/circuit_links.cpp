#include "app/circuit/circuit_page.h"

#include <algorithm>

namespace blockscope {

namespace {

using circuit::Drawing;
using circuit::Origin;

// Every graph of a program, with what is around it.
struct Level {
    const Graph* graph = nullptr;
    const Node* around = nullptr;  // the map; null at the top
    int outer = -1;                // index of the graph around it
};

void collect(const Graph& graph, const Node* around, int outer, std::vector<Level>& levels) {
    const int mine = static_cast<int>(levels.size());
    levels.push_back({&graph, around, outer});
    for (const NodePtr& node : graph.nodes())
        if (const Map* map = node->as<Map>()) collect(*map->body, node.get(), mine, levels);
}

// The port of the body that input `i` of a map is; -1 for one that the body does not see.
int body_port(const Map& map, std::size_t i) {
    if (map.inputs.at(i).mode == PortIn::Continued) return -1;
    int port = 0;
    for (std::size_t k = 0; k < i; ++k) port += map.inputs[k].mode != PortIn::Continued ? 1 : 0;
    return port;
}

class ValueWalk {
public:
    explicit ValueWalk(const BlockProgram& program) { collect(*program.graph, nullptr, -1, levels_); }

    std::set<NodeId> run(const ValueRef& value) {
        const int level = level_of(value.node);
        if (level >= 0) made(level, value.node, value.port);
        return std::move(nodes_);
    }

private:
    int level_of(NodeId node) const {
        for (std::size_t l = 0; l < levels_.size(); ++l)
            if (levels_[l].graph->find(node)) return static_cast<int>(l);
        return -1;
    }

    // Adds the node that makes a value, looks into the map if that is one, and goes on to the value's
    // readers.
    void made(int level, NodeId id, int port) {
        if (!seen_.insert({id, port}).second) return;
        nodes_.insert(id);
        const Graph& graph = *levels_[static_cast<std::size_t>(level)].graph;
        const Node& node = *graph.find(id);
        if (const Map* map = node.as<Map>()) {
            const NodePtr inner = map->body->outputs().at(static_cast<std::size_t>(port));
            nodes_.insert(inner->id);
            made(level_of(inner->id), inner->inputs[0].node, inner->inputs[0].port);
        }
        for (const NodePtr& user : graph.nodes())
            for (std::size_t i = 0; i < user->inputs.size(); ++i)
                if (user->inputs[i].node == id && user->inputs[i].port == port) used(level, *user, i);
    }

    void used(int level, const Node& user, std::size_t input) {
        if (user.is<Output>()) {
            nodes_.insert(user.id);
            return leave(level, user);
        }
        const Map* map = user.as<Map>();
        if (!map) return;
        const int port = body_port(*map, input);
        if (port < 0) return;
        const NodeId inner = map->body->inputs().at(static_cast<std::size_t>(port))->id;
        made(level_of(inner), inner, 0);
    }

    void leave(int level, const Node& output) {
        const Level& here = levels_[static_cast<std::size_t>(level)];
        if (!here.around) return;
        const std::vector<NodePtr> outputs = here.graph->outputs();
        for (std::size_t port = 0; port < outputs.size(); ++port)
            if (outputs[port]->id == output.id) made(here.outer, here.around->id, static_cast<int>(port));
    }

    std::vector<Level> levels_;
    std::set<std::pair<NodeId, int>> seen_;
    std::set<NodeId> nodes_;
};

bool meant(const Origin& origin, const std::set<NodeId>& nodes, const std::set<int>& ops) {
    return (origin.node && nodes.count(origin.node) > 0) || (origin.op >= 0 && ops.count(origin.op) > 0);
}

const Node* node_of(const BlockProgram& program, NodeId id) {
    std::vector<NodeId> path;
    if (!find_path(program, id, path)) return nullptr;
    return graph_at(program, path)->find(id);
}

// The axis that a map iterates over: wherever it is drawn.
void light_axis(const Drawing& drawing, const BlockProgram& program, const SharedNames& names, NodeId id,
                CircuitLights& lights) {
    const Node* node = node_of(program, id);
    const Map* map = node ? node->as<Map>() : nullptr;
    if (!map) return;
    bool framed = false;
    for (std::size_t f = 0; f < drawing.frames.size(); ++f) {
        if (drawing.frames[f].origin.node != id) continue;
        framed = true;
        lights.frames.insert(static_cast<int>(f));
        for (const circuit::AxisId axis : drawing.frames[f].axes) lights.axes.insert(axis.value);
    }
    if (framed) return;
    // Drawn in the frame of a map around it, or in a diagram without maps: the axis and its parts, and the
    // groups and streams of them that are no other map's.
    const std::string& name = program.dims.at(map->dim.value).name;
    for (std::size_t a = 0; a < names.dims.size(); ++a)
        if (names.dims[a] == name) lights.axes.insert(static_cast<int>(a));
    for (std::size_t f = 0; f < drawing.frames.size(); ++f) {
        if (drawing.frames[f].origin.node) continue;
        for (const circuit::AxisId axis : drawing.frames[f].axes)
            if (names.dims.at(static_cast<std::size_t>(axis.value)) == name)
                lights.frames.insert(static_cast<int>(f));
    }
}

void collect_maps(const Graph& graph, DimId dim, std::set<NodeId>& maps) {
    for (const NodePtr& node : graph.nodes()) {
        const Map* map = node->as<Map>();
        if (!map) continue;
        if (map->dim == dim) maps.insert(node->id);
        collect_maps(*map->body, dim, maps);
    }
}

// The program's inputs and outputs among the nodes, by name: what a diagram of the array program moves.
void add_names(const BlockProgram& program, const std::set<NodeId>& nodes, std::set<std::string>& loaded,
               std::set<std::string>& saved) {
    for (const NodePtr& node : program.graph->nodes()) {
        if (nodes.count(node->id) == 0) continue;
        if (const Input* input = node->as<Input>()) loaded.insert(input->name);
        if (const Output* output = node->as<Output>()) saved.insert(output->name);
    }
}

// The value that a transfer of the array named so belongs to: an input as it goes in, an output as it comes
// out.
Spot array_spot(const BlockProgram& program, const std::string& array) {
    Spot spot;
    for (const NodePtr& node : program.graph->nodes()) {
        const Input* input = node->as<Input>();
        const Output* output = node->as<Output>();
        if (input && input->name == array) spot.value = ValueRef{node->id, 0};
        if (output && output->name == array) {
            spot.value = node->inputs.at(0);
            spot.consumer = node->id;
        }
    }
    return spot;
}

Spot transfer_spot(const BlockProgram& program, NodeId id) {
    const Node* node = node_of(program, id);
    if (!node) return {};
    Spot spot;
    if (node->is<Output>()) {
        spot.value = node->inputs.at(0);
        spot.consumer = id;
        return spot;
    }
    std::vector<NodeId> path;
    find_path(program, id, path);
    for (const NodePtr& user : graph_at(program, path)->nodes())
        for (const ValueRef& input : user->inputs)
            if (!spot.value && input.node == id) {
                spot.value = input;
                spot.consumer = user->id;
            }
    return spot;
}

Spot origin_spot(const BlockProgram& program, const ArrayLinks& links, const Origin& origin, bool transfer,
                 const std::string& array = {}) {
    if (origin.node) return transfer ? transfer_spot(program, origin.node) : Spot{{origin.node}, {}, {}};
    if (transfer) return array_spot(program, array);
    const auto found = links.nodes.find(origin.op);
    return found == links.nodes.end() ? Spot{} : Spot{found->second, {}, {}};
}

// The maps over an axis, or the one whose part it is; in a diagram without maps all of the program over it.
Spot axis_spot(const Drawing& drawing, const BlockProgram& program, const SharedNames& names,
               circuit::AxisId axis) {
    Spot spot;
    if (axis.value < 0) return spot;
    for (const circuit::DrawnFrame& frame : drawing.frames)
        for (const circuit::AxisId other : frame.axes)
            if (other == axis && frame.origin.node) spot.nodes.insert(frame.origin.node);
    if (!spot.nodes.empty()) return spot;
    const std::string& name = names.dims.at(static_cast<std::size_t>(axis.value));
    for (std::size_t d = 0; d < program.dims.size(); ++d)
        if (program.dims[d].name == name)
            collect_maps(*program.graph, DimId{static_cast<std::uint16_t>(d)}, spot.nodes);
    return spot;
}

Spot frame_spot(const Drawing& drawing, const BlockProgram& program, const ArrayLinks& links,
                const SharedNames& names, const circuit::DrawnFrame& frame) {
    if (frame.origin.node || frame.origin.op >= 0 || frame.axes.empty())
        return origin_spot(program, links, frame.origin, false);
    return axis_spot(drawing, program, names, frame.axes.front());
}

}  // namespace

std::set<NodeId> nodes_of_value(const BlockProgram& program, const ValueRef& value) {
    return ValueWalk(program).run(value);
}

SharedNames shared_names(const circuit::Axes& axes, const circuit::Axes* first) {
    SharedNames names;
    for (std::size_t a = 0; a < axes.size(); ++a) {
        const std::size_t whole = axes[a].whole ? static_cast<std::size_t>(axes[a].whole->value) : a;
        // Two roles of one dimension are D and D'.
        std::string name = first && whole < first->size() ? (*first)[whole].name : axes.at(whole).name;
        name.erase(std::find(name.begin(), name.end(), '\''), name.end());
        if (name.compare(0, 2, "g_") == 0) name.erase(0, 2);  // a thread block's, in pseudocode
        names.dims.push_back(std::move(name));
    }
    return names;
}

CircuitLights circuit_lights(const Drawing& drawing, const BlockProgram& program, const ArrayLinks& links,
                             const SharedNames& names, const Spot& spot) {
    CircuitLights lights;
    std::set<int> ops;
    for (const NodeId node : spot.nodes) {
        light_axis(drawing, program, names, node, lights);
        if (const auto found = links.ops.find(node); found != links.ops.end())
            ops.insert(found->second.begin(), found->second.end());
    }
    std::set<NodeId> handed;
    std::set<std::string> loaded, saved;
    if (spot.value) {
        handed = nodes_of_value(program, *spot.value);
        add_names(program, handed, loaded, saved);
    }
    for (std::size_t g = 0; g < drawing.glyphs.size(); ++g) {
        const circuit::DrawnGlyph& glyph = drawing.glyphs[g];
        const bool transfer = glyph.kind == circuit::GlyphKind::Transfer;
        const bool named = transfer && !glyph.origin.node && !glyph.array.empty() &&
                           (glyph.level > 0 ? loaded : saved).count(glyph.array) > 0;
        if (meant(glyph.origin, spot.nodes, ops) || (transfer && meant(glyph.origin, handed, {})) || named)
            lights.glyphs.insert(static_cast<int>(g));
    }
    return lights;
}

Spot circuit_spot(const Drawing& drawing, const BlockProgram& program, const ArrayLinks& links,
                  const SharedNames& names, const CircuitPart& part) {
    const auto i = static_cast<std::size_t>(std::max(part.index, 0));
    switch (part.kind) {
        case CircuitPart::Kind::None:
            return {};
        case CircuitPart::Kind::Frame:
            return frame_spot(drawing, program, links, names, drawing.frames.at(i));
        case CircuitPart::Kind::Wire:
            return axis_spot(drawing, program, names, drawing.wires.at(i).axis);
        case CircuitPart::Kind::Glyph:
            return origin_spot(program, links, drawing.glyphs.at(i).origin,
                               drawing.glyphs.at(i).kind == circuit::GlyphKind::Transfer,
                               drawing.glyphs.at(i).array);
        case CircuitPart::Kind::Number:
            return origin_spot(program, links, drawing.numbers.at(i).origin, true,
                               drawing.numbers.at(i).array);
    }
    return {};
}

}  // namespace blockscope
