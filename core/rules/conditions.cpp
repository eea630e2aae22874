#include "core/rules/conditions.h"

#include <algorithm>
#include <memory>

#include "core/support/result.h"

namespace blockscope {

Selection select(const Level& level, const std::vector<NodeId>& nodes, std::size_t least, std::size_t most,
                 const Text& needs) {
    Selection selection;
    for (const NodeId id : nodes) {
        const int at = level.index.position(id);
        if (at < 0) {
            selection.refusal = {
                Text("%1 is not in this graph; a rule sees one level of the hierarchy at a time",
                     to_string(id)),
                {id}};
            return selection;
        }
        selection.positions.push_back(at);
    }
    std::sort(selection.positions.begin(), selection.positions.end(),
              [&](int a, int b) { return level.index.before(a, b); });
    selection.positions.erase(std::unique(selection.positions.begin(), selection.positions.end()),
                              selection.positions.end());
    if (selection.positions.size() < least || selection.positions.size() > most)
        selection.refusal = {Text("the rule needs %1", needs), nodes};
    return selection;
}

namespace {

Text formula(const Elementwise& node, const DimTable& dims) {
    static const std::vector<std::string> kNames = {"x", "y", "z", "u", "v", "w"};
    std::vector<std::string> names = kNames;
    for (int i = static_cast<int>(names.size()); i < argument_count(*node.expr); ++i)
        names.push_back("x" + std::to_string(i));
    if (tree_size(*node.expr, 40) == 40) return Text("a long expression");
    return {to_string(*node.expr, names, dims)};
}

}  // namespace

Text operator_name(const Node& node, const DimTable& dims) {
    struct Name {
        const DimTable& dims;
        Text operator()(const Input&) const { return {}; }
        Text operator()(const Output&) const { return {}; }
        Text operator()(const Functional& f) const { return {to_string(f.op)}; }
        Text operator()(const Elementwise& e) const { return formula(e, dims); }
        Text operator()(const Map&) const { return {}; }
        Text operator()(const Reduce& r) const {
            return r.op == ReduceOp::Sum ? std::string("sum") : std::string("max");
        }
        Text operator()(const Misc& m) const { return {m.name}; }
    };
    return std::visit(Name{dims}, node.kind);
}

namespace {

constexpr std::size_t kMostOperators = 4;  // one more than a description names

bool reads_alike(const Node& a, const Node& b, const DimTable& dims) {
    return same_kind(a.kind, b.kind) || operator_name(a, dims) == operator_name(b, dims);
}

// The first operators below a piece that have different names, inner graphs included. Which ones they are
// does not depend on what the dimensions are called.
const FirstOperators& first_operators(const NodeList::Piece& piece, const DimTable& dims) {
    if (const FirstOperators* known = piece.first_operators.load()) return *known;
    auto found = std::make_unique<FirstOperators>();
    const auto take = [&](const Node* node) {
        const auto same = [&](const Node* other) { return reads_alike(*other, *node, dims); };
        if (found->size() < kMostOperators && std::none_of(found->begin(), found->end(), same))
            found->push_back(node);
    };
    const auto take_all = [&](const NodeList::Piece* inner) {
        if (!inner || found->size() == kMostOperators) return;
        for (const Node* node : first_operators(*inner, dims)) take(node);
    };
    take_all(piece.left.get());
    take_all(piece.right.get());
    for (const NodePtr& node : piece.nodes) {
        const Misc* misc = node->as<Misc>();
        if (const Map* map = node->as<Map>())
            take_all(map->body->nodes().root());
        else if (!node->is<Input>() && !node->is<Output>() && !(misc && misc->name.empty()))
            take(node.get());
    }
    const FirstOperators* expected = nullptr;
    if (!piece.first_operators.compare_exchange_strong(expected, found.get())) return *expected;
    return *found.release();
}

}  // namespace

Text map_contents(const Map& map, const DimTable& dims) {
    const NodeList::Piece* inside = map.body->nodes().root();
    if (!inside) return {};
    std::vector<Text> words;
    for (const Node* node : first_operators(*inside, dims)) words.push_back(operator_name(*node, dims));
    if (words.size() == kMostOperators) words.back() = Text(std::string("..."));
    return comma_list(words);
}

Text describe(const Node& node, const DimTable& dims) {
    const std::string id = to_string(node.id);
    if (const Map* map = node.as<Map>())
        return Text("the %1-map %2 (%3)", dims.at(map->dim.value).name, id, map_contents(*map, dims));
    if (const Input* input = node.as<Input>())
        return input->name.empty() ? Text("the input port %1", id) : Text("the input %1", input->name);
    if (const Output* output = node.as<Output>())
        return output->name.empty() ? Text("the output port %1", id) : Text("the output %1", output->name);
    if (const Reduce* reduce = node.as<Reduce>())
        return reduce->op == ReduceOp::Sum ? Text("the sum over %1 %2", dims.at(reduce->dim.value).name, id)
                                           : Text("the max over %1 %2", dims.at(reduce->dim.value).name, id);
    if (node.is<Elementwise>())
        return Text("the elementwise operator %1 (%2)", id, operator_name(node, dims));
    if (node.is<Misc>()) return Text("the miscellaneous operator %1 (%2)", id, operator_name(node, dims));
    return Text("the operator %1 (%2)", id, operator_name(node, dims));
}

Text list_names(const std::vector<NodeId>& nodes, const Level& level) {
    std::vector<Text> names;
    for (const NodeId id : nodes) {
        const Node* node = level.index.find(id);
        names.push_back(node ? describe(*node, level.dims) : Text(to_string(id)));
    }
    return and_list(names);
}

Text role_name(const Role& role) {
    static const std::vector<Text> kNames = {
        Text("producer"),  Text("consumer"), Text("first"), Text("second"),    Text("map"),
        Text("reduction"), Text("scale"),    Text("shift"), Text("matmul"),    Text("extended"),
        Text("peeled"),    Text("outer"),    Text("cast"),  Text("transpose"),
    };
    for (const Text& name : kNames)
        if (name == role.name) return name;
    return {role.name};
}

std::vector<RuleId> variants(RuleId id) {
    std::vector<RuleId> ids;
    for (const Rule& rule : rules()) {
        if (rule.id == id) return {id};
        if (id.variant == 0 && rule.id.number == id.number) ids.push_back(rule.id);
    }
    return ids;
}

std::variant<LevelNodes, Refusal> find_level(const BlockProgram& program, const std::vector<NodeId>& nodes,
                                             const StopSign& stop) {
    const auto missing = [](NodeId node) {
        return Refusal{Text("there is no node %1 in this state", to_string(node)), {}};
    };
    LevelNodes level{{}, nodes};
    if (!find_path(program, nodes.front(), level.path)) return missing(nodes.front());
    const GraphPtr graph = graph_at(program, level.path);
    const GraphIndex index(*graph);
    for (const NodeId node : nodes) {
        stop.check();
        if (index.find(node)) continue;
        std::vector<NodeId> path;
        if (!find_path(program, node, path)) return missing(node);
        return Refusal{Text("%1 and %2 are not in the same graph; rules see one level",
                            to_string(nodes.front()), to_string(node)),
                       {nodes.front(), node}};
    }
    return level;
}

std::optional<Refusal> diagnose(const BlockProgram& program, RuleId id, const LevelNodes& nodes,
                                const StopSign& stop) {
    stop.check();
    const GraphPtr graph = graph_at(program, nodes.path);
    const GraphIndex index(*graph);
    return rule(id).diagnose(Level{program.dims, index, stop}, nodes.nodes);
}

Text explain(const BlockProgram& program, const Match& match) {
    const GraphPtr graph = graph_at(program, match.path);
    const GraphIndex index(*graph);
    return rule(match.rule).explain(Level{program.dims, index}, match);
}

std::vector<std::string> path_dims(const BlockProgram& program, const std::vector<NodeId>& path) {
    std::vector<std::string> names;
    GraphPtr graph = program.graph;
    for (const NodeId id : path) {
        const Node* node = graph->find(id);
        const Map* map = node == nullptr ? nullptr : node->as<Map>();
        if (map == nullptr) throw InternalError("no map " + to_string(id) + " on the path of a match");
        names.push_back(program.dims[map->dim.value].name);
        graph = map->body;
    }
    return names;
}

}  // namespace blockscope
