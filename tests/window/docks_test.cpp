// Panels around the picture: how wide they are after the window was small.
#include <gtest/gtest.h>

#include <QTabBar>
#include <QTest>
#include <QTreeView>
#include <map>
#include <set>

#include "app/window/docks.h"
#include "app/window/panel_strip.h"
#include "app/window/picture_view.h"
#include "tests/window/window_support.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

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

TEST_F(DocksTest, FloatingPanelsComeBackFromTheStartPageAsTheyWere) {
    QDockWidget& outline = dock("panel.outline");
    t_.window.actions().trigger("panel.outline");
    outline.setFloating(true);
    dock("panel.rule").raise();
    rest();
    const QRect place = outline.geometry();
    const int left = dock("panel.matches").width();
    t_.window.actions().trigger("file.start");
    rest();
    EXPECT_FALSE(outline.isVisible());
    EXPECT_FALSE(dock("panel.matches").isVisible());
    t_.window.actions().trigger("step.forward");
    rest();
    EXPECT_TRUE(outline.isFloating());
    EXPECT_TRUE(outline.isVisible());
    EXPECT_EQ(outline.geometry(), place);
    EXPECT_TRUE(comes_to(dock("panel.matches"), left));
    EXPECT_FALSE(dock("panel.rule").visibleRegion().isEmpty()) << "it was in front of the listing";
    EXPECT_TRUE(dock("panel.listing").visibleRegion().isEmpty());
    EXPECT_FALSE(dock("panel.history").isHidden()) << "it lies behind its tab, open";
}

// ---- Small windows: the picture has their width, and panels lie over it while they are open.

class OverlaidPanels : public DocksTest {
protected:
    OverlaidPanels() { resize(1024, 576); }
    bool lies_over_picture(const char* panel) {
        const QDockWidget& open = dock(panel);
        return open.isVisible() && open.geometry().intersects(t_.window.centralWidget()->geometry()) &&
               t_.window.rect().contains(open.geometry());
    }
    int names() const {
        int seen = 0;
        for (const StripButton* name : t_.window.findChildren<StripButton*>())
            seen += name->isVisible() ? 1 : 0;
        return seen;
    }
    void press(const char* panel) { t_.window.actions().trigger(panel); }
};

TEST_F(OverlaidPanels, LeaveThePictureTheWidthOfASmallWindow) {
    const int wide = t_.window.centralWidget()->width();
    EXPECT_GT(wide, 0.9 * 1024);
    EXPECT_FALSE(dock("panel.matches").isVisible());
    EXPECT_EQ(names(), 8);
    press("panel.matches");
    EXPECT_TRUE(lies_over_picture("panel.matches"));
    EXPECT_EQ(t_.window.centralWidget()->width(), wide) << "the picture stays as it is";
    EXPECT_TRUE(t_.window.actions().get("panel.matches")->isChecked());
    press("panel.listing");
    EXPECT_TRUE(lies_over_picture("panel.listing"));
    EXPECT_TRUE(lies_over_picture("panel.matches")) << "at the other side";
    press("panel.history");
    EXPECT_TRUE(lies_over_picture("panel.history"));
    EXPECT_FALSE(dock("panel.matches").isVisible()) << "one at a side";
    press("panel.history");
    EXPECT_FALSE(dock("panel.history").isVisible());
}

