// The page Tilings: its funnel, its expressions, its candidates, and what it says where there is no chain.
#include <gmock/gmock.h>

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

#include "app/costs/cost_table.h"
#include "app/tilings/candidates_view.h"
#include "app/tilings/comparison_view.h"
#include "app/tilings/expressions_view.h"
#include "app/tilings/funnel_view.h"
#include "app/tilings/plots_view.h"
#include "app/tilings/search_view.h"
#include "app/tilings/tilings_words.h"
#include "app/words/words.h"
#include "core/print/print.h"
#include "core/program/convert.h"
#include "core/state/state.h"
#include "core/tilings/workloads.h"
#include "tests/tilings_view/tilings_desk.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;

std::vector<std::string> column(const QTreeWidget& table, int column) {
    std::vector<std::string> texts;
    for (int i = 0; i < table.topLevelItemCount(); ++i)
        texts.push_back(table.topLevelItem(i)->text(column).toStdString());
    return texts;
}

TEST(TilingsPage, costs_nothing_until_it_is_seen) {
    TilingsDesk desk;
    desk.open_text(kSmallTilingChain);
    QCoreApplication::processEvents();
    EXPECT_TRUE(desk.page.findChildren<QWidget*>().isEmpty());
    EXPECT_TRUE(desk.page.findChildren<TilingsStudy*>().isEmpty());
}

TEST(TilingsPage, has_the_papers_funnel_of_G1) {
    SmallTilingsDesk desk;
    ASSERT_TRUE(desk.choose_workload("G1"));
    QTreeWidget& funnel = desk.page.funnel().funnel();
    EXPECT_THAT(column(funnel, FunnelView::Left), ElementsAre("212,992", "40,960", "24,576", "810", "747"));
    EXPECT_THAT(column(funnel, FunnelView::Dropped), ElementsAre("", "172,032", "16,384", "23,766", "63"));
    EXPECT_THAT(column(funnel, FunnelView::Share), ElementsAre("", "80.8%", "40.0%", "96.7%", "7.8%"));
    EXPECT_TRUE(desk.page.sentence().startsWith(QStringLiteral("G1 on NVIDIA A100")))
        << desk.page.sentence().toStdString();
    EXPECT_TRUE(desk.page.sentence().endsWith(QStringLiteral("26 expressions: 24 deep, 2 flat.")));
    EXPECT_TRUE(desk.page.funnel().sizes_text().startsWith(
        QStringLiteral("m: rule 3 keeps 6 of 32 tiles: 16, 32, 64, 128, 256, 512")))
        << desk.page.funnel().sizes_text().toStdString();
}

// Each reading is one choice, kept by the document; undo takes it back.
TEST(TilingsPage, readings_of_the_rules_are_the_documents) {
    SmallTilingsDesk desk;
    ASSERT_TRUE(desk.choose_workload("G1"));
    const auto left = [&] { return column(desk.page.funnel().funnel(), FunnelView::Left); };
    const auto once_found = [&](const RankedSpacePtr& before) {
        return wait_until([&] { return desk.page.study().found() && desk.page.study().found() != before; });
    };
    RankedSpacePtr before = desk.page.study().found();
    desk.page.same().setCurrentIndex(1);
    ASSERT_TRUE(once_found(before));
    EXPECT_THAT(left(), ElementsAre("212,992", "24,576", "16,384", "540", "498"));
    before = desk.page.study().found();
    desk.page.chimera().setChecked(true);
    ASSERT_TRUE(once_found(before));
    EXPECT_EQ(left().front(), "196,608") << "24 deep expressions";
    EXPECT_FALSE(desk.document.content().tilings->choices.rules.flat);
    const Result<Content> read = read_document(write_document(desk.document.content()), "f");
    ASSERT_TRUE(read);
    EXPECT_EQ(*read->tilings, *desk.document.content().tilings);
    before = desk.page.study().found();
    desk.document.undo();  // choices in a row are one entry
    ASSERT_TRUE(once_found(before));
    EXPECT_EQ(desk.page.same().currentIndex(), 0);
    EXPECT_FALSE(desk.page.chimera().isChecked());
    EXPECT_EQ(desk.page.workload().currentIndex(), 0);
}

