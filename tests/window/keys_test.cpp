// The window with the keyboard alone: the letters of panels, where Tab goes, and what shows where the keys
// go.
#include <gmock/gmock.h>

#include <QAbstractSpinBox>
#include <QTabWidget>
#include <QtTest/QTest>
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "app/shell/controls.h"
#include "app/window/docks.h"
#include "app/window/panel_table.h"
#include "app/window/picture_view.h"
#include "app/window/tab_order.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using test::TestWindow;

class Keys : public testing::Test {
protected:
    Keys() {
        resize(1440, 900);
        EXPECT_TRUE(t_.open_sample("attention"));
        QApplication::setActiveWindow(&t_.window);
        rest();
    }
    void resize(int width, int height) {
        t_.window.resize(width, height);
        rest();
    }
    static void rest() { QTest::qWait(30); }
    // The stops that Tab (or Shift and Tab) goes through from the picture until it is there again.
    std::vector<QWidget*> walk(Qt::Key key = Qt::Key_Tab) {
        t_.window.view().setFocus();
        std::vector<QWidget*> found;
        const QWidget* first = QApplication::focusWidget();
        constexpr std::size_t kMost = 300;
        while (found.size() < kMost) {
            QWidget* at = press(key);
            if (at == nullptr) return found;
            found.push_back(at);
            if (at == first) return found;
        }
        ADD_FAILURE() << "Tab does not come back to the picture";
        return found;
    }
    // The stop that Tab goes to from the one that has the focus; it may go from link to link of that first.
    static QWidget* press(Qt::Key key = Qt::Key_Tab) {
        constexpr int kMostLinks = 20;
        QWidget* before = QApplication::focusWidget();
        for (int i = 0; i < kMostLinks && QApplication::focusWidget() == before; ++i)
            QTest::keyClick(before, key);
        return QApplication::focusWidget();
    }
    QWidget* panel(const PanelInfo& info) {
        if (info.area != PanelArea::Centre) return t_.window.docks().dock(info.id)->widget();
        for (auto* pages : t_.window.findChildren<QTabWidget*>())
            if (pages->isAncestorOf(&t_.window.view())) return pages->currentWidget();
        return nullptr;
    }

    TestWindow t_;
};

std::string named(const QWidget* widget) {
    if (widget == nullptr) return "nothing";
    const QRect place(widget->mapTo(widget->window(), QPoint(0, 0)), widget->size());
    std::ostringstream at;
    at << place.x() << "," << place.y() << " " << place.width() << "x" << place.height() << " ";
    return at.str() + std::string(widget->metaObject()->className()) + " \"" +
           widget->accessibleName().toStdString() + "\" " + widget->objectName().toStdString();
}

TEST_F(Keys, TheKeyOfAPanelGivesItTheKeys) {
    for (const PanelInfo& info : panel_table()) {
        SCOPED_TRACE(info.id);
        t_.window.view().setFocus();
        const QKeySequence keys(QString::fromLatin1(info.keys.front()));
        QTest::keyClick(QApplication::focusWidget(), keys[0].key(), keys[0].keyboardModifiers());
        rest();
        QWidget* at = QApplication::focusWidget();
        ASSERT_NE(at, nullptr);
        EXPECT_TRUE(at == panel(info) || panel(info)->isAncestorOf(at)) << named(at);
        EXPECT_TRUE(at->isVisible() && at->isEnabled()) << named(at);
        EXPECT_EQ(qobject_cast<QAbstractSpinBox*>(at), nullptr) << named(at) << " takes the keys of steps";
        EXPECT_NE(at->focusPolicy() & Qt::TabFocus, 0) << named(at) << " takes no keys";
        if (const auto* cells = dynamic_cast<const AccessibleCells*>(at)) {
            EXPECT_GE(cells->current_cell(), 0) << named(at);
        }
        const auto* list = qobject_cast<const QAbstractItemView*>(at);
        if (list != nullptr && list->model()->rowCount() > 0) {
            EXPECT_TRUE(list->currentIndex().isValid()) << named(at);
        }
    }
}

TEST_F(Keys, OfStepsWorkOnBesideAKernelThatHasJustBeenOpened) {
    QTest::keyClick(&t_.window, Qt::Key_K, Qt::AltModifier);
    rest();
    const auto press = [&](Qt::Key key) { QTest::keyClick(QApplication::focusWidget(), key); };
    const auto step = [&] {
        return t_.window.document().content().history.depth(t_.window.document().content().current);
    };
    press(Qt::Key_N);
    EXPECT_EQ(step(), 1);
    press(Qt::Key_S);
    EXPECT_TRUE(t_.window.document().shows_safe());
    press(Qt::Key_Home);
    EXPECT_EQ(step(), 0);
}

TEST_F(Keys, ArrowsGoThroughTheHistoryAndTheTimelineAtOnce) {
    const auto step = [&] {
        return t_.window.document().content().history.depth(t_.window.document().content().current);
    };
    QTest::keyClick(&t_.window, Qt::Key_B, Qt::AltModifier);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    EXPECT_EQ(step(), 1);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
    EXPECT_EQ(step(), 0);
    QTest::keyClick(&t_.window, Qt::Key_T, Qt::AltModifier);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_End);
    EXPECT_GT(step(), 5);
}

TEST(ReadingOrder, IsLineByLineAndColumnByColumnWhereThoseStandBesideEachOther) {
    using testing::ElementsAre;
    EXPECT_THAT(reading_order({}), ElementsAre());
    // A bar of three that are not one as high as the other, and a table beside a column of two.
    EXPECT_THAT(reading_order({{210, 120, 90, 50},
                               {100, 8, 40, 24},
                               {0, 100, 200, 300},
                               {0, 10, 90, 20},
                               {210, 180, 90, 50},
                               {150, 5, 40, 30}}),
                ElementsAre(3, 1, 5, 2, 0, 4));
    // Over a picture: the picture first.
    EXPECT_THAT(reading_order({{300, 300, 40, 20}, {0, 0, 400, 400}, {10, 10, 40, 20}}),
                ElementsAre(1, 2, 0));
}