// Below the picture it would leave it hardly a line of blocks.
TEST_F(OverlaidPanels, TheKernelLiesBesideThePictureToo) {
    const QWidget& picture = t_.window.view();
    const QSize before = picture.size();
    press("panel.kernel");
    ASSERT_TRUE(test::wait_until([&] { return !t_.window.services().work.busy(); }));
    rest();
    EXPECT_EQ(t_.window.height(), 576);
    EXPECT_TRUE(lies_over_picture("panel.kernel"));
    EXPECT_EQ(picture.size(), before);
    EXPECT_GE(dock("panel.kernel").x() - picture.mapTo(&t_.window, QPoint()).x(), 0.4 * 1024);
    const QTabBar* tabs = dock("panel.kernel").findChild<QTabWidget*>()->tabBar();
    for (int i = 0; i < tabs->count(); ++i)
        EXPECT_TRUE(tabs->rect().contains(tabs->tabRect(i))) << tabs->tabText(i).toStdString();
    EXPECT_TRUE(t_.window.isAncestorOf(tabs) && tabs->parentWidget()->rect().contains(tabs->geometry()));
    resize(1440, 900);
    EXPECT_EQ(t_.window.dockWidgetArea(&dock("panel.kernel")), Qt::BottomDockWidgetArea);
    EXPECT_TRUE(dock("panel.kernel").features().testFlag(QDockWidget::DockWidgetVerticalTitleBar));
}

TEST_F(OverlaidPanels, CloseWithEscapeAndAsAnotherPageIsSeen) {
    press("panel.matches");
    rest();
    QWidget* keys = QApplication::focusWidget();
    ASSERT_TRUE(keys != nullptr && dock("panel.matches").isAncestorOf(keys));
    QTest::keyClick(keys, Qt::Key_Escape);
    EXPECT_FALSE(dock("panel.matches").isVisible());
    EXPECT_TRUE(t_.window.view().isAncestorOf(QApplication::focusWidget()));
    press("panel.matches");
    press("panel.costs");
    EXPECT_FALSE(dock("panel.matches").isVisible());
}

TEST_F(OverlaidPanels, StandBesideThePictureAgainInALargeWindow) {
    press("panel.history");
    resize(1440, 900);
    EXPECT_FALSE(t_.window.docks().overlaid());
    EXPECT_EQ(names(), 0);
    EXPECT_FALSE(dock("panel.matches").isHidden());
    EXPECT_FALSE(dock("panel.history").visibleRegion().isEmpty()) << "whoever reads it goes on";
    EXPECT_FALSE(dock("panel.listing").visibleRegion().isEmpty()) << "it was in front";
    EXPECT_TRUE(dock("panel.history").features().testFlag(QDockWidget::DockWidgetMovable));
    EXPECT_FALSE(dock("panel.history").geometry().intersects(t_.window.centralWidget()->geometry()));
    t_.window.actions().trigger("view.overlay");
    EXPECT_TRUE(t_.window.docks().overlaid()) << "whoever wants it has it in a large window, too";
    EXPECT_EQ(t_.settings.overlay(), std::optional(true));
    t_.window.actions().trigger("view.overlay");
    resize(1024, 576);
    EXPECT_FALSE(t_.window.docks().overlaid()) << "the user has chosen";
}

// Which other panels are open meanwhile, and what lies over the picture, is not lost with the small window.
TEST_F(OverlaidPanels, LeaveOtherPanelsAsTheyAre) {
    dock("panel.timeline").hide();
    for (const auto& [away, back] :
         {std::pair("file.start", "step.forward"), std::pair("view.presentation", "view.presentation")}) {
        t_.window.actions().trigger(away);
        rest();
        t_.window.actions().trigger(back);
        QTest::qWait(300);
        EXPECT_TRUE(dock("panel.timeline").isHidden()) << away;
    }
    press("panel.kernel");
    press("panel.search");
    EXPECT_TRUE(lies_over_picture("panel.search")) << "it was closed, and has no name at the edge";
    resize(1440, 900);
    EXPECT_TRUE(dock("panel.search").isVisible()) << "whoever types in it goes on";
    EXPECT_TRUE(dock("panel.timeline").isHidden());
    EXPECT_TRUE(dock("panel.kernel").isVisible());
}

