#include "app/figure/figure.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/graph/graph.h"
#include "core/program/array_program.h"
#include "core/program/block_maps.h"
#include "core/support/index.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

constexpr double kPadX = 10, kPadY = 6;       // around the text of a box
constexpr double kLeastWidth = 44;            // of a box
constexpr double kCircle = 26;                // diameter of a reduction
constexpr double kPortStep = 16;              // rim that one port takes
constexpr double kCloudX = 26, kCloudY = 20;  // around the text of a cloud

// Whole pixels on both sides of the middle.
double even(double extent) {
    return 2 * std::ceil(extent / 2);
}

// Where the values of one level come from, and where those that leave it go.
struct Ends {
    std::map<NodeId, End> from;  // by producer: a leaf, a frame (port added), a port of the container
    std::map<NodeId, std::vector<End>> to;  // by output node of an inner graph: ports of the container
};

class FigureMaker {
public:
    FigureMaker(const BlockProgram& program, const Folds& folds, const Measure& measure,
                const BoxNames& names)
        : program_(program), dims_(program.dims), folds_(folds), measure_(measure), names_(names) {}

    Figure run() {
        level(*program_.graph, -1, {});
        bundle_edges();
        return std::move(figure_);
    }

private:
    void level(const Graph& graph, int container, Ends ends) {
        const GraphIndex index(graph);
        const std::map<NodeId, std::vector<DimId>> peeled = first_iterations(index);
        std::vector<std::pair<int, MapNest>> frames;
        for (const NodePtr& node : graph.nodes()) {
            if (container >= 0 && (node->is<Input>() || node->is<Output>())) continue;
            const int box = add_box(index, *node, container, frames);
            if (const auto first = peeled.find(node->id); first != peeled.end())
                figure_.boxes[at(box)].peeled = peeled_index(first->second, dims_);
            ends.from[node->id] = {box, -1};
        }
        for (const NodePtr& node : graph.nodes()) add_edges(index, *node, container, ends);
        for (const auto& [box, nest] : frames) inside(box, nest);
    }

    int add_box(const GraphIndex& index, const Node& node, int container,
                std::vector<std::pair<int, MapNest>>& frames) {
        const int number = static_cast<int>(figure_.boxes.size());
        Box box;
        box.parent = container;
        if (node.is<Map>()) {
            MapNest nest = nest_of(node);
            add_map(box, nest);
            if (box.kind == BoxKind::Frame)
                frames.emplace_back(number, std::move(nest));
            else
                hide(*node.as<Map>()->body, number);
        } else {
            add_leaf(box, index, node);
        }
        for (const NodeId id : box.nodes) figure_.box_of[id.value] = number;
        (container < 0 ? figure_.roots : figure_.boxes[at(container)].children).push_back(number);
        figure_.boxes.push_back(std::move(box));
        return number;
    }

    static BoxKind kind_of(const Node& node) {
        struct Kinds {
            BoxKind operator()(const Input&) const { return BoxKind::Input; }
            BoxKind operator()(const Output&) const { return BoxKind::Output; }
            BoxKind operator()(const Functional&) const { return BoxKind::Functional; }
            BoxKind operator()(const Elementwise&) const { return BoxKind::Elementwise; }
            BoxKind operator()(const Map&) const { return BoxKind::Frame; }
            BoxKind operator()(const Reduce&) const { return BoxKind::Reduction; }
            BoxKind operator()(const Misc&) const { return BoxKind::Misc; }
        };
        return std::visit(Kinds{}, node.kind);
    }

    void add_leaf(Box& box, const GraphIndex& index, const Node& node) {
        box.kind = kind_of(node);
        box.nodes = {node.id};
        box.detail = box_detail(node, dims_);
        if (const Output* output = node.as<Output>()) {
            const ValueRef& ref = node.inputs.at(0);
            const Type type = edge_type(*index.find(ref.node), ref);
            box.label = output_label(*output, type, dims_);
            box.detail = Text("%1, %2", box.detail, to_string(type, dims_));
        } else {
            box.label = box_label(node, dims_);
        }
        take_name(box);
        if (!box.name.empty() && box.kind != BoxKind::Reduction) box.label = box.name + ": " + box.label;
        if (box.kind == BoxKind::Reduction) {
            box.size = {kCircle, kCircle};
            return;
        }
        const Size text = measure_(box.label, TextRole::Label);
        box.size = {std::max(kLeastWidth, even(text.width) + 2 * kPadX), even(text.height) + 2 * kPadY};
    }

