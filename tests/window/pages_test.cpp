// Pages of the centre beside the picture.
#include <gtest/gtest.h>

#include <QLabel>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include "app/compare/compare_view.h"
#include "app/costs/cost_page.h"
#include "app/costs/costs.h"
#include "app/scene/canvas.h"
#include "app/window/picture_view.h"
#include "tests/window/panel_of.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using test::TestWindow;

TEST(Pages, AKeyOpensWhereANumberComesFrom) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    ASSERT_TRUE(test::wait_until([&] { return t.window.view().picture() != nullptr; }));
    t.window.actions().trigger("heat.operations");
    EXPECT_EQ(t.window.statusBar()->currentMessage(), QStringLiteral("Timeline, too: operations"));
    Document& document = t.window.document();
    ASSERT_TRUE(test::wait_until([&] { return !Costs::of(document).busy(); }));
    t.window.actions().trigger("heat.derive");
    auto* page = test::panel_of<CostPage>(t.window);
    ASSERT_TRUE(page);
    EXPECT_TRUE(page->isVisible());
    EXPECT_EQ(page->table_view().currentIndex().column(), CostTable::Operations);
    const QString whole = page->derivation().formula();
    const NodeId map = [&] {
        for (const NodePtr& node : document.content().program()->graph->nodes())
            if (node->is<Map>()) return node->id;
        return NodeId{};
    }();
    document.select({{map}, {}, {}});
    t.window.actions().trigger("heat.derive");
    EXPECT_TRUE(page->derivation().title().contains(QString::fromStdString(to_string(map))));
    EXPECT_NE(page->derivation().formula(), whole);
    // The picture's plates do the same.
    const Canvas& canvas = t.window.view().canvas();
    const auto found = canvas.lights().heat.begin();
    ASSERT_TRUE(found != canvas.lights().heat.end());
    Q_EMIT t.window.view().canvas().number_clicked(found->first, -1);
    const NodeId node = canvas.picture()->figure.boxes[static_cast<std::size_t>(found->first)].id();
    EXPECT_TRUE(page->derivation().title().contains(QString::fromStdString(to_string(node))));
}

// Measured times change as the program goes, and the picture is asked for its heat map then.
TEST(Pages, AProgramWithAHeatMapOfMeasuredTimesCloses) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    ASSERT_TRUE(test::wait_until([&] { return t.window.view().picture() != nullptr; }));
    t.window.actions().trigger("heat.measured");
    ASSERT_TRUE(test::wait_until([&] { return !Costs::of(t.window.document()).busy(); }));
    t.window.actions().trigger("file.close");
    EXPECT_TRUE(t.window.on_start_page());
    EXPECT_TRUE(t.window.document().empty());
}

// What stands behind a tab takes no time when the window opens, and is of the state that is then shown.
TEST(Pages, APageIsMadeWhenItIsFirstSeen) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.actions().trigger("step.forward");
    EXPECT_EQ(t.window.findChild<CostPage*>(), nullptr);
    t.window.actions().trigger("panel.costs");
    auto* page = t.window.findChild<CostPage*>();
    ASSERT_NE(page, nullptr);
    EXPECT_TRUE(page->isVisible());
    EXPECT_TRUE(test::wait_until([&] { return page->table_view().currentIndex().row() == 1; }))
        << "the state of one step";
    t.window.actions().trigger("panel.costs");
    t.window.actions().trigger("panel.costs");
    EXPECT_EQ(t.window.findChildren<CostPage*>().size(), 1) << "made once";
}

// By a click on its tab as by its action: not the first button on it, which the next key would press.
TEST(Pages, TheTableOfCostsHasTheFocusOnceItsPageIsChosen) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    QApplication::setActiveWindow(&t.window);
    ASSERT_TRUE(test::wait_until([&] { return t.window.isActiveWindow(); }));
    auto* page = test::panel_of<CostPage>(t.window);
    QTabWidget* pages = nullptr;
    for (QTabWidget* tabs : t.window.findChildren<QTabWidget*>())
        if (tabs->indexOf(page->parentWidget()) >= 0) pages = tabs;
    ASSERT_TRUE(page && pages);
    t.window.view().setFocus();
    QTest::mouseClick(pages->tabBar(), Qt::LeftButton, {},
                      pages->tabBar()->tabRect(pages->indexOf(page->parentWidget())).center());
    ASSERT_EQ(pages->currentWidget(), page->parentWidget());
    EXPECT_TRUE(test::wait_until([&] { return page->table_view().hasFocus(); }));
    QTest::mouseClick(pages->tabBar(), Qt::LeftButton, {}, pages->tabBar()->tabRect(0).center());
    EXPECT_TRUE(
        test::wait_until([&] { return pages->widget(0)->isAncestorOf(QApplication::focusWidget()); }));
}

// It stands in the picture's place, which may be behind another tab.
TEST(Pages, WhatIsComparedComesToTheFront) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    auto* page = test::panel_of<CostPage>(t.window);
    auto* comparison = t.window.findChild<CompareView*>();
    t.window.actions().trigger("step.forward");
    t.window.actions().trigger("panel.costs");
    ASSERT_TRUE(page->isVisible());
    t.window.actions().trigger("step.compare");
    EXPECT_TRUE(comparison->isVisible());
    t.window.actions().trigger("panel.costs");
    ASSERT_TRUE(page->isVisible());
    t.window.actions().trigger("step.compare");
    EXPECT_TRUE(page->isVisible()) << "it ended behind the page";
    t.window.actions().trigger("step.compare");
    EXPECT_TRUE(comparison->isVisible());
    t.window.actions().trigger("panel.costs");
    t.window.actions().trigger("step.forward");
    EXPECT_TRUE(page->isVisible()) << "a step compares nothing more";
}

// Who compares from a panel goes on there; who comes from another page has the comparison under the keys.
TEST(Pages, AComparisonTakesTheKeysFromAnotherPageAlone) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    auto* comparison = t.window.findChild<CompareView*>();
    t.window.actions().trigger("step.forward");
    t.window.services().show_panel("panel.search");
    const QWidget* before = QApplication::focusWidget();
    ASSERT_NE(before, nullptr);
    t.window.actions().trigger("step.compare");
    ASSERT_TRUE(comparison->isVisible());
    EXPECT_EQ(QApplication::focusWidget(), before);
    t.window.actions().trigger("step.compare");
    t.window.actions().trigger("panel.costs");
    t.window.actions().trigger("step.compare");
    EXPECT_TRUE(comparison->isAncestorOf(QApplication::focusWidget()));
}

TEST(Pages, TheZoomIsSaidWhereThePictureIsSeen) {
    TestWindow t;
    const QLabel* zoom = nullptr;
    for (const QLabel* label : t.window.statusBar()->findChildren<QLabel*>())
        if (label->accessibleName() == QLatin1String("Zoom")) zoom = label;
    ASSERT_NE(zoom, nullptr);
    EXPECT_FALSE(zoom->isVisible()) << "the start page";
    ASSERT_TRUE(t.open_sample("attention"));
    EXPECT_TRUE(zoom->isVisible());
    t.window.actions().trigger("panel.costs");
    EXPECT_FALSE(zoom->isVisible());
    t.window.actions().trigger("window.picture");
    EXPECT_TRUE(zoom->isVisible());
    t.window.actions().trigger("step.forward");
    t.window.actions().trigger("step.compare");
    EXPECT_FALSE(zoom->isVisible());
    t.window.actions().trigger("step.compare");
    EXPECT_TRUE(zoom->isVisible());
}

}  // namespace
}  // namespace blockscope
