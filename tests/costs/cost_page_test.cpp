// The costs page: table, derivations, sliders, charts.
#include "app/costs/cost_page.h"

#include <gmock/gmock.h>

#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSlider>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>
#include <set>

#include "app/costs/choosers.h"
#include "tests/costs/page_desk.h"

namespace blockscope {
namespace {

using Page = test::PageDesk;
using test::wait_until;

TEST(CostPage, every_number_opens_its_derivation) {
    Page desk;
    for (int row = 0; desk.page->table().state(row) != kBaselineRow; ++row)
        for (int column = CostTable::Moved; column < CostTable::Columns; ++column) {
            desk.choose(row, column);
            EXPECT_TRUE(desk.page->derivation().formula().contains(QStringLiteral(" = ")))
                << row << ' ' << column;
        }
    desk.choose(0, CostTable::Moved);
    QTreeWidget& lines = desk.page->derivation().lines();
    ASSERT_GT(lines.topLevelItemCount(), 3);
    lines.setCurrentItem(lines.topLevelItem(0));
    EXPECT_FALSE(desk.document.selection().nodes.empty()) << "a line lights up its node";
}

// That of a program of thousands of nodes has more terms than a label can lay out in time, or anyone reads.
TEST(CostPage, a_very_long_formula_is_shown_as_far_as_it_can_be_read) {
    Document document;
    DerivationView view(document);
    CostDerivation long_one;
    for (int i = 0; i < 3000; ++i) long_one.sum.formula += (i > 0 ? " + M·d" : "M·d") + std::to_string(i);
    long_one.unit = "values";
    view.show_derivation(QStringLiteral("Moved"), long_one, {});
    EXPECT_LT(view.formula().size(), 1700);
    const qsizetype shown = view.formula().count(QStringLiteral("M·d"));
    EXPECT_TRUE(view.formula().contains(QStringLiteral(" + %1 more terms = ").arg(3000 - shown)))
        << view.formula().right(60).toStdString();
}

// Ratios, of the times that a model predicts as of those that were measured.
TEST(CostPage, a_ratio_opens_both_times_and_where_they_come_from) {
    Page desk;
    Forecast::of(desk.document).set_device("h100-sxm5");
    Baselines::of(desk.document).choose(BaselineKind::Unfused);
    ASSERT_TRUE(wait_until([&] { return !Costs::of(desk.document).busy(); }));
    desk.choose(2, CostTable::Ratio);
    const auto both = desk.page->table().ratio_times(desk.page->table().state(2));
    ASSERT_TRUE(both);
    const QString text = desk.page->derivation().findChild<QPlainTextEdit*>()->toPlainText();
    QString formula = QStringLiteral(" = %1 / %2\n").arg(time_text(both->now), time_text(both->base));
    formula.replace(QChar::Nbsp, QLatin1Char(' '));  // as the view gives its text
    EXPECT_TRUE(text.contains(formula)) << formula.toStdString() << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("predicted time of Snapshot"))) << text.toStdString();
    EXPECT_EQ(text.count(QStringLiteral("Kernel 1")), 2) << "of both: " << text.toStdString();
}

// From other panels: the timeline's cells, the costs beside the sizes.
TEST(CostPage, a_number_elsewhere_opens_its_derivation) {
    Page desk;
    Costs::of(desk.document).ask_for_derivation(StateId{0}, CostTable::Operations);
    EXPECT_EQ(desk.page->table_view().currentIndex(), desk.page->table().index(0, CostTable::Operations));
    EXPECT_TRUE(desk.page->derivation().formula().contains(QStringLiteral(" = ")));
    // A step that is no row of the table becomes the current state.
    const Content& content = desk.document.content();
    const StateId step = content.history.path(content.history.branch(content.branch).tip).at(3);
    ASSERT_LT(desk.page->table().row_of(step), 0);
    Costs::of(desk.document).ask_for_derivation(step, CostTable::Local);
    EXPECT_EQ(desk.document.content().current, step);
    EXPECT_EQ(desk.page->table_view().currentIndex().row(), desk.page->table().row_of(step));
    EXPECT_EQ(desk.page->table_view().currentIndex().column(), CostTable::Local);
}

