#include "core/tilings/space.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

namespace blockscope::tilings {

namespace {

bool power_of_two(std::int64_t size) {
    return size > 0 && (size & (size - 1)) == 0;
}

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f%%", share * 100);
    return text;
}

// ---- Rule 1.

std::string key_of(const JudgedExpression& judged, SameBlock same) {
    if (same == SameBlock::SubTiling) return judged.sub_tiling;
    std::string key;
    for (const int loop : judged.grid) key += std::to_string(loop) + " ";
    return key + "| " + judged.sub_tiling;
}

// The grid's loops outside everything else: the expression that stands for its class.
bool grid_outermost(const JudgedExpression& judged) {
    for (std::size_t i = 0; i < judged.grid.size(); ++i)
        if (path_to(judged.expression.roots, judged.grid[i]).size() != i + 1) return false;
    return true;
}

void apply_rule_1(std::vector<JudgedExpression>& expressions, SameBlock same) {
    std::map<std::string, int> first;
    for (std::size_t i = 0; i < expressions.size(); ++i)
        if (grid_outermost(expressions[i])) first.emplace(key_of(expressions[i], same), static_cast<int>(i));
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        const auto known = first.emplace(key_of(expressions[i], same), static_cast<int>(i)).first;
        if (known->second != static_cast<int>(i)) expressions[i].same_as = known->second;
    }
}

// ---- Rule 2: the reduction of an intermediate stands outside a loop of its tiles.

std::string kept_partial(const Chain& chain, const JudgedExpression& judged) {
    const LoopForest inner = without(judged.expression.roots, judged.grid);
    for (const Product& reader : chain.products)
        for (const int need : reader.needs) {
            const Product& made = chain.products[static_cast<std::size_t>(need)];
            for (const int loop : {made.row, made.col}) {
                const std::vector<int> path = path_to(inner, loop);
                if (std::find(path.begin(), path.end(), made.depth) != path.end()) return made.name;
            }
        }
    return {};
}

std::vector<JudgedExpression> judged_expressions(const Chain& chain, const Rules& rules) {
    std::vector<JudgedExpression> all;
    for (Expression& expression : expressions_of(chain)) {
        if (expression.flat && !rules.flat) continue;
        JudgedExpression judged{.expression = std::move(expression)};
        judged.grid = grid_loops(judged.expression, chain);
        judged.sub_tiling = to_string(without(judged.expression.roots, judged.grid), chain);
        all.push_back(std::move(judged));
    }
    apply_rule_1(all, rules.same);
    for (JudgedExpression& judged : all)
        if (judged.same_as < 0) judged.kept_partial = kept_partial(chain, judged);
    return all;
}

// ---- Counting.

std::optional<std::int64_t> times(std::int64_t a, std::int64_t b) {
    if (b != 0 && a > std::numeric_limits<std::int64_t>::max() / b) return std::nullopt;
    return a * b;
}

template <class Counted>
std::optional<std::int64_t> combinations(const std::vector<std::vector<TileSize>>& sizes,
                                         std::int64_t expressions, const Counted& counted) {
    std::optional<std::int64_t> product = expressions;
    for (const std::vector<TileSize>& of_loop : sizes) {
        const auto count = std::count_if(of_loop.begin(), of_loop.end(), counted);
        if (product) product = times(*product, count);
    }
    return product;
}

// All tiles that rule 3 keeps and rule 4 does too, loop by loop. Equation 1 grows with every tile, so that a
// prefix that is too large with the least of the rest ends its branch.
class TileWalk {
public:
    TileWalk(const Chain& chain, const std::vector<std::vector<TileSize>>& sizes, SharedTiles which,
             std::int64_t limit)
        : chain_(chain), which_(which), limit_(limit) {
        for (const std::vector<TileSize>& of_loop : sizes) {
            kept_.emplace_back();
            for (const TileSize& size : of_loop)
                if (size.kept) kept_.back().push_back(size.size);
        }
    }