TEST_F(OverlaidPanels, StandBesideAPanelThatFloats) {
    QDockWidget& timeline = dock("panel.timeline");
    timeline.setFloating(true);
    rest();
    const QPoint place = timeline.pos();
    resize(1440, 900);
    EXPECT_FALSE(t_.window.docks().overlaid());
    EXPECT_TRUE(timeline.isFloating());
    EXPECT_EQ(timeline.pos(), place);
    EXPECT_TRUE(dock("panel.matches").isVisible());
    EXPECT_EQ(t_.window.dockWidgetArea(&dock("panel.matches")), Qt::LeftDockWidgetArea);
    EXPECT_EQ(t_.window.tabifiedDockWidgets(&dock("panel.listing")).size(), 4);
    resize(1024, 576);
    EXPECT_FALSE(t_.window.docks().overlaid()) << "while a panel floats";
    timeline.setFloating(false);
    rest();
    EXPECT_TRUE(t_.window.docks().overlaid());
}

TEST_F(OverlaidPanels, GiveTheKeysBackHoweverTheyAreClosed) {
    const auto on_picture = [&] { return t_.window.view().isAncestorOf(QApplication::focusWidget()); };
    press("panel.matches");
    ASSERT_TRUE(dock("panel.matches").isAncestorOf(QApplication::focusWidget()));
    press("panel.matches");
    EXPECT_TRUE(on_picture()) << "by its name";
    press("panel.matches");
    dock("panel.matches").close();
    rest();
    EXPECT_TRUE(on_picture()) << "by its cross";
    press("panel.matches");
    t_.window.view().setFocus();
    t_.window.actions().trigger("edit.deselect");
    EXPECT_FALSE(dock("panel.matches").isVisible()) << "Escape in the picture";
}

TEST_F(OverlaidPanels, WaitWhileALessonHasTheWindow) {
    press("panel.matches");
    t_.window.docks().set_calm(true);
    EXPECT_FALSE(t_.window.docks().overlaid());
    EXPECT_TRUE(dock("panel.lesson").isVisible());
    EXPECT_FALSE(dock("panel.matches").isVisible());
    t_.window.docks().set_calm(false);
    EXPECT_TRUE(t_.window.docks().overlaid());
    EXPECT_EQ(names(), 8);
}

TEST_F(OverlaidPanels, KeepAnArrangementAsItStandsBeside) {
    const std::vector<QAction*> before = [&] {
        std::vector<QAction*> all;
        for (const StripButton* name : t_.window.findChildren<StripButton*>())
            all.push_back(name->defaultAction());
        return all;
    }();
    press("panel.search");
    t_.window.docks().keep(QStringLiteral("mine"));
    EXPECT_TRUE(lies_over_picture("panel.search")) << "it stays where it is";
    t_.window.docks().use(QStringLiteral("mine"));
    EXPECT_TRUE(t_.window.docks().overlaid());
    EXPECT_EQ(names(), static_cast<int>(before.size()));
    resize(1440, 900);
    EXPECT_TRUE(dock("panel.matches").isVisible());
    EXPECT_TRUE(dock("panel.listing").isVisible());
    EXPECT_TRUE(dock("panel.search").isHidden()) << "it was open for a moment only";
}

TEST_F(OverlaidPanels, ComeBackFromTheStartPageAndFromThePresentation) {
    for (const auto& [away, back] :
         {std::pair("file.start", "step.forward"), std::pair("view.presentation", "view.presentation")}) {
        press("panel.search");  // it has no name at the edge, and gets none
        t_.window.actions().trigger(away);
        rest();
        EXPECT_EQ(names(), 0) << away;
        EXPECT_FALSE(dock("panel.search").isVisible()) << away;
        t_.window.actions().trigger(back);
        QTest::qWait(300);
        EXPECT_EQ(names(), 8) << away;
        EXPECT_FALSE(dock("panel.matches").isVisible()) << away;
        EXPECT_TRUE(t_.window.docks().overlaid()) << away;
    }
    t_.window.actions().trigger("window.reset");
    EXPECT_TRUE(t_.window.docks().overlaid());
    EXPECT_EQ(names(), 8);
}

