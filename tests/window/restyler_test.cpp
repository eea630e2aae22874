// Another theme reaches every part of the window, a few parts at a time.
#include "app/shell/appearance.h"

#include <gmock/gmock.h>

#include <QImage>
#include <QPixmap>

#include "app/window/panel_table.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using test::TestWindow;

bool styled() {
    return test::wait_until([] { return !Restyler::of(*qApp).busy(); });
}

// Parts of the window, as small as a row of a list, that keep the ground of the other theme: nine tenths of
// their points are on its side of a middle grey.
int parts_left(const QImage& image, bool dark) {
    constexpr int kSide = 24;
    constexpr int kMost = kSide * kSide * 9 / 10;
    const QImage grey = image.convertToFormat(QImage::Format_Grayscale8);
    const auto of_other_theme = [&](int left, int top) {
        int points = 0;
        for (int y = top; y < top + kSide; ++y) {
            const uchar* line = grey.constScanLine(y);
            for (int x = left; x < left + kSide; ++x) points += (line[x] > 128) == dark ? 1 : 0;
        }
        return points > kMost;
    };
    int left = 0;
    for (int y = 0; y + kSide <= grey.height(); y += kSide)
        for (int x = 0; x + kSide <= grey.width(); x += kSide) left += of_other_theme(x, y) ? 1 : 0;
    return left;
}

void expect_panels_in(TestWindow& t, bool dark) {
    for (const PanelInfo& panel : panel_table()) {
        t.window.services().show_panel(panel.id);
        QCoreApplication::processEvents();
        EXPECT_LT(parts_left(t.window.grab().toImage(), dark), 4) << panel.id << (dark ? " dark" : " light");
    }
}

TEST(Restyler, EveryPanelTakesTheOtherColoursAndGivesThemBack) {
    TestWindow t;
    t.settings.set_theme(ThemeChoice::Light);
    ASSERT_TRUE(t.open_sample("gemm-relu"));
    expect_panels_in(t, false);  // and all of them are made, so that none is made in the other colours
    for (const bool dark : {true, false}) {
        t.settings.set_theme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
        ASSERT_TRUE(styled());
        expect_panels_in(t, dark);
    }
}

TEST(Restyler, WhatIsNotSeenIsStyledToo) {
    TestWindow t;
    t.settings.set_theme(ThemeChoice::Light);
    ASSERT_TRUE(t.open_sample("gemm-relu"));
    t.window.services().show_panel("panel.costs");  // polished, and then behind another tab
    t.window.actions().trigger("window.picture");
    t.settings.set_theme(ThemeChoice::Dark);
    EXPECT_TRUE(Restyler::of(*qApp).busy()) << "not all at once";
    ASSERT_TRUE(styled());
    t.window.services().show_panel("panel.costs");
    QCoreApplication::processEvents();
    EXPECT_LT(parts_left(t.window.grab().toImage(), true), 4);
    t.settings.set_theme(ThemeChoice::Light);
    ASSERT_TRUE(styled());
}

}  // namespace
}  // namespace blockscope
