// How well a few typed letters fit a text.
#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace blockscope {

struct FuzzyHit {
    int score = 0;               // larger is better
    std::vector<int> positions;  // of the letters in the text
};

// The letters of `query` (spaces apart) occur in `text` in this order, whatever their case; nothing if they
// do not. Starts of words and letters in a row count most.
std::optional<FuzzyHit> fuzzy_match(const QString& query, const QString& text);

}  // namespace blockscope
