#include <gmock/gmock.h>

#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QFontMetricsF>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QtTest/QTest>
#include <algorithm>

#include "app/panels/timeline.h"
#include "app/shell/timeline_model.h"
#include "app/window/status_bar.h"
#include "core/program/convert.h"
#include "tests/panels/text_support.h"
#include "tests/support/decoder_stack.h"

namespace blockscope::test {
namespace {

constexpr int kLargeStack = 20;  // decoder blocks
constexpr int kCountedSteps = 60;

struct TimelineTest : testing::Test {
    Desk desk;
    Document& document = desk.document;
};

TEST_F(TimelineTest, HasOneCellForEveryStateOfTheBranch) {
    for (const char* name : {"attention", "decoder-block", "layernorm-matmul"}) {
        SCOPED_TRACE(name);
        desk.open(name);
        TimelineModel model(document);
        const Trace trace = fuse(document.content().history.state(0).program);
        ASSERT_TRUE(wait_until([&] { return model.cells().back().after.has_value(); }));
        ASSERT_EQ(model.cells().size(), trace.steps.size() + 1);
        for (std::size_t i = 0; i < model.cells().size(); ++i) {
            const StepCell& cell = model.cells()[i];
            EXPECT_EQ(*cell.after, buffered_edges(*trace.state(static_cast<int>(i)))) << i;
            EXPECT_EQ(cell.snapshot(), std::count(trace.snapshots.begin(), trace.snapshots.end(), i) > 0)
                << i;
            if (i == 0) continue;
            EXPECT_EQ(*cell.before, buffered_edges(*trace.state(static_cast<int>(i) - 1))) << i;
            EXPECT_EQ(cell.rule.toStdString(), to_string(trace.steps[i - 1].match.rule)) << i;
        }
    }
}

TEST_F(TimelineTest, EveryStepIsAnItemForScreenReaders) {
    desk.open("attention");
    TimelineModel model(document);
    TimelineStrip strip(document, model, desk.proofs);
    strip.resize(900, 140);
    strip.show();
    document.forward();
    QAccessibleInterface* list = QAccessible::queryAccessibleInterface(&strip);
    ASSERT_TRUE(list);
    EXPECT_EQ(list->role(), QAccessible::List);
    ASSERT_EQ(list->childCount(), model.size());
    EXPECT_EQ(list->child(0)->text(QAccessible::Name), QStringLiteral("Initial program"));
    EXPECT_TRUE(
        list->child(1)->text(QAccessible::Name).startsWith(QStringLiteral("Step 1 of 17, rule 1 in ")));
    EXPECT_TRUE(list->child(1)->state().selected);
    EXPECT_FALSE(list->child(2)->state().selected);
    EXPECT_EQ(list->child(2)->parent(), list);
    EXPECT_EQ(list->indexOfChild(list->child(2)), 2);
    EXPECT_TRUE(list->child(17)->state().offscreen);
}

// Nobody takes the first steps of a long run for all of it.
TEST_F(TimelineTest, SaysWhereTheRunGoesOn) {
    Content cut = content_of_source(sample_source("attention"), "attention.bp").value();
    int steps = 0;
    cut = run_algorithm(std::move(cut), 0, [&](const Step&) { return ++steps < 5; });
    document.reset(std::move(cut), {});
    const Timeline timeline(document, desk.proofs, {});
    const auto says = [&](const QString& text) {
        for (const QLabel* label : timeline.findChildren<QLabel*>())
            if (label->text().startsWith(text)) return true;
        return false;
    };
    EXPECT_TRUE(says(QStringLiteral("Step 0 of 5 so far")));
    document.run_from_here();
    ASSERT_TRUE(wait_until([&] { return !document.is_busy(); }));
    EXPECT_TRUE(says(QStringLiteral("Step 0 of 17 ·"))) << "all there are";
}

// What the settings say is what the list says, whichever number was typed there.
TEST_F(TimelineTest, EverySpeedIsInTheListOfSpeeds) {
    desk.open("attention");
    Timeline timeline(document, desk.proofs, {});
    const auto* speeds = timeline.findChild<QComboBox*>();
    ASSERT_NE(speeds, nullptr);
    EXPECT_EQ(speeds->currentText(), QStringLiteral("1 step/s"));
    const int usual = speeds->count();
    for (const auto& [interval, text] :
         {std::pair(8000, "0.125 steps/s"), std::pair(250, "4 steps/s"), std::pair(700, "1.43 steps/s")}) {
        timeline.set_interval(interval);
        EXPECT_EQ(timeline.player().interval(), interval);
        EXPECT_EQ(speeds->currentText(), QString::fromLatin1(text));
    }
    timeline.set_interval(1000);
    EXPECT_EQ(speeds->count(), usual);
}

TEST_F(TimelineTest, CancellingAStepEndsPlaying) {
    document.set_background_above(0);
    document.reset(content_of_source(sample_source("attention"), "attention.bp").value(), {});
    Player player(document);
    player.set_interval(60'000);
    player.set_playing(true);
    document.forward();
    ASSERT_TRUE(document.is_busy());
    EXPECT_TRUE(player.playing());
    document.cancel();
    EXPECT_FALSE(player.playing());
    EXPECT_EQ(document.content().current, 0);
}

TEST_F(TimelineTest, FollowsTheCurrentStateAndMarksForks) {
    desk.open("attention");
    TimelineModel model(document);
    EXPECT_EQ(model.current(), 0);
    document.forward();
    document.forward();
    EXPECT_EQ(model.current(), 2);
    const std::vector<Match> matches = all_matches(*document.content().program());
    document.apply(matches.back());
    EXPECT_EQ(model.current(), 3);
    EXPECT_EQ(model.size(), 4);
    EXPECT_TRUE(model.cells()[2].branch_point);
    EXPECT_FALSE(model.cells()[1].branch_point);
    document.undo();
    EXPECT_GT(model.size(), 4);
    EXPECT_FALSE(model.cells()[2].branch_point);
}

TEST_F(TimelineTest, ARenamedBranchIsCalledSoAtOnce) {
    desk.open("attention");
    const Timeline timeline(document, desk.proofs, {});
    const auto says = [&](const QString& name) {
        const auto labels = timeline.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel* label) { return label->text().endsWith(name); });
    };
    EXPECT_FALSE(says(QStringLiteral("by hand")));
    document.rename_branch(document.content().branch, QStringLiteral("by hand"));
    EXPECT_TRUE(says(QStringLiteral("by hand")));
}

TEST_F(TimelineTest, ClickGoesThereAndTheCurrentCellIsVisible) {
    desk.open("decoder-block");
    Timeline timeline(document, desk.proofs, {});
    timeline.resize(700, 220);
    timeline.show();
    TimelineStrip& strip = timeline.strip();
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, strip.cell_rect(3).center());
    EXPECT_EQ(document.content().history.depth(document.content().current), 3);
    document.end();
    EXPECT_TRUE(strip.viewport()->rect().contains(strip.cell_rect(timeline.model().current())));
    document.home();
    EXPECT_TRUE(strip.viewport()->rect().contains(strip.cell_rect(0)));
    timeline.slider().setValue(7);
    EXPECT_EQ(timeline.model().current(), 7);
    QTest::keyClick(&strip, Qt::Key_Right);
    EXPECT_EQ(timeline.slider().value(), 8);
}

