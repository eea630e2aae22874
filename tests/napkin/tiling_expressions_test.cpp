// MCFuser's tiling expressions of a chain of two products (Section III-A).
#include <gtest/gtest.h>

#include <algorithm>

#include "core/cost/tiling_space.h"

namespace blockscope::napkin {
namespace {

TEST(TilingSpace, HasDeepAndFlatExpressions) {
    const std::vector<std::string> all = tiling_expressions({{"m", "n"}, "k", "h"});
    const auto has = [&](const std::string& expression) {
        return std::count(all.begin(), all.end(), expression);
    };
    EXPECT_EQ(has("mnkh"), 1);
    EXPECT_EQ(has("hknm"), 1);
    EXPECT_EQ(has("mn(k,h)"), 1);
    EXPECT_EQ(has("nm(k,h)"), 1);
    EXPECT_EQ(has("mk(n,h)"), 0);
}

}  // namespace
}  // namespace blockscope::napkin