// The formula comes to the front where the sizes are; sizes that change do not push themselves behind it.
TEST(CostPage, a_number_that_is_clicked_raises_its_formula) {
    Page desk;
    auto* side = desk.page->derivation().parentWidget()->parentWidget();
    auto* tabs = qobject_cast<QTabWidget*>(side);
    ASSERT_NE(tabs, nullptr);
    tabs->setCurrentWidget(&desk.page->sliders());
    desk.document.go(desk.page->table().state(1));
    EXPECT_EQ(tabs->currentWidget(), &desk.page->sliders()) << "the current state is another";
    QTableView& view = desk.page->table_view();
    const QRect cell = view.visualRect(desk.page->table().index(0, CostTable::Moved));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, cell.center());
    EXPECT_EQ(tabs->currentWidget(), &desk.page->derivation());
}

TEST(CostPage, opens_with_the_predicted_time_in_sight) {
    Page desk;
    desk.page->resize(500, 600);
    QTableView& view = desk.page->table_view();
    desk.document.go(desk.page->table().state(1));
    ASSERT_TRUE(wait_until([&] { return view.currentIndex().row() == 1; }));
    EXPECT_EQ(view.horizontalScrollBar()->value(), 0);
}

TEST(CostPage, names_of_states_stay_when_numbers_scroll_sideways) {
    Page desk;
    desk.page->resize(400, 600);
    QCoreApplication::processEvents();
    QTableView& view = desk.page->table_view();
    ASSERT_TRUE(view.isColumnHidden(CostTable::State));
    view.horizontalScrollBar()->setValue(view.horizontalScrollBar()->maximum());
    ASSERT_GT(view.horizontalScrollBar()->value(), 0);
    const QHeaderView& names = *view.verticalHeader();
    ASSERT_TRUE(names.isVisible());
    for (int row = 0; row < desk.page->table().rowCount(); ++row) {
        const QString name = names.model()->headerData(row, Qt::Vertical).toString();
        EXPECT_TRUE(name.endsWith(desk.cell(row, CostTable::State))) << "with a star, if it is the best";
        EXPECT_GE(names.width(), names.fontMetrics().horizontalAdvance(name)) << name.toStdString();
    }
    desk.document.close();
    desk.open("softmax");
    EXPECT_TRUE(view.isColumnHidden(CostTable::State)) << "of another document as well";
}

// Qt says section -1 there.
TEST(CostPage, a_double_click_below_the_last_name_goes_nowhere) {
    Page desk;
    desk.page->resize(400, 1400);
    QCoreApplication::processEvents();
    QHeaderView& names = *desk.page->table_view().verticalHeader();
    ASSERT_LT(names.length() + 20, names.viewport()->height());
    const StateId before = desk.document.content().current;
    QTest::mouseDClick(names.viewport(), Qt::LeftButton, {}, {10, names.length() + 10});
    EXPECT_EQ(desk.document.content().current, before);
    QTest::mouseDClick(names.viewport(), Qt::LeftButton, {}, {10, names.length() - 5});
    EXPECT_EQ(desk.document.content().current, before) << "kernels of libraries are no state";
    const CostTable& table = desk.page->table();
    const int last = table.rowCount() - 2;
    QTest::mouseDClick(names.viewport(), Qt::LeftButton, {}, {10, names.sectionPosition(last) + 5});
    EXPECT_EQ(desk.document.content().current, table.state(last));
}

TEST(CostPage, a_prediction_opens_its_terms) {
    Page desk;
    desk.choose(0, CostTable::Predicted);
    EXPECT_TRUE(desk.page->derivation().formula().contains(QStringLiteral("Kernel 1")));
}

