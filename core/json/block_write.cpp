#include "core/json/block_json.h"
#include "core/json/json_io.h"

namespace blockscope::json {

const std::vector<std::string>& node_kind_names() {
    static const std::vector<std::string> names = {"input", "output", "functional", "elementwise",
                                                   "map",   "reduce", "misc"};
    return names;
}

const std::vector<std::string>& functional_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        result.reserve(kFunctionalOpCount);
        for (int i = 0; i < kFunctionalOpCount; ++i)
            result.push_back(to_string(static_cast<FunctionalOp>(i)));
        return result;
    }();
    return names;
}

const std::vector<std::string>& port_in_names() {
    static const std::vector<std::string> names = {"iterated", "broadcast", "continued"};
    return names;
}

const std::vector<std::string>& port_out_names() {
    static const std::vector<std::string> names = {"collected", "reduced_sum", "reduced_max", "carried"};
    return names;
}

const std::vector<std::string>& reduce_names() {
    static const std::vector<std::string> names = {"sum", "max"};
    return names;
}

namespace {

Value ref_value(const ValueRef& ref) {
    Array value = {ref.node.value, std::uint32_t{ref.port}};
    if (ref.first > 0) value.push_back(std::uint32_t{ref.first});
    return value;
}

Value graph_value(const Graph& graph, const DimTable& dims, bool top_level);

// Adds what a node says beyond its id and kind, in the order of docs/json.md.
class NodeWriter {
public:
    NodeWriter(Object& object, const Node& node, const DimTable& dims, bool top_level)
        : object_(object), node_(node), dims_(dims), top_level_(top_level) {}

    void operator()(const Input& input) {
        if (top_level_) {
            add("name", input.name);
            add("transposed", Value(input.transposed));
            add("source", source_names().at(static_cast<std::size_t>(input.source)));
        }
        add_type();
    }
    void operator()(const Output& output) {
        if (top_level_) add("name", output.name);
        add_inputs();
    }
    void operator()(const Functional& node) {
        add("op", to_string(node.op));
        add_inputs();
        add_type();
    }
    void operator()(const Elementwise& node) {
        add("expr", expr_value(*node.expr, dims_));
        if (node.to) add("to", to_string(*node.to));
        add_inputs();
        add_type();
    }
    void operator()(const Reduce& node) {
        add("op", reduce_names().at(static_cast<std::size_t>(node.op)));
        add("dim", dim_value(node.dim, dims_));
        add_inputs();
        add_type();
    }
    void operator()(const Misc& node) {
        add("name", node.name);
        add_inputs();
        Array types;
        for (const Type& type : node_.outputs) types.push_back(type_value(type, dims_));
        add("outputs", std::move(types));
    }
    void operator()(const Map& map) {
        add("dim", dim_value(map.dim, dims_));
        add("start", map.start);
        Array inputs;
        for (std::size_t i = 0; i < map.inputs.size(); ++i) inputs.push_back(map_input(map, i));
        add("inputs", std::move(inputs));
        Array outputs;
        for (std::size_t i = 0; i < map.outputs.size(); ++i) outputs.push_back(map_output(map, i));
        add("outputs", std::move(outputs));
        add("body", graph_value(*map.body, dims_, false));
    }

private:
    void add(const char* key, Value value) { object_.push_back({key, std::move(value)}); }
    void add_type() { add("type", type_value(node_.outputs.at(0), dims_)); }
    void add_inputs() {
        Array inputs;
        for (const ValueRef& ref : node_.inputs) inputs.push_back(ref_value(ref));
        add("inputs", std::move(inputs));
    }

    Value map_input(const Map& map, std::size_t i) const {
        const MapInput& input = map.inputs[i];
        Object object = {{"value", ref_value(node_.inputs.at(i))},
                         {"mode", port_in_names().at(static_cast<std::size_t>(input.mode))}};
        if (input.mode == PortIn::Continued) object.push_back({"continues", input.continues});
        return object;
    }

    Value map_output(const Map& map, std::size_t i) const {
        const MapOutput& output = map.outputs[i];
        Object object = {{"mode", port_out_names().at(static_cast<std::size_t>(output.mode))}};
        if (output.mode == PortOut::Carried) {
            object.push_back({"init", output.init < 0 ? Value("-inf") : Value(0)});
        }
        object.push_back({"type", type_value(node_.outputs.at(i), dims_)});
        return object;
    }

    Object& object_;
    const Node& node_;
    const DimTable& dims_;
    bool top_level_;
};

Value graph_value(const Graph& graph, const DimTable& dims, bool top_level) {
    Array nodes;
    for (const NodePtr& node : graph.nodes()) {
        Object object = {{"id", node->id.value}, {"kind", node_kind_names().at(node->kind.index())}};
        std::visit(NodeWriter(object, *node, dims, top_level), node->kind);
        nodes.push_back(std::move(object));
    }
    return nodes;
}

}  // namespace

void add_block_program(Object& object, const BlockProgram& program) {
    object.push_back({"dims", dims_value(program.dims)});
    object.push_back({"next_id", program.next_id});
    object.push_back({"graph", graph_value(*program.graph, program.dims, true)});
}

}  // namespace blockscope::json

namespace blockscope {

std::string write_json(const BlockProgram& program) {
    json::Object object = {{"format", json::kBlockFormat}, {"version", 1}};
    json::add_block_program(object, program);
    return json::print(std::move(object));
}

}  // namespace blockscope
