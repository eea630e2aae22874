// Conditions of rules: cheap while matching, a full sentence when somebody asks why.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/rules/describe.h"

namespace blockscope {

// The first condition that failed, if anybody wants to know.
struct Why {
    bool wanted = false;
    Refusal refusal;
};

// Returns false; `sentence()` is only called if the reason is wanted.
template <class Sentence>
bool fail(Why& why, std::vector<NodeId> culprits, Sentence sentence) {
    if (why.wanted) why.refusal = {sentence(), std::move(culprits)};
    return false;
}

// The selected nodes in their order in the level, or a refusal if one is not there or the count is wrong.
struct Selection {
    std::vector<int> positions;
    std::optional<Refusal> refusal;
};
Selection select(const Level& level, const std::vector<NodeId>& nodes, std::size_t least, std::size_t most,
                 const std::string& needs);

}  // namespace blockscope
