// What the actions of the view do to what is seen of the picture.
#include <gtest/gtest.h>

#include "app/scene/canvas.h"
#include "app/window/picture_view.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

class PictureKeys : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(t.open_sample("attention"));
        ASSERT_TRUE(test::wait_until([&] { return t.window.view().picture() != nullptr; }));
        t.window.actions().trigger("view.actual_size");
    }
    Canvas& canvas() { return t.window.view().canvas(); }
    // Where the view comes to rest.
    Camera after(const char* action) {
        t.window.actions().trigger(action);
        return canvas().camera();
    }
    test::TestWindow t;
};

TEST_F(PictureKeys, TheViewMovesInItsDirectionAndBack) {
    const Camera start = canvas().camera();
    EXPECT_DOUBLE_EQ(start.scale, 1);
    const Camera left = after("picture.pan_left");
    EXPECT_LT(left.center.x, start.center.x);
    EXPECT_DOUBLE_EQ(left.center.y, start.center.y);
    EXPECT_NEAR(after("picture.pan_right").center.x, start.center.x, 1e-9);
    const Camera up = after("picture.pan_up");
    EXPECT_LT(up.center.y, start.center.y);
    EXPECT_DOUBLE_EQ(up.center.x, start.center.x);
    EXPECT_NEAR(after("picture.pan_down").center.y, start.center.y, 1e-9);
}

// The same way on the screen, however close the view is.
TEST_F(PictureKeys, AKeyMovesThePictureByAsManyPixelsAtEveryScale) {
    const double far = canvas().camera().center.x - after("picture.pan_left").center.x;
    after("picture.pan_right");
    const Camera closer = after("view.zoom_in");
    const double near = closer.center.x - after("picture.pan_left").center.x;
    EXPECT_NEAR(near * closer.scale, far, 1e-9);
}

TEST_F(PictureKeys, ZoomsAboutTheMiddleAndBack) {
    const Camera start = canvas().camera();
    const Camera closer = after("view.zoom_in");
    EXPECT_GT(closer.scale, start.scale);
    EXPECT_NEAR(closer.center.x, start.center.x, 1e-9);
    EXPECT_NEAR(closer.center.y, start.center.y, 1e-9);
    EXPECT_NEAR(after("view.zoom_out").scale, start.scale, 1e-9);
    after("view.zoom_in");
    EXPECT_DOUBLE_EQ(after("view.actual_size").scale, 1);
}

TEST_F(PictureKeys, FitShowsEverythingAndFitSelectionWhatIsSelected) {
    after("view.fit");
    const Picture& picture = *t.window.view().picture();
    const Rect& all = picture.geometry.bounds;
    EXPECT_LE(canvas().visible().left(), all.left());
    EXPECT_GE(canvas().visible().right(), all.right());
    EXPECT_LE(canvas().visible().top(), all.top());
    EXPECT_GE(canvas().visible().bottom(), all.bottom());
    EXPECT_TRUE(canvas().is_fitted());

    const int box = picture.figure.roots.back();
    t.window.document().select({{picture.figure.boxes[static_cast<std::size_t>(box)].id()}, {}, {}});
    const double fitted = canvas().camera().scale;
    EXPECT_GT(after("view.fit_selection").scale, fitted);
    const Rect& part = picture.geometry.boxes[static_cast<std::size_t>(box)];
    EXPECT_TRUE(canvas().visible().contains({part.left(), part.top()}));
    EXPECT_TRUE(canvas().visible().contains({part.right(), part.bottom()}));
    EXPECT_FALSE(canvas().is_fitted());
}

// Keys that repeat faster than the view moves lead as far as those that do not.
TEST_F(PictureKeys, KeysOnTheWayAddUp) {
    const Camera start = canvas().camera();
    const double once = start.center.x - after("picture.pan_left").center.x;
    after("picture.pan_right");
    t.settings.set_animations(true);
    canvas().set_animated(true);
    EXPECT_NEAR(canvas().visible().center().x, start.center.x, 1e-6);
    after("picture.pan_left");
    EXPECT_NEAR(canvas().visible().center().x, start.center.x, 1e-6) << "it does not jump";
    EXPECT_TRUE(canvas().moving());
    EXPECT_NEAR(start.center.x - after("picture.pan_left").center.x, 2 * once, 1e-9);
    ASSERT_TRUE(test::wait_until([&] { return !canvas().moving(); }));
    EXPECT_NEAR(start.center.x - canvas().visible().center().x, 2 * once, 1e-6);
}

}  // namespace
}  // namespace blockscope