TEST_F(TimelineTest, HoveringShowsExplanationAndNote) {
    desk.open("attention");
    document.forward();
    document.set_note(document.content().current, QStringLiteral("Mind the <gap>"));
    Timeline timeline(document, desk.proofs, {});
    const QString tip = timeline.strip().tip(1);
    EXPECT_TRUE(tip.contains(
        QString::fromStdString(document.content().state().step->explanation.str()).toHtmlEscaped()));
    EXPECT_TRUE(tip.contains(QStringLiteral("Mind the &lt;gap&gt;")));
    EXPECT_TRUE(tip.contains(QStringLiteral("Place: top level")));
    EXPECT_FALSE(timeline.strip().tip(0).contains(QStringLiteral("Place")));
}

TEST_F(TimelineTest, TwoThousandStepsScrollToTheCurrentOne) {
    desk.open("attention");
    Content content = document.content();
    const Step step = *content.history.state(1).step;
    StateId tip = content.history.branch(1).tip;
    while (content.history.depth(tip) < 2000) tip = content.history.add(tip, step, false);
    content.history.extend(tip, 1);
    document.reset(std::move(content), {});
    Timeline timeline(document, desk.proofs, {});
    timeline.resize(500, 220);
    timeline.show();
    ASSERT_EQ(timeline.model().size(), 2001);
    TimelineStrip& strip = timeline.strip();
    document.go(document.content().history.path(tip)[1234]);
    EXPECT_EQ(timeline.model().current(), 1234);
    const QRect rect = strip.cell_rect(1234);
    EXPECT_TRUE(strip.viewport()->rect().contains(rect));
    EXPECT_EQ(strip.cell_at(rect.center()), 1234);
    EXPECT_FALSE(timeline.grab().isNull());
    EXPECT_EQ(timeline.slider().maximum(), 2000);
}

