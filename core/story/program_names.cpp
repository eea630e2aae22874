#include "core/story/program_names.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "core/program/names.h"
#include "core/rules/conditions.h"

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

namespace {

// "exp(...)" for a call that is long, and all of a formula unless it is a sentence of its own: what the
// operator is.
Text short_operator(const Node& node, const DimTable& dims) {
    constexpr std::size_t kLongestCall = 12, kLongestFormula = 32;
    Text name = operator_name(node, dims);
    const std::string text = name.str();
    if (!node.is<Elementwise>() || text.size() <= kLongestCall) return name;
    const std::size_t open = text.find('(');
    if (open > 0 && open != std::string::npos && is_identifier(text.substr(0, open)))
        return Text(text.substr(0, open) + "(...)");
    return text.size() <= kLongestFormula ? name : Text("elementwise formula");
}

// The operators in a node, in the order of execution, without sums, which belong to what they add up.
void add_operators(const Node& node, const DimTable& dims, std::vector<Text>& found) {
    if (const Map* map = node.as<Map>()) {
        for (const NodePtr& inner : map->body->nodes()) add_operators(*inner, dims, found);
        return;
    }
    const Text name = short_operator(node, dims);
    if (!name.empty() && !node.is<Reduce>()) found.push_back(name);
}

}  // namespace

ProgramNames::ProgramNames(ProgramPtr program, ArrayNames names)
    : program_(std::move(program)), names_(std::move(names)) {
    enter(*program_->graph);
}

void ProgramNames::enter(const Graph& level) {
    for (const NodePtr& node : level.nodes()) {
        places_[node->id.value] = {node.get(), &level};
        const Map* map = node->as<Map>();
        if (!map) continue;
        const std::vector<NodePtr> ports = map->body->inputs();
        std::size_t port = 0;
        for (std::size_t i = 0; i < node->inputs.size(); ++i)
            if (map->inputs[i].mode != PortIn::Continued) outside_[ports[port++]->id.value] = node->inputs[i];
        enter(*map->body);
    }
}

const Node* ProgramNames::find(NodeId node) const {
    const auto found = places_.find(node.value);
    return found == places_.end() ? nullptr : found->second.node;
}

ValueKey ProgramNames::key(const ValueRef& value) const {
    const auto place = places_.find(value.node.value);
    if (place == places_.end()) return {value.node, value.port, 0};
    const ValueKey key = value_key(*place->second.level, value);
    const auto outside = outside_.find(key.leaf.value);
    if (outside == outside_.end()) return key;
    ValueKey outer = this->key(outside->second);
    outer.sums = static_cast<std::uint8_t>(outer.sums + key.sums);
    return outer;
}

std::string ProgramNames::value(const ValueRef& value) const {
    return name_of(key(value));
}

std::string ProgramNames::name_of(const ValueKey& key) const {
    const Node* leaf = find(key.leaf);
    const Input* input = leaf ? leaf->as<Input>() : nullptr;
    return input && key.sums == 0 ? input->name : names_.name(key);
}

