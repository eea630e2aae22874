// MCFuser's space of tilings and its four pruning rules, as a funnel of exact numbers. The whole space is
// counted as a product; only what survives rule 3 is enumerated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cost/device.h"
#include "core/support/stop_sign.h"
#include "core/tilings/expression.h"

namespace blockscope::tilings {

// Rule 1: which expressions count as the same thread block.
enum class SameBlock {
    GridOrder,  // the same sub-tiling and the same order of the grid's loops: the paper's 26 -> 5 -> 3
    SubTiling,  // the same sub-tiling, as the text says: 26 -> 3 -> 2
};
// Rule 3: padding.
enum class Padding {
    Exact,  // none where the size is a power of two, else under 5%
    Five,   // under 5% everywhere
};
// Rule 4: which tiles equation 1 adds up.
enum class SharedTiles {
    All,     // every array, intermediate and result: ABCDE
    Loaded,  // loaded arrays only: ABD
};

constexpr double kMostPadding = 0.05;
constexpr double kSlack = 1.2;  // of shared memory, for what the estimate gets wrong
constexpr std::int64_t kMostLoopSize = 1 << 20;
constexpr std::int64_t kMostCandidates = 4'000'000;

struct Rules {
    SameBlock same = SameBlock::GridOrder;
    Padding padding = Padding::Exact;
    SharedTiles tiles = SharedTiles::All;
    bool flat = true;  // false: Chimera's space, deep expressions only
    bool operator==(const Rules&) const = default;
};

// What the paper's equations need of a device.
struct TargetDevice {
    std::string title = {};
    double processors = 1;    // N_SM
    double bandwidth = 1;     // W, bytes per second
    double peak = 1;          // P, FLOPs per second
    std::int64_t shared = 0;  // bytes of shared memory per thread block
};
// A description that lacks one of the figures is a problem that says so.
// `processors`: that work, with their share of peak and what they draw together; 0: all.
Result<TargetDevice> target_device(const Device& device, ElemType elem, int processors = 0);

// One size of a tile of a loop, and what is padded with it.
struct TileSize {
    std::int64_t size = kTileUnit;
    double padding = 0;     // share of the loop's size that is added: 0.12
    bool kept = true;       // by rule 3
    bool fallback = false;  // kept as the least padding, since no size passes
};
// Multiples of 16 up to the size rounded up.
std::vector<TileSize> tile_sizes(std::int64_t size, Padding padding);

struct Candidate {
    int expression = 0;                    // of Space::expressions
    std::vector<std::int64_t> tiles = {};  // by loop
    std::int64_t shared = 0;               // bytes by equation 1
    bool operator==(const Candidate&) const = default;
};

struct JudgedExpression {
    Expression expression = {};
    std::vector<int> grid = {};     // loops bound to thread blocks
    std::string sub_tiling = {};    // what a thread block runs: "nk"
    int same_as = -1;               // dropped by rule 1: the expression that stands for it
    std::string kept_partial = {};  // dropped by rule 2: which intermediate's partial tiles pile up
    bool kept() const { return same_as < 0 && kept_partial.empty(); }
};

// A count that may pass 2^63 says so instead of wrapping around.
struct FunnelStep {
    std::string rule = {};  // "whole space", "rule 1: ..."
    std::int64_t left = 0;
};

// What the paper says of the funnel's steps, for two products with M = N = 1,024 and K = H = 512: the size of
// the space, the expressions before and after rules 1 and 2, and the shares that rules 3 and 4 drop (its
// section on pruning). "10⁸", "26 → 5", "5 → 3", "99%", "40%". `step` is an index of the funnel.
const char* paper_says(std::size_t step);

struct Space {
    Chain chain = {};
    Rules rules = {};
    TargetDevice device = {};
    std::vector<JudgedExpression> expressions = {};
    std::vector<std::vector<TileSize>> sizes = {};  // by loop
    std::vector<FunnelStep> funnel = {};            // whole space, then after each rule
    std::vector<Candidate> candidates = {};         // that survive all rules
    std::int64_t limit = 0;                         // bytes of rule 4: slack included

    const JudgedExpression& judged(const Candidate& candidate) const {
        return expressions[static_cast<std::size_t>(candidate.expression)];
    }
};

// A space whose count is over 2^63, or that keeps more than kMostCandidates, is a problem.
Result<Space> make_space(Chain chain, const TargetDevice& device, const Rules& rules = {},
                         const StopSign& stop = kNeverStop);

// Bytes that equation 1 estimates for one thread block.
std::int64_t shared_bytes(const Chain& chain, const std::vector<std::int64_t>& tiles, SharedTiles which);

// Which rule drops a candidate of the whole space (0: none), and a sentence with its numbers.
struct Verdict {
    int rule = 0;
    Text why = {};
};
Verdict judge(const Space& space, const Candidate& candidate);
// "mhnk m=32 n=64 k=16 h=16"
std::string to_string(const Space& space, const Candidate& candidate);
// Reads that: any expression of the space and a tile for every loop.
Result<Candidate> parse_candidate(const Space& space, const std::string& text);

std::int64_t trips(std::int64_t size, std::int64_t tile);

}  // namespace blockscope::tilings