// Qt takes what lies behind a tab for visible: it would follow every step for nobody.
TEST_F(DocksTest, APanelBehindATabRestsUntilItIsSeen) {
    const QTreeView& outline = *dock("panel.outline").findChild<QTreeView*>();
    ASSERT_TRUE(dock("panel.matches").widget()->isVisible());
    ASSERT_TRUE(dock("panel.outline").isVisible());
    EXPECT_FALSE(dock("panel.outline").widget()->isVisible());
    EXPECT_EQ(outline.model()->rowCount(), 0) << "nobody has looked at it";
    const int wide = dock("panel.matches").width();
    t_.window.actions().trigger("panel.outline");
    EXPECT_TRUE(dock("panel.outline").widget()->isVisible());
    EXPECT_FALSE(dock("panel.matches").widget()->isVisible());
    EXPECT_GT(outline.model()->rowCount(), 0);
    EXPECT_EQ(dock("panel.outline").width(), wide);
    dock("panel.matches").raise();
    EXPECT_FALSE(dock("panel.outline").widget()->isVisible());
    dock("panel.outline").setFloating(true);
    EXPECT_TRUE(dock("panel.outline").widget()->isVisible());
}

// The kernel needs more room than the timeline, which lies behind its tab meanwhile.
TEST_F(DocksTest, APanelBehindALargerOneIsAsHighAsBeforeWithoutIt) {
    QDockWidget& timeline = dock("panel.timeline");
    const int high = timeline.height();
    t_.window.actions().trigger("panel.kernel");
    ASSERT_TRUE(test::wait_until([&] { return dock("panel.kernel").height() > high; }));
    rest();
    t_.window.actions().trigger("panel.kernel");
    rest();
    EXPECT_TRUE(test::wait_until([&] { return timeline.height() == high; }));
    for (const bool open : {false, true}) {
        t_.window.actions().trigger("panel.timeline");
        ASSERT_EQ(timeline.isVisible(), open);
        rest();
    }
    EXPECT_TRUE(test::wait_until([&] { return timeline.height() == high; }));
}

