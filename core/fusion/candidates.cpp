#include "core/fusion/candidates.h"

#include <array>

namespace blockscope {

namespace {

// Section 4.1's order; the twin of rule 8 comes with it.
const std::array<const Rule*, 8>& priority() {
    static const std::array<const Rule*, 8> kOrder = {&rule({8, 0}), &rule({8, 's'}), &rule({4, 0}),
                                                      &rule({5, 0}), &rule({9, 0}),   &rule({3, 0}),
                                                      &rule({1, 0}), &rule({2, 0})};
    return kOrder;
}

}  // namespace

bool Candidates::tried(std::size_t rule, NodeId id) const {
    return id.value < tried_.size() && (tried_[id.value] >> rule & 1u);
}

std::optional<Match> Candidates::first(const Level& level, const std::vector<NodeId>& path) {
    std::vector<Match> matches;
    for (std::size_t rule = 0; rule < priority().size(); ++rule) {
        for (int at = 0; at < level.index.size(); ++at) {
            const NodeId id = level.index.node(at).id;
            if (tried(rule, id)) continue;
            priority()[rule]->matches_at(level, at, matches);
            if (!matches.empty()) {
                matches.front().path = path;
                return std::move(matches.front());
            }
            if (id.value >= tried_.size()) tried_.resize(id.value + 1, 0);
            tried_[id.value] = static_cast<std::uint8_t>(tried_[id.value] | 1u << rule);
        }
    }
    return std::nullopt;
}

void Candidates::retry(const Node& node) {
    if (node.id.value < tried_.size()) tried_[node.id.value] = 0;
}

void Candidates::retry_around(const GraphIndex& index, const Node& node) {
    const auto consumers = [&](int at) {
        for (const GraphIndex::Use& use : index.uses(at)) retry(index.node(use.node));
    };
    const int here = index.position(node.id);
    if (here >= 0) {
        retry(node);
        consumers(here);
    }
    for (const ValueRef& ref : node.inputs) {
        const int producer = index.position(ref.node);
        if (producer < 0) continue;
        retry(index.node(producer));
        consumers(producer);
    }
}

void Candidates::changed(const GraphIndex& before, const GraphIndex& after) {
    for (const NodePtr& node : after.graph().nodes())
        if (before.find(node->id) != node.get()) retry_around(after, *node);
    for (const NodePtr& node : before.graph().nodes())
        if (after.position(node->id) < 0) retry_around(after, *node);
}

}  // namespace blockscope
