// MCFuser's search space of two chained matrix products, and its test whether a product is bound by memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace blockscope {

// The loops of two chained operators: those that both have, and those of one only. Of C[m,n] = A[m,k] B[k,n],
// E[m,h] = C[m,n] D[n,h]: m and n are shared, k and h are not.
struct ChainLoops {
    std::vector<std::string> shared;
    std::string first;
    std::string second;
};

// Tiling expressions: deep ones nest all loops in any order ("mnkh"), flat ones run the two operators' own
// loops one after the other inside the shared ones ("mn(k,h)").
std::vector<std::string> tiling_expressions(const ChainLoops& loops);

// Candidates with tiles in multiples of `unit` of each of the sizes, before anything is pruned.
std::int64_t tiling_candidates(const ChainLoops& loops, const std::vector<std::int64_t>& sizes,
                               std::int64_t unit);

// Pruning, section III-C. Rule 3: tiles of an extent that need no padding if the extent is a power of two,
// else at most 5% of it; multiples of `unit`, ascending.
std::vector<std::int64_t> unpadded_tiles(std::int64_t extent, std::int64_t unit);

// Equation 1, in bytes: a tile of each of A[m,k], B[k,n], C[m,n], D[n,h] and E[m,h] at once.
struct ChainTiles {
    std::int64_t m = 1;
    std::int64_t n = 1;
    std::int64_t k = 1;
    std::int64_t h = 1;
};
std::int64_t chain_shared_bytes(const ChainTiles& tiles, std::int64_t bytes_per_value);

// What the rules leave of the tile sizes of a GEMM chain of these extents (the tiling expressions apart).
struct ChainPruning {
    std::int64_t all = 0;       // multiples of `unit`
    std::int64_t unpadded = 0;  // after rule 3
    std::int64_t fitting = 0;   // after rule 4: at most 1.2 times `shared_bytes` by equation 1
};
ChainPruning pruned_tiles(const ChainTiles& extents, std::int64_t unit, std::int64_t bytes_per_value,
                          std::int64_t shared_bytes);

// Multiply-adds counted twice per value moved, of a product tiled tile_m × tile_n over all of `depth`:
// φ = 2 T_M T_N K / (2 T_M T_N + T_M K + T_N K).
double product_intensity(double tile_m, double tile_n, double depth);
// φ < P/W, in operations per value.
bool is_memory_bound(double tile_m, double tile_n, double depth, double peak, double values_per_second);

}  // namespace blockscope