// A width is no height.
TEST_F(DocksTest, APanelThatGoesToAnotherEdgeLeavesTheOthersThereAsTheyAre) {
    QDockWidget& timeline = dock("panel.timeline");
    const int high = timeline.height();
    ASSERT_GT(dock("panel.matches").width(), high + 50);
    QDockWidget& moved = dock("panel.outline");
    t_.window.addDockWidget(Qt::BottomDockWidgetArea, &moved);
    moved.show();
    ASSERT_LT(moved.minimumSizeHint().height(), high);
    QTest::qWait(300);
    EXPECT_TRUE(test::wait_until([&] { return timeline.height() == high; })) << timeline.height();
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

// Panels behind tabs have no title to drag: the tab is torn off.
// A drag that events alone make never ends for Qt, which keeps its few bytes.
class QtKeepsTheDrag {
#ifdef __SANITIZE_ADDRESS__
    __lsan::ScopedDisabler no_leaks_;
#endif
};

TEST_F(DocksTest, ATabIsTornOffWithTheMouse) {
    [[maybe_unused]] const QtKeepsTheDrag keeps;
    QDockWidget& listing = dock("panel.listing");
    QTabBar* tabs = nullptr;
    int index = -1;
    for (QTabBar* bar : t_.window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        for (int i = 0; i < bar->count(); ++i)
            if (bar->tabText(i) == listing.windowTitle()) tabs = bar, index = i;
    ASSERT_NE(tabs, nullptr);
    const QPoint at = tabs->tabRect(index).center();
    QTest::mousePress(tabs, Qt::LeftButton, {}, at);
    for (const QPoint& by : {QPoint(5, 2), QPoint(20, 5), QPoint(-60, 80), QPoint(-300, 200)}) {
        QTest::mouseMove(tabs, at + by);
        rest();
    }
    EXPECT_TRUE(listing.isFloating());
    EXPECT_EQ(listing.titleBarWidget(), nullptr) << "it has a title to be dragged back by";
    QTest::mouseRelease(&listing, Qt::LeftButton, {}, QPoint(20, 10));
    rest();
    EXPECT_FALSE(dock("panel.rule").isFloating()) << "the others stay";
}

// Where each panel is and whether it is seen.
struct Stands {
    Qt::DockWidgetArea area = Qt::NoDockWidgetArea;
    bool floating = false, hidden = false;
    std::set<std::string> tabs;  // panels that share its place
    bool operator==(const Stands&) const = default;
};
std::map<std::string, Stands> arrangement(MainWindow& window) {
    std::map<std::string, Stands> all;
    for (const PanelInfo& panel : panel_table()) {
        if (!window.docks().has(panel.id)) continue;
        QDockWidget* dock = window.docks().dock(panel.id);
        Stands& stands = all[panel.id];
        stands = {window.dockWidgetArea(dock), dock->isFloating(), dock->isHidden(), {}};
        for (const QDockWidget* other : window.tabifiedDockWidgets(dock))
            stands.tabs.insert(other->objectName().toStdString());
    }
    return all;
}

// A window that starts with what the last one left.
struct NextWindow {
    explicit NextWindow(const QString& file) : settings(file) {
        settings.set_animations(false);
        window.resize(1440, 900);
        window.show();
        window.opener().open_sample(samples().front());
        EXPECT_TRUE(test::wait_until([&] { return !window.on_start_page(); }));
        QTest::qWait(20);
    }
    Settings settings;
    Appearance appearance{settings};
    MainWindow window{settings, appearance};
};

TEST(DocksBetweenRuns, WhereTheUserPutThemIsRememberedAndResetPutsThemBack) {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("settings.ini"));
    std::map<std::string, Stands> first, moved;
    {
        NextWindow run(file);
        first = arrangement(run.window);
        for (const auto& [panel, stands] : first) {
            const QDockWidget* dock = run.window.docks().dock(panel);
            EXPECT_EQ(dock->allowedAreas(), Qt::AllDockWidgetAreas) << panel;
            EXPECT_TRUE(dock->features().testFlag(QDockWidget::DockWidgetMovable)) << panel;
            EXPECT_TRUE(dock->features().testFlag(QDockWidget::DockWidgetFloatable)) << panel;
            EXPECT_TRUE(dock->features().testFlag(QDockWidget::DockWidgetClosable)) << panel;
        }
        run.window.addDockWidget(Qt::LeftDockWidgetArea, run.window.docks().dock("panel.listing"));
        run.window.addDockWidget(Qt::TopDockWidgetArea, run.window.docks().dock("panel.rule"));
        run.window.docks().dock("panel.timeline")->setFloating(true);
        run.window.docks().dock("panel.matches")->hide();
        moved = arrangement(run.window);
        EXPECT_EQ(moved.at("panel.listing").area, Qt::LeftDockWidgetArea);
        EXPECT_EQ(moved.at("panel.rule").area, Qt::TopDockWidgetArea);
        run.window.close();
    }
    NextWindow run(file);
    EXPECT_EQ(arrangement(run.window), moved);
    run.window.actions().trigger("window.reset");
    EXPECT_EQ(arrangement(run.window), first);
    run.window.close();
}

// What is kept is how the panels stand beside the picture.
TEST(DocksBetweenRuns, ASmallWindowLeavesTheArrangementAsItWas) {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("settings.ini"));
    std::map<std::string, Stands> first;
    {
        NextWindow run(file);
        first = arrangement(run.window);
        run.window.resize(1024, 576);
        QTest::qWait(20);
        EXPECT_TRUE(run.window.docks().overlaid());
        run.window.close();
    }
    NextWindow run(file);
    EXPECT_EQ(arrangement(run.window), first);
    run.window.close();
}

}  // namespace
}  // namespace blockscope