TEST(TilingsPage, says_why_there_is_no_chain_and_which_programs_have_one) {
    TilingsDesk desk;
    desk.open("softmax");
    ASSERT_TRUE(desk.show_without_space());
    EXPECT_TRUE(desk.page.sentence().startsWith(QStringLiteral("There is no matrix product in this program")))
        << desk.page.sentence().toStdString();
    EXPECT_FALSE(desk.page.tabs().isVisible());
    for (const char* name : {"attention", "causal-attention", "gated-mlp", "lora", "matmul"}) {
        EXPECT_TRUE(desk.page.sentence().contains(QString::fromLatin1(name))) << name;
        const ArrayProgram program = parse_program(sample_source(name), name).value();
        EXPECT_TRUE(tilings::read_chain(program)) << name;
    }
    EXPECT_TRUE(desk.choose_workload("S1"));
    EXPECT_TRUE(desk.page.tabs().isVisible());
}

TEST(TilingsPage, a_block_program_has_no_tilings_but_workloads_have) {
    TilingsDesk desk;
    const ArrayProgram program = parse_program(kSmallTilingChain, "chain.bp").value();
    desk.document.reset(content_of_blocks(to_block_program(program).program, "blocks"), {});
    ASSERT_TRUE(desk.show_without_space());
    EXPECT_TRUE(desk.page.sentence().contains(QStringLiteral("block program")));
    EXPECT_TRUE(desk.choose_workload("G2"));
}

TEST(TilingsPage, lists_what_a_rule_drops_and_why) {
    SmallTilingsDesk desk;
    FunnelView& view = desk.page.funnel();
    view.choose_rule(1);
    EXPECT_EQ(view.dropped().topLevelItemCount(), 21) << "26 to 5";
    EXPECT_TRUE(view.dropped()
                    .topLevelItem(0)
                    ->text(FunnelView::Tiling)
                    .contains(QStringLiteral("each of its 48 tilings")));
    view.choose_rule(3);
    EXPECT_TRUE(view.listed_text().startsWith(QStringLiteral("Rule 3 drops")));
    const int all = view.dropped().topLevelItemCount();
    view.filter().setText(QStringLiteral("mhnk m=48"));
    EXPECT_LT(view.dropped().topLevelItemCount(), all);
    ASSERT_GT(view.dropped().topLevelItemCount(), 0);
    EXPECT_EQ(view.dropped().topLevelItem(0)->text(FunnelView::Why),
              QStringLiteral("tiles of 48 pad m = 64 by 50.0%; the limit is 0%, a power of two"));
    view.filter().setText(QStringLiteral("mhnk m=32 n=48 k=16 h=16"));
    EXPECT_EQ(view.listed_text(), QStringLiteral("mhnk m=32 n=48 k=16 h=16 survives all rules."));
    view.filter().setText(QStringLiteral("mhnk m=48 n=48 k=16 h=16"));
    EXPECT_TRUE(
        view.listed_text().startsWith(QStringLiteral("Rule 3 drops mhnk m=48 n=48 k=16 h=16: tiles of 48")));
    view.filter().setText(QStringLiteral("q=1"));
    EXPECT_EQ(view.listed_text(), QStringLiteral("There is no loop q."));
    EXPECT_EQ(view.dropped().topLevelItemCount(), 0);
}

// ---- Expressions.

QString row_text(const QStandardItemModel& model, int row) {
    return model.item(row)->text();
}

