
#include <cmath>
#include <limits>
#include <unordered_set>

#include "core/graph/verify.h"
#include "core/json/json_io.h"
#include "core/program/names.h"

namespace blockscope::json {
namespace {

constexpr std::size_t kMaxPorts = std::numeric_limits<std::uint16_t>::max();  // outputs of one node

// One graph while its nodes are read: outputs of the nodes so far, by id, and all ids that stand in it.
struct Level {
    std::unordered_map<std::uint32_t, std::size_t> outputs;
    std::unordered_set<std::int64_t> ids;
    int maps = 0;  // around this graph

    bool top() const { return maps == 0; }
};

class BlockReader {
public:
    BlockReader(const Reader& dims, std::uint32_t next_id) : dims_(dims), next_id_(next_id) {}

    GraphPtr graph(const Reader& nodes, int maps);
    const DimTable& dims() const { return dims_.table(); }
    const NodePointers& pointers() const { return pointers_; }

private:
    std::optional<NodeId> id(const Reader& reader);
    NodePtr node(const Reader& reader, const Level& level);
    bool fields(const Reader& reader, const Level& level, Node& node);
    bool input(const Reader& reader, const Level& level, Node& node);
    bool output(const Reader& reader, const Level& level, Node& node);
    bool functional(const Reader& reader, const Level& level, Node& node);
    bool elementwise(const Reader& reader, const Level& level, Node& node);
    bool map(const Reader& reader, const Level& level, Node& node);
    bool reduce(const Reader& reader, const Level& level, Node& node);
    bool misc(const Reader& reader, const Level& level, Node& node);
    bool map_input(const Reader& reader, const Level& level, Node& node, Map& map);
    bool map_output(const Reader& reader, Node& node, Map& map);
    bool count_edges(const Reader& list);
    bool inputs(const Reader& list, const Level& level, Node& node);
    bool ref(const Reader& reader, const Level& level, Node& node);
    bool type(const Reader& reader, Node& node);