TEST_F(TimelineTest, PlaysToTheEndAndStops) {
    document.reset(content_of_source(sample_source("attention"), "attention.bp").value(), {});
    Player player(document);
    player.set_interval(1);
    QSignalSpy spy(&player, &Player::playing_changed);
    player.set_playing(true);
    EXPECT_TRUE(player.playing());
    ASSERT_TRUE(wait_until([&] { return !player.playing(); }));
    const Trace trace = fuse(document.content().history.state(0).program);
    EXPECT_EQ(document.content().history.depth(document.content().current),
              static_cast<int>(trace.steps.size()));
    EXPECT_FALSE(document.can_forward());
    EXPECT_EQ(spy.size(), 2);
    document.home();
    document.forward();
    player.set_playing(true);
    document.reset(content_of_source(sample_source("layernorm-matmul"), "layernorm-matmul.bp").value(), {});
    EXPECT_FALSE(player.playing());  // another document is not played
}

// "1126 → 1125" and "H › M › D" have no room beside each other in a cell: the numbers win.
TEST(TimelineCell, ThePlaceGivesWayToTheNumbers) {
    const QFontMetricsF metrics(QApplication::font());
    const QString place = QStringLiteral("H › M › D");
    const double whole = metrics.horizontalAdvance(place);
    const double numbers = metrics.horizontalAdvance(QStringLiteral("1126 → 1125"));
    EXPECT_EQ(place_beside(numbers, place, numbers + 2 * whole, metrics), place);
    for (const double room : {numbers + 0.8 * whole, numbers + 10, numbers - 5}) {
        const QString shown = place_beside(numbers, place, room, metrics);
        EXPECT_NE(shown, place);
        EXPECT_LE(metrics.horizontalAdvance(shown), std::max(0.0, room - numbers)) << room;
    }
}

// States of a large program, which are counted in the background.
TEST_F(TimelineTest, CountingEdgesCanBeCancelledAndStartedAgain) {
    const ProgramPtr initial =
        std::make_shared<BlockProgram>(to_block_program(decoder_stack(kLargeStack)).program);
    Content content = content_of_blocks(*initial, "stack");
    int steps = 0;
    const Trace trace = fuse(initial, [&](const Step&) { return ++steps < kCountedSteps; });
    for (const Step& step : trace.steps) {
        const StateId made = content.history.add(content.current, step, false);
        content.history.extend(made, 1);
        content.current = made;
    }
    EdgeCounts& counts = EdgeCounts::of(document);
    document.reset(std::move(content), {});
    ASSERT_TRUE(counts.work().busy()) << "counted within a few milliseconds";
    const ProgramPtr current = document.content().program();
    EXPECT_TRUE(counts.of(current)) << "the first to be counted";
    counts.cancel();
    EXPECT_FALSE(counts.work().busy());
    EXPECT_TRUE(counts.given_up());
    const auto uncounted = [&] {
        int open = 0;
        for (const auto& [id, state] : document.content().history.states())
            open += counts.of(state->program) ? 0 : 1;
        return open;
    };
    ASSERT_GT(uncounted(), 0);
    document.set_note(0, "a change");
    EXPECT_FALSE(counts.work().busy()) << "not before it is asked for";
    counts.count_again();
    EXPECT_FALSE(counts.given_up());
    ASSERT_TRUE(wait_until([&] { return uncounted() == 0; }));
}

TEST_F(TimelineTest, TheBadgeTellsTheProofOfTheCurrentState) {
    desk.open("attention");
    ProofBadge badge(document, desk.proofs);
    EXPECT_EQ(badge.text(), QStringLiteral("Not proven yet"));
    desk.proofs.prove(document.snapshot());
    ASSERT_TRUE(wait_until([&] { return badge.text() == QStringLiteral("Proven"); }));
    EXPECT_TRUE(badge.details().contains(desk.proofs.proof(document.content().program()).oracle));
}

// Of a program that no other test here proves: what was proven once in this process is known.
TEST_F(TimelineTest, TheBadgeProvesWhatWasCancelled) {
    desk.open("rmsnorm-matmul");
    ProofBadge badge(document, desk.proofs);
    desk.proofs.prove(document.snapshot());
    desk.proofs.cancel();
    EXPECT_EQ(badge.text(), QStringLiteral("Not proven: cancelled. Prove again"));
    EXPECT_TRUE(badge.details().startsWith(QStringLiteral("Not proven: proving was cancelled.")));
    badge.click();
    EXPECT_EQ(badge.text(), QStringLiteral("Not proven yet"));
    ASSERT_TRUE(wait_until([&] { return badge.text() == QStringLiteral("Proven"); }));
}

}  // namespace
}  // namespace blockscope::test
