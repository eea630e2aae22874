#include "core/story/array_names.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include "core/program/names.h"

namespace blockscope {

namespace {

// Calls `visit` for every operator in `node`, itself included if it is no map.
void for_each_operator(const Node& node, const std::function<void(const Node&)>& visit) {
    const Map* map = node.as<Map>();
    if (!map) return node.is<Input>() || node.is<Output>() ? void() : visit(node);
    for (const NodePtr& inner : map->body->nodes()) for_each_operator(*inner, visit);
}

// Both in ascending order.
void add(std::vector<int>& statements, const std::vector<int>& more) {
    if (std::includes(statements.begin(), statements.end(), more.begin(), more.end())) return;
    std::vector<int> all;
    std::set_union(statements.begin(), statements.end(), more.begin(), more.end(), std::back_inserter(all));
    statements = std::move(all);
}

// The operator whose statement each operator belongs to: that of the only one that uses a nameless result.
std::vector<int> statement_of(const ArrayProgram& array) {
    std::vector<int> users(array.ops.size(), 0), user(array.ops.size(), -1);
    for (std::size_t i = 0; i < array.ops.size(); ++i) {
        for (const int operand : array.ops[i].operands) {
            ++users[static_cast<std::size_t>(operand)];
            user[static_cast<std::size_t>(operand)] = static_cast<int>(i);
        }
    }
    for (const ArrayOutput& output : array.outputs) users[static_cast<std::size_t>(output.op)] = 0;
    std::vector<int> statements(array.ops.size());
    for (std::size_t i = array.ops.size(); i-- > 0;) {
        const bool part = array.ops[i].name.empty() && users[i] == 1;
        statements[i] = part ? statements[static_cast<std::size_t>(user[i])] : static_cast<int>(i);
    }
    return statements;
}

bool is_transpose(const Node& node) {
    const Misc* misc = node.as<Misc>();
    return misc && misc->name == kTranspose;
}

}  // namespace

ValueKey value_key(const Graph& level, const ValueRef& value) {
    const Node* node = level.find(value.node);
    if (const Reduce* reduce = node ? node->as<Reduce>() : nullptr; reduce) {
        ValueKey key = value_key(level, node->inputs[0]);
        ++key.sums;
        return key;
    }
    const Map* map = node ? node->as<Map>() : nullptr;
    if (!map) return {value.node, value.port, 0};
    const NodePtr output = map->body->outputs()[value.port];
    ValueKey key = value_key(*map->body, output->inputs[0]);
    const PortOut mode = map->outputs[value.port].mode;
    if (mode == PortOut::ReducedSum || mode == PortOut::ReducedMax) ++key.sums;
    return key;
}

ArrayNames::ArrayNames(const ArrayProgram& array, const std::vector<Origin>& origins,
                       const BlockProgram& initial) {
    const std::vector<int> whole = statement_of(array);
    for (const ArrayOp& op : array.ops) statements_.push_back(op.name.empty() ? describe(op.kind) : op.name);
    for (const ArrayOutput& output : array.outputs)
        statements_[static_cast<std::size_t>(output.op)] = output.name;
    const Graph& graph = *initial.graph;
    const auto op_of = [&](std::size_t i) { return static_cast<std::size_t>(origins[i].op); };
    for (std::size_t i = 0; i < origins.size(); ++i) {
        const Node* node = graph.find(origins[i].node);
        if (!node || node->is<Input>() || node->is<Output>()) continue;
        for_each_operator(*node, [&](const Node& leaf) { parts_[leaf.id] = {whole[op_of(i)]}; });
    }
    // The last node of an operator has its result; a transpose of it may follow.
    std::map<int, std::vector<const Node*>> results;
    for (std::size_t i = 0; i < origins.size(); ++i) {
        const Node* node = graph.find(origins[i].node);
        if (!node || node->is<Input>() || node->is<Output>()) continue;
        std::vector<const Node*>& last = results[origins[i].op];
        if (!is_transpose(*node)) last.clear();
        last.push_back(node);
    }
    for (const auto& [op, nodes] : results)
        for (const Node* node : nodes)
            if (!array.ops[static_cast<std::size_t>(op)].name.empty())
                values_[value_key(graph, {node->id})] = op;
    for (const NodePtr& output : graph.outputs())
        for (std::size_t i = 0; i < array.outputs.size(); ++i)
            if (array.outputs[i].name == output->as<Output>()->name)
                values_[value_key(graph, output->inputs[0])] = array.outputs[i].op;
}

std::string ArrayNames::name(const ValueKey& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::string() : statement(found->second);
}

const std::vector<int>& ArrayNames::statements(NodeId leaf) const {
    static const std::vector<int> kNone;
    const auto found = parts_.find(leaf);
    return found == parts_.end() ? kNone : found->second;
}

void ArrayNames::advance(const Step& step) {
    if (empty()) return;
    const GraphPtr before = graph_at(*step.before, step.match.path);
    const GraphPtr after = graph_at(*step.after, step.match.path);

    // Copies of operators make what the originals make.
    std::map<ValueKey, int> found;
    for (const Lineage& lineage : step.made) {
        if (lineage.from.size() != 1) continue;
        for (auto at = values_.lower_bound({lineage.from[0], 0, 0});
             at != values_.end() && at->first.leaf == lineage.from[0]; ++at)
            found[{lineage.made, at->first.port, at->first.sums}] = at->second;
    }
    // A value in the place of another one has its name, which the other loses.
    for (const SameValue& same : step.same) {
        const ValueKey old_key = value_key(*before, same.before);
        const ValueKey new_key = value_key(*after, same.after);
        const auto named = values_.find(old_key);
        if (old_key == new_key || named == values_.end()) continue;
        found[new_key] = named->second;
        values_.erase(named);
    }
    for (const auto& [key, statement] : found) values_[key] = statement;

    for (const Lineage& lineage : step.made) {
        std::vector<int> parts;
        for (const NodeId from : lineage.from) {
            add(parts, statements(from));
            if (const Node* node = before->find(from))
                for_each_operator(*node, [&](const Node& leaf) { add(parts, statements(leaf.id)); });
        }
        if (parts.empty()) continue;
        const Node* made = after->find(lineage.made);
        if (!made) {
            parts_.emplace(lineage.made, parts);
            continue;
        }
        for_each_operator(*made, [&](const Node& leaf) { parts_.emplace(leaf.id, parts); });
    }
}

ArrayNames names_after(const Trace& trace, int step, const ArrayProgram* array) {
    if (!array) return {};
    const Conversion conversion = to_block_program(*array);
    ArrayNames names(*array, conversion.origins, *trace.initial);
    for (int i = 0; i < step; ++i) names.advance(trace.steps[static_cast<std::size_t>(i)]);
    return names;
}

}  // namespace blockscope
