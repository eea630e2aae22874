// The hierarchy, one node a line: `n7 dot n3, n5 -> block[M,N] f32`. A star marks a buffered edge.
#include "core/print/label.h"
#include "core/print/print.h"

namespace blockscope {

namespace {

class Outliner {
public:
    explicit Outliner(const BlockProgram& program) : program_(program) {}

    std::string run() {
        level(*program_.graph, 0);
        return std::move(text_);
    }

private:
    void level(const Graph& graph, int depth) {
        const GraphIndex index(graph);
        for (const NodePtr& node : graph.nodes()) {
            text_ +=
                std::string(static_cast<std::size_t>(2 * depth), ' ') + line(index, *node, depth == 0) + "\n";
            if (const Map* map = node->as<Map>()) level(*map->body, depth + 1);
        }
    }

    std::string line(const GraphIndex& index, const Node& node, bool top_level) const {
        std::string text = to_string(node.id) + " " + label(node, program_.dims);
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            text += (i == 0 ? " <- " : ", ") + input(index, node, static_cast<int>(i), top_level);
        for (std::size_t i = 0; i < node.outputs.size(); ++i)
            text += (i == 0 ? " -> " : ", ") + output(node, i);
        return text;
    }

    static std::string input(const GraphIndex& index, const Node& node, int port, bool top_level) {
        const ValueRef& ref = node.inputs[static_cast<std::size_t>(port)];
        std::string text = reference(index, ref);
        if (is_buffered(*index.find(ref.node), node, port, top_level)) text += "*";
        const Map* map = node.as<Map>();
        if (!map) return text;
        const MapInput& mode = map->inputs[static_cast<std::size_t>(port)];
        text += " " + to_string(mode.mode);
        return mode.mode == PortIn::Continued ? text + " by output " + std::to_string(mode.continues) : text;
    }

    std::string output(const Node& node, std::size_t port) const {
        std::string text = to_string(node.outputs[port], program_.dims);
        if (const Map* map = node.as<Map>()) text += " " + to_string(map->outputs[port].mode);
        return text;
    }

    const BlockProgram& program_;
    std::string text_;
};

}  // namespace

std::string outline(const BlockProgram& program) {
    return Outliner(program).run();
}

}  // namespace blockscope
