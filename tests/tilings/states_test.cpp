// Which expressions are states of the fusion algorithm's run.
#include "core/tilings/states.h"

#include <gmock/gmock.h>

#include "tests/tilings/chains.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

// "mhnk 5, mnhk 5": the expressions with a state and its step.
std::string matched(const std::string& text, bool same_order) {
    const tilings::Space space = tilings::make_space(chain_of(text), a100()).value();
    const auto states = tilings::matched_states(space);
    std::string result;
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (!states[i] || states[i]->same_order != same_order) continue;
        EXPECT_TRUE(states[i]->proven);
        result += (result.empty() ? "" : ", ") +
                  to_string(space.expressions[i].expression.roots, space.chain) + " " +
                  std::to_string(states[i]->step);
    }
    return result;
}

TEST(TilingStates, AreThoseOfTheRunThatHaveTheLoops) {
    const std::string text = two_products(64, 64, 64, 64, "f32");
    EXPECT_EQ(matched(text, true), "mnkh 5, mnhk 5, mhnk 5, nmkh 5, nmhk 5, nkmh 5");
    EXPECT_EQ(matched(text, false), "nkhm 5, nhmk 5, nhkm 5, hmnk 5, hnmk 5, hnkm 5");
}

TEST(TilingStates, OfAttentionIsOnlineSoftmax) {
    EXPECT_THAT(matched(kCausal, true), HasSubstr("mhnk"));
}

TEST(TilingStates, ComeWithTheirListing) {
    const tilings::Space space =
        tilings::make_space(chain_of(two_products(64, 64, 64, 64, "f32")), a100()).value();
    for (const auto& state : tilings::matched_states(space))
        if (state) {
            EXPECT_THAT(state->listing,
                        HasSubstr("forall m in range(M):\n  forall h in range(H):\n    for n in "
                                  "range(N):\n      for k in range(K):"));
        }
}

}  // namespace
}  // namespace blockscope::test
