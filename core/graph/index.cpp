#include <algorithm>

#include "core/graph/graph.h"

namespace blockscope {

namespace {

// Ids per node up to which a level's positions are a table. Levels whose ids lie further apart, as after
// many rewrites, are searched instead.
constexpr std::size_t kDense = 64;

}  // namespace

GraphIndex::GraphIndex(const Graph& graph) : graph_(&graph) {
    const std::vector<NodePtr>& nodes = graph.nodes();
    std::uint32_t lowest = UINT32_MAX;
    std::uint32_t highest = 0;
    for (const NodePtr& node : nodes) {
        lowest = std::min(lowest, node->id.value);
        highest = std::max(highest, node->id.value);
    }
    if (nodes.empty()) lowest = 0;
    lowest_ = lowest;
    const std::size_t range = nodes.empty() ? 0 : std::size_t{highest} - lowest + 1;
    if (range <= kDense * nodes.size()) {
        position_.assign(range, -1);
        for (std::size_t i = 0; i < nodes.size(); ++i)
            position_[nodes[i]->id.value - lowest] = static_cast<int>(i);
    } else {
        for (std::size_t i = 0; i < nodes.size(); ++i)
            sorted_.emplace_back(nodes[i]->id.value, static_cast<int>(i));
        std::sort(sorted_.begin(), sorted_.end());
    }

    first_use_.assign(nodes.size() + 1, 0);
    for (const NodePtr& node : nodes)
        for (const ValueRef& ref : node->inputs)
            if (const int producer = position(ref.node); producer >= 0)
                ++first_use_[static_cast<std::size_t>(producer) + 1];
    for (std::size_t i = 0; i < nodes.size(); ++i) first_use_[i + 1] += first_use_[i];
    uses_.resize(static_cast<std::size_t>(first_use_.back()));
    std::vector<int> next(first_use_.begin(), first_use_.end() - 1);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (std::size_t port = 0; port < nodes[i]->inputs.size(); ++port) {
            const int producer = position(nodes[i]->inputs[port].node);
            if (producer < 0) continue;
            const int at = next[static_cast<std::size_t>(producer)]++;
            uses_[static_cast<std::size_t>(at)] = {static_cast<int>(i), static_cast<int>(port)};
        }
    }
}

int GraphIndex::position(NodeId id) const {
    if (!sorted_.empty()) {
        const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(id.value, 0));
        return found != sorted_.end() && found->first == id.value ? found->second : -1;
    }
    const std::uint32_t offset = id.value - lowest_;
    return offset < position_.size() ? position_[offset] : -1;
}

const Node* GraphIndex::find(NodeId id) const {
    const int at = position(id);
    return at < 0 ? nullptr : &node(at);
}

GraphIndex::UseRange GraphIndex::uses(int position) const {
    const auto at = static_cast<std::size_t>(position);
    return {uses_.data() + first_use_[at], uses_.data() + first_use_[at + 1]};
}

std::vector<GraphIndex::Use> GraphIndex::uses_of(int position, int port) const {
    std::vector<Use> found;
    for (const Use& use : uses(position))
        if (node(use.node).inputs[static_cast<std::size_t>(use.port)].port == port) found.push_back(use);
    return found;
}

namespace {

// Whether a path leads from `from` to `to` whose first edge is not the direct edge to `to` (or, if
// `direct_counts`, any path). Nodes between the two in topological order are all that matter.
bool search(const GraphIndex& index, int from, int to, bool direct_counts) {
    if (from >= to) return false;
    std::vector<char> reached(static_cast<std::size_t>(to - from + 1), 0);
    reached[0] = 1;
    for (int at = from; at < to; ++at) {
        if (!reached[static_cast<std::size_t>(at - from)]) continue;
        for (const GraphIndex::Use& use : index.uses(at)) {
            if (use.node > to) continue;
            if (use.node == to && (direct_counts || at != from)) return true;
            if (use.node < to) reached[static_cast<std::size_t>(use.node - from)] = 1;
        }
    }
    return false;
}

}  // namespace

bool GraphIndex::indirect_path(int from, int to) const {
    return search(*this, from, to, false);
}

bool GraphIndex::reaches(int from, int to) const {
    return search(*this, from, to, true);
}

}  // namespace blockscope