TEST(CostPage, ratios_are_against_the_baseline) {
    Page desk;
    Baselines::of(desk.document).choose(BaselineKind::Unfused);
    EXPECT_EQ(desk.cell(0, CostTable::Ratio), QStringLiteral("\u2248\u00a01.00\u00d7")) << "predicted";
    const double before =
        desk.page->table().index(2, CostTable::Ratio).data(CostTable::NumberRole).toDouble();
    EXPECT_LT(before, 1);
    Costs::of(desk.document).set_baseline(desk.page->table().state(2));
    EXPECT_TRUE(desk.cell(2, CostTable::Ratio).contains(QStringLiteral("1.00")));
    EXPECT_NEAR(desk.page->table().index(0, CostTable::Ratio).data(CostTable::NumberRole).toDouble(),
                1 / before, 1e-9);
}

// What people run without this program is a row of its own, and what ratios are against.
TEST(CostPage, kernels_of_libraries_are_the_baseline_until_another_is_chosen) {
    Page desk;
    Forecast::of(desk.document).set_device("h100-sxm5");
    Baselines& baselines = Baselines::of(desk.document);
    CostTable& table = desk.page->table();
    const auto number = [&](int row, int column) {
        return table.index(row, column).data(CostTable::NumberRole).toDouble();
    };
    for (const BaselineKind kind : {BaselineKind::Compiler, BaselineKind::Operators, BaselineKind::Library}) {
        SCOPED_TRACE(to_string(kind));
        baselines.choose(kind);
        ASSERT_TRUE(wait_until([&] {
            const auto best = Best::of(desk.document).state();
            return !Costs::of(desk.document).busy() && best && table.row_of(*best) >= 0;
        }));
        const int row = table.row_of(kBaselineRow);
        ASSERT_EQ(row, table.rowCount() - 1);
        EXPECT_EQ(desk.cell(row, CostTable::State), baseline_name(kind));
        // The same kernels on the same device as the command line's.
        const Baseline made = baseline(*desk.document.content().array, kind);
        const Prediction predicted = predict_baseline(made, Forecast::of(desk.document).device());
        EXPECT_DOUBLE_EQ(number(row, CostTable::Predicted), predicted.seconds);
        EXPECT_DOUBLE_EQ(number(row, CostTable::Moved), made.bytes());
        EXPECT_EQ(number(row, CostTable::Launches), static_cast<double>(made.kernels.size()));
        EXPECT_DOUBLE_EQ(number(row, CostTable::Inputs) + number(row, CostTable::Outputs) +
                             number(row, CostTable::Intermediates),
                         made.bytes());
        for (int state = 0; state < row; ++state)
            EXPECT_DOUBLE_EQ(number(state, CostTable::Ratio),
                             number(state, CostTable::Predicted) / predicted.seconds);
        // Every number says where it comes from; the row is no state to go to.
        desk.choose(row, CostTable::Predicted);
        const QString kernel = QString::fromStdString(made.kernels.front().name);
        EXPECT_TRUE(wait_until([&] { return desk.page->derivation().formula().contains(kernel); }));
        EXPECT_EQ(table.csv().count(QLatin1Char('\n')), table.rowCount() + 1);
    }
    baselines.choose(BaselineKind::Unfused);
    EXPECT_LT(table.row_of(kBaselineRow), 0) << "that is a state of the run";
    EXPECT_DOUBLE_EQ(number(0, CostTable::Ratio), 1);
}

// A row that is chosen takes the place of the unfused program in the list of baselines.
TEST(CostPage, any_row_can_be_the_baseline) {
    Page desk;
    BaselineChooser chooser(desk.document, nullptr);
    EXPECT_TRUE(chooser.currentText().contains(QStringLiteral("library kernels")));
    desk.choose(1, CostTable::Moved);
    for (QToolButton* button : desk.page->findChildren<QToolButton*>())
        if (button->text() == QStringLiteral("Baseline")) button->click();
    EXPECT_EQ(Costs::of(desk.document).baseline(), desk.page->table().state(1));
    EXPECT_TRUE(chooser.currentText().contains(desk.cell(1, CostTable::State)));
    EXPECT_TRUE(desk.cell(1, CostTable::Ratio).contains(QStringLiteral("1.00")));
}