    // False if there are more than `most`.
    bool run(std::vector<std::vector<std::int64_t>>& found, std::int64_t most, const StopSign& stop) {
        std::vector<std::int64_t> tiles;
        for (const std::vector<std::int64_t>& of_loop : kept_) tiles.push_back(of_loop.front());
        return walk(0, tiles, found, most, stop);
    }

private:
    bool walk(std::size_t at, std::vector<std::int64_t>& tiles, std::vector<std::vector<std::int64_t>>& found,
              std::int64_t most, const StopSign& stop) {
        if (at == kept_.size()) {
            if (static_cast<std::int64_t>(found.size()) >= most) return false;
            found.push_back(tiles);
            if (found.size() % 1024 == 0) stop.check();
            return true;
        }
        const std::int64_t least = tiles[at];
        for (const std::int64_t size : kept_[at]) {
            tiles[at] = size;
            if (at == 0) stop.check();
            if (shared_bytes(chain_, tiles, which_) > limit_) break;
            if (!walk(at + 1, tiles, found, most, stop)) return false;
        }
        tiles[at] = least;
        return true;
    }

    const Chain& chain_;
    SharedTiles which_;
    std::int64_t limit_;
    std::vector<std::vector<std::int64_t>> kept_;
};

}  // namespace

std::int64_t trips(std::int64_t size, std::int64_t tile) {
    return (size + tile - 1) / tile;
}

Result<TargetDevice> target_device(const Device& device, ElemType elem, int processors) {
    const MemoryLevel* local = local_level(device);
    const double all = device.processors.value;
    const double busy = processors > 0 ? std::min<double>(processors, all) : all;
    TargetDevice target{.title = device.title,
                        .processors = busy,
                        .bandwidth = bandwidth_for(device, global_memory(device), busy),
                        .peak = device_rate(device, Unit::Matrix, elem),
                        .shared = local ? static_cast<std::int64_t>(local_capacity(*local)) : 0};
    if (target.peak <= 0) target.peak = device_rate(device, Unit::Vector, elem);
    if (all > 0) target.peak *= busy / all;
    if (target.peak <= 0 || target.bandwidth <= 0 || target.processors <= 0 || target.shared <= 0)
        return Problem{{},
                       Text("the description of %1 lacks processors, bandwidth, matrix rate or local memory",
                            device.name)};
    return target;
}

std::vector<TileSize> tile_sizes(std::int64_t size, Padding padding) {
    std::vector<TileSize> sizes;
    const bool none = padding == Padding::Exact && power_of_two(size);
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t tile = kTileUnit; tile < size + kTileUnit; tile += kTileUnit) {
        const double padded =
            static_cast<double>(trips(size, tile) * tile - size) / static_cast<double>(size);
        sizes.push_back(
            {.size = tile, .padding = padded, .kept = none ? padded == 0 : padded < kMostPadding});
        least = std::min(least, padded);
    }
    if (std::any_of(sizes.begin(), sizes.end(), [](const TileSize& tile) { return tile.kept; })) return sizes;
    for (TileSize& tile : sizes) tile.kept = tile.fallback = tile.padding == least;
    return sizes;
}

std::int64_t shared_bytes(const Chain& chain, const std::vector<std::int64_t>& tiles, SharedTiles which) {
    const auto elements = [&](const std::vector<int>& loops) {
        std::int64_t count = 1;
        for (const int loop : loops) count *= tiles[static_cast<std::size_t>(loop)];
        return count;
    };
    std::int64_t sum = 0;
    for (const TiledArray& input : chain.inputs) sum += elements(input.loops);
    if (which == SharedTiles::All)
        for (const Product& product : chain.products) sum += elements({product.row, product.col});
    return sum * bytes_per_element(chain.elem);
}

