// MCFuser: its search space, its pruning, its test of what memory binds. Where the program derives another
// number than the paper gives, the row has the program's, and says what the paper has and why.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/napkin/paper_table.h"

namespace blockscope::test {

namespace {

// The loops of two chained operators: those that both have, and those of one only. Of C[m,n] = A[m,k] B[k,n],
// E[m,h] = C[m,n] D[n,h]: m and n are shared, k and h are not.
struct ChainLoops {
    std::vector<std::string> shared;
    std::string first;
    std::string second;
};

struct ChainTiles {
    std::int64_t m = 1;
    std::int64_t n = 1;
    std::int64_t k = 1;
    std::int64_t h = 1;
};

// What the rules leave of the tile sizes of a GEMM chain of these extents (the tiling expressions apart).
struct ChainPruning {
    std::int64_t all = 0;       // multiples of `unit`
    std::int64_t unpadded = 0;  // after rule 3
    std::int64_t fitting = 0;   // after rule 4: at most 1.2 times `shared_bytes` by equation 1
};
std::string joined(const std::vector<std::string>& loops) {
    std::string text;
    for (const std::string& loop : loops) text += loop;
    return text;
}

// Tiling expressions: deep ones nest all loops in any order ("mnkh"), flat ones run the two operators' own
// loops one after the other inside the shared ones ("mn(k,h)").
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

// Candidates with tiles in multiples of `unit` of each of the sizes, before anything is pruned.
std::int64_t tiling_candidates(const ChainLoops& loops, const std::vector<std::int64_t>& sizes,
                               std::int64_t unit) {
    auto count = static_cast<std::int64_t>(tiling_expressions(loops).size());
    for (const std::int64_t size : sizes) count *= (size + unit - 1) / unit;
    return count;
}

// Rule 3: tiles of an extent that need no padding if the extent is a power of two, else at most 5% of it;
// multiples of `unit`, ascending.
std::vector<std::int64_t> unpadded_tiles(std::int64_t extent, std::int64_t unit) {
    const bool power_of_two = (extent & (extent - 1)) == 0;
    std::vector<std::int64_t> tiles;
    for (std::int64_t tile = unit; tile < extent + unit; tile += unit) {
        const std::int64_t padding = (extent + tile - 1) / tile * tile - extent;
        if (power_of_two ? padding == 0 : 20 * padding < extent) tiles.push_back(tile);
    }
    return tiles;
}

// Equation 1, in bytes: a tile of each of A[m,k], B[k,n], C[m,n], D[n,h] and E[m,h] at once.
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

// Multiply-adds counted twice per value moved, of a product tiled tile_m × tile_n over all of `depth`.
double product_intensity(double tile_m, double tile_n, double depth) {
    return 2 * tile_m * tile_n * depth / (2 * tile_m * tile_n + tile_m * depth + tile_n * depth);
}

// φ < P/W, in operations per value.
bool is_memory_bound(double tile_m, double tile_n, double depth, double peak, double values_per_second) {
    return product_intensity(tile_m, tile_n, depth) < peak / values_per_second;
}

const ChainLoops kGemmChain{{"m", "n"}, "k", "h"};
const char* const kExample = "M = N = 1024, K = H = 512, multiples of 16";

// Rule 1, as the paper's example has it (mhnk and mnkh are both nk): without the loops that index the output
// E[m,h], which are bound to blockIdx. In a flat expression h runs after k, so that m alone is bound.
double expressions_per_thread_block() {
    std::set<std::string> left;
    for (std::string expression : tiling_expressions(kGemmChain)) {
        const bool flat = expression.find('(') != std::string::npos;
        std::erase_if(expression, [&](char loop) { return loop == 'm' || (loop == 'h' && !flat); });
        left.insert(expression);
    }
    return static_cast<double>(left.size());
}

// Rule 4's share of the tiles that rule 3 leaves, on a card with so much shared memory in a thread block.
// Tiles are "smaller than the dimension size" (section III-A).
struct Pruned {
    double all = 0;
    double fitting = 0;
};
Pruned pruned_by_rule4(std::int64_t shared_bytes) {
    Pruned pruned;
    const auto smaller = [](std::int64_t extent) {
        std::vector<std::int64_t> tiles = unpadded_tiles(extent, 16);
        std::erase(tiles, extent);
        return tiles;
    };
    for (const std::int64_t m : smaller(1024))
        for (const std::int64_t n : smaller(1024))
            for (const std::int64_t k : smaller(512))
                for (const std::int64_t h : smaller(512)) {
                    ++pruned.all;
                    if (5 * chain_shared_bytes({m, n, k, h}, 2) <= 6 * shared_bytes) ++pruned.fitting;
                }
    return pruned;
}
// Both cards of the paper: 163 KB on an A100, 99 KB on an RTX 3080.
double discarded_by_rule4() {
    const Pruned a100 = pruned_by_rule4(std::int64_t{163} << 10);
    const Pruned rtx = pruned_by_rule4(std::int64_t{99} << 10);
    return 1 - (a100.fitting + rtx.fitting) / (a100.all + rtx.all);
}

// 163 KB of shared memory in a thread block of the A100, FP16.
ChainPruning pruned() {
    return pruned_tiles({1024, 1024, 512, 512}, 16, 2, 166912);
}

}  // namespace

PaperRows rows_of_mcfuser() {
    return {
        number("MCFuser, Section III-A", "4! deep + 2 flat expressions", "loops m, n, k, h", 26, 0,
               [] { return static_cast<double>(tiling_expressions(kGemmChain).size()); }),
        number("MCFuser, Section III-C", "26·64²·32²", kExample, 109'051'904, 0,
               [] {
                   return static_cast<double>(tiling_candidates(kGemmChain, {1024, 1024, 512, 512}, 16));
               }),
        number(
            "MCFuser, Section III-C",
            "expressions after rule 1: nk, kn, n(k,h). The paper says 5 and does not list them: binding m "
            "and h of the 24 deep ones, as in its example, leaves 2, binding m of the 2 flat ones leaves 1. "
            "Its step from 5 to 3 by rule 2 needs that list",
            "loops m, n, k, h", 3, 0, expressions_per_thread_block),
        number("MCFuser, Section III-C", "tile sizes that rule 3 leaves: (7·6)²", kExample, 1764, 0,
               [] { return static_cast<double>(pruned().unpadded); }),
        number("MCFuser, Section III-C", "tile sizes that rule 3 drops: 99%; it is 99.96%", kExample, 0.99,
               0.0101,
               [] { return 1 - static_cast<double>(pruned().unpadded) / static_cast<double>(pruned().all); }),
        number("MCFuser, Sections III-C and VI-E1",
               "tile sizes that rule 4 drops: 40%, over its experiments on both cards. Counting the full "
               "extents as tiles, too, an A100 keeps 751 of 1764: it drops 57%",
               kExample + std::string(", equation 1 over 1.2 times 163 and 99 KB"), 0.40, 0.01,
               discarded_by_rule4),
        number("MCFuser, Section II-A", "φ = 2 T_M T_N K / (2 T_M T_N + T_M K + T_N K)",
               "tiles 128×128, K = 64", 2.0 * 128 * 128 * 64 / (2 * 128 * 128 + 2 * 128 * 64), 0,
               [] { return product_intensity(128, 128, 64); }),
        number("MCFuser, Section II-A", "φ = 2 T_M T_N / (T_M + T_N)", "tiles 128×128, K without end", 128,
               1e-6, [] { return product_intensity(128, 128, 1e12); }),
        number("MCFuser, Figure 2", "φ < P/W", "K = 64, an A100: 312 TFLOP/s, 1555 GB/s of FP16", 1, 0,
               [] { return is_memory_bound(128, 128, 64, 312e12, 1555e9 / 2) ? 1 : 0; }),
        number("MCFuser, Figure 2", "φ < P/W", "tiles and K of 1024, an A100", 0, 0,
               [] { return is_memory_bound(1024, 1024, 1024, 312e12, 1555e9 / 2) ? 1 : 0; }),
    };
}

}  // namespace blockscope::test
