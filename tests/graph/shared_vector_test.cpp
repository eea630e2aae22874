// Copies of a vector share its elements until one of them changes.
#include "core/graph/shared_vector.h"

#include <gmock/gmock.h>

namespace blockscope::test {
namespace {

using testing::ElementsAre;

TEST(SharedVector, CopiesShareUntilOneChanges) {
    SharedVector<int> a = {1, 2, 3};
    SharedVector<int> b = a;
    EXPECT_TRUE(a.shares(b));
    EXPECT_EQ(a.items().data(), b.items().data());
    b.own()[0] = 7;
    b.push_back(4);
    EXPECT_FALSE(a.shares(b));
    EXPECT_THAT(a, ElementsAre(1, 2, 3));
    EXPECT_THAT(b, ElementsAre(7, 2, 3, 4));
    EXPECT_NE(a, b);
}

TEST(SharedVector, WhatIsOwnedAloneIsChangedInPlace) {
    SharedVector<int> a = {1, 2, 3};
    const int* data = a.items().data();
    a.own()[2] = 5;
    EXPECT_EQ(a.items().data(), data);
    EXPECT_EQ(a, (SharedVector<int>{1, 2, 5})) << "equal by elements, not only by where they are";
}

TEST(SharedVector, AnEmptyOneIsAVectorToo) {
    SharedVector<int> a;
    EXPECT_TRUE(a.empty());
    EXPECT_EQ(a.begin(), a.end());
    EXPECT_EQ(a, SharedVector<int>(std::vector<int>()));
    a.push_back(1);
    EXPECT_THAT(a, ElementsAre(1));
}

}  // namespace
}  // namespace blockscope::test
