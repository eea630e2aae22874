
#include <algorithm>
#include <map>
#include <tuple>

#include "app/figure/figure.h"
#include "core/rules/conditions.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

bool nests(const Map& map) {
    return map.start == 0 &&
           std::all_of(map.inputs.begin(), map.inputs.end(),
                       [](const MapInput& input) { return input.mode != PortIn::Continued; }) &&
           std::all_of(map.outputs.begin(), map.outputs.end(),
                       [](const MapOutput& output) { return output.mode == PortOut::Collected; });
}

// The only operator of `body`, if it is a map that reads whole inputs and gives all that the body gives.
const Node* only_map(const Graph& body) {
    const Node* only = nullptr;
    for (const NodePtr& node : body.nodes()) {
        if (node->is<Input>() || node->is<Output>()) continue;
        if (only || !node->is<Map>()) return nullptr;
        only = node.get();
    }
    if (!only) return nullptr;
    std::vector<bool> given(only->outputs.size(), false);
    for (const NodePtr& node : body.nodes()) {
        for (const ValueRef& ref : node->inputs)
            if (ref.first > 0) return nullptr;
        if (!node->is<Output>()) continue;
        if (node->inputs[0].node != only->id) return nullptr;
        given[node->inputs[0].port] = true;
    }
    return std::find(given.begin(), given.end(), false) == given.end() ? only : nullptr;
}

// Ports of the outermost map, with an own input port for each carried value.
void own_ports(MapNest& nest) {
    const Map& map = nest.outer();
    const std::vector<NodePtr> inputs = map.body->inputs();
    std::size_t inner = 0;
    for (std::size_t i = 0; i < map.inputs.size(); ++i)
        if (map.inputs[i].mode != PortIn::Continued) nest.in[inputs[inner++]->id] = static_cast<int>(i);
    for (int port = static_cast<int>(map.inputs.size()); inner < inputs.size(); ++port)
        nest.in[inputs[inner++]->id] = port;
    for (std::size_t i = 0; i < map.outputs.size(); ++i) nest.outputs.push_back({static_cast<int>(i)});
}

void descend(MapNest& nest, const Node& only) {
    const Graph& around = nest.body();
    std::map<NodeId, int> in;
    const std::vector<NodePtr> inputs = only.as<Map>()->body->inputs();
    for (std::size_t i = 0; i < inputs.size(); ++i) in[inputs[i]->id] = nest.in.at(only.inputs[i].node);
    std::vector<std::vector<int>> outputs(only.outputs.size());
    std::size_t at = 0;
    for (const NodePtr& output : around.outputs()) {
        const std::vector<int>& ports = nest.outputs[at++];
        std::vector<int>& mine = outputs[output->inputs[0].port];
        mine.insert(mine.end(), ports.begin(), ports.end());
    }
    nest.in = std::move(in);
    nest.outputs = std::move(outputs);
    nest.maps.push_back(&only);
}

}  // namespace

MapNest nest_of(const Node& map) {
    MapNest nest;
    nest.maps.push_back(&map);
    own_ports(nest);
    while (nests(nest.inner())) {
        const Node* only = only_map(nest.body());
        if (!only || !nests(*only->as<Map>())) break;
        descend(nest, *only);
    }
    return nest;
}