std::vector<int> ProgramNames::statements(const Node& node) const {
    const Map* map = node.as<Map>();
    if (!map) return names_.statements(node.id);
    std::vector<int> all;
    for (const NodePtr& inner : map->body->nodes()) {
        const std::vector<int> more = statements(*inner);
        all.insert(all.end(), more.begin(), more.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

Text ProgramNames::arrays(NodeId node, std::size_t most) const {
    const Node* found = find(node);
    if (!found) return {};
    std::vector<Text> names;
    for (const int statement : statements(*found)) names.emplace_back(names_.statement(statement));
    if (names.size() > most) return Text("%1 to %2", names.front(), names.back());
    return and_list(names);
}

std::string ProgramNames::map_name(const Node& map) const {
    constexpr std::size_t kMost = 3;
    const std::vector<int> all = statements(map);
    std::vector<std::string> names;
    for (const int statement : all)
        if (const std::string& name = names_.statement(statement);
            std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    if (names.size() > kMost) return names.front() + " – " + names.back();
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

void ProgramNames::name_maps(const Graph& level, const std::string& around,
                             std::map<NodeId, std::string>& found) const {
    for (const NodePtr& node : level.nodes()) {
        const Map* map = node->as<Map>();
        if (!map) continue;
        const std::string name = map_name(*node);
        if (!name.empty() && name != around) found[node->id] = name;
        name_maps(*map->body, name, found);
    }
}

std::map<NodeId, std::string> ProgramNames::map_names() const {
    std::map<NodeId, std::string> found;
    if (!names_.empty()) name_maps(*program_->graph, {}, found);
    return found;
}

Text ProgramNames::operators(NodeId node) const {
    const Node* found = find(node);
    if (!found) return {};
    if (found->is<Reduce>()) return operator_name(*found, program_->dims);
    std::vector<Text> all;
    add_operators(*found, program_->dims, all);
    if (all.empty()) return {};
    if (all.front() == all.back()) return all.front();
    return Text("%1 ... %2", all.front(), all.back());
}

Text ProgramNames::last_operator(NodeId node) const {
    const Node* found = find(node);
    return found && found->is<Reduce>() ? operators(node) : operators(key({node}).leaf);
}

Text ProgramNames::label(NodeId node) const {
    Text made_of = operators(node);
    const Text names = arrays(node);
    if (names.empty()) return made_of;
    return made_of.empty() ? names : Text("%1 of %2", made_of, names);
}

Text ProgramNames::result(NodeId node) const {
    const Node* found = find(node);
    if (!found || found->outputs.empty()) return label(node);
    for (std::size_t port = 0; port < found->outputs.size(); ++port)
        if (const std::string name = value({node, static_cast<std::uint16_t>(port)}); !name.empty())
            return {name};
    return label(key({node}).leaf);
}

Text ProgramNames::result_of(const ValueRef& value) const {
    const std::string name = this->value(value);
    return name.empty() ? label(key(value).leaf) : Text(name);
}

Text ProgramNames::maker_of(const ValueRef& value) const {
    const Text made_by = label(key(value).leaf);
    return made_by.empty() ? Text(this->value(value)) : made_by;
}

Text ProgramNames::said_of(const ValueKey& key) const {
    const std::string name = name_of(key);
    return name.empty() ? said_of_operator(key) : Text(name);
}

Text ProgramNames::said_of_operator(const ValueKey& key) const {
    const Text made_by = label(key.leaf);
    if (is_reduced(key))
        return key.sums > 0 ? Text("the partly summed %1", made_by) : Text("the partial %1", made_by);
    if (key.sums == 0) return Text("the %1", made_by);
    return is_maximum(key.leaf) ? Text("the greatest %1", made_by) : Text("the summed %1", made_by);
}

bool ProgramNames::is_maximum(NodeId leaf) const {
    const Node* node = find(leaf);
    const Functional* functional = node ? node->as<Functional>() : nullptr;
    return functional && functional->op == FunctionalOp::RowMax;
}

// Whether the program adds the value up, or takes the greatest of it.
bool ProgramNames::is_reduced(const ValueKey& key) const {
    const auto is_result = [&](const auto& entry) {
        const Node& node = *entry.second.node;
        for (std::size_t port = 0; port < node.outputs.size(); ++port) {
            const ValueKey made = this->key({node.id, static_cast<std::uint16_t>(port)});
            if (made.leaf == key.leaf && made.port == key.port && made.sums > key.sums) return true;
        }
        return false;
    };
    return std::any_of(places_.begin(), places_.end(), is_result);
}

namespace {

void add_buffered(const ProgramNames& names, const Graph& level, bool top_level, std::set<ValueKey>& found) {
    for (const NodePtr& node : level.nodes()) {
        for (std::size_t port = 0; port < node->inputs.size(); ++port)
            if (is_buffered(*names.find(node->inputs[port].node), *node, static_cast<int>(port), top_level))
                found.insert(names.key(node->inputs[port]));
        if (const Map* map = node->as<Map>()) add_buffered(names, *map->body, false, found);
    }
}

}  // namespace

std::set<ValueKey> ProgramNames::buffered() const {
    std::set<ValueKey> found;
    add_buffered(*this, *program_->graph, true, found);
    return found;
}

}  // namespace blockscope
