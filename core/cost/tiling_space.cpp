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

std::vector<std::int64_t> unpadded_tiles(std::int64_t extent, std::int64_t unit) {
    const bool power_of_two = (extent & (extent - 1)) == 0;
    std::vector<std::int64_t> tiles;
    for (std::int64_t tile = unit; tile < extent + unit; tile += unit) {
        const std::int64_t padding = (extent + tile - 1) / tile * tile - extent;
        if (power_of_two ? padding == 0 : 20 * padding < extent) tiles.push_back(tile);
    }
    return tiles;
}

std::int64_t chain_shared_bytes(const ChainTiles& t, std::int64_t bytes_per_value) {
    return bytes_per_value * (t.m * t.k + t.k * t.n + t.m * t.n + t.n * t.h + t.m * t.h);
}

ChainPruning pruned_tiles(const ChainTiles& extents, std::int64_t unit, std::int64_t bytes_per_value,
                          std::int64_t shared_bytes) {
    ChainPruning left;
    left.all = 1;
    for (const std::int64_t extent : {extents.m, extents.n, extents.k, extents.h})
        left.all *= (extent + unit - 1) / unit;
    for (const std::int64_t m : unpadded_tiles(extents.m, unit))
        for (const std::int64_t n : unpadded_tiles(extents.n, unit))
            for (const std::int64_t k : unpadded_tiles(extents.k, unit))
                for (const std::int64_t h : unpadded_tiles(extents.h, unit)) {
                    ++left.unpadded;
                    const std::int64_t bytes = chain_shared_bytes({m, n, k, h}, bytes_per_value);
                    left.fitting += 5 * bytes <= 6 * shared_bytes;
                }
    return left;
}

double product_intensity(double tile_m, double tile_n, double depth) {
    return 2 * tile_m * tile_n * depth / (2 * tile_m * tile_n + tile_m * depth + tile_n * depth);
}

bool is_memory_bound(double tile_m, double tile_n, double depth, double peak, double values_per_second) {
    return product_intensity(tile_m, tile_n, depth) < peak / values_per_second;
}

}  // namespace blockscope
