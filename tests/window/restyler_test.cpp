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

// The share of an image that is lighter than a middle grey.
double light_share(const QImage& image) {
    std::int64_t light = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) light += qGray(image.pixel(x, y)) > 128 ? 1 : 0;
    return static_cast<double>(light) / (static_cast<double>(image.width()) * image.height());
}

// Parts of the window, as small as a row of a list, that keep the ground of the other theme.
int parts_left(const QImage& image, bool dark) {
    constexpr int kSide = 24;
    int left = 0;
    for (int y = 0; y + kSide <= image.height(); y += kSide)
        for (int x = 0; x + kSide <= image.width(); x += kSide) {
            const double light = light_share(image.copy(x, y, kSide, kSide));
            left += (dark ? light > 0.9 : light < 0.1) ? 1 : 0;
        }
    return left;
}

TEST(Restyler, EveryPanelTakesTheOtherColoursAndGivesThemBack) {
    TestWindow t;
    t.settings.set_theme(ThemeChoice::Light);
    ASSERT_TRUE(t.open_sample("gemm-relu"));
    for (const PanelInfo& panel : panel_table()) {
        t.window.services().show_panel(panel.id);
        for (const bool dark : {true, false}) {
            t.settings.set_theme(dark ? ThemeChoice::Dark : ThemeChoice::Light);
            ASSERT_TRUE(styled());
            QCoreApplication::processEvents();
            EXPECT_LT(parts_left(t.window.grab().toImage(), dark), 4)
                << panel.id << (dark ? " dark" : " light");
        }
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