Result<Space> make_space(Chain chain, const TargetDevice& device, const Rules& rules, const StopSign& stop) {
    for (const Loop& loop : chain.loops)
        if (loop.size > kMostLoopSize)
            return Problem{{},
                           Text("the loop %1 has %2 elements, which is too many; tilings take at most %3",
                                loop.name, std::to_string(loop.size), std::to_string(kMostLoopSize))};
    Space space{.chain = std::move(chain), .rules = rules, .device = device};
    space.expressions = judged_expressions(space.chain, rules);
    for (const Loop& loop : space.chain.loops) space.sizes.push_back(tile_sizes(loop.size, rules.padding));
    space.limit = static_cast<std::int64_t>(std::floor(kSlack * static_cast<double>(device.shared)));

    const auto number = [&](const auto& counted) {
        return static_cast<std::int64_t>(
            std::count_if(space.expressions.begin(), space.expressions.end(), counted));
    };
    const auto all = static_cast<std::int64_t>(space.expressions.size());
    const auto after_1 = number([](const JudgedExpression& one) { return one.same_as < 0; });
    const auto after_2 = number([](const JudgedExpression& one) { return one.kept(); });
    const auto any = [](const TileSize&) { return true; };
    const auto whole = combinations(space.sizes, all, any);
    if (!whole)
        return Problem{{}, Text("the space of tilings has more than 2^63 candidates; choose smaller sizes")};
    space.funnel = {{"whole space", *whole},
                    {"rule 1: same thread block", *combinations(space.sizes, after_1, any)},
                    {"rule 2: no partial tiles kept", *combinations(space.sizes, after_2, any)},
                    {"rule 3: padding",
                     *combinations(space.sizes, after_2, [](const TileSize& size) { return size.kept; })}};

    std::vector<std::vector<std::int64_t>> tiles;
    const std::int64_t most = after_2 == 0 ? 0 : kMostCandidates / after_2;
    if (!TileWalk(space.chain, space.sizes, rules.tiles, space.limit).run(tiles, most, stop))
        return Problem{{},
                       Text("more than %1 candidates survive the rules; choose smaller sizes",
                            std::to_string(kMostCandidates))};
    for (std::size_t i = 0; i < space.expressions.size(); ++i) {
        if (!space.expressions[i].kept()) continue;
        for (const std::vector<std::int64_t>& chosen : tiles)
            space.candidates.push_back({.expression = static_cast<int>(i),
                                        .tiles = chosen,
                                        .shared = shared_bytes(space.chain, chosen, SharedTiles::All)});
    }
    space.funnel.push_back({"rule 4: shared memory", static_cast<std::int64_t>(space.candidates.size())});
    return space;
}

Verdict judge(const Space& space, const Candidate& candidate) {
    const JudgedExpression& judged = space.judged(candidate);
    if (judged.same_as >= 0)
        return {1,
                Text("%1 runs %2 in each thread block, as %3 does",
                     to_string(judged.expression.roots, space.chain), judged.sub_tiling,
                     to_string(space.expressions[static_cast<std::size_t>(judged.same_as)].expression.roots,
                               space.chain))};
    if (!judged.kept_partial.empty())
        return {2, Text("%1 keeps partial tiles of %2, whose sum is not ended when the next tile begins",
                        to_string(judged.expression.roots, space.chain), judged.kept_partial)};
    for (int loop = 0; loop < space.chain.loop_count(); ++loop) {
        const std::int64_t tile = candidate.tiles[static_cast<std::size_t>(loop)];
        const std::int64_t size = space.chain.size(loop);
        const auto& sizes = space.sizes[static_cast<std::size_t>(loop)];
        const TileSize& row = sizes[static_cast<std::size_t>(tile / kTileUnit - 1)];
        if (row.kept) continue;
        const bool none = space.rules.padding == Padding::Exact && power_of_two(size);
        if (const auto least = std::find_if(sizes.begin(), sizes.end(), [](auto& s) { return s.fallback; });
            least != sizes.end())
            return {3, Text("tiles of %1 pad %2 = %3 by %4; none pads by less than 5%, and those that pad "
                            "the least, by %5, are kept",
                            std::to_string(tile), space.chain.loops[static_cast<std::size_t>(loop)].name,
                            std::to_string(size), percent(row.padding), percent(least->padding))};
        return {3, Text("tiles of %1 pad %2 = %3 by %4; the limit is %5", std::to_string(tile),
                        space.chain.loops[static_cast<std::size_t>(loop)].name, std::to_string(size),
                        percent(row.padding), none ? std::string("0%, a power of two") : std::string("5%"))};
    }
    const std::int64_t bytes = shared_bytes(space.chain, candidate.tiles, space.rules.tiles);
    if (bytes <= space.limit) return {};
    const Text taken = space.rules.tiles == SharedTiles::All
                           ? Text("its tiles take %1 bytes", std::to_string(bytes))
                           : Text("the tiles that it loads take %1 bytes", std::to_string(bytes));
    return {4, Text("%1; the limit is %2 (1.2 times %3)", taken, std::to_string(space.limit),
                    std::to_string(space.device.shared))};
}

