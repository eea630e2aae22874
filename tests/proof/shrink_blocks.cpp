#include <algorithm>
#include <map>
#include <set>

#include "core/graph/verify.h"
#include "tests/proof/shrink.h"

namespace blockscope {

namespace {

using Nodes = std::vector<NodePtr>;

NodePtr changed(const NodePtr& node, Kind kind, std::vector<ValueRef> inputs, std::vector<Type> outputs) {
    return std::make_shared<const Node>(
        Node{node->id, std::move(kind), std::move(inputs), std::move(outputs)});
}

ValueRef value_of(const Node& node, std::size_t port) {
    return {node.id, static_cast<std::uint16_t>(port)};
}

// ---- dead code at all levels ----

GraphPtr cleaned(const Graph& graph, const std::vector<char>& wanted, bool keep_inputs);

// Removes element i of `list` where `keep[i]` is 0.
template <class T>
std::vector<T> filtered(const std::vector<T>& list, const std::vector<char>& keep) {
    std::vector<T> result;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (keep[i]) result.push_back(list[i]);
    return result;
}

// The map with only the wanted outputs, and without inputs that its body no longer reads.
NodePtr cleaned_map(const NodePtr& node, const std::vector<char>& wanted) {
    Map map = *node->as<Map>();
    map.body = cleaned(*map.body, wanted, true);
    map.outputs = filtered(map.outputs, wanted);
    std::set<NodeId> read;
    for (const NodePtr& inner : map.body->nodes())
        for (const ValueRef& ref : inner->inputs) read.insert(ref.node);
    std::vector<char> used;
    Nodes body;
    for (const NodePtr& inner : map.body->nodes()) {
        if (inner->is<Input>()) used.push_back(read.contains(inner->id) ? 1 : 0);
        if (!inner->is<Input>() || used.back()) body.push_back(inner);
    }
    map.inputs = filtered(map.inputs.items(), used);
    map.body = std::make_shared<const Graph>(std::move(body));
    std::vector<ValueRef> inputs = filtered(node->inputs.items(), used);
    std::vector<Type> outputs = filtered(node->outputs, wanted);
    return changed(node, std::move(map), std::move(inputs), std::move(outputs));
}

// The graph that computes its wanted outputs only.
GraphPtr cleaned(const Graph& graph, const std::vector<char>& wanted, bool keep_inputs) {
    std::set<ValueRef> read;
    std::map<ValueRef, ValueRef> moved;  // outputs of maps by their new ports
    Nodes kept;
    std::size_t output = wanted.size();
    for (auto at = graph.nodes().rbegin(); at != graph.nodes().rend(); ++at) {
        NodePtr node = *at;
        if (node->is<Output>()) {
            if (!wanted[--output]) continue;
        } else if (!(node->is<Input>() && keep_inputs)) {
            std::vector<char> ports;
            for (std::size_t port = 0; port < node->outputs.size(); ++port)
                ports.push_back(read.contains(value_of(*node, port)) ? 1 : 0);
            if (std::count(ports.begin(), ports.end(), 1) == 0) continue;
            std::uint16_t next = 0;
            for (std::size_t port = 0; port < ports.size(); ++port)
                if (ports[port] || !node->is<Map>()) moved[value_of(*node, port)] = {node->id, next++};
            if (node->is<Map>()) node = cleaned_map(node, ports);
        }
        for (const ValueRef& ref : node->inputs) read.insert({ref.node, ref.port});
        kept.push_back(std::move(node));
    }
    std::reverse(kept.begin(), kept.end());
    for (NodePtr& node : kept) {
        std::vector<ValueRef> inputs = node->inputs;
        for (ValueRef& ref : inputs)
            if (moved.contains(ref)) ref = moved.at(ref);
        node = changed(node, node->kind, std::move(inputs), node->outputs);
    }
    return std::make_shared<const Graph>(std::move(kept));
}

BlockProgram cleaned(const BlockProgram& program) {
    BlockProgram result = program;
    const std::vector<char> wanted(program.graph->outputs().size(), 1);
    result.graph = cleaned(*program.graph, wanted, false);
    return result;
}

// ---- types after an edit ----

// The graph with all types computed anew from those of its inputs; null if they no longer fit.
GraphPtr retyped(const Graph& graph, const std::vector<Type>& inputs, const DimTable& dims);

// The node for inputs of these types; null if they do not fit.
NodePtr retyped(const NodePtr& node, const std::vector<Type>& inputs, const DimTable& dims) {
    if (node->is<Misc>()) return node;
    Kind kind = node->kind;
    if (Map* map = std::get_if<Map>(&kind)) {
        std::vector<Type> ports;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const bool iterated = map->inputs[i].mode == PortIn::Iterated;
            if (iterated && (!inputs[i].is_list() || inputs[i].dim(0) != map->dim)) return nullptr;
            ports.push_back(iterated ? inputs[i].element() : inputs[i]);
        }
        map->body = retyped(*map->body, ports, dims);
        if (!map->body) return nullptr;
    }
    TypeCheck check = check_types(kind, inputs, dims);
    if (!check.error.empty()) return nullptr;
    return changed(node, std::move(kind), node->inputs, std::move(check.outputs));
}

GraphPtr retyped(const Graph& graph, const std::vector<Type>& inputs, const DimTable& dims) {
    std::map<ValueRef, Type> types;
    Nodes nodes;
    std::size_t port = 0;
    for (NodePtr node : graph.nodes()) {
        std::vector<Type> in;
        for (const ValueRef& ref : node->inputs) in.push_back(types.at(ref));
        if (node->is<Input>())
            node = changed(node, node->kind, {}, {inputs.at(port++)});
        else
            node = retyped(node, in, dims);
        if (!node) return nullptr;
        for (std::size_t i = 0; i < node->outputs.size(); ++i) types[value_of(*node, i)] = node->outputs[i];
        nodes.push_back(std::move(node));
    }
    return std::make_shared<const Graph>(std::move(nodes));
}

// Null if the types no longer fit.
GraphPtr retyped(const BlockProgram& program) {
    std::vector<Type> inputs;
    for (const NodePtr& node : program.graph->inputs()) inputs.push_back(node->outputs[0]);
    return retyped(*program.graph, inputs, program.dims);
}

// ---- simplifications ----

class BlockShrinker {
public:
    BlockShrinker(const BlockProgram& program, const std::function<bool(const BlockProgram&)>& fails)
        : best_(program), fails_(fails) {}

