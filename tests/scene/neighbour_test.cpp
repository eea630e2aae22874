#include "app/scene/hit.h"

#include <gtest/gtest.h>

#include "tests/scene/pictures.h"

namespace blockscope {
namespace {

// Boxes of small_picture().
constexpr int kQ = 0, kK = 1, kMap = 2, kOut = 3, kDot = 4, kFormula = 5;

TEST(Neighbour, DownFollowsEdgesToConsumers) {
    const Picture picture = test::small_picture();
    EXPECT_EQ(neighbour(picture, kQ, Direction::Down), kMap);
    EXPECT_EQ(neighbour(picture, kDot, Direction::Down), kFormula);
    EXPECT_EQ(neighbour(picture, kMap, Direction::Down), kOut);
}

TEST(Neighbour, UpFollowsEdgesToProducers) {
    const Picture picture = test::small_picture();
    EXPECT_EQ(neighbour(picture, kOut, Direction::Up), kMap);
    EXPECT_EQ(neighbour(picture, kFormula, Direction::Up), kDot);
    EXPECT_EQ(neighbour(picture, kMap, Direction::Up), kK);  // nearer to straight above than Q
}

TEST(Neighbour, EdgesAtTheRimLeadToTheFrame) {
    const Picture picture = test::small_picture();
    EXPECT_EQ(neighbour(picture, kFormula, Direction::Down), kMap);
    EXPECT_EQ(neighbour(picture, kDot, Direction::Up), kMap);
}

TEST(Neighbour, SidewaysIsTheNearest) {
    const Picture picture = test::small_picture();
    EXPECT_EQ(neighbour(picture, kQ, Direction::Right), kK);
    EXPECT_EQ(neighbour(picture, kK, Direction::Left), kQ);
    EXPECT_EQ(neighbour(picture, kQ, Direction::Left), -1);
}

TEST(Neighbour, NearAndAlmostStraightIsBeforeFarAndStraight) {
    test::PictureMaker m;
    const int from = m.box(BoxKind::Functional, 1, "a", {0, 0, 50, 28});
    const int near = m.box(BoxKind::Functional, 2, "b", {80, 12, 50, 28});
    m.box(BoxKind::Functional, 3, "c", {500, 0, 50, 28});
    EXPECT_EQ(neighbour(m.done(), from, Direction::Right), near);
}

TEST(Neighbour, BeginsWithTheFirst) {
    EXPECT_EQ(neighbour(test::small_picture(), -1, Direction::Right), kQ);
    EXPECT_EQ(neighbour(Picture{}, -1, Direction::Right), -1);
}

TEST(Neighbour, GoesInAndOut) {
    const Picture picture = test::small_picture();
    EXPECT_EQ(first_child(picture, kMap), kDot);
    EXPECT_EQ(first_child(picture, kDot), -1);
    EXPECT_EQ(parent_of(picture, kDot), kMap);
    EXPECT_EQ(parent_of(picture, kMap), -1);
}

}  // namespace
}  // namespace blockscope