std::string to_string(const Space& space, const Candidate& candidate) {
    std::string text = to_string(space.judged(candidate).expression.roots, space.chain);
    for (int loop = 0; loop < space.chain.loop_count(); ++loop)
        text += " " + space.chain.loops[static_cast<std::size_t>(loop)].name + "=" +
                std::to_string(candidate.tiles[static_cast<std::size_t>(loop)]);
    return text;
}

Result<Candidate> parse_candidate(const Space& space, const std::string& text) {
    const auto wrong = [&](const std::string& what) {
        return Problem{{},
                       Text("'%1' is no candidate: %2; one is %3", text, what,
                            space.candidates.empty() ? std::string("mhnk m=32 n=64 k=16 h=16")
                                                     : to_string(space, space.candidates.front()))};
    };
    Candidate candidate{.expression = -1, .tiles = std::vector<std::int64_t>(space.chain.loops.size(), 0)};
    std::istringstream words(text);
    std::string word;
    std::string expression;
    while (words >> word) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) {
            expression += (expression.empty() ? "" : " ") + word;
            continue;
        }
        bool known = false;
        for (int loop = 0; loop < space.chain.loop_count(); ++loop) {
            if (space.chain.loops[static_cast<std::size_t>(loop)].name != word.substr(0, equals)) continue;
            known = true;
            std::int64_t tile = 0;
            std::istringstream number(word.substr(equals + 1));
            const auto sizes = static_cast<std::int64_t>(space.sizes[static_cast<std::size_t>(loop)].size());
            if (!(number >> tile) || !number.eof() || tile < kTileUnit || tile % kTileUnit != 0 ||
                tile > sizes * kTileUnit)
                return wrong("tiles of " + word.substr(0, equals) + " are multiples of 16 up to " +
                             std::to_string(sizes * kTileUnit));
            candidate.tiles[static_cast<std::size_t>(loop)] = tile;
        }
        if (!known) return wrong("there is no loop " + word.substr(0, equals));
    }
    for (std::size_t i = 0; i < space.expressions.size(); ++i)
        if (to_string(space.expressions[i].expression.roots, space.chain) == expression)
            candidate.expression = static_cast<int>(i);
    if (candidate.expression < 0) return wrong("there is no expression " + expression);
    for (int loop = 0; loop < space.chain.loop_count(); ++loop)
        if (candidate.tiles[static_cast<std::size_t>(loop)] == 0)
            return wrong("the tile of " + space.chain.loops[static_cast<std::size_t>(loop)].name +
                         " is missing");
    candidate.shared = shared_bytes(space.chain, candidate.tiles, SharedTiles::All);
    return candidate;
}

const char* paper_says(std::size_t step) {
    static constexpr std::array<const char*, 5> kTexts = {"10⁸", "26 → 5", "5 → 3", "99%", "40%"};
    return kTexts.at(step);
}

}  // namespace blockscope::tilings
