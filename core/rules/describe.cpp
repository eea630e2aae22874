#include <algorithm>

#include "core/rules/describe.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

std::string formula(const Elementwise& node, const DimTable& dims) {
    static const std::vector<std::string> kNames = {"x", "y", "z", "u", "v", "w"};
    std::vector<std::string> names = kNames;
    for (int i = static_cast<int>(names.size()); i < argument_count(*node.expr); ++i)
        names.push_back("x" + std::to_string(i));
    if (tree_size(*node.expr, 40) == 40) return "a long expression";
    return to_string(*node.expr, names, dims);
}

void collect(const Graph& graph, const DimTable& dims, std::vector<std::string>& words) {
    for (const NodePtr& node : graph.nodes()) {
        if (words.size() > 3) return;
        if (const Map* map = node->as<Map>()) {
            collect(*map->body, dims, words);
            continue;
        }
        const std::string word = operator_name(*node, dims);
        if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end())
            words.push_back(word);
    }
}

}  // namespace

std::string operator_name(const Node& node, const DimTable& dims) {
    struct Name {
        const DimTable& dims;
        std::string operator()(const Input&) const { return ""; }
        std::string operator()(const Output&) const { return ""; }
        std::string operator()(const Functional& f) const { return to_string(f.op); }
        std::string operator()(const Elementwise& e) const { return formula(e, dims); }
        std::string operator()(const Map&) const { return ""; }
        std::string operator()(const Reduce& r) const { return r.op == ReduceOp::Sum ? "sum" : "max"; }
        std::string operator()(const Misc& m) const { return m.name; }
    };
    return std::visit(Name{dims}, node.kind);
}

std::string map_contents(const Map& map, const DimTable& dims) {
    std::vector<std::string> words;
    collect(*map.body, dims, words);
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(words.size(), 3); ++i)
        text += (i ? ", " : "") + words[i];
    return words.size() > 3 ? text + ", ..." : text;
}

std::string describe(const Node& node, const DimTable& dims) {
    const std::string id = " " + to_string(node.id);
    if (const Map* map = node.as<Map>())
        return "the " + dims.at(map->dim.value).name + "-map" + id + " (" + map_contents(*map, dims) + ")";
    if (const Input* input = node.as<Input>())
        return input->name.empty() ? "the input port" + id : "the input " + input->name;
    if (const Output* output = node.as<Output>())
        return output->name.empty() ? "the output port" + id : "the output " + output->name;
    if (const Reduce* reduce = node.as<Reduce>())
        return "the " + operator_name(node, dims) + " over " + dims.at(reduce->dim.value).name + id;
    if (node.is<Elementwise>())
        return "the elementwise operator" + id + " (" + operator_name(node, dims) + ")";
    if (node.is<Misc>()) return "the miscellaneous operator" + id + " (" + operator_name(node, dims) + ")";
    return "the operator" + id + " (" + operator_name(node, dims) + ")";
}

std::string list_names(const std::vector<NodeId>& nodes, const Level& level) {
    std::string text;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node* node = level.index.find(nodes[i]);
        text += (i == 0                  ? ""
                 : i + 1 == nodes.size() ? " and "
                                         : ", ") +
                (node ? describe(*node, level.dims) : to_string(nodes[i]));
    }
    return text;
}

}  // namespace blockscope
