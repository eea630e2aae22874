#include "core/cost/tiling_space.h"

#include <algorithm>

namespace blockscope {

namespace {

std::string joined(const std::vector<std::string>& loops) {
    std::string text;
    for (const std::string& loop : loops) text += loop;
    return text;
}

}  // namespace

std::vector<std::string> tiling_expressions(const ChainLoops& loops) {
    std::vector<std::string> expressions;
    std::vector<std::string> all = loops.shared;
    all.push_back(loops.first);
    all.push_back(loops.second);
    std::sort(all.begin(), all.end());
    do expressions.push_back(joined(all));
    while (std::next_permutation(all.begin(), all.end()));
    std::vector<std::string> shared = loops.shared;
    std::sort(shared.begin(), shared.end());
    do expressions.push_back(joined(shared) + "(" + loops.first + "," + loops.second + ")");
    while (std::next_permutation(shared.begin(), shared.end()));
    return expressions;
}

std::int64_t tiling_candidates(const ChainLoops& loops, const std::vector<std::int64_t>& sizes,
                               std::int64_t unit) {
    auto count = static_cast<std::int64_t>(tiling_expressions(loops).size());
    for (const std::int64_t size : sizes) count *= (size + unit - 1) / unit;
    return count;
}

double product_intensity(double tile_m, double tile_n, double depth) {
    return 2 * tile_m * tile_n * depth / (2 * tile_m * tile_n + tile_m * depth + tile_n * depth);
}

bool is_memory_bound(double tile_m, double tile_n, double depth, double peak, double values_per_second) {
    return product_intensity(tile_m, tile_n, depth) < peak / values_per_second;
}

}  // namespace blockscope
