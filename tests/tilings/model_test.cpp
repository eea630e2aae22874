// MCFuser's estimate, with numbers worked out by hand.
#include <gmock/gmock.h>

#include "core/tilings/model.h"
#include "core/tilings/workloads.h"
#include "tests/tilings/chains.h"

namespace blockscope::test {
namespace {

using tilings::Estimate;
using tilings::Space;
using tilings::TripCounts;

Space small_space(const std::string& batch = {}) {
    const std::string text =
        batch.empty() ? two_products(128, 128, 128, 128)
                      : "batch Z = " + batch +
                            "\ndim M = 128\ndim N = 128\ndim K = 128\ndim H = 128\n"
                            "input A[Z,M,K], B[Z,K,N], D[Z,N,H] : f16\nC = A @ B\noutput E = C @ D\n";
    return tilings::make_space(chain_of(text), a100()).value();
}

std::int64_t trips_of(const Estimate& estimate, const std::string& statement) {
    for (const tilings::StatementCost& row : estimate.statements)
        if (row.text == statement) return row.trips;
    return -1;
}

Estimate estimated(const Space& space, const std::string& candidate, TripCounts counts) {
    return estimate(space, tilings::parse_candidate(space, candidate).value(), counts);
}

TEST(TilingModel, AddsUpBytesAndWork) {
    const Space space = small_space();
    const Estimate made = estimated(space, "mhnk m=64 n=64 k=64 h=64", TripCounts::Block);
    EXPECT_EQ(trips_of(made, "L_A"), 16);
    EXPECT_EQ(trips_of(made, "L_B"), 16);
    EXPECT_EQ(trips_of(made, "C_C"), 16);
    EXPECT_EQ(trips_of(made, "L_D"), 8);
    EXPECT_EQ(trips_of(made, "C_E"), 8);
    EXPECT_EQ(trips_of(made, "S_E"), 4);
    EXPECT_EQ(made.bytes, 2.0 * 64 * 64 * (16 + 16 + 8 + 4));
    EXPECT_EQ(made.flops, 2.0 * 64 * 64 * 64 * (16 + 8));
    EXPECT_EQ(made.blocks, 4);
    EXPECT_EQ(made.alpha, 28);  // (4 + 108) / 4
    EXPECT_DOUBLE_EQ(made.memory, made.bytes / 1555e9);
    EXPECT_DOUBLE_EQ(made.compute, made.flops / 312e12);
    EXPECT_DOUBLE_EQ(made.seconds, (made.memory + made.compute) * 28);
}

TEST(TilingModel, HasTheBatchInBytesWorkAndBlocks) {
    const Estimate one = estimated(small_space(), "mhnk m=64 n=64 k=64 h=64", TripCounts::Block);
    const Estimate five = estimated(small_space("5"), "mhnk m=64 n=64 k=64 h=64", TripCounts::Block);
    EXPECT_EQ(five.bytes, 5 * one.bytes);
    EXPECT_EQ(five.flops, 5 * one.flops);
    EXPECT_EQ(five.blocks, 20);
}

// With k in one tile L_A leaves all loops but m; still every thread block loads it.
TEST(TilingModel, CountsByBlockAndAsThePaperReads) {
    const Space space = small_space();
    const std::string whole_k = "mhnk m=64 n=64 k=128 h=64";
    EXPECT_EQ(trips_of(estimated(space, whole_k, TripCounts::Paper), "L_A"), 2);
    EXPECT_EQ(trips_of(estimated(space, whole_k, TripCounts::Block), "L_A"), 4);
    // The flat expression's h stands inside n: read along the tree, E is stored for every n.
    const std::string flat = "mn(k,h) m=64 n=64 k=64 h=64";
    EXPECT_EQ(trips_of(estimated(space, flat, TripCounts::Paper), "S_E"), 8);
    EXPECT_EQ(trips_of(estimated(space, flat, TripCounts::Block), "S_E"), 4);
    EXPECT_EQ(estimated(space, flat, TripCounts::Block).blocks, 2);  // of m alone
    // The flat one computes C once, the deep one again for every h.
    EXPECT_EQ(trips_of(estimated(space, flat, TripCounts::Block), "C_C"), 8);
}

TEST(TilingModel, EstimatesManyAsItEstimatesOne) {
    const Space space = tilings::make_space(workload_chain("S6"), a100()).value();
    for (const TripCounts counts : {TripCounts::Block, TripCounts::Paper}) {
        const std::vector<double> all = estimated_seconds(space, space.candidates, counts);
        for (std::size_t i = 0; i < all.size(); ++i)
            EXPECT_DOUBLE_EQ(all[i], estimate(space, space.candidates[i], counts).seconds);
    }
}

// Fig. 2: from 227 at K = 1024 to 2 at K = 1, if C counts once; 204.8 and 1.0 by the formula as printed.
TEST(TilingModel, HasBothReadingsOfPhi) {
    const tilings::Intensity deep = tilings::intensity(256, 256, 1024, ElemType::F16, a100());
    const tilings::Intensity thin = tilings::intensity(256, 256, 1, ElemType::F16, a100());
    EXPECT_NEAR(deep.once, 227.6, 0.05);
    EXPECT_NEAR(thin.once, 1.98, 0.005);
    EXPECT_DOUBLE_EQ(deep.printed, 204.8);
    EXPECT_NEAR(thin.printed, 0.996, 0.0005);
    EXPECT_NEAR(deep.machine, 200.6, 0.05);
    EXPECT_DOUBLE_EQ(deep.per_byte(deep.once), deep.once / 2);
    // Elements against bytes it is just compute-bound; in one unit it is memory-bound.
    EXPECT_FALSE(deep.memory_bound_as_printed());
    EXPECT_TRUE(deep.memory_bound());
    EXPECT_TRUE(thin.memory_bound());
}

// By hand: S1 has 8 heads of 512 x 512 scores in f16, 4.19 MB, read and written at 1,555 GB/s.
TEST(TilingModel, ASoftmaxOfItsOwnReadsAndWritesTheScores) {
    const tilings::Workload& attention = *tilings::find_workload("S1");
    EXPECT_NEAR(tilings::softmax_seconds(attention, ElemType::F16, 1555e9), 5.395e-6, 0.001e-6);
    EXPECT_NEAR(tilings::softmax_seconds(attention, ElemType::F32, 1555e9), 10.79e-6, 0.002e-6);
    EXPECT_EQ(tilings::softmax_seconds(*tilings::find_workload("G1"), ElemType::F16, 1555e9), 0);
}

}  // namespace
}  // namespace blockscope::test
