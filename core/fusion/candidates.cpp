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

std::optional<Match> Candidates::first(const Level& level, const std::vector<NodeId>& path) {
    constexpr std::uint8_t kAll = 0xff;  // of the rules
    tried_.resize(static_cast<std::size_t>(level.index.size()), 0);
    std::vector<int> open;  // positions at which some rule has not been tried
    for (std::size_t at = 0; at < tried_.size(); ++at)
        if (tried_[at] != kAll) open.push_back(static_cast<int>(at));
    std::vector<Match> matches;
    for (std::size_t rule = 0; rule < priority().size(); ++rule) {
        for (const int at : open) {
            std::uint8_t& tried = tried_[static_cast<std::size_t>(at)];
            if (tried >> rule & 1u) continue;
            priority()[rule]->matches_at(level, at, matches);
            if (!matches.empty()) {
                matches.front().path = path;
                return std::move(matches.front());
            }
            tried = static_cast<std::uint8_t>(tried | 1u << rule);
        }
    }
    return std::nullopt;
}

// Tries again at the node, if it is there, and at its producers and all their consumers.
void Candidates::retry_around(const GraphIndex& index, const Node& node) {
    const auto retry = [&](int at) {
        tried_[static_cast<std::size_t>(at)] = 0;
        for (const GraphIndex::Use& use : index.uses(at)) tried_[static_cast<std::size_t>(use.node)] = 0;
    };
    const int here = index.position(node.id);
    if (here >= 0) retry(here);
    for (const ValueRef& ref : node.inputs)
        if (const int producer = index.position(ref.node); producer >= 0) retry(producer);
}

void Candidates::changed(const GraphIndex& before, const GraphIndex& after) {
    const std::vector<std::uint8_t> old = std::move(tried_);
    tried_.assign(static_cast<std::size_t>(after.size()), 0);
    std::vector<const Node*> touched;
    for (int at = 0; at < after.size(); ++at) {
        const Node& node = after.node(at);
        const int position = before.position(node.id);
        if (position >= 0 && &before.node(position) == &node)
            tried_[static_cast<std::size_t>(at)] = old[static_cast<std::size_t>(position)];
        else
            touched.push_back(&node);
    }
    for (const NodePtr& node : before.graph().nodes())
        if (after.position(node->id) < 0) touched.push_back(node.get());
    for (const Node* node : touched) retry_around(after, *node);
}

}  // namespace blockscope