TEST(TilingsPage, expressions_have_the_papers_three_stages) {
    SmallTilingsDesk desk;
    ExpressionsView& view = desk.page.expressions();
    EXPECT_EQ(view.table().topLevelItemCount(), 26);
    int flat = 0;
    for (const std::string& kind : column(view.table(), ExpressionsView::Kind))
        flat += kind == "flat" ? 1 : 0;
    EXPECT_EQ(flat, 2);
    view.choose(desk.ranked().expressions.at("mhnk"));
    const QStandardItemModel& model = view.tree_model();
    ASSERT_EQ(model.rowCount(), 3);
    EXPECT_EQ(row_text(model, 0), QStringLiteral("As written:  mhn(k(L_A,L_B,C_C),L_D,C_E,S_E)"));
    EXPECT_EQ(row_text(model, 1), QStringLiteral("Hoisted:  mh(n(k(L_A,L_B,C_C),L_D,C_E),S_E)"));
    EXPECT_EQ(row_text(model, 2), QStringLiteral("Reduced:  m(L_A,h(n(L_B,C_C,L_D,C_E),S_E))"));
    const QStandardItem* loop = model.item(2)->child(0);  // for m
    EXPECT_EQ(loop->text(), QStringLiteral("for m"));
    EXPECT_TRUE(loop->child(0)->text().startsWith(QStringLiteral("L_A")))
        << "it does not depend on h any more";
    EXPECT_TRUE(view.tree().isExpanded(model.indexFromItem(loop)));
    // Other loops of one iteration.
    for (QCheckBox* box : view.ones()) box->setChecked(false);
    EXPECT_EQ(row_text(model, 2), QStringLiteral("Reduced:  mh(n(k(L_A,L_B,C_C),L_D,C_E),S_E)"));
}

// Of mhnk the state that the fusion algorithm ends with; mhkn is none of its states: a program is built.
TEST(TilingsPage, an_expression_opens_as_the_program_that_has_its_loops) {
    SmallTilingsDesk desk;
    ExpressionsView& view = desk.page.expressions();
    ASSERT_TRUE(
        wait_until([&] { return desk.page.study().states() && !desk.page.study().states()->built.empty(); }));
    const int expression = desk.ranked().expressions.at("mhnk");
    view.choose(expression);
    EXPECT_TRUE(view.state_text().contains(QStringLiteral("proven equal")))
        << view.state_text().toStdString();
    EXPECT_TRUE(view.listing().contains(QStringLiteral("forall m in range(M)")))
        << view.listing().toStdString();
    QTest::keyClick(&view.table(), Qt::Key_Return);
    const Result<Content> content = read_any(desk.opened, "opened.bp");
    ASSERT_TRUE(content);
    EXPECT_EQ(desk.opened_name, QStringLiteral("mhnk"));
    const auto& matched = desk.page.study().states()->matched[static_cast<std::size_t>(expression)];
    EXPECT_EQ(content->state().depth, matched->step);
    // Its blocks are the tiles of the best candidate of the expression.
    for (const int candidate : desk.ranked().order) {
        const tilings::Candidate& best = desk.space().candidates[static_cast<std::size_t>(candidate)];
        if (best.expression != expression) continue;
        for (std::size_t loop = 0; loop < best.tiles.size(); ++loop)
            EXPECT_EQ(content->program()->dims[loop].block,
                      std::min(best.tiles[loop], content->program()->dims[loop].size));
        break;
    }
    desk.opened.clear();
    view.choose(desk.ranked().expressions.at("mhkn"));
    EXPECT_TRUE(view.state_text().startsWith(QStringLiteral("No state")));
    EXPECT_TRUE(view.state_text().contains(QStringLiteral("proven equal")))
        << view.state_text().toStdString();
    EXPECT_TRUE(view.listing().contains(QStringLiteral("for n in range(N)"))) << view.listing().toStdString();
    EXPECT_FALSE(view.open_button().isEnabled())
        << "its list of B has the columns first, which no file holds";
    EXPECT_TRUE(view.state_text().contains(QStringLiteral("cannot be opened")))
        << view.state_text().toStdString();
    for (const std::string& state : column(view.table(), ExpressionsView::State))
        EXPECT_TRUE(state.ends_with(", proven")) << state;
}

