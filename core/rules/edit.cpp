#include "core/rules/edit.h"

#include <algorithm>

#include "core/support/result.h"

namespace blockscope {

Node& LevelEdit::edited(int position) {
    const auto found = edited_.find(position);
    if (found != edited_.end()) return found->second;
    return edited_.emplace(position, index_.node(position)).first->second;
}

void LevelEdit::remove(NodeId id) {
    removed_.push_back(id);
}

void LevelEdit::replace(NodeId id, Node node) {
    if (node.id != id) removed_.push_back(id);
    edited(index_.position(id)) = std::move(node);
}

void LevelEdit::insert_before(NodeId anchor, Node node) {
    before_[index_.position(anchor)].push_back(std::make_shared<const Node>(std::move(node)));
}

void LevelEdit::insert_after(NodeId anchor, Node node) {
    after_[index_.position(anchor)].push_back(std::make_shared<const Node>(std::move(node)));
}

void LevelEdit::redirect(ValueRef from, ValueRef to) {
    for (const GraphIndex::Use& use : index_.uses(index_.position(from.node))) {
        const ValueRef& old = index_.node(use.node).inputs[static_cast<std::size_t>(use.port)];
        if (old.port != from.port) continue;
        edited(use.node).inputs[static_cast<std::size_t>(use.port)] = through(to, old);
    }
}

void LevelEdit::rewire(NodeId consumer, int port, ValueRef to) {
    edited(index_.position(consumer)).inputs[static_cast<std::size_t>(port)] = to;
}

namespace {

bool in_order(const std::vector<NodePtr>& nodes) {
    std::uint32_t highest = 0;
    for (const NodePtr& node : nodes) highest = std::max(highest, node->id.value);
    std::vector<char> seen(highest + 1, 0);
    for (const NodePtr& node : nodes) {
        for (const ValueRef& ref : node->inputs)
            if (ref.node.value > highest || !seen[ref.node.value]) return false;
        seen[node->id.value] = 1;
    }
    return true;
}

}  // namespace

Rewrite LevelEdit::finish() {
    std::vector<NodePtr> nodes;
    nodes.reserve(static_cast<std::size_t>(index_.size()) + 8);
    const auto append = [&](const std::map<int, std::vector<NodePtr>>& extra, int at) {
        const auto found = extra.find(at);
        if (found != extra.end()) nodes.insert(nodes.end(), found->second.begin(), found->second.end());
    };
    const auto stays = [&](NodeId id) {
        return std::find(removed_.begin(), removed_.end(), id) == removed_.end();
    };
    for (int at = 0; at < index_.size(); ++at) {
        if (!before_.empty()) append(before_, at);
        const NodePtr& old = index_.graph().nodes()[static_cast<std::size_t>(at)];
        const auto edit = edited_.find(at);
        if (edit != edited_.end()) {
            if (stays(edit->second.id))
                nodes.push_back(std::make_shared<const Node>(std::move(edit->second)));
        } else if (stays(old->id)) {
            nodes.push_back(old);
        }
        if (!after_.empty()) append(after_, at);
    }
    if (!in_order(nodes)) nodes = topological(std::move(nodes));
    return {std::make_shared<const Graph>(std::move(nodes)), std::move(made_), std::move(removed_)};
}

GraphPtr copy_fresh(const GraphPtr& body, IdSource& ids, std::vector<Lineage>& made) {
    std::map<NodeId, NodeId> fresh;
    std::vector<NodePtr> nodes;
    for (const NodePtr& old : body->nodes()) {
        Node node = *old;
        node.id = ids.fresh();
        fresh[old->id] = node.id;
        made.push_back({node.id, {old->id}});
        for (ValueRef& ref : node.inputs) ref.node = fresh.at(ref.node);
        if (Map* map = std::get_if<Map>(&node.kind)) map->body = copy_fresh(map->body, ids, made);
        nodes.push_back(std::make_shared<const Node>(std::move(node)));
    }
    return std::make_shared<const Graph>(std::move(nodes));
}

}  // namespace blockscope