namespace {

constexpr std::size_t kLongest = 28;  // characters of a label
constexpr int kLargestFormula = 400;  // operators of a formula that is written out in full

std::string shortened(const std::string& text) {
    if (text.size() <= kLongest) return text;
    std::size_t end = kLongest - 1;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        --end;  // whole UTF-8 characters
    return text.substr(0, end) + "…";
}

std::string dim_name(DimId dim, const DimTable& dims) {
    return dims.at(dim.value).name;
}

std::string index_name(DimId dim, const DimTable& dims) {
    std::string text = dim_name(dim, dims);
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

// "(M,D)", or nothing for an item.
std::string list_dims(const Type& type, const DimTable& dims) {
    std::string text;
    for (int i = 0; i < type.rank(); ++i) text += (i ? "," : "(") + dim_name(type.dim(i), dims);
    return type.is_list() ? text + ")" : text;
}

std::string item_name(const Item& item) {
    switch (item.kind) {
        case ItemKind::Block:
            return "block";
        case ItemKind::Vector:
            return "vector";
        case ItemKind::Scalar:
            return "scalar";
    }
    throw InternalError("unknown item kind");
}

std::string formula(const Elementwise& node, const DimTable& dims) {
    if (tree_size(*node.expr, kLargestFormula) == kLargestFormula) return "f(…)";
    std::vector<std::string> names = {"x", "y", "z", "u", "v", "w"};
    for (int i = static_cast<int>(names.size()); i < argument_count(*node.expr); ++i)
        names.push_back("x" + std::to_string(i));
    return to_string(*node.expr, names, dims);
}

std::string array_name(const Input& input) {
    return input.transposed ? input.name + "T" : input.name;
}

struct Labeller {
    const DimTable& dims;

    std::string operator()(const Input& input) const { return array_name(input); }
    std::string operator()(const Output& output) const { return output.name; }
    std::string operator()(const Functional& functional) const { return to_string(functional.op); }
    std::string operator()(const Elementwise& elementwise) const { return formula(elementwise, dims); }
    std::string operator()(const Map&) const { return ""; }
    std::string operator()(const Reduce& reduce) const { return reduce.op == ReduceOp::Sum ? "+" : "max"; }
    std::string operator()(const Misc& misc) const { return misc.name; }
};

struct Describer {
    const DimTable& dims;
    std::string id;

    Text operator()(const Input& input) const {
        if (input.source == InputSource::CausalMask)
            return input.transposed
                       ? Text("causal mask %1: %2 (%3 read transposed)", id, array_name(input), input.name)
                       : Text("causal mask %1: %2", id, array_name(input));
        return input.transposed ? Text("input %1: %2 (%3 read transposed)", id, array_name(input), input.name)
                                : Text("input %1: %2", id, array_name(input));
    }
    Text operator()(const Output& output) const { return Text("output %1: %2", id, output.name); }
    Text operator()(const Functional& functional) const {
        return Text("operator %1: %2", id, to_string(functional.op));
    }
    Text operator()(const Elementwise& elementwise) const {
        if (!elementwise.to) return Text("elementwise %1: %2", id, formula(elementwise, dims));
        return Text("elementwise %1: %2, rounded to %3", id, formula(elementwise, dims),
                    to_string(*elementwise.to));
    }
    Text operator()(const Map& map) const { return Text("map %1: %2", id, dim_name(map.dim, dims)); }
    Text operator()(const Reduce& reduce) const {
        return reduce.op == ReduceOp::Sum
                   ? Text("reduction %1: sum over %2", id, dim_name(reduce.dim, dims))
                   : Text("reduction %1: maximum over %2", id, dim_name(reduce.dim, dims));
    }
    Text operator()(const Misc& misc) const { return Text("opaque operator %1: %2", id, misc.name); }
};

}  // namespace

std::string box_label(const Node& node, const DimTable& dims) {
    return shortened(std::visit(Labeller{dims}, node.kind)) +
           (node.is<Input>() ? list_dims(node.outputs.at(0), dims) : "");
}

std::string output_label(const Output& output, const Type& type, const DimTable& dims) {
    return shortened(output.name) + list_dims(type, dims);
}

std::string frame_corner(const MapNest& nest, const DimTable& dims) {
    std::string text;
    for (const Node* node : nest.maps) {
        const Map& map = *node->as<Map>();
        if (!text.empty()) text += ",";
        if (map.start != 0) text += index_name(map.dim, dims) + "=" + std::to_string(map.start) + ":";
        text += dim_name(map.dim, dims);
    }
    return text;
}

std::string cloud_label(const MapNest& nest, const DimTable& dims) {
    return shortened(map_contents(nest.outer(), dims).str());
}

std::string peeled_index(const std::vector<DimId>& iterations, const DimTable& dims) {
    std::string text;
    for (const DimId dim : iterations) text += (text.empty() ? "" : ",") + index_name(dim, dims) + "=0";
    return text;
}

std::string edge_label(const Node& producer, const ValueRef& ref, const DimTable& dims) {
    const Type& whole = producer.outputs.at(ref.port);
    std::string text;
    for (int i = 0; i < ref.first; ++i) text += (i ? "," : "") + index_name(whole.dim(i), dims) + "=0";
    if (!text.empty()) text += ": ";
    const Type type = whole.element(ref.first);
    if (type.is_list()) text += list_dims(type, dims) + " ";
    return text + item_name(type.item());
}

Text box_detail(const Node& node, const DimTable& dims) {
    Text text = std::visit(Describer{dims, to_string(node.id)}, node.kind);
    for (const Type& type : node.outputs) text = Text("%1, %2", text, to_string(type, dims));
    return text;
}

Text frame_detail(const MapNest& nest, const DimTable& dims) {
    std::string ids;
    for (const Node* node : nest.maps) ids += (ids.empty() ? "" : ", ") + to_string(node->id);
    const std::string over = frame_corner(nest, dims);
    const Text map = nest.maps.size() > 1    ? Text("maps %1 over %2", ids, over)
                     : nest.outer().serial() ? Text("serial map %1 over %2", ids, over)
                                             : Text("map %1 over %2", ids, over);
    const Text contents = map_contents(nest.outer(), dims);
    return contents.empty() ? map : Text("%1: %2", map, contents);
}

// One value through all nesting levels: edges that share a beginning, and edges that a port joins.

namespace {

// Where a value is: one output of a leaf, or a port seen from one of its two sides.
using Place = std::tuple<int, int, int, int>;  // container, box, port, output of a leaf

Place start(const Edge& edge) {
    return {edge.container, edge.from.box, edge.from.port, edge.from.port < 0 ? edge.value.port : 0};
}
Place end(const Edge& edge) {
    return {edge.container, edge.to.box, edge.to.port, 0};
}

class Walker {
public:
    explicit Walker(const Figure& figure) : figure_(figure), taken_(figure.edges.size(), false) {
        for (int i = 0; i < static_cast<int>(figure.edges.size()); ++i) {
            const Edge& edge = figure.edges[static_cast<std::size_t>(i)];
            starting_[start(edge)].push_back(i);
            if (edge.to.port >= 0) ending_[end(edge)].push_back(i);
        }
    }