// What the listing moves, what has to move, and what caches leave of it for the memory.
TEST(CostPage, bytes_are_those_moved_those_compulsory_and_those_that_pass_the_caches) {
    Page desk;
    Forecast::of(desk.document).set_device("h100-sxm5");
    ASSERT_TRUE(wait_until([&] { return !Costs::of(desk.document).busy(); }));
    const CostTable& table = desk.page->table();
    const int last = table.row_of(kBaselineRow) - 1;
    const auto number = [&](int column) {
        return table.index(last, column).data(CostTable::NumberRole).toDouble();
    };
    const StateCostsPtr counted = Costs::of(desk.document).of(table.state(last));
    EXPECT_EQ(number(CostTable::Compulsory), static_cast<double>(counted->state.counts().compulsory));
    EXPECT_LT(number(CostTable::Compulsory), number(CostTable::Moved)) << "K and V are read again";
    const PredictionPtr predicted = Forecast::of(desk.document).at_once(table.state(last));
    ASSERT_EQ(predicted->levels.size(), 2U);
    EXPECT_EQ(number(CostTable::FromMemory), predicted->levels.back().bytes);
    EXPECT_LT(number(CostTable::FromMemory), number(CostTable::Moved)) << "the L2 serves the rest";
    const QString tip = table.index(last, CostTable::FromMemory).data(Qt::ToolTipRole).toString();
    EXPECT_TRUE(tip.contains(QStringLiteral("L2 serves"))) << tip.toStdString();
    EXPECT_TRUE(tip.contains(QStringLiteral("HBM3 moves"))) << tip.toStdString();
    desk.choose(last, CostTable::Compulsory);
    const QString text = desk.page->derivation().formula();
    for (const char* array : {"Q", "K", "VT", "O"})
        EXPECT_TRUE(text.contains(QString::fromLatin1(array) + QStringLiteral(": "))) << text.toStdString();
}

TEST(CostPage, sliders_change_sizes_at_once_and_are_undone) {
    Page desk;
    const QString before = desk.cell(0, CostTable::Moved);
    QSlider* slider = desk.page->sliders().size_slider("M");
    ASSERT_NE(slider, nullptr);
    const int at = slider->value();
    slider->setValue(at + 1);
    EXPECT_EQ(desk.document.content().program()->dims[0].size, std::int64_t{1} << (at + 1));
    ASSERT_TRUE(wait_until([&] { return !Costs::of(desk.document).busy(); }));
    EXPECT_NE(desk.cell(0, CostTable::Moved), before);
    desk.document.undo();
    EXPECT_EQ(slider->value(), at);
    EXPECT_EQ(desk.page->sliders().block_slider("no such dimension"), nullptr);
}

TEST(CostPage, sliders_follow_another_program_with_the_same_names_in_other_places) {
    Page desk;
    for (const char* sample : {"multihead-attention", "attention", "gqa"}) {
        desk.open(sample);
        for (const Dim& dim : desk.document.content().program()->dims) {
            QSlider* slider = desk.page->sliders().size_slider(dim.name);
            EXPECT_EQ(slider != nullptr, dim.kind == DimKind::Blocked) << sample << ' ' << dim.name;
            if (!slider) continue;
            EXPECT_EQ(std::int64_t{1} << slider->value(), dim.size) << sample << ' ' << dim.name;
        }
    }
}

TEST(CostPage, work_that_is_done_again_says_what_may_help) {
    Page desk;
    const auto tip = [&](StateId state) {
        const int row = desk.page->table().row_of(state);
        return desk.page->table().index(row, CostTable::Replication).data(Qt::ToolTipRole).toString();
    };
    const QString help = QStringLiteral("Tune looks for them");
    desk.open("rmsnorm-swiglu");
    ASSERT_TRUE(wait_until([&] { return !Costs::of(desk.document).busy(); }));
    EXPECT_FALSE(tip(StateId{0}).contains(help));
    EXPECT_TRUE(tip(Costs::of(desk.document).rows().back()).contains(help))
        << "the hidden layer, once per block";
}

TEST(CostPage, the_table_as_csv_has_exact_numbers) {
    Page desk;
    const QStringList lines = desk.page->table().csv().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), desk.page->table().rowCount() + 1);
    const int moved = static_cast<int>(lines[0].split(QLatin1Char(',')).indexOf(QStringLiteral("bytes")));
    EXPECT_EQ(lines[1].split(QLatin1Char(','))[moved].toLongLong(),
              Costs::of(desk.document).of(StateId{0})->state.counts().bytes());
}