    Dims dims_;
    std::uint32_t next_id_;
    NodePointers pointers_;
    std::size_t nodes_ = 0;
    std::size_t edges_ = 0;
};

// The ids that stand in a list of nodes, whatever else is wrong with it.
std::unordered_set<std::int64_t> ids_in(const Reader& nodes) {
    std::unordered_set<std::int64_t> ids;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Reader node = nodes.at(i);
        if (const auto id = node.member("id").peek_integer()) ids.insert(*id);
    }
    return ids;
}

GraphPtr BlockReader::graph(const Reader& list, int maps) {
    if (!list.array(0, kMaxNodes)) return nullptr;
    nodes_ += list.size();
    if (nodes_ > kMaxNodes) {
        list.problem(Text("the program has more than %1 nodes, the most that is allowed", kMaxNodes));
        return nullptr;
    }
    Level level;
    level.maps = maps;
    level.ids = ids_in(list);
    std::vector<NodePtr> nodes;
    for (std::size_t i = 0; i < list.size() && !list.report().full(); ++i) {
        NodePtr made = node(list.at(i), level);
        if (!made) continue;
        level.outputs[made->id.value] = made->outputs.size();
        nodes.push_back(std::move(made));
    }
    return std::make_shared<const Graph>(std::move(nodes));
}

std::optional<NodeId> BlockReader::id(const Reader& reader) {
    const Reader number = reader.member("id");
    const auto value = number.integer(1, std::int64_t{next_id_} - 1);
    if (!value) return std::nullopt;
    const auto [place, fresh] = pointers_.emplace(static_cast<std::uint32_t>(*value), reader.pointer());
    if (fresh) return NodeId{static_cast<std::uint32_t>(*value)};
    number.problem(
        Text("the id %1 is that of %2 already; every node needs an id of its own", *value, place->second));
    return std::nullopt;
}

NodePtr BlockReader::node(const Reader& reader, const Level& level) {
    if (!reader.has("id") || !reader.has("kind")) {
        reader.problem(Text("expected a node, an object with the keys id and kind"));
        return nullptr;
    }
    Node node;
    const auto own_id = id(reader);
    if (own_id) node.id = *own_id;
    const bool fine = fields(reader, level, node);
    if (!own_id || !fine) return nullptr;
    return std::make_shared<const Node>(std::move(node));
}

bool BlockReader::fields(const Reader& reader, const Level& level, Node& node) {
    using Read = bool (BlockReader::*)(const Reader&, const Level&, Node&);
    // In the order of node_kind_names().
    static constexpr Read kReads[] = {
        &BlockReader::input, &BlockReader::output, &BlockReader::functional, &BlockReader::elementwise,
        &BlockReader::map,   &BlockReader::reduce, &BlockReader::misc};
    static_assert(std::size(kReads) == std::variant_size_v<Kind>);
    const auto kind = reader.member("kind").choice(node_kind_names());
    return kind && (this->*kReads[*kind])(reader, level, node);
}

bool BlockReader::input(const Reader& reader, const Level& level, Node& node) {
    Input input;
    if (level.top()) {
        if (!reader.object({"id", "kind", "name", "transposed", "source", "window?", "type"})) return false;
        const auto name = reader.member("name").identifier();
        const auto transposed = reader.member("transposed").boolean();
        const auto source = reader.member("source").choice(source_names());
        if (!name || !transposed || !source) return false;
        input = Input{*name, *transposed, static_cast<InputSource>(*source)};
        input.window = read_window(reader, input.source);
    } else if (!reader.object({"id", "kind", "type"})) {
        return false;
    }
    node.kind = input;
    return type(reader.member("type"), node);
}

bool BlockReader::output(const Reader& reader, const Level& level, Node& node) {
    Output output;
    if (level.top()) {
        if (!reader.object({"id", "kind", "name", "inputs"})) return false;
        const auto name = reader.member("name").identifier();
        if (!name) return false;
        output.name = *name;
    } else if (!reader.object({"id", "kind", "inputs"})) {
        return false;
    }
    node.kind = output;
    return inputs(reader.member("inputs"), level, node);
}

bool BlockReader::functional(const Reader& reader, const Level& level, Node& node) {
    if (!reader.object({"id", "kind", "op", "inputs", "type"})) return false;
    const auto op = reader.member("op").choice(functional_names());
    if (op) node.kind = Functional{static_cast<FunctionalOp>(*op)};
    return inputs(reader.member("inputs"), level, node) && type(reader.member("type"), node) && op;
}

bool BlockReader::elementwise(const Reader& reader, const Level& level, Node& node) {
    if (!reader.object({"id", "kind", "expr", "to?", "inputs", "type"})) return false;
    Elementwise result;
    result.expr = read_expr(reader.member("expr"), dims_);
    if (reader.has("to")) {
        result.to = read_elem(reader.member("to"));
        if (!result.to) return false;
    }
    const bool fine = result.expr != nullptr;
    node.kind = std::move(result);
    return inputs(reader.member("inputs"), level, node) && type(reader.member("type"), node) && fine;
}

bool BlockReader::reduce(const Reader& reader, const Level& level, Node& node) {
    if (!reader.object({"id", "kind", "op", "dim", "inputs", "type"})) return false;
    const auto op = reader.member("op").choice(reduce_names());
    const auto dim = dims_.find(reader.member("dim"));
    if (op && dim) node.kind = Reduce{static_cast<ReduceOp>(*op), *dim};
    return inputs(reader.member("inputs"), level, node) && type(reader.member("type"), node) && op && dim;
}

bool BlockReader::misc(const Reader& reader, const Level& level, Node& node) {
    if (!reader.object({"id", "kind", "name", "inputs", "outputs"})) return false;
    const auto name = reader.member("name").string(kMaxNameBytes);
    const Text unusable = name && *name != kTranspose ? custom_name_problem(*name) : std::string();
    if (!unusable.empty()) reader.member("name").problem(unusable);
    if (name) node.kind = Misc{*name};
    const Reader types = reader.member("outputs");
    if (!inputs(reader.member("inputs"), level, node) || !types.array(1, kMaxPorts)) return false;
    bool fine = name && unusable.empty();
    for (std::size_t i = 0; i < types.size(); ++i) fine = type(types.at(i), node) && fine;
    return fine;
}

bool BlockReader::map(const Reader& reader, const Level& level, Node& node) {
    if (level.maps == kMaxMapDepth) {
        reader.problem(Text("maps are nested more than %1 deep, the most that is allowed", kMaxMapDepth));
        return false;
    }
    if (!reader.object({"id", "kind", "dim", "start", "inputs", "outputs", "body"})) return false;
    Map map;
    const auto dim = dims_.find(reader.member("dim"));
    const auto start = reader.member("start").integer(0, 1);
    if (dim) map.dim = *dim;
    if (start) map.start = static_cast<int>(*start);
    bool fine = dim && start;
    const Reader inputs = reader.member("inputs");
    if (!inputs.array(0, kMaxEdges) || !count_edges(inputs)) return false;
    for (std::size_t i = 0; i < inputs.size() && !reader.report().full(); ++i) {
        fine = map_input(inputs.at(i), level, node, map) && fine;
    }
    const Reader outputs = reader.member("outputs");
    if (!outputs.array(1, kMaxPorts)) return false;
    for (std::size_t i = 0; i < outputs.size(); ++i) fine = map_output(outputs.at(i), node, map) && fine;
    map.body = graph(reader.member("body"), level.maps + 1);
    fine = fine && map.body;
    node.kind = std::move(map);
    return fine;
}

bool BlockReader::map_input(const Reader& reader, const Level& level, Node& node, Map& map) {
    if (!reader.object({"value", "mode", "continues?"})) return false;
    const Reader mode_reader = reader.member("mode");
    const auto mode = mode_reader.choice(port_in_names());
    if (!mode || !ref(reader.member("value"), level, node)) return false;
    MapInput input{static_cast<PortIn>(*mode), -1};
    const bool continued = input.mode == PortIn::Continued;
    if (continued != reader.has("continues")) {
        reader.problem(
            Text("the key \"continues\" belongs to inputs of mode \"continued\", and to all of them"));
        return false;
    }
    if (continued) {
        const auto output = reader.member("continues").integer(0, kMaxPorts - 1);
        if (!output) return false;
        input.continues = static_cast<int>(*output);
    }
    map.inputs.push_back(input);
    return true;
}

bool BlockReader::map_output(const Reader& reader, Node& node, Map& map) {
    if (!reader.object({"mode", "init?", "type"})) return false;
    const auto mode = reader.member("mode").choice(port_out_names());
    if (!mode || !type(reader.member("type"), node)) return false;
    MapOutput output{static_cast<PortOut>(*mode), 0};
    const bool carried = output.mode == PortOut::Carried;
    if (carried != reader.has("init")) {
        reader.problem(Text("the key \"init\" belongs to outputs of mode \"carried\", and to all of them"));
        return false;
    }
    if (carried) {
        const Reader init = reader.member("init");
        if (init.is("-inf")) {
            output.init = -std::numeric_limits<double>::infinity();
        } else if (!init.is(0)) {
            init.problem(Text("expected 0 or \"-inf\", found %1", init.found()));
            return false;
        }
    }
    map.outputs.push_back(output);
    return true;
}

bool BlockReader::count_edges(const Reader& list) {
    edges_ += list.size();
    if (edges_ <= kMaxEdges) return true;
    list.problem(Text("the program has more than %1 edges, the most that is allowed", kMaxEdges));
    return false;
}

bool BlockReader::inputs(const Reader& list, const Level& level, Node& node) {
    if (!list.array(0, kMaxEdges) || !count_edges(list)) return false;
    bool fine = true;
    for (std::size_t i = 0; i < list.size() && !list.report().full(); ++i) {
        fine = ref(list.at(i), level, node) && fine;
    }
    return fine;
}

bool BlockReader::ref(const Reader& reader, const Level& level, Node& node) {
    if (!reader.array(2, 3)) return false;
    const auto from = reader.at(0).integer(1, kMaxId);
    const auto port = reader.at(1).integer(0, kMaxPorts - 1);
    const auto first = reader.size() == 3 ? reader.at(2).integer(1, kMaxRank) : 0;
    if (!from || !port || !first) return false;
    const Text name = Text("node %1", *from);
    const auto known = level.outputs.find(static_cast<std::uint32_t>(*from));
    if (known == level.outputs.end()) {
        if (*from == node.id.value) {
            reader.problem(Text("%1 reads itself; a node reads nodes that come before it", name));
        } else if (!level.ids.contains(*from)) {
            reader.problem(Text("there is no %1 in this graph; a node reads nodes of its own graph", name));
        } else if (!pointers_.contains(static_cast<std::uint32_t>(*from))) {
            reader.problem(
                Text("%1 comes later in this graph; a node reads nodes that come before it", name));
        }
        return false;  // otherwise that node is wrong itself, which is reported
    }
    if (static_cast<std::size_t>(*port) >= known->second) {
        reader.problem(
            Text("found output %1 of %2, which has %3 (counted from 0)", *port, name, known->second));
        return false;
    }
    node.inputs.push_back(ValueRef{NodeId{static_cast<std::uint32_t>(*from)},
                                   static_cast<std::uint16_t>(*port), static_cast<std::uint16_t>(*first)});
    return true;
}

bool BlockReader::type(const Reader& reader, Node& node) {
    const auto type = read_type(reader, dims_);
    if (type) node.outputs.push_back(*type);
    return type.has_value();
}

}  // namespace

