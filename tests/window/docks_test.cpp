// Panels around the picture: how wide they are after the window was small.
#include <gtest/gtest.h>

#include <QTest>

#include "app/window/docks.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using test::TestWindow;

class DocksTest : public testing::Test {
protected:
    DocksTest() {
        resize(1440, 900);
        EXPECT_TRUE(t_.open_sample("attention"));
        rest();
    }
    void resize(int width, int height) {
        t_.window.resize(width, height);
        rest();
    }
    // What timers of no time do, and what they lead to.
    static void rest() { QTest::qWait(20); }
    // Panels glide to their new size.
    static bool comes_to(const QDockWidget& dock, int width) {
        return test::wait_until([&] { return dock.width() == width; });
    }
    QDockWidget& dock(const char* panel) { return *t_.window.docks().dock(panel); }

    TestWindow t_;
};

TEST_F(DocksTest, AWindowThatWasSmallHasPanelsAsWideAsBefore) {
    const int left = dock("panel.matches").width(), right = dock("panel.listing").width();
    const int bottom = dock("panel.timeline").height();
    resize(720, 480);
    ASSERT_LT(dock("panel.matches").width() + dock("panel.listing").width(), left + right);
    resize(1440, 900);
    EXPECT_TRUE(comes_to(dock("panel.matches"), left));
    EXPECT_TRUE(comes_to(dock("panel.listing"), right));
    EXPECT_EQ(dock("panel.timeline").height(), bottom);
}

TEST_F(DocksTest, WhatTheUserDraggedIsWhatComesBack) {
    QDockWidget& listing = dock("panel.listing");
    const QPoint line(listing.x() - 2, listing.geometry().center().y());
    ASSERT_TRUE(t_.window.isSeparator(line));
    QTest::mousePress(&t_.window, Qt::LeftButton, {}, line);
    QTest::mouseMove(&t_.window, line - QPoint(120, 0));
    rest();
    QTest::mouseRelease(&t_.window, Qt::LeftButton, {}, line - QPoint(120, 0));
    rest();
    const int wide = listing.width();
    ASSERT_GT(wide, 400);
    resize(760, 600);
    ASSERT_LT(listing.width(), wide);
    resize(1440, 900);
    EXPECT_TRUE(comes_to(listing, wide));
}

}  // namespace
}  // namespace blockscope