    void take_name(Box& box) const {
        const auto found = names_.find(box.nodes.front());
        if (found == names_.end()) return;
        box.name = found->second;
        box.detail = Text("%1: %2", box.name, box.detail);
    }

    void add_map(Box& box, const MapNest& nest) {
        for (const Node* map : nest.maps) box.nodes.push_back(map->id);
        box.kind = folds_.count(box.nodes.front()) ? BoxKind::Cloud : BoxKind::Frame;
        box.corner = frame_corner(nest, dims_);
        box.detail = frame_detail(nest, dims_);
        add_ports(box, nest.outer());
        take_name(box);
        Size corner = measure_(box.corner, TextRole::Corner);
        if (box.kind == BoxKind::Frame)
            corner.width = std::max(corner.width, measure_(box.name, TextRole::Corner).width);
        const auto most = static_cast<double>(std::max(box.in.size(), box.out.size()) + 1);
        // The corner's text stays clear of an edge that leaves in the middle.
        box.size = {std::max(2 * even(corner.width) + 3 * kPadX - 2, most * kPortStep), 48};
        if (box.kind == BoxKind::Frame) return;
        box.label = cloud_label(nest, dims_);
        if (!box.name.empty()) {
            const bool whole = !box.label.empty() && box.label.find("…") == std::string::npos;
            box.label = whole ? box.name + ": " + box.label : box.name;
        }
        const Size text = measure_(box.label, TextRole::Label);
        box.size = {std::max(box.size.width, even(text.width) + 2 * kCloudX),
                    even(text.height + corner.height) + 2 * kCloudY};
    }

    static PortMark mark_of(PortOut mode) {
        switch (mode) {
            case PortOut::Collected:
                return PortMark::Plain;
            case PortOut::ReducedSum:
                return PortMark::Sum;
            case PortOut::ReducedMax:
                return PortMark::Max;
            case PortOut::Carried:
                return PortMark::Carried;
        }
        throw InternalError("unknown output mode");
    }

    static void add_ports(Box& box, const Map& map) {
        for (const MapInput& input : map.inputs)
            box.in.push_back({PortMark::Plain, input.mode, static_cast<int>(box.in.size())});
        for (const MapOutput& output : map.outputs) {
            if (output.mode == PortOut::Carried) box.in.push_back({PortMark::Carried, PortIn::Broadcast, -1});
            box.out.push_back({mark_of(output.mode), PortIn::Broadcast, static_cast<int>(box.out.size())});
        }
    }

    // Everything in a folded map is shown by its cloud.
    void hide(const Graph& body, int cloud) {
        for (const NodePtr& node : body.nodes()) {
            figure_.box_of[node->id.value] = cloud;
            if (const Map* map = node->as<Map>()) hide(*map->body, cloud);
        }
    }

    void inside(int box, const MapNest& nest) {
        for (const Node* map : nest.maps)
            for (const NodePtr& node : map->as<Map>()->body->nodes())
                if (node->is<Input>() || node->is<Output>()) figure_.box_of[node->id.value] = box;
        Ends ends;
        for (const auto& [id, port] : nest.in) ends.from[id] = {box, port};
        std::size_t output = 0;
        for (const NodePtr& node : nest.body().outputs()) {
            for (const int port : nest.outputs[output]) ends.to[node->id].push_back({box, port});
            ++output;
        }
        level(nest.body(), box, std::move(ends));
    }

    End from_end(const ValueRef& ref, int container, const Ends& ends) const {
        End end = ends.from.at(ref.node);
        if (end.box == container) return end;
        const BoxKind kind = figure_.boxes[at(end.box)].kind;
        if (kind == BoxKind::Frame || kind == BoxKind::Cloud) end.port = ref.port;
        return end;
    }

    void add_edges(const GraphIndex& index, const Node& node, int container, const Ends& ends) {
        for (std::size_t input = 0; input < node.inputs.size(); ++input) {
            const ValueRef& ref = node.inputs[input];
            const Node& producer = *index.find(ref.node);
            Edge edge;
            edge.container = container;
            edge.from = from_end(ref, container, ends);
            edge.value = ref;
            edge.consumer = node.id;
            edge.input = static_cast<int>(input);
            edge.type = edge_type(producer, ref);
            edge.buffered = is_buffered(producer, node, edge.input, container < 0);
            edge.label = edge_label(producer, ref, dims_);
            for (const End& end : to_ends(node, edge.input, ends)) {
                edge.to = end;
                figure_.edges.push_back(edge);
            }
        }
    }