ProgramPtr read_block_program(const Reader& reader) {
    Report& report = reader.report();
    const auto next_id = reader.member("next_id").integer(1, kMaxId);
    const Reader dims = reader.member("dims");
    BlockReader blocks(dims, next_id ? static_cast<std::uint32_t>(*next_id) : kMaxId);
    const GraphPtr graph = blocks.graph(reader.member("graph"), 0);
    if (!report.clean()) return nullptr;
    const BlockProgram program{blocks.dims(), graph, static_cast<std::uint32_t>(*next_id)};
    for (const Violation& violation : verify(program)) {
        report.add(blocks.pointers().at(violation.node.value), violation.sentence);
    }
    if (report.clean()) check_arrays(program, blocks.pointers(), reader);
    return report.clean() ? std::make_shared<const BlockProgram>(program) : nullptr;
}

}  // namespace blockscope::json

namespace blockscope {

Result<BlockProgram> read_block_program(const std::string& text, const std::string& file) {
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    json::Report report(file);
    const json::Reader reader(*document, report);
    if (!json::check_header(reader, json::kBlockFormat) ||
        !reader.object({"format", "version", "dims", "next_id", "graph"})) {
        return report.problems();
    }
    const ProgramPtr program = json::read_block_program(reader);
    if (!program) return report.problems();
    return *program;
}

}  // namespace blockscope
namespace blockscope::json {

const std::vector<std::string>& node_kind_names() {
    static const std::vector<std::string> names = {"input", "output", "functional", "elementwise",
                                                   "map",   "reduce", "misc"};
    return names;
}

const std::vector<std::string>& functional_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> result;
        for (const FunctionalOperator& row : kFunctionalOperators) result.emplace_back(row.name);
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
            if (input.window > 0) add("window", Value(input.window));
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
