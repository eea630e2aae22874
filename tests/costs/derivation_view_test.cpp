// How a derivation stands on the page: whole amounts, its parts laid out once.

#include <gtest/gtest.h>

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTableView>
#include <QTreeWidget>

#include "app/costs/cost_page.h"
#include "tests/costs/page_desk.h"

namespace blockscope {
namespace {

using Page = test::PageDesk;

// The first one, too: before it the lines have no width.
TEST(DerivationView, AmountsAreNotCut) {
    Document document;
    DerivationView view(document);
    view.resize(420, 400);
    view.show();
    CostDerivation derivation;
    derivation.unit = "bytes";
    derivation.sum.summands.resize(4);
    for (Summand& summand : derivation.sum.summands) summand.amount = 33'554'432;
    view.show_derivation(QStringLiteral("Moved"), derivation, {});
    QTreeWidget& lines = view.lines();
    ASSERT_TRUE(lines.isVisible());
    EXPECT_GE(lines.header()->sectionSize(0),
              lines.fontMetrics().horizontalAdvance(lines.topLevelItem(0)->text(0)));
}

// However low the view is: the number stands in front, and the rest of a long formula is reached by
// scrolling.
TEST(DerivationView, ALongFormulaHidesNoNumber) {
    Document document;
    DerivationView view(document);
    view.resize(260, 220);
    view.show();
    CostDerivation derivation;
    derivation.unit = "bytes";
    derivation.sum.value = 75'214'946'304;
    derivation.sum.formula = "16·M";
    for (int i = 0; i < 30; ++i) derivation.sum.formula += " + 22·M·Hkv·G";
    derivation.sum.summands.resize(4);
    view.show_derivation(QStringLiteral("Moved"), derivation, {});
    QCoreApplication::processEvents();
    const auto* area = view.findChild<QScrollArea*>();
    for (const QLabel* label : view.findChildren<QLabel*>()) {
        if (!label->isVisible() || label->text().isEmpty()) continue;
        EXPECT_GE(label->height(), label->heightForWidth(label->width())) << label->text().toStdString();
        if (label->text().contains(QStringLiteral("75"))) {
            EXPECT_FALSE(area->isAncestorOf(label)) << "it does not scroll away";
        }
    }
    EXPECT_TRUE(view.lines().isVisible());
    EXPECT_TRUE(view.rect().contains(area->geometry()));
    EXPECT_LE(area->geometry().bottom(), view.lines().geometry().top());
    EXPECT_TRUE(view.formula().endsWith(QStringLiteral("bytes"))) << view.formula().toStdString();
}

TEST(DerivationView, EveryPartHasItsPlaceAtOnce) {
    Page desk;
    desk.choose(0, CostTable::Predicted);
    desk.choose(0, CostTable::Replication);
    DerivationView& view = desk.page->derivation();
    int above = 0;
    for (const QLabel* label : view.findChildren<QLabel*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (!label->isVisible() || label->text().isEmpty()) continue;
        EXPECT_GE(label->height(), label->heightForWidth(label->width())) << label->text().toStdString();
        EXPECT_GE(label->y(), above);
        above = label->geometry().bottom();
    }
    EXPECT_GE(view.lines().y(), above);
}

// The cell that Qt makes current as the table gets the focus is nobody's choice.
TEST(DerivationView, FocusAloneChoosesNoNumber) {
    Page desk;
    desk.choose(0, CostTable::Moved);
    const QString chosen = desk.page->derivation().title();
    desk.page->table_view().selectionModel()->setCurrentIndex(
        desk.page->table().index(0, CostTable::Predicted), QItemSelectionModel::NoUpdate);
    EXPECT_EQ(desk.page->derivation().title(), chosen);
}

}  // namespace
}  // namespace blockscope
