#include "app/layout/separations.h"

#include <gmock/gmock.h>

#include "app/layout/arrange.h"
#include "core/support/result.h"

namespace blockscope {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr double kAnywhere = std::numeric_limits<double>::infinity();

Separations chain(double gap) {
    Separations separations(3);
    separations.add(0, 1, gap);
    separations.add(1, 2, gap);
    separations.finish();
    return separations;
}

TEST(Separations, PushOneWay) {
    EXPECT_THAT(chain(10).least({0, 5, 40}), ElementsAre(0, 10, 40));
    EXPECT_THAT(chain(10).greatest({0, 5, 12}), ElementsAre(-8, 2, 12));
}

TEST(Separations, TheLighterOneMakesRoom) {
    EXPECT_THAT(chain(10).nearest({0, 5, 40}, {9, 1, 1}, Separations::Measure::Median),
                ElementsAre(0, 10, 40));
    EXPECT_THAT(chain(10).nearest({0, 5, 40}, {1, 9, 1}, Separations::Measure::Median),
                ElementsAre(-5, 5, 40));
    EXPECT_THAT(chain(10).nearest({0, 4, 40}, {1, 1, 1}, Separations::Measure::Mean), ElementsAre(-3, 7, 40));
}

TEST(Separations, RefuseCircles) {
    Separations separations(2);
    separations.add(0, 1, 1);
    separations.add(1, 0, 1);
    EXPECT_THROW(separations.finish(), InternalError);
}

TEST(Approach, IsBounded) {
    // Three boxes with a hole of 100 above the last; it closes by 30 pixels from each side at most.
    const Axis axis{{0, 10, 120}, {1, 1, 1}, {30, 30, 30}};
    EXPECT_THAT(approach(chain(10), axis, {0, 10, 20}), ElementsAre(0, 10, 90));
}

TEST(Approach, GoesAllTheWayWithoutBound) {
    const Axis axis{{0, 10, 120}, {1, 1, 1}, {kAnywhere, kAnywhere, kAnywhere}};
    EXPECT_THAT(approach(chain(10), axis, {0, 10, 20}), ElementsAre(0, 10, 20));
}

TEST(Approach, MakesRoomWhereItMust) {
    const Axis axis{{0, 0, 0}, {5, 1, 1}, {30, 30, 30}};
    EXPECT_THAT(approach(chain(50), axis, {0, 50, 100}), ElementsAre(0, 50, 100));
}

TEST(Neighbours, SeeEachOtherOnly) {
    EXPECT_THAT(neighbours({{0, 10, 1}, {0, 10, 2}, {0, 10, 3}}), ElementsAre(Pair(0, 1), Pair(1, 2)));
    // The middle one is short: the others meet below it.
    EXPECT_THAT(neighbours({{0, 10, 1}, {0, 5, 2}, {0, 10, 3}}),
                ElementsAre(Pair(0, 1), Pair(0, 2), Pair(1, 2)));
    EXPECT_TRUE(neighbours({{0, 10, 1}, {10, 20, 2}}).empty());
}

TEST(Spaced, KeepsPinsApart) {
    EXPECT_THAT(spaced({10, 100, 150}, 16, 12, 200), ElementsAre(12, 100, 150));
    EXPECT_THAT(spaced({100, 100, 100}, 16, 12, 200), ElementsAre(84, 100, 116));
    EXPECT_THAT(spaced({190, 195}, 16, 12, 200), ElementsAre(184, 200));
}

}  // namespace
}  // namespace blockscope
