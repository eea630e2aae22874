#include <gmock/gmock.h>

#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>
#include <QTest>

#include "app/costs/costs.h"
#include "app/panels/outline_panel.h"
#include "app/panels/sizes_panel.h"
#include "core/cost/counts.h"
#include "core/loops/built_loops.h"
#include "tests/panels/text_support.h"

#include <QTreeView>

namespace blockscope {
namespace {

using test::Desk;
using test::PanelDesk;

QString cost(SizesPanel& panel, int row, int column) {
    return panel.costs().item(row, column)->text();
}

// What changed is what the panel is for.
TEST(SizesPanel, NamesAreCutBeforeTheChangeIsLeftOut) {
    constexpr int kChange = 3;
    Desk desk;
    desk.open("attention");
    desk.document.end();
    SizesPanel panel(desk.document, desk.services);
    panel.show();
    const QTableWidget& costs = panel.costs();
    int names = 0;
    for (int row = 0; row < costs.rowCount(); ++row)
        names = std::max(names, costs.fontMetrics().horizontalAdvance(costs.item(row, 0)->text()));
    int width = 600;
    for (; width > 100; width -= 4) {
        panel.resize(width, 700);
        QCoreApplication::processEvents();
        if (costs.isColumnHidden(kChange)) break;
        EXPECT_GE(costs.columnWidth(0), 60) << "names can be told apart";
    }
    ASSERT_GT(width, 100);
    panel.resize(width + 4, 700);
    QCoreApplication::processEvents();
    EXPECT_LT(costs.columnWidth(0), names);
}

TEST(SizesPanel, EditsAreSeenAtOnceInSourceAndCosts) {
    Desk desk;
    desk.open("attention");
    desk.document.end();
    SizesPanel panel(desk.document, desk.services);
    panel.show();
    const StateId state = desk.document.content().current;
    const QString before = cost(panel, 0, 1);
    ASSERT_EQ(panel.model().index(0, SizesModel::Name).data().toString(), QStringLiteral("M"));
    EXPECT_TRUE(panel.model().setData(panel.model().index(0, SizesModel::Size), 8192, Qt::EditRole));
    EXPECT_NE(desk.document.content().source.find("dim M = 8192 / 128"), std::string::npos);
    EXPECT_EQ(desk.document.content().current, state) << "the steps stay";
    EXPECT_NE(cost(panel, 0, 1), before);
    const Counts counts = count(built(lower(*desk.document.content().program())));
    EXPECT_EQ(cost(panel, 0, 1), quantity_text(counts.bytes(), QStringLiteral("B")));
    EXPECT_EQ(cost(panel, 1, 1), quantity_text(counts.flops.total(), QStringLiteral("FLOP")));
    EXPECT_EQ(cost(panel, 3, 1).toInt(), counts.launches);
    const Counts first = count(built(lower(*desk.document.content().history.state(0).program)));
    EXPECT_EQ(cost(panel, 0, 2), quantity_text(first.bytes(), QStringLiteral("B")));
    EXPECT_TRUE(cost(panel, 0, 3).contains(QStringLiteral("less")));
    EXPECT_TRUE(panel.costs().item(0, 1)->toolTip().contains(QStringLiteral("Q: loads")));
}

// A double click opens the number's formula on the costs page: that counts the types that are chosen there.
TEST(SizesPanel, CostsAreOfTheTypesThatTheCostsPageCounts) {
    Desk desk;
    desk.open("attention");
    SizesPanel panel(desk.document, desk.services);
    panel.show();
    Costs& costs = Costs::of(desk.document);
    const auto same_bytes = [&] {
        EXPECT_TRUE(test::wait_until([&] { return costs.of(StateId{0}) != nullptr; }));
        return cost(panel, 0, 1) ==
               quantity_text(costs.of(StateId{0})->state.counts().bytes(), QStringLiteral("B"));
    };
    EXPECT_TRUE(same_bytes());
    const QString declared = cost(panel, 0, 1);
    costs.set_type(ElemType::F32);
    EXPECT_TRUE(same_bytes()) << cost(panel, 0, 1).toStdString();
    EXPECT_NE(cost(panel, 0, 1), declared) << "bf16";
    costs.set_type({});
    costs.set_on_processor(!costs.on_processor());
    EXPECT_TRUE(same_bytes()) << cost(panel, 0, 1).toStdString();
}

TEST(SizesPanel, EditsInARowAreOneUndo) {
    PanelDesk<SizesPanel> desk("attention");
    SizesPanel& panel = desk.panel;
    for (const int size : {5000, 6000, 7000})
        EXPECT_TRUE(panel.model().setData(panel.model().index(0, SizesModel::Size), size, Qt::EditRole));
    EXPECT_EQ(panel.model().index(0, SizesModel::Blocks).data().toString(), QStringLiteral("55, last 88"));
    desk.document.undo();
    EXPECT_EQ(desk.document.content().source, test::sample_source("attention"));
    EXPECT_EQ(panel.model().index(0, SizesModel::Size).data().toInt(), 4096);
    EXPECT_FALSE(desk.document.can_undo());
}

TEST(SizesPanel, ANumberOfManyDigitsIsSeenWhole) {
    PanelDesk<SizesPanel> desk("attention");
    SizesPanel& panel = desk.panel;
    const auto* table = panel.findChild<QTableView*>();
    const QModelIndex size_of_m = panel.model().index(0, SizesModel::Size);
    const auto room = [&] {
        const auto* line = table->indexWidget(size_of_m)->findChild<QLineEdit*>();
        return line->width() - line->fontMetrics().horizontalAdvance(line->text());
    };
    ASSERT_TRUE(test::wait_until([&] { return table->indexWidget(size_of_m) != nullptr; }));
    for (const int size : {4096, 1'048'577, 1'000'000'000}) {
        EXPECT_TRUE(panel.model().setData(panel.model().index(0, SizesModel::Size), size, Qt::EditRole));
        EXPECT_TRUE(test::wait_until([&] { return room() >= 6; })) << size << ": " << room();
    }
}

// Only what is seen has editors; scrolling brings those of the other rows.
TEST(SizesPanel, RowsThatAreSeenCanBeEditedAtOnce) {
    Desk desk;
    std::string source;
    for (int i = 0; i < 60; ++i)
        source += "dim M" + std::to_string(i) + " = 64 / 16\ninput X" + std::to_string(i) + "[M" +
                  std::to_string(i) + ", M" + std::to_string(i) + "]\noutput Y" + std::to_string(i) +
                  " = exp(X" + std::to_string(i) + ")\n";
    Result<Content> content = content_of_source(source, "dims.bp");
    ASSERT_TRUE(content);
    desk.document.reset(std::move(content).value(), {});
    SizesPanel panel(desk.document, desk.services);
    panel.resize(360, 500);
    panel.show();
    auto* table = panel.findChild<QTableView*>();
    const auto has_editor = [&](int row) {
        return table->isPersistentEditorOpen(panel.model().index(row, SizesModel::Size)) &&
               table->isPersistentEditorOpen(panel.model().index(row, SizesModel::Block));
    };
    ASSERT_EQ(panel.model().rowCount(), 60);
    EXPECT_TRUE(test::wait_until(
        [&] { return has_editor(0) && has_editor(table->rowAt(table->viewport()->height() - 1)); }));
    EXPECT_FALSE(has_editor(59));
    table->scrollToBottom();
    EXPECT_TRUE(test::wait_until([&] { return has_editor(59); }));
}

TEST(SizesPanel, RefusesWhatIsNoSize) {
    PanelDesk<SizesPanel> desk("attention");
    SizesPanel& panel = desk.panel;
    SizesModel& model = panel.model();
    for (const qlonglong bad : {0LL, -5LL, 1LL << 31, 1LL << 40})
        EXPECT_FALSE(model.setData(model.index(0, SizesModel::Size), bad, Qt::EditRole)) << bad;
    EXPECT_FALSE(model.setData(model.index(0, SizesModel::Block), 4097, Qt::EditRole)) << "above the size";
    EXPECT_FALSE(model.setData(model.index(0, SizesModel::Name), 5, Qt::EditRole));
    EXPECT_FALSE(desk.document.can_undo());
    EXPECT_TRUE(model.setData(model.index(0, SizesModel::Size), 100, Qt::EditRole));
    EXPECT_EQ(model.index(0, SizesModel::Block).data().toInt(), 100) << "the block shrinks with the size";
}

// No digit is dropped without a word.
TEST(SizesPanel, ANumberThatIsTooLargeBecomesTheLargestAndSaysSo) {
    PanelDesk<SizesPanel> desk("attention");
    SizesPanel& panel = desk.panel;
    panel.resize(300, 500);
    panel.show();
    auto* table = panel.findChild<QTableView*>();
    const auto type = [&](int column, const char* digits) {
        const QModelIndex index = panel.model().index(0, column);
        ASSERT_TRUE(test::wait_until([&] { return table->isPersistentEditorOpen(index); }));
        auto* box = static_cast<QSpinBox*>(table->indexWidget(index));
        box->selectAll();
        QTest::keyClicks(box, QString::fromLatin1(digits));
        QTest::keyClick(box, Qt::Key_Return);
        QCoreApplication::processEvents();
    };
    const auto said = [&](const char* words) {
        for (const QLabel* label : panel.findChildren<QLabel*>())
            if (!label->isHidden() && label->text().contains(QLatin1String(words))) return true;
        return false;
    };
    const auto dim = [&] { return desk.document.content().program()->dims[0]; };
    ASSERT_EQ(dim().size, 4096);
    type(SizesModel::Block, "8192");
    EXPECT_EQ(dim().block, 4096);
    EXPECT_TRUE(said("4,096 at most"));
    type(SizesModel::Block, "64");
    EXPECT_EQ(dim().block, 64);
    EXPECT_FALSE(said("at most"));
    type(SizesModel::Block, "0");
    EXPECT_EQ(dim().block, 64);
    EXPECT_TRUE(said("1 is the least"));
    type(SizesModel::Size, "3000000000");
    EXPECT_EQ(dim().size, 2'147'483'647);
    EXPECT_TRUE(said("2,147,483,647 at most"));
    type(SizesModel::Block, "99999999999999999999");
    EXPECT_EQ(dim().block, dim().size);
    type(SizesModel::Size, "1");
    type(SizesModel::Block, "8");
    EXPECT_EQ(dim().block, 1);
    EXPECT_TRUE(said("A block of M has 1 at most"));
}

TEST(SizesPanel, StepsByPowersOfTwo) {
    EXPECT_EQ(power_step(96, true), 128);
    EXPECT_EQ(power_step(96, false), 64);
    EXPECT_EQ(power_step(128, true), 256);
    EXPECT_EQ(power_step(128, false), 64);
    EXPECT_EQ(power_step(1, false), 1);
    PanelDesk<SizesPanel> desk("attention");
    SizesPanel& panel = desk.panel;
    panel.step_all(SizesModel::Block, false);
    for (const Dim& dim : desk.document.content().program()->dims) EXPECT_EQ(dim.block, 64);
    panel.step_all(SizesModel::Size, true);
    EXPECT_EQ(desk.document.content().program()->dims[0].size, 8192);
}

TEST(CostSummary, NumbersHaveThreeDigitsAndAUnit) {
    const QString b = QStringLiteral("B");
    EXPECT_EQ(quantity_text(0, b), QStringLiteral("0 B"));
    EXPECT_EQ(quantity_text(999, b), QStringLiteral("999 B"));
    EXPECT_EQ(quantity_text(1000, b), QStringLiteral("1.00 kB"));
    EXPECT_EQ(quantity_text(999'999, b), QStringLiteral("1.00 MB"));
    EXPECT_EQ(quantity_text(4'429'185'024, b), QStringLiteral("4.43 GB"));
    EXPECT_EQ(compared_text(10, 25), QStringLiteral("2.50\u00d7 less"));
    EXPECT_EQ(compared_text(25, 10), QStringLiteral("2.50\u00d7 more"));
    EXPECT_EQ(compared_text(5, 5), QStringLiteral("same"));
}

TEST(OutlinePanel, HasEveryOperatorAndFollowsTheSelection) {
    PanelDesk<OutlinePanel> desk("attention");
    OutlinePanel& panel = desk.panel;
    for (const auto& [id, state] : desk.document.content().history.states()) {
        desk.document.go(id);
        for (const NodePtr& node : state->program->graph->nodes()) {
            const QStandardItem* item = panel.item(node->id);
            ASSERT_TRUE(item) << to_string(node->id);
            desk.document.select({{node->id}, {}, {}});
            EXPECT_TRUE(panel.tree().selectionModel()->isRowSelected(item->row(), item->index().parent()));
        }
    }
}

TEST(OutlinePanel, ChecksFoldAndUnfoldAndRowsSelect) {
    PanelDesk<OutlinePanel> desk("attention");
    OutlinePanel& panel = desk.panel;
    NodeId map;
    for (const NodePtr& node : desk.document.content().program()->graph->nodes())
        if (node->is<Map>()) map = node->id;
    QStandardItem* item = panel.item(map);
    EXPECT_EQ(item->checkState(), Qt::Checked);
    item->setCheckState(Qt::Unchecked);
    EXPECT_EQ(desk.document.content().folds, Folds{map});
    desk.document.undo();
    EXPECT_EQ(item->checkState(), Qt::Checked);
    desk.document.toggle_fold(map);
    EXPECT_EQ(item->checkState(), Qt::Unchecked);
    panel.tree().setCurrentIndex(item->index());
    EXPECT_EQ(desk.document.selection().nodes, std::set<NodeId>{map});
}

}  // namespace
}  // namespace blockscope
