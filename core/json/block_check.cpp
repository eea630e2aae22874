#include "core/json/block_json.h"
#include "core/program/names.h"

namespace blockscope::json {
namespace {

class ArrayChecker {
public:
    ArrayChecker(const BlockProgram& program, const NodePointers& pointers, const Reader& place)
        : program_(program), pointers_(pointers), place_(place.pointer()), report_(place.report()) {}

    void run() {
        for (std::size_t i = 0; i < program_.dims.size(); ++i) {
            const std::string sentence = names_.declare(program_.dims[i].name, NameUse::Dimension, 0);
            if (!sentence.empty()) report_.add(place_ + "/dims/" + std::to_string(i) + "/name", sentence);
        }
        const GraphIndex index(*program_.graph);
        bool has_output = false;
        for (const NodePtr& node : program_.graph->nodes()) {
            if (const Input* input = node->as<Input>()) {
                name(*node, input->name + (input->transposed ? "T" : ""));
                array_form(*node, node->outputs.at(0));
                same_array(*node, *input);
            } else if (const Output* output = node->as<Output>()) {
                const ValueRef& ref = node->inputs.at(0);
                has_output = true;
                name(*node, output->name);
                array_form(*node, edge_type(*index.find(ref.node), ref));
            }
        }
        if (!has_output)
            report_.add(place_ + "/graph", "the program has no output; at least one is expected");
        sizes(*program_.graph);
    }

private:
    void problem(const Node& node, const std::string& message) {
        report_.add(pointers_.at(node.id.value), to_string(node.id) + " " + message);
    }

    // `name` as listings write it.
    void name(const Node& node, const std::string& name) {
        const std::string sentence = names_.declare(name, NameUse::Array, 0);
        if (!sentence.empty()) report_.add(pointers_.at(node.id.value) + "/name", sentence);
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
        problem(node, "has the type " + to_string(type, program_.dims) +
                          "; a program's array is a list over batch dimensions and then its items' axes");
    }

    // V and VT are one array.
    void same_array(const Node& node, const Input& input) {
        const Type& type = node.outputs.at(0);
        if (input.transposed && type.item().kind != ItemKind::Block) {
            return problem(node, "is read transposed, which only an array of blocks can be");
        }
        const auto [place, fresh] = arrays_.emplace(input.name, &node);
        if (fresh) return;
        const Type& other = place->second->outputs.at(0);
        const Item turned = Item::block(other.item().cols, other.item().rows);
        if (type.item() == turned && type.elem() == other.elem() && type.rank() == other.rank()) return;
        problem(node, "reads the array \"" + input.name + "\" as " + to_string(type, program_.dims) +
                          ", and " + to_string(place->second->id) + " as " + to_string(other, program_.dims) +
                          "; these must be transposes of each other");
    }

    void sizes(const Graph& graph) {
        for (const NodePtr& node : graph.nodes()) {
            for (const Type& type : node->outputs) {
                if (fits(type)) continue;
                problem(*node, "has the type " + to_string(type, program_.dims) +
                                   ", whose size in bytes does not fit 63 bits");
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
};

}  // namespace

void check_arrays(const BlockProgram& program, const NodePointers& pointers, const Reader& place) {
    ArrayChecker(program, pointers, place).run();
}

}  // namespace blockscope::json
