#include <map>
#include <optional>
#include <unordered_set>

#include "core/json/json_io.h"
#include "core/program/names.h"

namespace blockscope::json {
namespace {

bool is_identity(const Node& node) {
    const Elementwise* op = node.as<Elementwise>();
    return op != nullptr && !op->to && std::holds_alternative<Arg>(op->expr->value);
}

// For each output of the graph the number of the input that it is a copy of, made by maps that collect what
// they iterate over; -1 if it is none.
std::vector<int> copied_inputs(const Graph& graph);

// The same for each output of a map, with the numbers of the map's inputs.
std::vector<int> copied_inputs(const Map& map) {
    if (map.start != 0) return std::vector<int>(map.outputs.size(), -1);
    std::vector<int> copies = copied_inputs(*map.body);
    for (std::size_t port = 0; port < copies.size(); ++port) {
        const bool collected = map.outputs.at(port).mode == PortOut::Collected;
        const auto input = static_cast<std::size_t>(copies[port]);
        const bool is_input = collected && input < map.inputs.size();  // else it is none or a carried value
        if (!is_input || map.inputs[input].mode != PortIn::Iterated) copies[port] = -1;
    }
    return copies;
}

std::vector<int> copied_inputs(const Graph& graph) {
    std::map<std::pair<NodeId, std::size_t>, int> origin;  // of values
    const auto origin_of = [&](const ValueRef& ref) {
        const auto found = origin.find({ref.node, ref.port});
        return found == origin.end() || ref.first != 0 ? -1 : found->second;
    };
    std::vector<int> result;
    int inputs = 0;
    for (const NodePtr& node : graph.nodes()) {
        if (node->is<Input>()) origin[{node->id, 0}] = inputs++;
        if (node->is<Output>()) result.push_back(origin_of(node->inputs.at(0)));
        if (is_identity(*node)) origin[{node->id, 0}] = origin_of(node->inputs.at(0));
        const Map* map = node->as<Map>();
        if (map == nullptr) continue;
        const std::vector<int> copies = copied_inputs(*map);
        for (std::size_t port = 0; port < copies.size(); ++port) {
            if (copies[port] < 0) continue;
            origin[{node->id, port}] = origin_of(node->inputs.at(static_cast<std::size_t>(copies[port])));
        }
    }
    return result;
}

class ArrayChecker {
public:
    ArrayChecker(const BlockProgram& program, const NodePointers& pointers, const Reader& place)
        : program_(program), pointers_(pointers), place_(place.pointer()), report_(place.report()) {}

    void run() {
        for (std::size_t i = 0; i < program_.dims.size(); ++i) {
            const Text sentence = names_.declare(program_.dims[i].name, NameUse::Dimension, 0);
            if (!sentence.empty()) report_.add(place_ + "/dims/" + std::to_string(i) + "/name", sentence);
        }
        for (const NodePtr& node : program_.graph->nodes()) {
            const Input* input = node->as<Input>();
            if (input == nullptr) continue;
            name(*node, input->name + (input->transposed ? "T" : ""));
            array_form(*node, node->outputs.at(0));
            mask_form(*node, *input);
            same_array(*node, *input);
        }
        const GraphIndex index(*program_.graph);
        std::size_t outputs = 0;
        for (const NodePtr& node : program_.graph->nodes()) {
            const Output* output = node->as<Output>();
            if (output == nullptr) continue;
            const ValueRef& ref = node->inputs.at(0);
            const Type type = edge_type(*index.find(ref.node), ref);
            output_name(*node, *output, outputs++, type);
            array_form(*node, type);
        }
        if (outputs == 0)
            report_.add(place_ + "/graph", Text("the program has no output; at least one is expected"));
        sizes(*program_.graph);
    }

private:
    void problem(const Node& node, Text message) {
        report_.add(pointers_.at(node.id.value), std::move(message));
    }

    // `name` as listings write it.
    void name(const Node& node, const std::string& name) {
        const Text sentence = names_.declare(name, NameUse::Array, 0);
        if (!sentence.empty()) report_.add(pointers_.at(node.id.value) + "/name", sentence);
    }

    void output_name(const Node& node, const Output& output, std::size_t number, const Type& type) {
        if (is_input(output, number, type)) return;
        const bool only_transposed = arrays_.count(output.name) > 0 && !names_.contains(output.name);
        if (!only_transposed) return name(node, output.name);
        report_.add(pointers_.at(node.id.value) + "/name",
                    Text("found a second definition of %1, which is already an array; expected a new name",
                         output.name));
    }

