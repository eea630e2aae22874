#include "core/graph/verify.h"

#include <unordered_map>
#include <unordered_set>

#include "core/support/result.h"

namespace blockscope {

namespace {

// The nodes of a valid level, and of the inner graphs of those of its nodes that its successor lacks: to tell
// which nodes of the successor are untouched.
class KnownNodes {
public:
    KnownNodes(const GraphIndex& before, const GraphIndex& after) : level_(before) {
        for (const NodePtr& node : before.graph().nodes())
            if (after.find(node->id) != node.get()) add_bodies(*node);
    }
    const Node* find(NodeId id) const {
        if (const Node* node = level_.find(id)) return node;
        const auto found = inner_.find(id.value);
        return found == inner_.end() ? nullptr : found->second;
    }
    bool contains(const Node& node) const { return find(node.id) == &node; }

private:
    void add_bodies(const Node& node) {
        const Map* map = node.as<Map>();
        if (!map) return;
        for (const NodePtr& inner : map->body->nodes()) {
            inner_[inner->id.value] = inner.get();
            add_bodies(*inner);
        }
    }

    const GraphIndex& level_;
    std::unordered_map<std::uint32_t, const Node*> inner_;
};

class Verifier {
public:
    Verifier(const BlockProgram& program, const KnownNodes* known) : program_(program), known_(known) {}

    std::vector<Violation> run(const GraphIndex& index, bool top_level) {
        outermost_ = &index;
        level(index, top_level);
        return std::move(violations_);
    }

private:
    void report(NodeId node, Text sentence) { violations_.push_back({node, std::move(sentence)}); }

    void level(const GraphIndex& index, bool top_level) {
        std::vector<char> changed;
        for (const NodePtr& node : index.graph().nodes())
            changed.push_back(known_ && known_->contains(*node) ? 0 : 1);
        for (int at = 0; at < index.size(); ++at) {
            const Node& node = index.node(at);
            identity(index, at);
            bool touched = changed[static_cast<std::size_t>(at)] != 0;
            if (!producers(index, at, changed, touched)) continue;
            names(node, top_level);
            if (touched) types(index, node);
            const Map* map = node.as<Map>();
            if (map && map->body && changed[static_cast<std::size_t>(at)])
                level(GraphIndex(*map->body), false);
        }
    }

    // Ids of the outermost level are looked up in its index; only those of inner graphs are collected.
    void identity(const GraphIndex& index, int at) {
        const NodeId id = index.node(at).id;
        if (id.value == 0 || id.value >= program_.next_id)
            return report(id, Text("%1 is not an id of this program", to_string(id)));
        const bool twice = &index == outermost_
                               ? index.position(id) != at
                               : outermost_->position(id) >= 0 || !seen_.insert(id.value).second;
        if (twice) report(id, Text("%1 stands in the program twice", to_string(id)));
    }

    // False if an input is not there; `touched` becomes true if a producer has changed.
    bool producers(const GraphIndex& index, int at, const std::vector<char>& changed, bool& touched) {
        const Node& node = index.node(at);
        for (const ValueRef& ref : node.inputs) {
            const int producer = index.position(ref.node);
            if (producer < 0 || producer >= at) {
                report(node.id, Text("%1 reads %2, which does not come before it", to_string(node.id),
                                     to_string(ref.node)));
                return false;
            }
            const Node& from = index.node(producer);
            if (ref.port >= from.outputs.size() || ref.first > from.outputs[ref.port].rank()) {
                report(node.id, Text("%1 reads an output that %2 does not have", to_string(node.id),
                                     to_string(ref.node)));
                return false;
            }
            touched = touched || changed[static_cast<std::size_t>(producer)];
        }
        return true;
    }

    void names(const Node& node, bool top_level) {
        const Input* input = node.as<Input>();
        const Output* output = node.as<Output>();
        if (!input && !output) return;
        const bool named = input ? !input->name.empty() : !output->name.empty();
        if (named != top_level)
            report(node.id, top_level ? Text("%1 needs a name", to_string(node.id))
                                      : Text("%1 is a port and has no name", to_string(node.id)));
    }