TEST(CostPage, charts_are_written_to_files) {
    Page desk;
    const QTemporaryDir folder;
    for (int chart = 0; chart < 3; ++chart) {
        desk.page->charts().setCurrentIndex(chart);
        for (const char* format : {"svg", "pdf", "png"}) {
            const QString path =
                folder.filePath(QStringLiteral("%1.%2").arg(chart).arg(QLatin1String(format)));
            EXPECT_TRUE(desk.page->export_chart(path));
            EXPECT_GT(QFile(path).size(), 1000);
        }
    }
    // As large as they are seen.
    desk.page->charts().setCurrentIndex(1);
    for (const int width : {900, 1300}) {
        desk.page->resize(width, 800);
        QCoreApplication::processEvents();
        const QString path = folder.filePath(QStringLiteral("seen.png"));
        ASSERT_TRUE(desk.page->export_chart(path));
        EXPECT_EQ(QImage(path).size(), 2 * desk.page->chart(1).size());
    }
    EXPECT_FALSE(desk.page->export_chart(folder.filePath(QStringLiteral("chart.gif"))));
    EXPECT_FALSE(desk.page->export_chart(QStringLiteral("/no/such/folder/chart.svg")));
}

// No chart without some of its points while a slider is dragged.
TEST(CostPage, charts_are_drawn_anew_once_all_of_their_states_are_counted) {
    Page desk;
    desk.open("decoder-block");
    Costs& costs = Costs::of(desk.document);
    costs.set_all_steps(true);  // more rows than are counted at once
    ASSERT_TRUE(wait_until([&] { return !costs.busy(); }));
    desk.page->charts().setCurrentIndex(1);
    const auto bars = [&] {
        QCoreApplication::processEvents();
        desk.page->chart(1).grab();
        std::set<int> keys;
        for (const ChartSpot& spot : desk.page->chart(1).spots()) keys.insert(spot.key);
        return keys.size();
    };
    const std::size_t all = bars();
    EXPECT_EQ(all, costs.rows().size());
    for (int move = 0; move < 4; ++move) {
        DimTable dims = desk.document.content().program()->dims;
        dims[0].size *= 2;
        desk.document.set_dims(dims);
        EXPECT_EQ(bars(), all);
    }
    ASSERT_TRUE(wait_until([&] { return costs.counted_rows(); }));
    EXPECT_EQ(bars(), all);
}

TEST(CostPage, a_double_click_in_a_chart_goes_to_the_state) {
    Page desk;
    desk.page->charts().setCurrentIndex(1);
    Q_EMIT desk.page->chart(1).opened(desk.page->table().state(2));
    EXPECT_EQ(desk.document.content().current, desk.page->table().state(2));
    EXPECT_EQ(desk.page->table_view().currentIndex().row(), 2);
}

// Whoever looks at the times would blame the fusion: at these block sizes the last state loses.
TEST(CostPage, a_state_that_loses_for_its_block_sizes_says_so_and_offers_tune) {
    Page desk;
    Forecast::of(desk.document).set_device("h100-sxm5");
    MeasureBar& bar = desk.page->measuring();
    EXPECT_FALSE(bar.hint().isVisible()) << "attention";
    desk.open("rmsnorm-swiglu");
    ASSERT_TRUE(wait_until([&] { return !Costs::of(desk.document).busy(); }));
    desk.document.go(Costs::of(desk.document).rows().back());
    ASSERT_TRUE(wait_until([&] { return !Costs::of(desk.document).busy(); }));
    ASSERT_TRUE(bar.hint().isVisible());
    EXPECT_TRUE(bar.hint().text().contains(QStringLiteral("takes longer than the unfused program")))
        << bar.hint().text().toStdString();
    EXPECT_TRUE(bar.button(QStringLiteral("tune_hinted"))->isEnabled());
    DimTable dims = desk.document.content().program()->dims;
    for (Dim& dim : dims)
        if (dim.name == "N") dim.block = dim.size;  // the output in one block
    desk.document.set_dims(dims);
    ASSERT_TRUE(wait_until([&] { return !Costs::of(desk.document).busy(); }));
    EXPECT_FALSE(bar.hint().isVisible()) << bar.hint().text().toStdString();
    desk.document.go(0);
    EXPECT_FALSE(bar.hint().isVisible());
}