    // An output that is an input, too, has the input's name: the program stores to it what it holds.
    bool is_input(const Output& output, std::size_t number, const Type& type) {
        if (arrays_.count(output.name) == 0) return false;
        if (!copies_) copies_ = copied_inputs(*program_.graph);
        const int copied = copies_->at(number);
        if (copied < 0) return false;
        const NodePtr node = program_.graph->inputs().at(static_cast<std::size_t>(copied));
        const Input* input = node->as<Input>();
        return input->name == output.name && !input->transposed && node->outputs.at(0) == type &&
               stored_.insert(output.name).second;
    }

    // An array is split along its last axes, which are those of its items; what stands before them
    // are batch dimensions, taken index by index.
    void array_form(const Node& node, const Type& type) {
        const Item& item = type.item();
        std::vector<DimId> axes;
        if (item.kind != ItemKind::Scalar) axes.push_back(item.rows);
        if (item.kind == ItemKind::Block) axes.push_back(item.cols);
        const int batch = type.rank() - static_cast<int>(axes.size());
        bool fine = batch >= 0;
        for (int i = 0; fine && i < type.rank(); ++i) {
            fine = i < batch ? program_.dims[type.dim(i).value].block == 1
                             : type.dim(i) == axes[static_cast<std::size_t>(i - batch)];
        }
        if (fine) return;
        problem(
            node,
            Text(
                "has the type %1; a program's array is a list over batch dimensions and then its items' axes",
                to_string(type, program_.dims)));
    }

    // A generated mask compares the row with the column of one matrix.
    void mask_form(const Node& node, const Input& input) {
        const Type& type = node.outputs.at(0);
        if (input.source != InputSource::CausalMask) return;
        if (type.rank() == 2 && type.item().kind == ItemKind::Block) return;
        problem(node, Text("%1 is a causal mask of the type %2; a causal mask has two axes and no batch",
                           to_string(node.id), to_string(type, program_.dims)));
    }

    // V and VT are one array.
    void same_array(const Node& node, const Input& input) {
        const Type& type = node.outputs.at(0);
        if (input.transposed && type.item().kind != ItemKind::Block) {
            return problem(node, Text("%1 is read transposed, which only an array of blocks can be",
                                      to_string(node.id)));
        }
        const auto [place, fresh] = arrays_.emplace(input.name, &node);
        if (fresh) return;
        const Type& other = place->second->outputs.at(0);
        const Item turned = Item::block(other.item().cols, other.item().rows);
        if (type.item() == turned && type.elem() == other.elem() && type.rank() == other.rank()) return;
        problem(node,
                Text("%1 reads the array \"%2\" as %3, and %4 as %5; these must be transposes of each other",
                     to_string(node.id), input.name, to_string(type, program_.dims),
                     to_string(place->second->id), to_string(other, program_.dims)));
    }

    void sizes(const Graph& graph) {
        for (const NodePtr& node : graph.nodes()) {
            for (const Type& type : node->outputs) {
                if (fits(type)) continue;
                problem(*node, Text("%1 has the type %2, whose size in bytes does not fit 63 bits",
                                    to_string(node->id), to_string(type, program_.dims)));
                break;
            }
            if (const Map* map = node->as<Map>()) sizes(*map->body);
        }
    }

    bool fits(const Type& type) const {
        std::int64_t bytes = bytes_per_element(type.elem());
        bool overflow = false;
        const auto times = [&](std::int64_t factor) {
            overflow = overflow || __builtin_mul_overflow(bytes, factor, &bytes);
        };
        for (int i = 0; i < type.rank(); ++i) times(program_.dims[type.dim(i).value].blocks());
        if (type.item().kind != ItemKind::Scalar) times(program_.dims[type.item().rows.value].block);
        if (type.item().kind == ItemKind::Block) times(program_.dims[type.item().cols.value].block);
        return !overflow;
    }

    const BlockProgram& program_;
    const NodePointers& pointers_;
    std::string place_;
    Report& report_;
    NameTable names_;
    std::unordered_map<std::string, const Node*> arrays_;
    std::optional<std::vector<int>> copies_;  // by output
    std::unordered_set<std::string> stored_;  // inputs that are outputs
};

}  // namespace

void check_arrays(const BlockProgram& program, const NodePointers& pointers, const Reader& place) {
    ArrayChecker(program, pointers, place).run();
}

}  // namespace blockscope::json
