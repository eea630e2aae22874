// All ways to choose one of each list: what every search for block or group sizes walks through.
#pragma once

#include <cstdint>
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

}  // namespace blockscope
