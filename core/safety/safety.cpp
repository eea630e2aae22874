#include "core/safety/safety.h"

#include <algorithm>

#include "core/safety/maps.h"
#include "core/safety/operators.h"

namespace blockscope {

namespace safety {

namespace {

// Which outputs of the map at `position` are read plain by all that read them.
std::vector<bool> outputs_read_plain(const GraphIndex& index, int position,
                                     const std::vector<NodeId>& plain_outputs) {
    std::vector<bool> plain;
    for (std::size_t port = 0; port < index.node(position).outputs.size(); ++port) {
        const std::vector<GraphIndex::Use> uses = index.uses_of(position, static_cast<int>(port));
        plain.push_back(!uses.empty() &&
                        std::all_of(uses.begin(), uses.end(), [&](const GraphIndex::Use& use) {
                            const Node& reader = index.node(use.node);
                            return reader.is<Misc>() || std::find(plain_outputs.begin(), plain_outputs.end(),
                                                                  reader.id) != plain_outputs.end();
                        }));
    }
    return plain;
}

void rewrite_misc(Level& level, const NodePtr& node) {
    std::vector<ValueRef> inputs;
    for (const ValueRef& ref : node->inputs) inputs.push_back(level.plain(level.value(ref)));
    level.keep(node, std::move(inputs));
    for (std::size_t port = 0; port < node->outputs.size(); ++port) {
        const ValueRef ref{node->id, static_cast<std::uint16_t>(port)};
        level.set(ref, {ref});
    }
}

}  // namespace

std::vector<Value> rewrite_level(Level& level, const Graph& graph, const std::vector<bool>& plain_outputs) {
    const GraphIndex index(graph);
    const std::vector<NodePtr> outputs = graph.outputs();
    std::vector<NodeId> plain;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (plain_outputs[i]) plain.push_back(outputs[i]->id);
    std::vector<Value> results;
    for (int at = 0; at < index.size(); ++at) {
        const NodePtr& node = graph.nodes()[static_cast<std::size_t>(at)];
        level.run().origin = node->id;
        if (node->is<Functional>()) rewrite_functional(level, node);
        if (node->is<Elementwise>()) rewrite_elementwise(level, index, node);
        if (node->is<Map>()) rewrite_map(level, node, outputs_read_plain(index, at, plain));
        if (node->is<Reduce>()) rewrite_reduce(level, node);
        if (node->is<Misc>()) rewrite_misc(level, node);
        if (!node->is<Output>()) continue;
        Value value = level.value(node->inputs[0]);
        if (plain_outputs[results.size()]) value = {level.plain(value)};
        results.push_back(std::move(value));
    }
    return results;
}

}  // namespace safety

SafeProgram make_safe(const BlockProgram& program, SharedExponent sharing) {
    safety::Run run{program.dims, sharing, IdSource(program.next_id)};
    safety::Level level(run, nullptr);
    for (const NodePtr& input : program.graph->inputs()) level.bind(input, {});
    const std::vector<NodePtr> outputs = program.graph->outputs();
    const std::vector<safety::Value> results =
        safety::rewrite_level(level, *program.graph, std::vector<bool>(outputs.size(), true));
    if (run.exponentials == 0) return {program, {}, 0};
    std::vector<NodePtr> stored;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        stored.push_back(
            std::make_shared<const Node>(Node{outputs[i]->id, outputs[i]->kind, {results[i].ref}, {}}));
    SafeProgram safe{
        {program.dims, level.body({}, stored), run.ids.next()}, std::move(run.made), run.exponentials};
    return safe;
}

}  // namespace blockscope
