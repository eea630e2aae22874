// The chapters above the timeline, the algorithm's steps beside a branch, and steps that are one cell.
#include "app/panels/timeline_rows.h"

#include <gmock/gmock.h>

#include <QtTest/QTest>

#include "app/panels/timeline.h"
#include "tests/panels/text_support.h"

namespace blockscope::test {
namespace {

using Bytes = std::vector<std::optional<std::int64_t>>;

TEST(FoldedSteps, AreThoseInARowThatChangeNoBytes) {
    EXPECT_TRUE(fold_steps({}).empty());
    const Bytes bytes{100, 100, 100, 90, 90, 80, std::nullopt, std::nullopt, 70};
    const std::vector<FoldedSteps> expected{{0, 0}, {1, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 7}, {8, 8}};
    EXPECT_EQ(fold_steps(bytes), expected);
}

struct ChapterRowTest : testing::Test {
    void open(const char* sample, bool compact = false) {
        desk.open(sample);
        timeline = std::make_unique<Timeline>(desk.document, desk.proofs, std::vector<QAction*>{});
        timeline->set_compact(compact);
        timeline->resize(2400, 220);
        timeline->show();
        ASSERT_TRUE(wait_until([&] { return !timeline->chapters().buttons().empty(); }));
    }
    Desk desk;
    std::unique_ptr<Timeline> timeline;
};

TEST_F(ChapterRowTest, EachChapterStandsOverItsSteps) {
    for (const bool compact : {false, true}) {
        open("attention", compact);
        const std::vector<QToolButton*>& buttons = timeline->chapters().buttons();
        ASSERT_EQ(buttons.size(), 4U);
        EXPECT_EQ(buttons[0]->x(), timeline->strip().cell_rect(1).left());
        EXPECT_EQ(buttons[0]->geometry().right(), timeline->strip().cell_rect(6).right());
        EXPECT_TRUE(buttons[0]->toolTip().startsWith(QStringLiteral("Steps 1 to 6: Line the loops up")))
            << buttons[0]->toolTip().toStdString();
        for (const QToolButton* button : buttons) {
            EXPECT_FALSE(button->text().isEmpty()) << button->toolTip().toStdString();
            EXPECT_LE(button->fontMetrics().horizontalAdvance(button->text()), button->width());
        }
    }
}

// Scrolled nearly out of sight, a chapter is no box without a name.
TEST_F(ChapterRowTest, NoBoxIsEmpty) {
    open("causal-attention", true);
    for (const int width : {520, 640, 900}) {
        timeline->resize(width, timeline->height());
        desk.document.home();
        int steps = 0;
        do {
            QCoreApplication::processEvents();
            for (const QToolButton* button : timeline->chapters().buttons()) {
                EXPECT_FALSE(button->isVisible() && button->text().isEmpty())
                    << width << ", step " << steps << ": " << button->toolTip().toStdString();
            }
            desk.document.forward();
        } while (++steps < 25);
    }
}

TEST_F(ChapterRowTest, AClickGoesThereAndArrowsGoFromOneToTheNext) {
    open("attention");
    const std::vector<QToolButton*>& buttons = timeline->chapters().buttons();
    const auto depth = [&] { return desk.document.content().history.depth(desk.document.content().current); };
    QTest::mouseClick(buttons[2], Qt::LeftButton);
    EXPECT_EQ(depth(), 8);
    EXPECT_TRUE(buttons[2]->isChecked());
    QTest::mouseClick(buttons[2], Qt::LeftButton);
    EXPECT_EQ(depth(), 15);
    EXPECT_EQ(buttons[2]->focusPolicy(), Qt::StrongFocus);
    EXPECT_EQ(buttons[1]->focusPolicy(), Qt::ClickFocus) << "one stop of Tab";
    timeline->activateWindow();
    buttons[2]->setFocus();
    QTest::keyClick(buttons[2], Qt::Key_Left);
    EXPECT_TRUE(buttons[1]->hasFocus());
}

TEST_F(ChapterRowTest, AnotherOrderHasTheAlgorithmsStepsBesideIt) {
    open("attention");
    EXPECT_TRUE(timeline->ghosts().isHidden());
    desk.document.forward();
    desk.document.apply(all_matches(*desk.document.content().program()).back());
    EXPECT_FALSE(timeline->ghosts().isHidden());
    const std::vector<QToolButton*>& ghosts = timeline->ghosts().buttons();
    ASSERT_EQ(ghosts.size(), 17U) << "the way back, and steps 2 to 17";
    timeline->resize(1389, timeline->height());
    QCoreApplication::processEvents();
    // Names of rules stand whole, once where the same rule goes on.
    EXPECT_EQ(ghosts[1]->text(), "2 · fuse loops");
    EXPECT_EQ(ghosts[2]->text(), "3");
    EXPECT_EQ(ghosts[16]->text(), "17 · fuse loops");
    for (const QToolButton* ghost : ghosts)
        EXPECT_GE(ghost->width(), ghost->fontMetrics().horizontalAdvance(ghost->text()));
    EXPECT_LE(ghosts[16]->geometry().right(), timeline->ghosts().width());
    EXPECT_TRUE(ghosts[16]->isVisible());
    timeline->resize(700, timeline->height());
    QCoreApplication::processEvents();
    for (const QToolButton* ghost : ghosts)
        EXPECT_TRUE(ghost->isHidden() || ghost->geometry().right() <= timeline->ghosts().width());
    EXPECT_TRUE(ghosts[16]->isHidden()) << "no name is cut off";
    QTest::mouseClick(ghosts[3], Qt::LeftButton);
    EXPECT_EQ(desk.document.content().branch, 1);
    EXPECT_EQ(desk.document.content().history.depth(desk.document.content().current), 4);
    EXPECT_TRUE(timeline->ghosts().isHidden());
}

TEST_F(ChapterRowTest, StepsThatMoveNoBytesAreOneCell) {
    open("attention");
    TimelineStrip& strip = timeline->strip();
    EXPECT_EQ(strip.columns().size(), 18U);
    strip.set_folding(true);
    ASSERT_TRUE(wait_until([&] { return strip.columns().size() < 18U; }));
    const auto folded = std::find_if(strip.columns().begin(), strip.columns().end(),
                                     [](const FoldedSteps& steps) { return steps.first < steps.last; });
    ASSERT_NE(folded, strip.columns().end());
    EXPECT_EQ(strip.cell_rect(folded->first), strip.cell_rect(folded->last));
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, strip.cell_rect(folded->first).center());
    EXPECT_EQ(desk.document.content().history.depth(desk.document.content().current), folded->last);
    desk.document.back();
    EXPECT_EQ(strip.cell_at(strip.cell_rect(folded->last).center()), folded->last - 1)
        << "the one that is shown";
}

}  // namespace
}  // namespace blockscope::test