    ValuePath run(int edge) {
        take(edge);
        for (std::size_t at = 0; at < path_.edges.size(); ++at) {
            const Edge& here = figure_.edges[static_cast<std::size_t>(path_.edges[at])];
            take_all(starting_, start(here));
            if (here.from.port >= 0) take_all(ending_, other_side(here, here.from));
            if (here.to.port >= 0) take_all(starting_, other_side(here, here.to));
        }
        std::sort(path_.edges.begin(), path_.edges.end());
        for (const int i : path_.edges)
            for (const End& e : {figure_.edges[static_cast<std::size_t>(i)].from,
                                 figure_.edges[static_cast<std::size_t>(i)].to})
                path_.boxes.push_back(e.box);
        std::sort(path_.boxes.begin(), path_.boxes.end());
        path_.boxes.erase(std::unique(path_.boxes.begin(), path_.boxes.end()), path_.boxes.end());
        return std::move(path_);
    }

private:
    // A port of the edge's own container continues outside, one of a sibling inside.
    Place other_side(const Edge& edge, const End& port) const {
        const bool own = port.box == edge.container;
        return {own ? figure_.boxes[static_cast<std::size_t>(port.box)].parent : port.box, port.box,
                port.port, 0};
    }

    void take_all(const std::map<Place, std::vector<int>>& edges, const Place& place) {
        const auto found = edges.find(place);
        if (found == edges.end()) return;
        for (const int edge : found->second) take(edge);
    }

    void take(int edge) {
        if (taken_[static_cast<std::size_t>(edge)]) return;
        taken_[static_cast<std::size_t>(edge)] = true;
        path_.edges.push_back(edge);
    }

    const Figure& figure_;
    std::vector<bool> taken_;
    std::map<Place, std::vector<int>> starting_, ending_;
    ValuePath path_;
};

}  // namespace

ValuePath value_path(const Figure& figure, int edge) {
    if (edge < 0 || edge >= static_cast<int>(figure.edges.size())) return {};
    return Walker(figure).run(edge);
}

}  // namespace blockscope
