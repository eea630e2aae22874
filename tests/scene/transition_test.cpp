#include "app/scene/transition.h"

#include <gtest/gtest.h>

#include "tests/scene/pictures.h"

namespace blockscope {
namespace {

template <class Painted>
QImage painted(const Painted& painted) {
    QImage image(400, 440, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    paint(painter, painted, Theme::light(), {}, {0, 0, 400, 440}, 1);
    return image;
}

const Picture kBefore = test::small_picture();
const Picture kAfter = test::rewritten_picture();
const std::vector<Lineage> kMade = test::rewritten_lineage();

int box_of(const Picture& picture, std::uint32_t node) {
    for (std::size_t i = 0; i < picture.figure.boxes.size(); ++i)
        if (picture.figure.boxes[i].id().value == node) return static_cast<int>(i);
    return -1;
}

Rect rect_of(const Blend& blend, std::uint32_t node) {
    return blend.picture.geometry.boxes[static_cast<std::size_t>(box_of(blend.picture, node))];
}

double opacity_of(const Blend& blend, std::uint32_t node) {
    return blend.box_opacity[static_cast<std::size_t>(box_of(blend.picture, node))];
}

TEST(Transition, BeginsWithThePictureBeforeAndEndsWithTheOneAfter) {
    EXPECT_EQ(painted(blend(kBefore, kAfter, kMade, 0)), painted(kBefore));
    EXPECT_EQ(painted(blend(kBefore, kAfter, kMade, 1)), painted(kAfter));
    EXPECT_NE(painted(kBefore), painted(kAfter));
}

TEST(Transition, WhatStaysGlides) {
    const Blend half = blend(kBefore, kAfter, kMade, 0.5);
    EXPECT_DOUBLE_EQ(rect_of(half, 10).x, 50);  // from 20 to 80
    EXPECT_DOUBLE_EQ(opacity_of(half, 10), 1);
    EXPECT_DOUBLE_EQ(half.picture.geometry.in[2][0].x, 103);
    EXPECT_DOUBLE_EQ(half.picture.geometry.edges[0].front().x, 103);
}

TEST(Transition, WhatWasMadeComesFromItsAncestors) {
    const Blend start = blend(kBefore, kAfter, kMade, 0);
    EXPECT_EQ(rect_of(start, 15).center(), (Point{130, 204}));  // the middle of node 12
    EXPECT_DOUBLE_EQ(opacity_of(start, 15), 0);
    const Blend end = blend(kBefore, kAfter, kMade, 1);
    EXPECT_EQ(rect_of(end, 12).center(), rect_of(end, 15).center());
    EXPECT_DOUBLE_EQ(opacity_of(end, 12), 0);
}

TEST(Transition, MergedFramesSlideIntoEachOther) {
    test::PictureMaker two, one;
    two.frame(1, "M", {0, 0, 100, 100});
    two.frame(2, "M", {0, 140, 100, 100});
    one.frame(3, "M", {0, 20, 120, 200});
    const Blend half = blend(two.done(), one.done(), {{NodeId{3}, {NodeId{1}, NodeId{2}}}}, 0.5);
    EXPECT_EQ(rect_of(half, 3), (Rect{0, 10, 110, 220}));  // from the rectangle around both
    EXPECT_EQ(rect_of(half, 1), (Rect{0, 10, 110, 150}));  // to the new frame
    EXPECT_EQ(rect_of(half, 2), (Rect{0, 80, 110, 150}));
}

TEST(Transition, AnEdgeThatIsNoLongerBufferedFades) {
    Picture after = kBefore;
    after.figure.edges[0].buffered = false;
    const Blend half = blend(kBefore, after, {}, 0.5);
    ASSERT_EQ(half.edge_opacity.size(), kBefore.figure.edges.size() + 1);
    EXPECT_DOUBLE_EQ(half.edge_opacity[0], 0.5);
    EXPECT_TRUE(half.picture.figure.edges.back().buffered);
    EXPECT_DOUBLE_EQ(half.edge_opacity.back(), 0.5);
}

TEST(Transition, AnInterruptedOneGoesOnFromWhatIsShown) {
    Transition first(at_rest(kBefore), kAfter, kMade);
    const Blend shown = first.at(0.4);
    Transition back(shown, kBefore, {{NodeId{12}, {NodeId{15}}}});
    const Blend start = back.at(0);
    for (const std::uint32_t node : {1, 10, 11, 12, 15}) {
        EXPECT_EQ(rect_of(start, node), rect_of(shown, node)) << node;
        EXPECT_DOUBLE_EQ(opacity_of(start, node), opacity_of(shown, node)) << node;
    }
    EXPECT_EQ(painted(back.at(1)), painted(kBefore));
}

TEST(Transition, CurvesOfDifferentLengthMeet) {
    Picture after = kBefore;
    Curve& curve = after.geometry.edges[4];
    const Point end = curve.back();
    curve.insert(curve.end(), {{end.x, end.y}, {end.x, end.y}, end});
    const Blend half = blend(kBefore, after, {}, 0.5);
    EXPECT_EQ(half.picture.geometry.edges[4].size(), 7U);
    EXPECT_EQ(painted(blend(kBefore, after, {}, 0)), painted(kBefore));
}

}  // namespace
}  // namespace blockscope
