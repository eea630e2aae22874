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
    void report(NodeId node, std::string sentence) { violations_.push_back({node, std::move(sentence)}); }

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
            return report(id, to_string(id) + " is not an id of this program");
        const bool twice = &index == outermost_
                               ? index.position(id) != at
                               : outermost_->position(id) >= 0 || !seen_.insert(id.value).second;
        if (twice) report(id, to_string(id) + " stands in the program twice");
    }

    // False if an input is not there; `touched` becomes true if a producer has changed.
    bool producers(const GraphIndex& index, int at, const std::vector<char>& changed, bool& touched) {
        const Node& node = index.node(at);
        for (const ValueRef& ref : node.inputs) {
            const int producer = index.position(ref.node);
            if (producer < 0 || producer >= at) {
                report(node.id, to_string(node.id) + " reads " + to_string(ref.node) +
                                    ", which does not come before it");
                return false;
            }
            const Node& from = index.node(producer);
            if (ref.port >= from.outputs.size() || ref.first > from.outputs[ref.port].rank()) {
                report(node.id, to_string(node.id) + " reads an output that " + to_string(ref.node) +
                                    " does not have");
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
            report(node.id,
                   to_string(node.id) + (top_level ? " needs a name" : " is a port and has no name"));
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
                              to_string(node.id) + " has a type with a dimension that does not exist");
        if (node.is<Misc>()) return;
        if (node.is<Input>()) {
            if (node.outputs.size() != 1 || !node.inputs.empty())
                report(node.id, to_string(node.id) + " is an input and needs one type and no inputs");
            return;
        }
        std::vector<Type> inputs;
        for (const ValueRef& ref : node.inputs) inputs.push_back(edge_type(*index.find(ref.node), ref));
        const TypeCheck check = check_types(node.kind, inputs, program_.dims);
        if (!check.error.empty()) return report(node.id, to_string(node.id) + ": " + check.error);
        const Node* old = known_ ? known_->find(node.id) : nullptr;
        if (old && old->outputs != node.outputs)
            report(node.id, to_string(node.id) + " keeps its id but not its types");
        if (check.outputs != node.outputs)
            report(node.id, to_string(node.id) + " declares types that its inputs do not give");
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

}  // namespace blockscope