    // Three and more edges from one map to another; the middle one stands for all.
    void bundle_edges() {
        constexpr std::size_t kFewest = 3;
        std::map<std::tuple<int, int, bool>, std::vector<int>> parallel;
        for (int i = 0; i < static_cast<int>(figure_.edges.size()); ++i) {
            const Edge& edge = figure_.edges[at(i)];
            const bool beside = edge.from.box != edge.container && edge.to.box != edge.container;
            if (beside && edge.from.port >= 0 && edge.to.port >= 0)
                parallel[{edge.from.box, edge.to.box, edge.buffered}].push_back(i);
        }
        for (auto& [ends, edges] : parallel) {
            if (edges.size() < kFewest) continue;
            std::sort(edges.begin(), edges.end(), [&](int a, int b) {
                return figure_.edges[at(a)].from.port < figure_.edges[at(b)].from.port;
            });
            for (const int edge : edges) {
                figure_.edges[at(edge)].bundle = edges[edges.size() / 2];
                figure_.edges[at(edge)].bundled = static_cast<int>(edges.size());
            }
        }
    }

    static std::vector<End> to_ends(const Node& node, int input, const Ends& ends) {
        const auto ports = ends.to.find(node.id);
        if (ports != ends.to.end()) return ports->second;
        return {{ends.from.at(node.id).box, node.is<Map>() ? input : -1}};
    }

    const BlockProgram& program_;
    const DimTable& dims_;
    const Folds& folds_;
    const Measure& measure_;
    const BoxNames& names_;
    Figure figure_;
};

}  // namespace

Size plain_measure(const std::string& text, TextRole role) {
    const auto characters = static_cast<double>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
    return {7 * characters, role == TextRole::Label ? 16.0 : 13.0};
}

Figure make_figure(const BlockProgram& program, const Folds& folds, const Measure& measure,
                   const BoxNames& names) {
    return FigureMaker(program, folds, measure, names).run();
}

namespace {

constexpr double kArrayPadX = 10, kArrayPadY = 6;  // around the text of a box
constexpr double kLeastArrayWidth = 44;
constexpr std::size_t kLongestArrayLabel = 32;  // characters of a label

std::string shortened_label(const std::string& text) {
    return text.size() <= kLongestArrayLabel ? text : text.substr(0, kLongestArrayLabel - 3) + "...";
}

// Without spaces, as block programs have their types.
std::string shape_text(const Shape& shape, const DimTable& dims) {
    std::string text = to_string(shape, dims);
    std::erase(text, ' ');
    return text;
}

// The operands' names; x, y, z, u, v, w for nameless ones.
std::vector<std::string> operand_names(const ArrayProgram& program, const ArrayOp& op) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
        const std::string& name = program.ops[at(op.operands[i])].name;
        const std::string letter(1, "xyzuvw"[i % 6]);
        names.push_back(name.empty() ? letter : name);
    }
    return names;
}

std::string broadcast_text(const ArrayProgram& program, const ArrayOp& op) {
    const std::vector<std::string> names = operand_names(program, op);
    return names.at(0) + std::string(primitive(op.fn).sign) + names.at(1);
}

BoxKind kind_of(ArrayOpKind kind) {
    switch (kind) {
        case ArrayOpKind::Input:
            return BoxKind::Input;
        case ArrayOpKind::Elementwise:
        case ArrayOpKind::Broadcast:
        case ArrayOpKind::Cast:
            return BoxKind::Elementwise;
        case ArrayOpKind::Custom:
            return BoxKind::Misc;
        default:
            return BoxKind::Functional;
    }
}

class ArrayFigureMaker {
public:
    ArrayFigureMaker(const ArrayProgram& program, const Measure& measure)
        : program_(program), measure_(measure) {}

    Figure run() {
        for (std::size_t i = 0; i < program_.ops.size(); ++i) add_op(static_cast<int>(i));
        for (std::size_t k = 0; k < program_.outputs.size(); ++k) add_output(static_cast<int>(k));
        return std::move(figure_);
    }

private:
    void add_op(int number) {
        const ArrayOp& op = program_.ops[at(number)];
        const bool input = op.kind == ArrayOpKind::Input;
        const std::string what = array_op_label(program_, number);
        Box box;
        box.kind = kind_of(op.kind);
        box.label = input ? op.name + shape_text(op.shape, program_.dims) : what;
        box.detail = Text("%1: %2", what, array_label(op, program_.dims));
        if (op.place.line > 0) box.detail = Text("%1, line %2", box.detail, op.place.line);
        add_box(std::move(box), array_box(number));
        for (std::size_t i = 0; i < op.operands.size(); ++i)
            add_edge(op.operands[i], number, array_box(number), static_cast<int>(i));
    }

