// Which candidates a rule drops, and why: a few of up to millions, those that somebody asks for. No Qt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/tilings/space.h"

namespace blockscope::tilings {

// "mhnk m=48 n=64": parts of an expression's text, and tiles. What is not named is any.
struct CandidateFilter {
    std::vector<std::string> words = {};
    std::vector<std::optional<std::int64_t>> tiles = {};  // by loop

    bool takes(const Space& space, const Candidate& candidate) const;
    bool takes_expression(const Space& space, int expression) const;
};
// A problem names a loop that there is not, or what is no size of a tile of it.
Result<CandidateFilter> parse_filter(const Space& space, const std::string& text);

struct DroppedTiling {
    int expression = 0;
    std::vector<std::int64_t> tiles = {};  // by loop; empty: each of `count` tilings of the expression
    std::int64_t count = 1;
    Text why = {};
};

struct DroppedList {
    std::vector<DroppedTiling> rows = {};
    bool more = false;  // there are, or may be, others
};

constexpr int kMostLookedAt = 200'000;  // candidates, for a list

// Of rule 1 to 4; rules 1 and 2 drop whole expressions.
DroppedList dropped_by(const Space& space, int rule, const CandidateFilter& filter, std::size_t most);

}  // namespace blockscope::tilings
