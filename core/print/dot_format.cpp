// Graphviz: a map is a dotted cluster with its dimension as label; edges enter and leave it through
// the small circles that are its inner graph's inputs and outputs (Blockbuster section 2.1).
#include "core/print/print.h"

namespace blockscope {

namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        if (c == '"' || c == '\\') result += '\\';
        result += control ? ' ' : c;
    }
    return result + "\"";
}

class DotWriter {
public:
    explicit DotWriter(const BlockProgram& program) : program_(program) {}

    std::string run() {
        text_ = "digraph blockscope {\n  rankdir=TB;\n  node [shape=box];\n";
        level(*program_.graph, 1);
        return text_ + "}\n";
    }

private:
    void line(int depth, const std::string& content) {
        text_ += std::string(static_cast<std::size_t>(2 * depth), ' ') + content + "\n";
    }

    void level(const Graph& graph, int depth) {
        const GraphIndex index(graph);
        for (const NodePtr& node : graph.nodes()) {
            if (const Map* map = node->as<Map>())
                cluster(*node, *map, depth);
            else
                line(depth, to_string(node->id) + " [" + attributes(*node, depth == 1) + "];");
        }
        for (const NodePtr& node : graph.nodes())
            for (std::size_t port = 0; port < node->inputs.size(); ++port)
                edge(index, *node, static_cast<int>(port), depth);
    }

    void cluster(const Node& node, const Map& map, int depth) {
        const std::string& dim = program_.dims.at(map.dim.value).name;
        line(depth, "subgraph cluster_" + to_string(node.id) + " {");
        line(depth + 1, "label=" + quoted(map.start == 0 ? dim : dim + "=1:" + dim) +
                            "; labeljust=r; labelloc=b; style=dotted;");
        level(*map.body, depth + 1);
        carried_edges(map, depth + 1);
        line(depth, "}");
    }

    std::string attributes(const Node& node, bool top_level) const {
        const bool port = !top_level && (node.is<Input>() || node.is<Output>());
        if (port) return "label=\"\", shape=circle, width=0.1";
        if (node.is<Input>()) return "label=" + quoted(array_name(*node.as<Input>())) + ", shape=plaintext";
        if (node.is<Output>()) return "label=" + quoted(node.as<Output>()->name) + ", shape=plaintext";
        const std::string text = "label=" + quoted(label(node, program_.dims));
        if (node.is<Reduce>()) return text + ", shape=ellipse";
        return node.is<Misc>() ? text + ", shape=box3d" : text;
    }

    static std::string array_name(const Input& input) {
        return input.transposed ? input.name + "T" : input.name;
    }

    // The node that stands for a value: a map's is its inner graph's output.
    static std::string source(const GraphIndex& index, const ValueRef& ref) {
        const Node* node = index.find(ref.node);
        if (const Map* map = node->as<Map>()) return to_string(map->body->outputs().at(ref.port)->id);
        return to_string(node->id);
    }

    // The node that stands for a map's input: the inner graph's input, or the output it continues.
    static std::string target(const Node& node, int port) {
        const Map* map = node.as<Map>();
        if (!map) return to_string(node.id);
        const MapInput& input = map->inputs[static_cast<std::size_t>(port)];
        if (input.mode == PortIn::Continued)
            return to_string(map->body->outputs().at(static_cast<std::size_t>(input.continues))->id);
        std::size_t inner = 0;
        for (int i = 0; i < port; ++i)
            if (map->inputs[static_cast<std::size_t>(i)].mode != PortIn::Continued) ++inner;
        return to_string(map->body->inputs().at(inner)->id);
    }

    void edge(const GraphIndex& index, const Node& node, int port, int depth) {
        const ValueRef& ref = node.inputs[static_cast<std::size_t>(port)];
        const Node& producer = *index.find(ref.node);
        std::string attributes = "tooltip=" + quoted(to_string(edge_type(producer, ref), program_.dims));
        if (is_buffered(producer, node, port, depth == 1)) attributes += ", color=red";
        if (ref.first > 0) attributes += ", label=\"0\"";
        line(depth, source(index, ref) + " -> " + target(node, port) + " [" + attributes + "];");
    }

    // From one iteration to the next.
    void carried_edges(const Map& map, int depth) {
        const std::vector<NodePtr> inputs = map.body->inputs();
        const std::vector<NodePtr> outputs = map.body->outputs();
        std::size_t inner = 0;
        for (const MapInput& input : map.inputs)
            if (input.mode != PortIn::Continued) ++inner;
        for (std::size_t i = 0; i < map.outputs.size(); ++i)
            if (map.outputs[i].mode == PortOut::Carried)
                line(depth, to_string(outputs.at(i)->id) + " -> " + to_string(inputs.at(inner++)->id) +
                                " [style=dashed, constraint=false];");
    }

    const BlockProgram& program_;
    std::string text_;
};

}  // namespace

std::string dot(const BlockProgram& program) {
    return DotWriter(program).run();
}

StateFormat dot_format() {
    return {.name = "dot", .title = "DOT (Graphviz)", .write = dot, .comment = "// "};
}

}  // namespace blockscope