    void add_output(int number) {
        const ArrayOutput& output = program_.outputs[at(number)];
        const ArrayOp& op = program_.ops[at(output.op)];
        Box box;
        box.kind = BoxKind::Output;
        box.label = output.name + shape_text(op.shape, program_.dims);
        box.detail = Text("output %1: %2", output.name, array_label(op, program_.dims));
        const NodeId id = array_output_box(program_, number);
        const int index = add_box(std::move(box), id);
        add_edge(output.op, index, id, 0);
    }

    int add_box(Box box, NodeId id) {
        const auto index = static_cast<int>(figure_.boxes.size());
        box.nodes = {id};
        const Size text = measure_(box.label, TextRole::Label);
        box.size = {std::max(kLeastArrayWidth, std::ceil(text.width) + 2 * kArrayPadX),
                    std::ceil(text.height) + 2 * kArrayPadY};
        figure_.box_of[id.value] = index;
        figure_.roots.push_back(index);
        figure_.boxes.push_back(std::move(box));
        return index;
    }

    void add_edge(int producer, int to, NodeId consumer, int input) {
        const ArrayOp& op = program_.ops[at(producer)];
        Edge edge;
        edge.from = {producer, -1};
        edge.to = {to, -1};
        edge.value = {array_box(producer)};
        edge.consumer = consumer;
        edge.input = input;
        edge.type = array_type(op.shape, op.elem);
        edge.buffered = true;
        edge.label = array_label(op, program_.dims);
        figure_.edges.push_back(std::move(edge));
    }

    const ArrayProgram& program_;
    const Measure& measure_;
    Figure figure_;
};

}  // namespace

NodeId array_box(int op) {
    return NodeId{static_cast<std::uint32_t>(op) + 1};
}

NodeId array_output_box(const ArrayProgram& program, int output) {
    return array_box(static_cast<int>(program.ops.size()) + output);
}

int array_op(const ArrayProgram& program, NodeId box) {
    if (!box) return -1;
    const std::size_t index = box.value - 1;
    if (index < program.ops.size()) return static_cast<int>(index);
    const std::size_t output = index - program.ops.size();
    return output < program.outputs.size() ? program.outputs[output].op : -1;
}

std::string array_label(const ArrayOp& op, const DimTable& dims) {
    return op.name + shape_text(op.shape, dims) + " " + to_string(op.elem);
}

std::string array_op_label(const ArrayProgram& program, int number) {
    const ArrayOp& op = program.ops[at(number)];
    switch (op.kind) {
        case ArrayOpKind::Input:
            return op.source == InputSource::CausalMask ? "causal mask" : "input";
        case ArrayOpKind::Elementwise:
            return shortened_label(to_string(*op.expr, operand_names(program, op), program.dims));
        case ArrayOpKind::Broadcast:
            return shortened_label(broadcast_text(program, op));
        case ArrayOpKind::SumOver:
            return "sum over " + program.dims.at(op.dim.value).name;
        case ArrayOpKind::Cast:
            return "cast to " + to_string(op.elem);
        case ArrayOpKind::Custom:
            return shortened_label(op.custom_name);
        default:
            break;
    }
    const ArrayOperator& row = array_operator(op.kind);
    return std::string(row.function.empty() ? row.name : row.function);
}

Figure make_array_figure(const ArrayProgram& program, const Measure& measure) {
    return ArrayFigureMaker(program, measure).run();
}

namespace {

void collect(const Graph& graph, int depth, Folds& folds) {
    for (const NodePtr& node : graph.nodes()) {
        if (!node->is<Map>()) continue;
        if (depth == 0)
            folds.insert(node->id);
        else
            collect(nest_of(*node).body(), depth - 1, folds);
    }
}

}  // namespace

Folds folds_at_depth(const BlockProgram& program, int depth) {
    Folds folds;
    if (depth >= 0) collect(*program.graph, depth, folds);
    return folds;
}

}  // namespace blockscope
