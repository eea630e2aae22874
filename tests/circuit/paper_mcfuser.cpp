// MCFuser: its search space, its pruning, its test of what memory binds.
#include "core/cost/tiling_space.h"
#include "tests/circuit/paper_table.h"

namespace blockscope::test {

namespace {

const ChainLoops kGemmChain{{"m", "n"}, "k", "h"};
const char* const kExample = "M = N = 1024, K = H = 512, multiples of 16";

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
        number("MCFuser, Section III-C", "tile sizes that rule 3 drops: 99%", kExample, 0.99, 0.01,
               [] { return 1 - static_cast<double>(pruned().unpadded) / static_cast<double>(pruned().all); }),
        number("MCFuser, Section III-C", "tile sizes that rule 4 drops: 40%",
               kExample + std::string(", 163 KB"), 0.4, 0.2,
               [] {
                   return 1 - static_cast<double>(pruned().fitting) / static_cast<double>(pruned().unpadded);
               }),
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
