#include "app/tilings/dropped.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace blockscope::tilings {

namespace {

std::string expression_text(const Space& space, int expression) {
    return to_string(space.expressions[static_cast<std::size_t>(expression)].expression.roots, space.chain);
}

// The sizes of each loop that a list of this rule goes through: rule 4 sees what rule 3 keeps.
std::vector<std::vector<std::int64_t>> listed_sizes(const Space& space, int rule,
                                                    const CandidateFilter& filter) {
    std::vector<std::vector<std::int64_t>> sizes;
    for (std::size_t loop = 0; loop < space.sizes.size(); ++loop) {
        sizes.emplace_back();
        for (const TileSize& size : space.sizes[loop])
            if ((rule < 4 || size.kept) && (!filter.tiles[loop] || *filter.tiles[loop] == size.size))
                sizes.back().push_back(size.size);
    }
    return sizes;
}

// Rules 1 and 2.
void list_expression(const Space& space, int expression, const std::vector<std::vector<std::int64_t>>& sizes,
                     DroppedList& list) {
    Candidate first{.expression = expression};
    DroppedTiling row{.expression = expression};
    for (const std::vector<std::int64_t>& of_loop : sizes) {
        if (of_loop.empty()) return;
        first.tiles.push_back(of_loop.front());
        const auto count = static_cast<std::int64_t>(of_loop.size());
        row.count =
            row.count > std::numeric_limits<std::int64_t>::max() / count ? row.count : row.count * count;
    }
    row.why = judge(space, first).why;
    list.rows.push_back(std::move(row));
}

// Rules 3 and 4, the last loop counting fastest. False once the list is full.
bool list_tiles(const Space& space, int rule, int expression,
                const std::vector<std::vector<std::int64_t>>& sizes, std::size_t most, int& looked_at,
                DroppedList& list) {
    std::vector<std::size_t> at(sizes.size(), 0);
    for (const std::vector<std::int64_t>& of_loop : sizes)
        if (of_loop.empty()) return true;
    for (;;) {
        if (list.rows.size() >= most || ++looked_at > kMostLookedAt) return false;
        Candidate candidate{.expression = expression};
        for (std::size_t loop = 0; loop < sizes.size(); ++loop)
            candidate.tiles.push_back(sizes[loop][at[loop]]);
        Verdict verdict = judge(space, candidate);
        if (verdict.rule == rule)
            list.rows.push_back({expression, std::move(candidate.tiles), 1, std::move(verdict.why)});
        std::size_t loop = sizes.size();
        while (loop > 0 && ++at[loop - 1] == sizes[loop - 1].size()) at[--loop] = 0;
        if (loop == 0) return true;
    }
}

}  // namespace

bool CandidateFilter::takes_expression(const Space& space, int expression) const {
    const std::string text = expression_text(space, expression);
    return std::all_of(words.begin(), words.end(),
                       [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

bool CandidateFilter::takes(const Space& space, const Candidate& candidate) const {
    for (std::size_t loop = 0; loop < tiles.size(); ++loop)
        if (tiles[loop] && *tiles[loop] != candidate.tiles[loop]) return false;
    return takes_expression(space, candidate.expression);
}

Result<CandidateFilter> parse_filter(const Space& space, const std::string& text) {
    CandidateFilter filter{.tiles = std::vector<std::optional<std::int64_t>>(space.chain.loops.size())};
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) {
            filter.words.push_back(word);
            continue;
        }
        const auto loop = std::find_if(space.chain.loops.begin(), space.chain.loops.end(),
                                       [&](const Loop& one) { return one.name == word.substr(0, equals); });
        if (loop == space.chain.loops.end())
            return Problem{{}, Text("there is no loop %1", word.substr(0, equals))};
        const auto index = static_cast<std::size_t>(loop - space.chain.loops.begin());
        const std::vector<TileSize>& sizes = space.sizes[index];
        std::istringstream number(word.substr(equals + 1));
        std::int64_t tile = 0;
        const bool known = (number >> tile) && number.eof() && tile >= kTileUnit && tile % kTileUnit == 0 &&
                           tile <= sizes.back().size;
        if (!known)
            return Problem{{},
                           Text("tiles of %1 are multiples of %2 up to %3", loop->name,
                                std::to_string(kTileUnit), std::to_string(sizes.back().size))};
        filter.tiles[index] = tile;
    }
    return filter;
}

DroppedList dropped_by(const Space& space, int rule, const CandidateFilter& filter, std::size_t most) {
    DroppedList list;
    const auto sizes = listed_sizes(space, rule, filter);
    int looked_at = 0;
    for (std::size_t i = 0; i < space.expressions.size(); ++i) {
        const JudgedExpression& judged = space.expressions[i];
        const int drops = judged.same_as >= 0 ? 1 : judged.kept_partial.empty() ? 0 : 2;
        const int expression = static_cast<int>(i);
        if (!filter.takes_expression(space, expression) || (rule < 3 ? drops != rule : drops != 0)) continue;
        if (list.rows.size() >= most) {
            list.more = true;
            return list;
        }
        if (rule < 3)
            list_expression(space, expression, sizes, list);
        else if (!list_tiles(space, rule, expression, sizes, most, looked_at, list)) {
            list.more = true;
            return list;
        }
    }
    return list;
}

}  // namespace blockscope::tilings