TEST_F(Keys, TabGoesThroughTheWindowAsOneReads) {
    for (const QSize size : {QSize(1440, 900), QSize(1024, 576)}) {
        SCOPED_TRACE(size.width());
        resize(size.width(), size.height());
        const bool overlaid = t_.window.docks().overlaid();
        if (overlaid) t_.window.docks().raise("panel.matches");
        rest();
        const std::vector<QWidget*> stops = walk();
        std::vector<QWidget*> back = walk(Qt::Key_Backtab);
        std::reverse(back.begin(), back.end() - 1);
        EXPECT_EQ(stops, back);
        std::map<const QWidget*, TabStop> known;
        for (const TabStop& stop : tab_stops(t_.window)) known[stop.widget] = stop;
        EXPECT_EQ(std::set(stops.begin(), stops.end()).size(), known.size()) << "all of them, once";
        // From the toolbar on.
        std::vector<TabStop> all;
        for (const QWidget* widget : stops) {
            ASSERT_EQ(known.count(widget), 1U) << named(widget);
            all.push_back(known.at(widget));
        }
        const auto first = std::find_if(all.begin(), all.end(),
                                        [](const TabStop& stop) { return stop.area == TabArea::Toolbar; });
        ASSERT_NE(first, all.end());
        std::rotate(all.begin(), first, all.end());
        std::set<TabArea> areas;
        for (std::size_t i = 0; i < all.size(); ++i) {
            areas.insert(all[i].area);
            if (i == 0) continue;
            EXPECT_LE(all[i - 1].area, all[i].area) << named(all[i].widget);
            if (all[i - 1].area != all[i].area || all[i - 1].panel != all[i].panel) continue;
            const QRect before = all[i - 1].place, now = all[i].place;
            EXPECT_TRUE(now.bottom() > before.top() || now.left() > before.right())
                << named(all[i].widget) << " stands above " << named(all[i - 1].widget);
            EXPECT_TRUE(now.top() >= before.bottom() - 2 || now.left() >= before.left())
                << named(all[i].widget) << " stands to the left of " << named(all[i - 1].widget);
        }
        EXPECT_EQ(areas.size(), 6U) << "in all parts of the window";
    }
}

// Panels that are moved, hidden and laid over the picture are in their new place at once.
TEST_F(Keys, TabFollowsPanelsToWhereTheyAre) {
    QDockWidget* matches = t_.window.docks().dock("panel.matches");
    const auto area = [&] {
        for (const TabStop& stop : tab_stops(t_.window))
            if (stop.panel == matches) return std::optional(stop.area);
        return std::optional<TabArea>();
    };
    EXPECT_EQ(area(), TabArea::Left);
    t_.window.addDockWidget(Qt::RightDockWidgetArea, matches);
    rest();
    EXPECT_EQ(area(), TabArea::Right);
    matches->hide();
    EXPECT_EQ(area(), std::nullopt);
}

// Where two lines beside each other have the accent's colour now, and had not before.
bool ring_appeared(const QImage& without, const QImage& with, const QColor& accent) {
    constexpr int kLong = 8;
    const auto in_ring = [&](int x, int y) {
        const QRgb now = with.pixel(x, y);
        return now != without.pixel(x, y) && std::abs(qRed(now) - accent.red()) < 24 &&
               std::abs(qGreen(now) - accent.green()) < 24 && std::abs(qBlue(now) - accent.blue()) < 24;
    };
    for (int y = 0; y + 1 < with.height(); ++y)
        for (int x = 0, length = 0; x < with.width(); ++x) {
            length = in_ring(x, y) && in_ring(x, y + 1) ? length + 1 : 0;
            if (length >= kLong) return true;
        }
    return false;
}

TEST_F(Keys, EveryStopShowsARing) {
    const QSize wide(1440, 900), narrow(1024, 576);
    for (const auto& [page, size] : {std::pair("", wide), std::pair("", narrow),
                                     std::pair("panel.costs", wide), std::pair("panel.plan", wide),
                                     std::pair("panel.circuit", wide), std::pair("panel.tilings", wide)}) {
        SCOPED_TRACE(page);
        SCOPED_TRACE(size.width());
        resize(size.width(), size.height());
        if (*page != 0) t_.window.actions().trigger(page);
        rest();
        const std::vector<TabStop> stops = tab_stops(t_.window);
        for (std::size_t i = 0; i < stops.size(); ++i) {
            QWidget* stop = stops[i].widget;
            if (*page != 0 && stops[i].area != TabArea::Centre) continue;  // as with the page before
            stops[(i + stops.size() - 1) % stops.size()].widget->setFocus();
            ASSERT_EQ(press(), stop) << named(QApplication::focusWidget()) << ", not " << named(stop)
                                     << ", after "
                                     << named(stops[(i + stops.size() - 1) % stops.size()].widget);
            const QRect place(stop->mapTo(&t_.window, QPoint(0, 0)), stop->size());
            const QRect around = place.adjusted(-4, -4, 4, 4) & t_.window.rect();
            const QImage with = t_.window.grab(around).toImage();
            stop->clearFocus();
            const QImage without = t_.window.grab(around).toImage();
            EXPECT_TRUE(ring_appeared(without, with, t_.appearance.colors().accent)) << named(stop);
        }
    }
}

}  // namespace
}  // namespace blockscope
