#include "app/scene/hit.h"

#include <gtest/gtest.h>

#include "app/scene/canvas.h"

namespace blockscope {
namespace {

const Curve kLine{{0, 0}, {0, 30}, {0, 60}, {0, 90}};

TEST(Curve, IsCutAtACircle) {
    EXPECT_NEAR(cut_end(kLine, {0, 90}, 10).back().y, 80, 0.1);
    EXPECT_NEAR(cut_start(kLine, {0, 0}, 10).front().y, 10, 0.1);
    EXPECT_EQ(cut_end(kLine, {0, 500}, 10), kLine);
}

TEST(Curve, LosesWholePiecesInTheCircle) {
    Curve two = kLine;
    two.insert(two.end(), {{0, 92}, {0, 94}, {0, 96}});
    const Curve cut = cut_end(two, {0, 96}, 10);
    EXPECT_EQ(cut.size(), 4U);
    EXPECT_NEAR(cut.back().y, 86, 0.1);
}

TEST(Curve, HasAsManyPiecesAsAskedFor) {
    const Curve four = with_pieces(kLine, 4);
    EXPECT_EQ(four.size(), 13U);
    EXPECT_EQ(four.front(), kLine.front());
    EXPECT_EQ(four.back(), kLine.back());
    EXPECT_NEAR(four[6].y, 45, 1e-9);
}

TEST(Curve, KnowsItsDistance) {
    EXPECT_NEAR(distance_to(kLine, {5, 40}, 6), 5, 0.2);
    EXPECT_NEAR(distance_to(kLine, {0, 100}, 6), 10, 0.2);
}

constexpr QSizeF kCurveView(800, 600);

TEST(CameraMath, ZoomHoldsWhatIsUnderThePointer) {
    const Camera camera{{100, 50}, 1.5};
    const QPointF anchor(123, 456);
    const Point before = to_picture(camera, kCurveView, anchor);
    const Camera closer = zoomed(camera, kCurveView, 1.7, anchor);
    const Point after = to_picture(closer, kCurveView, anchor);
    EXPECT_NEAR(before.x, after.x, 1e-9);
    EXPECT_NEAR(before.y, after.y, 1e-9);
    for (const double t : {0.25, 0.5, 0.9}) {
        const Point between_both = to_picture(between(camera, closer, t), kCurveView, anchor);
        EXPECT_NEAR(before.x, between_both.x, 1e-6) << t;
    }
}

TEST(CameraMath, ZoomHasLimits) {
    EXPECT_DOUBLE_EQ(zoomed({}, kCurveView, 1e9, {}).scale, kMostScale);
    EXPECT_DOUBLE_EQ(zoomed({}, kCurveView, 1e-9, {}).scale, kLeastScale);
}

TEST(CameraMath, FittingShowsEverything) {
    const Rect part{-100, 30, 4000, 900};
    const Camera camera = fitted(part, kCurveView, 1);
    const Rect seen = visible(camera, kCurveView);
    EXPECT_LE(seen.left(), part.left());
    EXPECT_GE(seen.right(), part.right());
    EXPECT_LE(seen.top(), part.top());
    EXPECT_GE(seen.bottom(), part.bottom());
    EXPECT_DOUBLE_EQ(fitted({0, 0, 10, 10}, kCurveView, 1.25).scale, 1.25);
}

// A map that fills the view and more is seen from its beginning, with the inputs that lead into it.
TEST(CameraMath, ReadingALongPartBeginsWithWhatLeadsIntoIt) {
    const Rect picture{0, 0, 3000, 300};
    const double width = kCurveView.width();
    const Rect near{0.2 * width, 0, 2000, 300}, far{0.3 * width, 0, 2000, 300};
    EXPECT_DOUBLE_EQ(visible(reading(picture, near, kCurveView, 1), kCurveView).left(), 0);
    EXPECT_GT(visible(reading(picture, far, kCurveView, 1), kCurveView).left(), 0.25 * width);
    // What fits is in the middle.
    const Rect fits{0.2 * width, 0, 0.7 * width, 300};
    EXPECT_GT(visible(reading(picture, fits, kCurveView, 1), kCurveView).left(), 0);
}

TEST(CameraMath, PanningFollowsTheHand) {
    const Camera camera{{100, 50}, 2};
    EXPECT_EQ(to_view(panned(camera, 30, -20), kCurveView, {100, 50}),
              to_view(camera, kCurveView, {100, 50}) + QPointF(30, -20));
}

}  // namespace
}  // namespace blockscope