// ---- Candidates.

TEST(TilingsPage, candidates_are_ranked_sorted_and_filtered) {
    SmallTilingsDesk desk;
    CandidatesView& view = desk.page.candidates();
    CandidateTable& model = view.model();
    ASSERT_EQ(model.rowCount(), static_cast<int>(desk.space().candidates.size()));
    EXPECT_EQ(model.candidate(0), desk.ranked().order.front());
    const auto text = [&](int row, int column) {
        return model.data(model.index(row, column), Qt::DisplayRole).toString();
    };
    EXPECT_EQ(text(0, CandidateTable::Rank), QStringLiteral("1"));
    const tilings::Estimate best = tilings::estimate(
        desk.space(), desk.space().candidates[static_cast<std::size_t>(model.candidate(0))]);
    EXPECT_EQ(text(0, CandidateTable::Estimate), time_text(best.seconds));
    EXPECT_EQ(text(0, CandidateTable::Bytes), tilings_bytes_text(best.bytes));
    const QHeaderView& header = *view.table().header();
    EXPECT_EQ(header.visualIndex(CandidateTable::Estimate), CandidateTable::Tiles + 1) << "in sight";
    EXPECT_EQ(header.visualIndex(CandidateTable::Measured), CandidateTable::Tiles + 2);
    EXPECT_TRUE(view.details().contains(time_text(best.seconds))) << "one number for one thing";
    view.table().sortByColumn(CandidateTable::Bytes, Qt::DescendingOrder);
    double last = 1e30;
    for (int row = 0; row < model.rowCount(); ++row) {
        const double bytes =
            tilings::estimate(desk.space(),
                              desk.space().candidates[static_cast<std::size_t>(model.candidate(row))])
                .bytes;
        EXPECT_LE(bytes, last);
        last = bytes;
    }
    view.filter().setText(QStringLiteral("mhnk m=32"));
    ASSERT_GT(model.rowCount(), 0);
    for (int row = 0; row < model.rowCount(); ++row) {
        EXPECT_EQ(text(row, CandidateTable::Expression), QStringLiteral("mhnk"));
        EXPECT_TRUE(text(row, CandidateTable::Tiles).startsWith(QStringLiteral("m=32 ")));
    }
    view.filter().clear();
    EXPECT_EQ(model.rowCount(), static_cast<int>(desk.space().candidates.size()));
}

TEST(TilingsPage, is_of_the_device_and_the_sizes_that_are_there_now) {
    SmallTilingsDesk desk;
    RankedSpacePtr before = desk.page.study().found();
    Forecast::of(desk.document).set_device("rtx-3080");
    ASSERT_TRUE(wait_until([&] { return desk.page.study().found() && desk.page.study().found() != before; }));
    EXPECT_EQ(desk.ranked().device.name, "rtx-3080");
    EXPECT_LT(desk.space().limit, before->space.limit);
    before = desk.page.study().found();
    DimTable dims = desk.document.content().program()->dims;
    dims[0].size *= 2;
    desk.document.set_dims(dims);
    ASSERT_TRUE(wait_until([&] { return desk.page.study().found() && desk.page.study().found() != before; }));
    EXPECT_EQ(desk.space().chain.loops[0].size, 128);
}

TEST(TilingsPage, the_speed_ups_are_of_all_workloads) {
    SmallTilingsDesk desk;
    PlotsView& view = desk.page.plots();
    desk.page.tabs().setCurrentWidget(&view);
    EXPECT_TRUE(view.speedups().empty());
    view.speedups_button().click();
    EXPECT_TRUE(view.busy());
    ASSERT_TRUE(wait_until([&] { return !view.speedups().empty(); }));
    ASSERT_EQ(view.speedups().size(), 21U);
    for (const tilings::WorkloadTimes& row : view.speedups())
        EXPECT_LE(row.fused, row.deep * (1 + 1e-12)) << row.workload.name << ": deep ones are among all";
    view.bars().repaint();
    EXPECT_EQ(view.bars().spots().size(), 42U);
}