    bool type_exists(const Type& type) const {
        const auto exists = [&](DimId dim) { return dim.value < program_.dims.size(); };
        for (int i = 0; i < type.rank(); ++i)
            if (!exists(type.dim(i))) return false;
        const Item& item = type.item();
        return item.kind == ItemKind::Scalar ||
               (exists(item.rows) && (item.kind == ItemKind::Vector || exists(item.cols)));
    }

    void types(const GraphIndex& index, const Node& node) {
        for (const Type& type : node.outputs)
            if (!type_exists(type))
                return report(node.id,
                              Text("%1 has a type with a dimension that does not exist", to_string(node.id)));
        if (node.is<Misc>()) return;
        if (node.is<Input>()) {
            if (node.outputs.size() != 1 || !node.inputs.empty())
                report(node.id, Text("%1 is an input and needs one type and no inputs", to_string(node.id)));
            return;
        }
        std::vector<Type> inputs;
        inputs.reserve(node.inputs.size());
        for (const ValueRef& ref : node.inputs) inputs.push_back(edge_type(*index.find(ref.node), ref));
        const TypeCheck check = check_types(node.kind, inputs, program_.dims);
        if (!check.error.empty()) return report(node.id, Text("%1: %2", to_string(node.id), check.error));
        const Node* old = known_ ? known_->find(node.id) : nullptr;
        if (old && old->outputs != node.outputs)
            report(node.id, Text("%1 keeps its id but not its types", to_string(node.id)));
        if (check.outputs != node.outputs)
            report(node.id, Text("%1 declares types that its inputs do not give", to_string(node.id)));
    }

    const BlockProgram& program_;
    const KnownNodes* known_;
    const GraphIndex* outermost_ = nullptr;
    std::unordered_set<std::uint32_t> seen_;
    std::vector<Violation> violations_;
};

}  // namespace

std::vector<Violation> verify(const BlockProgram& program) {
    return Verifier(program, nullptr).run(GraphIndex(*program.graph), true);
}

std::vector<Violation> verify_change(const BlockProgram& before, const BlockProgram& after,
                                     const std::vector<NodeId>& path) {
    const GraphPtr old_level = graph_at(before, path);
    const GraphPtr new_level = graph_at(after, path);
    if (!old_level || !new_level) throw InternalError("verify_change: no such level");
    return verify_change(GraphIndex(*old_level), GraphIndex(*new_level), after, path.empty());
}

std::vector<Violation> verify_change(const GraphIndex& before, const GraphIndex& after,
                                     const BlockProgram& after_program, bool top_level) {
    const KnownNodes known(before, after);
    return Verifier(after_program, &known).run(after, top_level);
}

// Types of nodes from their inputs' types: Table 1's constraints, and how maps and reductions wrap
// and unwrap lists.

namespace {

TypeCheck fits(Type type) {
    return {{type}, {}};
}

TypeCheck wrong(Text sentence) {
    return {{}, std::move(sentence)};
}

Text count_text(std::size_t count) {
    return count == 1 ? Text("1 input") : Text("%1 inputs", count);
}

class Checker {
public:
    Checker(const std::vector<Type>& inputs, const DimTable& dims) : in_(inputs), dims_(dims) {}

    TypeCheck operator()(const Input&) const { return wrong(Text("an input node declares its own type")); }
    TypeCheck operator()(const Misc&) const {
        return wrong(Text("a miscellaneous operator declares its own types"));
    }

    TypeCheck operator()(const Output&) const {
        if (in_.size() != 1) return wrong(Text("an output takes 1 input, found %1", count_text(in_.size())));
        return {};
    }

    TypeCheck operator()(const Reduce& reduce) const {
        if (in_.size() != 1)
            return wrong(Text("a reduction takes 1 input, found %1", count_text(in_.size())));
        if (!in_[0].is_list() || in_[0].dim(0) != reduce.dim)
            return wrong(
                Text("a reduction over %1 needs a list over it, found %2", name(reduce.dim), text(in_[0])));
        return fits(in_[0].element());
    }

