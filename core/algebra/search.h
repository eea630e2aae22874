// Searches for sizes of blocks and groups. A search has a list of candidates for each size, says what a
// choice of one of each is worth (nothing, if it does not fit), and takes the choice with the least
// objective.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockscope {

using ChoiceLists = std::vector<std::vector<std::int64_t>>;

// How many choices there are; a double, for it may be more than fits 63 bits.
inline double number_of_choices(const ChoiceLists& candidates) {
    double number = 1;
    for (const std::vector<std::int64_t>& list : candidates) number *= static_cast<double>(list.size());
    return number;
}

// Calls visit(chosen) for every choice, the last list fastest; never if a list is empty.
template <class Visit>
void each_choice(const ChoiceLists& candidates, const Visit& visit) {
    std::vector<std::size_t> at(candidates.size(), 0);
    std::vector<std::int64_t> chosen;
    for (const std::vector<std::int64_t>& list : candidates) {
        if (list.empty()) return;
        chosen.push_back(list.front());
    }
    while (true) {
        visit(chosen);
        std::size_t i = candidates.size();
        while (i > 0 && ++at[i - 1] == candidates[i - 1].size()) {
            at[i - 1] = 0;
            chosen[i - 1] = candidates[i - 1].front();
            --i;
        }
        if (i == 0) return;
        chosen[i - 1] = candidates[i - 1][at[i - 1]];
    }
}

// At most `most` of a list, evenly spread, its ends included.
inline std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& sizes, std::size_t most) {
    if (sizes.size() <= most) return sizes;
    std::vector<std::int64_t> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(sizes[i * (sizes.size() - 1) / (most - 1)]);
    return some;
}

struct SearchLimits {
    std::size_t keep = 1;          // so many of the best come out
    double exhaustive = HUGE_VAL;  // up to so many choices all are tried
};

template <class Found>
struct SearchResult {
    std::vector<Found> best;  // best first
    bool exhaustive = true;   // all choices were tried
    int tried = 0;
};

// The search itself; search() below says what it does.
template <class Judge, class Order>
class SizeSearch {
public:
    using Choice = std::vector<std::int64_t>;
    using Found = typename std::invoke_result_t<Judge, const Choice&>::value_type;

    SizeSearch(const ChoiceLists& candidates, const Judge& judge, const Order& order, SearchLimits limits)
        : candidates_(candidates), judge_(judge), order_(order), limits_(limits) {}

    SearchResult<Found> run() {
        result_.exhaustive = number_of_choices(candidates_) <= limits_.exhaustive;
        each_choice(result_.exhaustive ? candidates_ : finest_grid(),
                    [&](const Choice& chosen) { consider(chosen); });
        if (!result_.exhaustive && !result_.best.empty()) descend();
        return std::move(result_);
    }

private:
    static constexpr std::size_t kMostOfPair = 48;

    ChoiceLists grid(std::size_t most) const {
        ChoiceLists thin;
        for (const Choice& list : candidates_) thin.push_back(thinned(list, most));
        return thin;
    }

    ChoiceLists finest_grid() const {
        std::size_t most = 2;
        while (number_of_choices(grid(most + 1)) <= limits_.exhaustive) ++most;
        return grid(most);
    }

    void consider(const Choice& chosen) {
        ++result_.tried;
        std::optional<Found> found = judge_(chosen);
        if (!found) return;
        const auto before = [&](const Found& a, const Found& b) { return order_(a) < order_(b); };
        const auto place = std::upper_bound(result_.best.begin(), result_.best.end(), *found, before);
        if (place == result_.best.begin()) best_choice_ = chosen;
        if (static_cast<std::size_t>(place - result_.best.begin()) >= limits_.keep) return;
        result_.best.insert(place, *std::move(found));
        if (result_.best.size() > limits_.keep) result_.best.pop_back();
    }

    // One size at a time, then two, until the objective does not fall any more.
    void descend() {
        for (bool better = true; better;) {
            const auto objective = order_(result_.best.front()).first;
            for (std::size_t a = 0; a < candidates_.size(); ++a)
                for (std::size_t b = a; b < candidates_.size(); ++b) vary(a, b);
            better = order_(result_.best.front()).first < objective;
        }
    }

    void vary(std::size_t a, std::size_t b) {
        Choice chosen = best_choice_;
        for (const std::int64_t first : a == b ? candidates_[a] : thinned(candidates_[a], kMostOfPair)) {
            chosen[a] = first;
            if (a == b) {
                consider(chosen);
                continue;
            }
            for (const std::int64_t second : thinned(candidates_[b], kMostOfPair)) {
                chosen[b] = second;
                consider(chosen);
            }
        }
    }

    const ChoiceLists& candidates_;
    const Judge& judge_;
    const Order& order_;
    SearchLimits limits_;
    SearchResult<Found> result_;
    Choice best_choice_;
};

// judge(chosen) is an optional value of a choice; order(value) is a pair, the objective and what decides
// between equal objectives, both least first. Of values with equal pairs the first that was tried stands
// first. Where there are more than limits.exhaustive choices, those of an even grid are tried; from the best
// of them the search goes on one size at a time, then two, as long as the objective falls.
template <class Judge, class Order>
auto search(const ChoiceLists& candidates, const Judge& judge, const Order& order,
            const SearchLimits& limits = {}) {
    return SizeSearch<Judge, Order>(candidates, judge, order, limits).run();
}

}  // namespace blockscope