// What the command line says of the same space; of another one nothing is left.
TEST(TilingsPage, a_candidate_is_set_beside_our_best_state) {
    SmallTilingsDesk desk;
    ComparisonView& view = desk.page.comparison();
    desk.page.tabs().setCurrentWidget(&view);
    EXPECT_TRUE(view.text().isEmpty());
    view.compare_button().click();
    EXPECT_TRUE(view.busy());
    ASSERT_TRUE(wait_until([&] { return !view.busy(); }));
    const RankedSpacePtr found = desk.page.study().found();
    const Result<worker::Compared> compared =
        worker::compare_tilings({.space = &found->space, .counts = found->counts, .device = found->device});
    ASSERT_TRUE(compared && compared->made);
    const std::optional<worker::TilingComparison>& made = compared->made;
    EXPECT_TRUE(view.said().startsWith(translated(worker::verdict_of(*made)))) << view.said().toStdString();
    for (const Text& why : made->why) EXPECT_TRUE(view.said().contains(translated(why)));
    ASSERT_EQ(view.table().topLevelItemCount(), 2);
    EXPECT_EQ(
        view.table().topLevelItem(0)->text(0).toStdString(),
        tilings::to_string(found->space, found->space.candidates[static_cast<std::size_t>(made->candidate)]));
    EXPECT_TRUE(view.table().topLevelItem(1)->text(0).startsWith(QStringLiteral("ours: ")));
    desk.page.copy_button().click();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(view.said()));
    // What this processor takes is not set beside a card's predictions.
    const QString first = view.text();
    desk.page.study().measure_all();
    ASSERT_TRUE(desk.wait_for_measuring());
    view.compare_button().click();
    EXPECT_TRUE(view.text().isEmpty()) << "it is searched again";
    ASSERT_TRUE(wait_until([&] { return !view.busy(); }));
    EXPECT_EQ(view.text(), first);
    ASSERT_TRUE(desk.choose_workload("G1"));
    EXPECT_TRUE(view.text().isEmpty());
}

TEST(TilingsPage, is_copied_as_text) {
    SmallTilingsDesk desk;
    desk.page.copy_button().click();
    const QString text = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(text.startsWith(desk.page.sentence()));
    for (const tilings::FunnelStep& step : desk.space().funnel)
        EXPECT_TRUE(text.contains(QLatin1Char('\t') + whole_text(step.left))) << step.rule;
    EXPECT_TRUE(text.contains(QStringLiteral("mhkn\t")));
}

// As narrow as the middle of a small window with large panels beside it.
TEST(TilingsPage, a_narrow_page_does_not_scroll_sideways) {
    SmallTilingsDesk desk;
    desk.page.resize(480, 600);
    QCoreApplication::processEvents();
    auto* area = desk.page.findChild<QScrollArea*>();
    ASSERT_NE(area, nullptr);
    EXPECT_LE(area->widget()->width(), area->viewport()->width());
}

TEST(TilingsPage, everything_has_a_name_for_screen_readers) {
    SmallTilingsDesk desk;
    for (int tab = 0; tab < desk.page.tabs().count(); ++tab) {
        desk.page.tabs().setCurrentIndex(tab);
        for (const QWidget* widget : desk.page.findChildren<QWidget*>())
            if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible()) {
                const bool part = widget->objectName().startsWith(QLatin1String("qt_"));
                EXPECT_TRUE(part || !widget->accessibleName().isEmpty())
                    << widget->metaObject()->className() << ' ' << widget->objectName().toStdString();
            }
    }
}

}  // namespace
}  // namespace blockscope::test
