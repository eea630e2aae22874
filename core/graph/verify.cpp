#include "core/graph/verify.h"

#include <unordered_set>

#include "core/support/result.h"

namespace blockscope {

namespace {

// Nodes of a valid program by id, to tell which nodes of its successor are untouched.
class KnownNodes {
public:
    explicit KnownNodes(const BlockProgram& program) : nodes_(program.next_id, nullptr) {}

    void add(const Graph& graph, bool nested) {
        for (const NodePtr& node : graph.nodes()) {
            if (node->id.value < nodes_.size()) nodes_[node->id.value] = node.get();
            if (nested) add_bodies(*node);
        }
    }
    void add_bodies(const Node& node) {
        if (const Map* map = node.as<Map>()) add(*map->body, true);
    }
    const Node* find(NodeId id) const { return id.value < nodes_.size() ? nodes_[id.value] : nullptr; }
    bool contains(const Node& node) const { return find(node.id) == &node; }

private:
    std::vector<const Node*> nodes_;
};

class Verifier {
public:
    Verifier(const BlockProgram& program, const KnownNodes* known)
        : program_(program), known_(known), seen_(program.next_id, 0) {}

    std::vector<Violation> run(const Graph& graph, bool top_level) {
        level(graph, top_level);
        return std::move(violations_);
    }

private:
    bool known(const Node& node) const { return known_ && known_->contains(node); }

    void report(NodeId node, std::string sentence) { violations_.push_back({node, std::move(sentence)}); }

    void level(const Graph& graph, bool top_level) {
        const GraphIndex index(graph);
        for (int at = 0; at < index.size(); ++at) {
            const Node& node = index.node(at);
            identity(node);
            if (!producers(index, at)) continue;
            names(node, top_level);
            if (!untouched(index, node)) types(index, node);
            const Map* map = node.as<Map>();
            if (map && map->body && !known(node)) level(*map->body, false);
        }
    }

    void identity(const Node& node) {
        if (node.id.value == 0 || node.id.value >= program_.next_id)
            return report(node.id, to_string(node.id) + " is not an id of this program");
        if (seen_[node.id.value]) report(node.id, to_string(node.id) + " stands in the program twice");
        seen_[node.id.value] = 1;
    }

    bool producers(const GraphIndex& index, int at) {
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

    bool untouched(const GraphIndex& index, const Node& node) const {
        if (!known(node)) return false;
        for (const ValueRef& ref : node.inputs)
            if (!known(*index.find(ref.node))) return false;
        return true;
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
    std::vector<char> seen_;
    std::vector<Violation> violations_;
};

}  // namespace

std::vector<Violation> verify(const BlockProgram& program) {
    return Verifier(program, nullptr).run(*program.graph, true);
}

std::vector<Violation> verify_change(const BlockProgram& before, const BlockProgram& after,
                                     const std::vector<NodeId>& path) {
    const GraphPtr old_level = graph_at(before, path);
    const GraphPtr new_level = graph_at(after, path);
    if (!old_level || !new_level) throw InternalError("verify_change: no such level");
    KnownNodes known(before);
    known.add(*old_level, false);
    KnownNodes now(after);
    now.add(*new_level, false);
    for (const NodePtr& node : old_level->nodes())
        if (!now.contains(*node)) known.add_bodies(*node);
    return Verifier(after, &known).run(*new_level, path.empty());
}

}  // namespace blockscope