    TypeCheck operator()(const Elementwise& node) const {
        if (argument_count(*node.expr) > static_cast<int>(in_.size()))
            return wrong(Text("an elementwise expression refers to more arguments than its %1",
                              count_text(in_.size())));
        if (in_.empty()) return wrong(Text("an elementwise operator needs an input"));
        Type result = in_[0];
        for (const Type& type : in_) {
            if (type.is_list())
                return wrong(Text("an elementwise operator takes items, found the list %1", text(type)));
            if (result.item().kind == ItemKind::Scalar && type.item().kind != ItemKind::Scalar) result = type;
        }
        for (const Type& type : in_)
            if (type.item().kind != ItemKind::Scalar && type.item() != result.item())
                return wrong(Text("an elementwise operator needs inputs of one shape, found %1 and %2",
                                  text(result), text(type)));
        return fits(node.to ? result.with_elem(*node.to) : result);
    }

    TypeCheck operator()(const Functional& node) const {
        if (static_cast<int>(in_.size()) != arity(node.op))
            return wrong(Text("%1 takes %2, found %3", to_string(node.op),
                              count_text(static_cast<std::size_t>(arity(node.op))), in_.size()));
        for (const Type& type : in_)
            if (type.is_list())
                return wrong(Text("%1 takes items, found the list %2", to_string(node.op), text(type)));
        const Item& a = in_[0].item();
        const Item& b = in_.back().item();
        switch (form_of(node.op)) {
            case FunctionalForm::ByElement:
                return need(node.op, a == b, a);
            case FunctionalForm::WithRows:
                return need(node.op, is_block(a) && b == Item::vector(a.rows), a);
            case FunctionalForm::WithCols:
                return need(node.op, is_block(a) && b == Item::vector(a.cols), a);
            case FunctionalForm::FoldRows:
                return need(node.op, is_block(a), Item::vector(a.rows));
            case FunctionalForm::FoldAll:
                return need(node.op, a.kind != ItemKind::Scalar, Item::scalar());
            case FunctionalForm::Contract:
                return need(node.op, is_block(a) && is_block(b) && a.cols == b.cols,
                            Item::block(a.rows, b.rows));
            case FunctionalForm::Outer:
                return need(node.op, is_vector(a) && is_vector(b), Item::block(a.rows, b.rows));
            case FunctionalForm::Rotate:
                return rotated(node.op, a);
        }
        throw InternalError("unknown form of a functional operator");
    }

    TypeCheck operator()(const Map& map) const {
        if (!map.body) return wrong(Text("a map needs an inner graph"));
        if (map.dim.value >= dims_.size()) return wrong(Text("a map's dimension does not exist"));
        if (map.start != 0 && map.start != 1) return wrong(Text("a map starts at 0 or, peeled, at 1"));
        if (map.inputs.size() != in_.size())
            return wrong(
                Text("a map's %1 input modes do not fit its %2", map.inputs.size(), count_text(in_.size())));
        if (map.outputs.empty()) return wrong(Text("a map needs an output"));
        const std::vector<const NodePtr*> ports = map.body->nodes().all_of<Input>();
        const std::vector<Type> results = result_types(*map.body);
        if (results.size() != map.outputs.size())
            return wrong(Text("a map's output modes do not fit its inner graph's outputs"));
        TypeCheck check = outputs(map, results);
        if (check.error.empty()) check.error = inputs(map, ports, results);
        if (check.error.empty()) check.error = peeling(map);
        return check;
    }

private:
    static bool is_block(const Item& item) { return item.kind == ItemKind::Block; }
    static bool is_vector(const Item& item) { return item.kind == ItemKind::Vector; }
    std::string name(DimId dim) const { return dim.value < dims_.size() ? dims_[dim.value].name : "?"; }
    std::string text(const Type& type) const { return to_string(type, dims_); }

    TypeCheck need(FunctionalOp op, bool condition, Item result) const {
        if (condition) return fits(in_[0].with_item(result));
        if (in_.size() == 1) return wrong(Text("%1 does not take %2", to_string(op), text(in_[0])));
        return wrong(Text("%1 does not take %2 and %3", to_string(op), text(in_[0]), text(in_[1])));
    }

