#include "core/rules/merge.h"

#include <algorithm>

#include "core/support/result.h"

namespace blockscope {

namespace {

// Stand-ins for the inner input ports that the merged body does not keep.
using Substitution = std::map<NodeId, ValueRef>;

NodePtr substitute_inputs(const NodePtr& node, const Substitution& stand_ins) {
    const bool touched = std::any_of(node->inputs.begin(), node->inputs.end(),
                                     [&](const ValueRef& ref) { return stand_ins.count(ref.node) > 0; });
    if (!touched) return node;
    Node copy = *node;
    for (ValueRef& ref : copy.inputs) {
        const auto stand_in = stand_ins.find(ref.node);
        if (stand_in != stand_ins.end()) ref = through(stand_in->second, ref);
    }
    return std::make_shared<const Node>(std::move(copy));
}

class Merger {
public:
    Merger(const Level& level, const Node& first, const Node& second, IdSource& ids)
        : level_(level), first_(first), second_(second), ids_(ids) {}

    Rewrite run() {
        merged_.id = ids_.fresh();
        map_.dim = map(first_).dim;
        map_.start = map(first_).start;
        LevelEdit edit(level_);
        keep_outputs(first_, edit);
        keep_outputs(second_, edit);
        take_inputs(first_);
        take_inputs(second_);
        take_nodes(first_);
        take_nodes(second_);
        map_.body = body();
        merged_.kind = std::move(map_);
        edit.made(merged_.id, {first_.id, second_.id});
        edit.remove(first_.id);
        edit.replace(second_.id, std::move(merged_));
        return edit.finish();
    }

private:
    static const Map& map(const Node& node) { return *node.as<Map>(); }

    bool keeps(const Node& node, int port) const {
        if (&node == &second_) return true;
        for (const GraphIndex::Use& use : level_.index.uses(level_.index.position(node.id))) {
            const Node& consumer = level_.index.node(use.node);
            if (consumer.inputs[static_cast<std::size_t>(use.port)].port == port && consumer.id != second_.id)
                return true;
        }
        return false;
    }

    void keep_outputs(const Node& node, LevelEdit& edit) {
        std::vector<int>& kept = &node == &first_ ? kept_first_ : kept_second_;
        for (std::size_t port = 0; port < node.outputs.size(); ++port) {
            const bool keep = keeps(node, static_cast<int>(port));
            kept.push_back(keep ? static_cast<int>(map_.outputs.size()) : -1);
            if (!keep) continue;
            const ValueRef now{merged_.id, static_cast<std::uint16_t>(map_.outputs.size())};
            edit.redirect({node.id, static_cast<std::uint16_t>(port)}, now);
            map_.outputs.push_back(map(node).outputs[port]);
            merged_.outputs.push_back(node.outputs[port]);
        }
    }

    void take_inputs(const Node& node) {
        const std::vector<NodePtr> ports = map(node).body->inputs();
        const std::vector<int>& kept = &node == &first_ ? kept_first_ : kept_second_;
        std::size_t port = 0;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            MapInput input = map(node).inputs[i];
            if (input.mode == PortIn::Continued) {
                input.continues = kept[static_cast<std::size_t>(input.continues)];
                if (input.continues >= 0) add_input(node.inputs[i], input);
                continue;
            }
            take_port(node, node.inputs[i], input, ports[port++]);
        }
        for (; port < ports.size(); ++port) carried_.push_back(ports[port]);
    }

    void add_input(const ValueRef& ref, const MapInput& input) {
        merged_.inputs.push_back(ref);
        map_.inputs.push_back(input);
    }

    void take_port(const Node& node, const ValueRef& ref, const MapInput& input, const NodePtr& port) {
        if (&node == &second_ && ref.node == first_.id) {
            stand_ins_[port->id] = map(first_).body->outputs()[ref.port]->inputs[0];
            return;
        }
        for (std::size_t i = 0; i < taken_.size(); ++i) {
            if (taken_[i].first != ref || taken_[i].second != input.mode) continue;
            stand_ins_[port->id] = {inputs_[i]->id};
            return;
        }
        taken_.emplace_back(ref, input.mode);
        inputs_.push_back(port);
        add_input(ref, input);
    }

    // Stand-ins of the second map may name ports of the first that have stand-ins themselves.
    void take_nodes(const Node& node) {
        for (auto& [port, ref] : stand_ins_) {
            const auto further = stand_ins_.find(ref.node);
            if (further != stand_ins_.end()) ref = through(further->second, ref);
        }
        const std::vector<int>& kept = &node == &first_ ? kept_first_ : kept_second_;
        std::size_t output = 0;
        for (const NodePtr& inner : map(node).body->nodes()) {
            if (inner->is<Input>()) continue;
            if (!inner->is<Output>()) {
                inside_.push_back(substitute_inputs(inner, stand_ins_));
                continue;
            }
            if (kept[output++] >= 0) outputs_.push_back(substitute_inputs(inner, stand_ins_));
        }
    }

    GraphPtr body() {
        std::vector<NodePtr> nodes = std::move(inputs_);
        for (const auto* part : {&carried_, &inside_, &outputs_})
            nodes.insert(nodes.end(), part->begin(), part->end());
        return std::make_shared<const Graph>(std::move(nodes));
    }

    const Level& level_;
    const Node& first_;
    const Node& second_;
    IdSource& ids_;
    Node merged_;
    Map map_;
    std::vector<int> kept_first_;  // new port of each output, or -1
    std::vector<int> kept_second_;
    std::vector<std::pair<ValueRef, PortIn>> taken_;  // parallel to inputs_
    Substitution stand_ins_;
    std::vector<NodePtr> inputs_, carried_, inside_, outputs_;
};

}  // namespace

Rewrite merge_maps(const Level& level, const Node& first, const Node& second, IdSource& ids) {
    return Merger(level, first, second, ids).run();
}

bool same_range(const Map& a, const Map& b) {
    return a.dim == b.dim && a.start == b.start;
}

}  // namespace blockscope