// "Measure all" by a double click measures; it does not cancel.
TEST(CostPage, every_button_keeps_its_place_while_something_is_measured) {
    Page desk;
    qputenv("BLOCKSCOPE_FAKE_DEVICE", "run=20");
    const QTemporaryDir folder;
    Measurements& measurements = Measurements::of(desk.document);
    measurements.set_worker({BLOCKSCOPE_CLI, "worker"},
                            folder.filePath(QStringLiteral("results.jsonl")).toStdString(), "fake");
    int finished = 0;
    QObject::connect(&measurements, &Measurements::finished, [&] { ++finished; });
    QCoreApplication::processEvents();
    MeasureBar& bar = desk.page->measuring();
    const auto places = [&] {
        std::map<QString, QRect> all;
        for (const QToolButton* button : bar.findChildren<QToolButton*>())
            if (button->isVisible() && button->objectName() != QStringLiteral("cancel"))
                all[button->text()] = {button->mapTo(desk.page.get(), QPoint(0, 0)), button->size()};
        return all;
    };
    const auto before = places();
    QToolButton* all = bar.button(QStringLiteral("measure_all"));
    all->setFocus();
    QTest::mouseDClick(all, Qt::LeftButton);
    QTest::mouseClick(all, Qt::LeftButton);
    EXPECT_TRUE(measurements.busy());
    EXPECT_FALSE(measurements.cancelled());
    EXPECT_EQ(desk.page->focusWidget(), &desk.page->table_view()) << "not a button that the next key presses";
    QCoreApplication::processEvents();
    EXPECT_EQ(places(), before);
    EXPECT_TRUE(bar.button(QStringLiteral("cancel"))->isVisible());
    bar.button(QStringLiteral("cancel"))->click();
    ASSERT_TRUE(wait_until([&] { return finished > 0 && !measurements.busy(); }));
    EXPECT_TRUE(measurements.cancelled());
    QCoreApplication::processEvents();
    EXPECT_EQ(places(), before);
}

TEST(CostPage, measuring_can_be_started_where_it_makes_sense) {
    Page desk;
    MeasureBar& bar = desk.page->measuring();
    for (const char* name : {"measure", "measure_all", "tune", "calibrate"})
        EXPECT_TRUE(bar.button(QLatin1String(name))->isEnabled()) << name;
    EXPECT_FALSE(bar.button(QStringLiteral("compare"))->isEnabled()) << "the baseline with itself";
    desk.document.go(desk.page->table().state(2));
    EXPECT_TRUE(bar.button(QStringLiteral("compare"))->isEnabled());
    EXPECT_FALSE(bar.button(QStringLiteral("cancel"))->isVisible());
    EXPECT_FALSE(bar.finding().isVisible());
    desk.document.close();
    for (const char* name : {"measure", "measure_all", "tune", "compare"})
        EXPECT_FALSE(bar.button(QLatin1String(name))->isEnabled()) << name;
}