    BlockProgram run() {
        dead_code_matters_ = !take(cleaned(best_));
        while (drop_outputs() || (dead_code_matters_ && drop_dead({})) || replace_values({}) ||
               simplify_dims()) {
        }
        return best_;
    }

private:
    // Takes the candidate over if it still fails: without dead code, or with it if that is what fails.
    bool keep(BlockProgram candidate) {
        candidate.graph = retyped(candidate);
        if (!candidate.graph) return false;
        return take(cleaned(candidate)) || (dead_code_matters_ && take(candidate));
    }

    bool take(const BlockProgram& candidate) {
        if (!verify(candidate).empty() || !fails_(candidate)) return false;
        best_ = candidate;
        return true;
    }

    bool drop_outputs() {
        const std::size_t count = best_.graph->outputs().size();
        for (std::size_t i = 0; count > 1 && i < count; ++i) {
            BlockProgram candidate = best_;
            std::vector<char> wanted(count, 1);
            wanted[i] = 0;
            candidate.graph = cleaned(*best_.graph, wanted, false);
            if (keep(candidate)) return true;
        }
        return false;
    }

    // At every level: a node that nothing reads.
    bool drop_dead(const std::vector<NodeId>& path) {
        const GraphPtr graph = graph_at(best_, path);
        const GraphIndex index(*graph);
        for (int at = index.size() - 1; at >= 0; --at) {
            const Node& node = index.node(at);
            if (node.is<Input>() || node.is<Output>()) continue;
            Nodes nodes = graph->nodes().vector();
            nodes.erase(nodes.begin() + at);
            const auto smaller = std::make_shared<const Graph>(std::move(nodes));
            if (index.uses(at).empty() && keep(with_graph_at(best_, path, smaller))) return true;
            if (node.is<Map>() && drop_dead(inside(path, node.id))) return true;
        }
        return false;
    }