    TypeCheck rotated(FunctionalOp op, const Item& a) const {
        const BlockNeed cols = functional_operator(op).cols;
        if (!is_block(a) || a.cols.value >= dims_.size()) return need(op, false, a);
        const Dim& dim = dims_[a.cols.value];
        if (meets(dim, cols)) return fits(in_[0]);
        return wrong(Text("%1 needs %2 in %3, found %4 in blocks of %5", to_string(op), dim.name,
                          described(cols), dim.size, dim.block));
    }

    static std::vector<Type> result_types(const Graph& body) {
        std::vector<Type> types;
        for (const NodePtr& output : body.outputs()) {
            const Node* producer = output->inputs.size() == 1 ? body.find(output->inputs[0].node) : nullptr;
            if (!producer || output->inputs[0].port >= producer->outputs.size()) return {};
            if (output->inputs[0].first > producer->outputs[output->inputs[0].port].rank()) return {};
            types.push_back(edge_type(*producer, output->inputs[0]));
        }
        return types;
    }

    TypeCheck outputs(const Map& map, const std::vector<Type>& results) const {
        TypeCheck check;
        for (std::size_t i = 0; i < results.size(); ++i) {
            const bool collected = map.outputs[i].mode == PortOut::Collected;
            if (!collected && results[i].is_list())
                return wrong(Text("a map's reduced or carried output needs an item, found the list %1",
                                  text(results[i])));
            if (collected && results[i].rank() == kMaxRank)
                return wrong(Text("a value has more than 8 list dimensions"));
            check.outputs.push_back(collected ? results[i].list_over(map.dim) : results[i]);
        }
        return check;
    }

    Text inputs(const Map& map, const std::vector<const NodePtr*>& ports,
                const std::vector<Type>& results) const {
        std::size_t port = 0;
        for (std::size_t i = 0; i < in_.size(); ++i) {
            const MapInput& input = map.inputs[i];
            if (input.mode == PortIn::Continued) {
                if (input.continues < 0 || input.continues >= static_cast<int>(results.size()))
                    return Text("a continued input names no output");
                if (in_[i] != results[static_cast<std::size_t>(input.continues)])
                    return Text("a continued input needs %1, found %2",
                                text(results[static_cast<std::size_t>(input.continues)]), text(in_[i]));
                continue;
            }
            if (input.mode == PortIn::Iterated && (!in_[i].is_list() || in_[i].dim(0) != map.dim))
                return Text("a map over %1 cannot iterate over %2", name(map.dim), text(in_[i]));
            const Type inner = input.mode == PortIn::Iterated ? in_[i].element() : in_[i];
            if (port >= ports.size()) return Text("a map has more inputs than its inner graph");
            const Type& taken = (*ports[port])->outputs.at(0);
            if (taken != inner)
                return Text("an inner graph's input is %1, but the map gives it %2", text(taken),
                            text(inner));
            ++port;
        }
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (map.outputs[i].mode != PortOut::Carried) continue;
            if (port >= ports.size() || (*ports[port])->outputs.at(0) != results[i])
                return Text("a carried output has no inner input of its type");
            ++port;
        }
        return port == ports.size() ? Text() : Text("an inner graph has more inputs than its map");
    }

    static Text peeling(const Map& map) {
        std::vector<int> continued(map.outputs.size(), 0);
        for (const MapInput& input : map.inputs)
            if (input.mode == PortIn::Continued) ++continued[static_cast<std::size_t>(input.continues)];
        for (std::size_t i = 0; i < map.outputs.size(); ++i) {
            if (continued[i] != map.start)
                return Text("each output of a peeled map, and of no other, continues one input");
        }
        return Text();
    }

    const std::vector<Type>& in_;
    const DimTable& dims_;
};

}  // namespace

TypeCheck check_types(const Kind& kind, const std::vector<Type>& inputs, const DimTable& dims) {
    return std::visit(Checker(inputs, dims), kind);
}

}  // namespace blockscope
