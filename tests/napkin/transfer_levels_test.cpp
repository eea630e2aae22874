// The performance models on plain power laws: levels, quantisation, caches, cross-transfers.
#include "core/napkin/levels.h"

#include <gmock/gmock.h>

#include "tests/napkin/transfer_rules.h"

namespace blockscope::napkin {
namespace {

// 3 + 8 M^-1/2 + 10 M^-1
const NumericLaw kLaw = {{3, 0}, {8, 0.5}, {10, 1}};
const TransferLevel kShared{"shared", 2, 25};

TEST(PowerLaws, AreSumsOfPowers) {
    EXPECT_DOUBLE_EQ(algebra::transfers(kLaw, 4), 3 + 4 + 2.5);
    EXPECT_DOUBLE_EQ(algebra::transfers(NumericLaw{}, 4), 0);
}

// Equation 2, with the sums in either order.
TEST(PowerLaws, AddUpOverLevels) {
    const std::vector<TransferLevel> levels = {{"L2", 3, 100}, kShared};
    double by_term = 0;
    for (const algebra::LawTerm& term : kLaw)
        for (const TransferLevel& level : levels)
            by_term += term.alpha * level.weight * std::pow(level.memory, -term.beta);
    EXPECT_DOUBLE_EQ(total_cost(kLaw, levels), by_term);
    EXPECT_DOUBLE_EQ(total_cost(kLaw, levels), 3 * (3 + 0.8 + 0.1) + 2 * (3 + 1.6 + 0.4));
}

// Equation 3: halving the bytes per value cuts a term of β by 2^(1+β), whatever the level.
TEST(PowerLaws, GrowWithBytesPerValue) {
    for (const double beta : {0.0, 0.5, 1.0}) {
        const NumericLaw term = {{7, beta}};
        const double wide = total_cost(term, {quantised("x", 1e9, 1e5, 4)});
        const double narrow = total_cost(term, {quantised("x", 1e9, 1e5, 2)});
        EXPECT_NEAR(wide / narrow, quantisation_gain(beta, 4, 2), 1e-12);
    }
    EXPECT_DOUBLE_EQ(quantised("x", 1e9, 1e5, 4).memory, 25'000);
    EXPECT_DOUBLE_EQ(quantised("x", 1e9, 1e5, 4).weight, 4e-9);
}

TEST(PowerLaws, CacheWhatTheirChildrenHold) {
    const TransferLevel cache = caching_level("L2", 0.5, kShared, 132);
    EXPECT_EQ(cache, (TransferLevel{"L2", 0.5, 132 * 25.0}));
    EXPECT_TRUE(can_cache(1320, 10, 132));
    EXPECT_FALSE(can_cache(1330, 10, 132));
}

// Equations 10 to 12 and the gain of appendix A.2.3 are the same number.
TEST(PowerLaws, GainByCrossTransfers) {
    for (const double children : {2.0, 4.0, 16.0}) {
        const std::vector<TransferLevel> with = cross_transfer_levels(kShared, 0.5, children);
        ASSERT_EQ(with.size(), 2U);
        EXPECT_DOUBLE_EQ(with[0].memory, children * 25);
        EXPECT_DOUBLE_EQ(with[1].weight, 0.5);
        // Equation 11: what is sent down, then the rest across.
        const double sent = algebra::transfers(kLaw, children * 25);
        EXPECT_NEAR(total_cost(kLaw, with), 2 * sent + 0.5 * (algebra::transfers(kLaw, 25) - sent), 1e-12);
        EXPECT_NEAR(total_cost(kLaw, {kShared}) - total_cost(kLaw, with),
                    cross_transfer_gain(kLaw, kShared, 0.5, children), 1e-12);
    }
    // A constant term gains nothing: everything is sent once.
    EXPECT_DOUBLE_EQ(cross_transfer_gain(NumericLaw{{3, 0}}, kShared, 0.5, 4), 0);
}

}  // namespace
}  // namespace blockscope::napkin
