#include "app/figure/names.h"

#include <algorithm>

#include "core/rules/describe.h"
#include "core/support/result.h"

namespace blockscope {

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

    std::string operator()(const Input& input) const {
        return (input.source == InputSource::CausalMask ? "causal mask " : "input ") + id + ": " +
               array_name(input) + (input.transposed ? " (" + input.name + " read transposed)" : "");
    }
    std::string operator()(const Output& output) const { return "output " + id + ": " + output.name; }
    std::string operator()(const Functional& functional) const {
        return "operator " + id + ": " + to_string(functional.op);
    }
    std::string operator()(const Elementwise& elementwise) const {
        return "elementwise " + id + ": " + formula(elementwise, dims) +
               (elementwise.to ? ", rounded to " + to_string(*elementwise.to) : "");
    }
    std::string operator()(const Map& map) const { return "map " + id + ": " + dim_name(map.dim, dims); }
    std::string operator()(const Reduce& reduce) const {
        return "reduction " + id + ": " + (reduce.op == ReduceOp::Sum ? "sum over " : "maximum over ") +
               dim_name(reduce.dim, dims);
    }
    std::string operator()(const Misc& misc) const { return "opaque operator " + id + ": " + misc.name; }
};

}  // namespace

std::string box_label(const Node& node, const DimTable& dims) {
    return shortened(std::visit(Labeller{dims}, node.kind)) +
           (node.is<Input>() ? list_dims(node.outputs.at(0), dims) : "");
}

std::string output_label(const Output& output, const Type& type, const DimTable& dims) {
    return shortened(output.name) + list_dims(type, dims);
}

std::string frame_corner(const Nest& nest, const DimTable& dims) {
    std::string text;
    for (const Node* node : nest.maps) {
        const Map& map = *node->as<Map>();
        if (!text.empty()) text += ",";
        if (map.start != 0) text += index_name(map.dim, dims) + "=" + std::to_string(map.start) + ":";
        text += dim_name(map.dim, dims);
    }
    return text;
}

std::string cloud_label(const Nest& nest, const DimTable& dims) {
    return shortened(map_contents(nest.outer(), dims));
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

std::string box_detail(const Node& node, const DimTable& dims) {
    std::string text = std::visit(Describer{dims, to_string(node.id)}, node.kind);
    for (const Type& type : node.outputs) text += ", " + to_string(type, dims);
    return text;
}

std::string frame_detail(const Nest& nest, const DimTable& dims) {
    std::string text = nest.maps.size() > 1 ? "maps" : nest.outer().serial() ? "serial map" : "map";
    for (const Node* node : nest.maps) text += (node == nest.maps.front() ? " " : ", ") + to_string(node->id);
    text += " over " + frame_corner(nest, dims);
    const std::string contents = map_contents(nest.outer(), dims);
    return contents.empty() ? text : text + ": " + contents;
}

}  // namespace blockscope