    static std::vector<NodeId> inside(std::vector<NodeId> path, NodeId map) {
        path.push_back(map);
        return path;
    }

    // At every level: uses of a computed value read an earlier one, or a new input.
    bool replace_values(const std::vector<NodeId>& path) {
        const GraphPtr graph = graph_at(best_, path);
        for (std::size_t at = graph->nodes().size(); at-- > 0;) {
            const Node& node = *graph->nodes()[at];
            if (node.is<Input>() || node.is<Output>()) continue;
            for (std::size_t port = 0; port < node.outputs.size(); ++port)
                if (replace_value(path, *graph, at, value_of(node, port))) return true;
            if (node.is<Map>() && replace_values(inside(path, node.id))) return true;
        }
        return false;
    }

    bool replace_value(const std::vector<NodeId>& path, const Graph& graph, std::size_t at, ValueRef old) {
        const Type type = graph.nodes()[at]->outputs[old.port];
        if (!is_read(graph, old)) return false;
        for (std::size_t earlier = 0; earlier < at; ++earlier) {
            const Node& node = *graph.nodes()[earlier];
            for (std::size_t port = 0; port < node.outputs.size(); ++port)
                if (keep(with_reads(path, graph.nodes().vector(), old, value_of(node, port)))) return true;
        }
        if (!path.empty()) return false;
        BlockProgram candidate = best_;
        const NodeId id{candidate.next_id++};
        Nodes nodes = graph.nodes().vector();
        const Input input{"Z" + std::to_string(id.value)};
        nodes.insert(nodes.begin(), std::make_shared<const Node>(Node{id, input, {}, {type}}));
        candidate.graph = reading(nodes, old, {id});
        return keep(candidate);
    }

    static bool is_read(const Graph& graph, ValueRef value) {
        return std::any_of(graph.nodes().begin(), graph.nodes().end(), [&](const NodePtr& node) {
            return std::count(node->inputs.begin(), node->inputs.end(), value) > 0;
        });
    }

    static GraphPtr reading(Nodes nodes, ValueRef old, ValueRef replacement) {
        for (NodePtr& node : nodes) {
            std::vector<ValueRef> inputs = node->inputs;
            std::replace(inputs.begin(), inputs.end(), old, replacement);
            if (inputs != node->inputs) node = changed(node, node->kind, std::move(inputs), node->outputs);
        }
        return std::make_shared<const Graph>(std::move(nodes));
    }

    BlockProgram with_reads(const std::vector<NodeId>& path, const Nodes& nodes, ValueRef old,
                            ValueRef replacement) {
        return with_graph_at(best_, path, reading(nodes, old, replacement));
    }

    bool simplify_dims() {
        for (std::size_t i = 0; i < best_.dims.size(); ++i) {
            if (best_.dims[i].size <= 2) continue;
            BlockProgram candidate = best_;
            candidate.dims[i].size = 2;
            candidate.dims[i].block = 1;
            if (keep(candidate)) return true;
        }
        return false;
    }

    BlockProgram best_;
    const std::function<bool(const BlockProgram&)>& fails_;
    bool dead_code_matters_ = false;
};

int operators_in(const Graph& graph) {
    int count = 0;
    for (const NodePtr& node : graph.nodes()) {
        count += !node->is<Input>() && !node->is<Output>();
        if (const Map* map = node->as<Map>()) count += operators_in(*map->body);
    }
    return count;
}

}  // namespace

BlockProgram shrink(const BlockProgram& program, const std::function<bool(const BlockProgram&)>& fails) {
    return BlockShrinker(program, fails).run();
}

int operator_count(const BlockProgram& program) {
    return operators_in(*program.graph);
}

}  // namespace blockscope