// As it stands in a window of 800 by 500 pixels, between the panels.
TEST(CostPage, a_small_page_wraps_and_scrolls_instead_of_squeezing) {
    Page desk;
    desk.page->resize(400, 220);
    QCoreApplication::processEvents();
    const QWidget& chart = desk.page->chart(0);
    EXPECT_GE(chart.width(), 380) << "charts and formulas are not side by side";
    EXPECT_GE(chart.height(), 180);
    EXPECT_GE(desk.page->derivation().height(), 170);
    EXPECT_GE(desk.page->table_view().height(), 150);
    // The table comes first; what costs are of and what measures are a click away.
    EXPECT_LT(desk.page->table_view().mapTo(desk.page.get(), QPoint(0, 0)).y(), 60);
    EXPECT_FALSE(desk.page->best().isVisible());
    EXPECT_FALSE(desk.page->measuring().isVisible());
    for (QToolButton* button : desk.page->findChildren<QToolButton*>())
        if (button->isCheckable() && button->isVisible()) button->click();
    QCoreApplication::processEvents();
    EXPECT_TRUE(desk.page->measuring().isVisible());
    const auto buttons = desk.page->measuring().findChildren<QToolButton*>();
    for (const QToolButton* button : buttons) {
        if (!button->isVisible()) continue;
        EXPECT_GE(button->width(), button->sizeHint().width()) << button->text().toStdString();
        const QRect place(button->mapTo(desk.page.get(), QPoint(0, 0)), button->size());
        EXPECT_TRUE(place.left() >= 0 && place.right() < 400) << button->text().toStdString();
    }
    desk.page->resize(900, 700);
    QCoreApplication::processEvents();
    EXPECT_TRUE(desk.page->measuring().isVisible());
    EXPECT_GT(desk.page->derivation().mapTo(desk.page.get(), QPoint(0, 0)).x(), 400) << "side by side again";
}

// In a window of 1440 x 900, whose page has 816 pixels.
TEST(CostPage, what_matters_is_seen_without_scrolling) {
    Page desk;
    desk.page->resize(816, 600);
    QCoreApplication::processEvents();
    const QTableView& view = desk.page->table_view();
    EXPECT_TRUE(view.isColumnHidden(CostTable::Measured)) << "nothing is measured";
    for (const int column :
         {CostTable::Predicted, CostTable::Ratio, CostTable::Moved, CostTable::Intermediates}) {
        const int right = view.columnViewportPosition(column) + view.columnWidth(column);
        EXPECT_LE(right, view.viewport()->width()) << column;
    }
}

// Bars that would take rows and rows are there when they are asked for; the sentence on the best state stays.
TEST(CostPage, bars_of_several_rows_are_a_click_away) {
    Page desk;
    auto* more = desk.page->findChild<QToolButton*>(QStringLiteral("more"));
    ASSERT_NE(more, nullptr);
    desk.page->resize(660, 560);  // in a window of 1280 x 720
    QCoreApplication::processEvents();
    QWidget& buttons = desk.page->measuring().buttons();
    EXPECT_TRUE(more->isVisible());
    EXPECT_FALSE(buttons.isVisible());
    EXPECT_TRUE(wait_until([&] { return desk.page->best().isVisible(); })) << "once it is known";
    EXPECT_LT(desk.page->table_view().mapTo(desk.page.get(), QPoint(0, 0)).y(), 120);
    EXPECT_EQ(more->arrowType(), Qt::RightArrow) << "it is no heading";
    more->click();
    EXPECT_EQ(more->arrowType(), Qt::DownArrow);
    EXPECT_TRUE(buttons.isVisible());
    desk.page->resize(2400, 900);
    QCoreApplication::processEvents();
    EXPECT_FALSE(more->isVisible()) << "all have room";
    EXPECT_TRUE(buttons.isVisible());
}

TEST(CostPage, without_a_document_it_is_empty) {
    Page desk;
    desk.document.close();
    EXPECT_EQ(desk.page->table().rowCount(), 0);
    desk.page->charts().setCurrentIndex(2);
    desk.page->grab();
}

TEST(CostPage, what_is_not_seen_follows_nothing_and_is_as_new_once_it_is) {
    Page desk;
    const CostTable& table = desk.page->table();
    desk.page->hide();
    desk.document.go(StateId{3});
    EXPECT_EQ(table.row_of(StateId{3}), -1);
    desk.page->show();
    EXPECT_GE(table.row_of(StateId{3}), 0);
    ASSERT_TRUE(wait_until([&] { return desk.page->derivation().title().contains(QStringLiteral("3")); }));
    desk.page->hide();
    desk.document.go(StateId{5});
    Costs::of(desk.document).ask_for_derivation(StateId{5}, CostTable::Moved, {});
    EXPECT_GE(table.row_of(StateId{5}), 0) << "a number that was asked for is about to be seen";
    EXPECT_TRUE(desk.page->derivation().title().contains(QStringLiteral("5")));
}

}  // namespace
}  // namespace blockscope
