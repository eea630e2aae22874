#include <gmock/gmock.h>

#include <QApplication>
#include <QMenu>
#include <QShortcut>
#include <QSignalSpy>
#include <QtTest/QTest>

#include "app/panels/history_panel.h"
#include "tests/panels/text_support.h"

namespace blockscope::test {
namespace {

struct HistoryTest : testing::Test {
    Desk desk;
    Document& document = desk.document;

    int states_in(const std::vector<HistoryRow>& rows) {
        int count = 0;
        for (const HistoryRow& row : rows) count += static_cast<int>(row.states.size());
        return count;
    }
    // A second branch after `step` steps of the first.
    void branch_off(int step) {
        const History& history = document.content().history;
        document.go(history.path(history.branch(1).tip)[static_cast<std::size_t>(step)], 1);
        const auto next = history.next(document.content().current, 1);
        for (const Match& match : all_matches(*document.content().program()))
            if (!next || !(history.state(*next).step->match == match)) return document.apply(match);
        FAIL() << "there is only one match";
    }
};

// A panel in a window of its own, of two branches.
class RenamingTest : public HistoryTest {
protected:
    RenamingTest() {
        desk.open("attention");
        branch_off(3);
        branch = document.content().history.branches().back().id;
        panel.resize(320, 700);
        panel.show();
    }
    HistoryPanel panel{document, desk.proofs};
    HistoryTree& tree = panel.tree();
    int branch = -1;  // the second one
};

TEST_F(HistoryTest, CollapsesLongStraightRuns) {
    desk.open("attention");
    const std::vector<HistoryRow> rows = history_rows(document.content(), {});
    EXPECT_EQ(states_in(rows), static_cast<int>(document.content().history.states().size()));
    int collapsed = 0;
    for (const HistoryRow& row : rows) {
        EXPECT_EQ(row.lane, 0);
        if (!row.collapsed()) continue;
        ++collapsed;
        EXPECT_GT(row.states.size(), static_cast<std::size_t>(kLongestRun));
        for (const StateId id : row.states) {
            EXPECT_FALSE(document.content().history.state(id).snapshot);
            EXPECT_NE(id, document.content().current);
        }
    }
    EXPECT_GE(collapsed, 1);
    EXPECT_LT(rows.size(), document.content().history.states().size());
}

TEST_F(HistoryTest, ExpandedRunsShowEveryState) {
    desk.open("attention");
    HistoryTree tree(document, desk.proofs);
    tree.resize(300, 500);
    for (;;) {
        const auto& rows = tree.rows();
        const auto run =
            std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.collapsed(); });
        if (run == rows.end()) break;
        tree.expand(static_cast<int>(run - rows.begin()));
    }
    EXPECT_EQ(tree.rows().size(), document.content().history.states().size());
}

TEST_F(HistoryTest, BranchesStandInLanesOfTheirOwn) {
    desk.open("attention");
    branch_off(2);
    branch_off(2);  // returns to the same match or makes the third branch
    branch_off(5);
    const Content& content = document.content();
    const std::vector<HistoryRow> rows = history_rows(content, {});
    EXPECT_EQ(states_in(rows), static_cast<int>(content.history.states().size()));
    std::set<int> tips;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (const int branch : rows[i].branches) {
            EXPECT_EQ(content.history.branch(branch).tip, rows[i].last());
            EXPECT_TRUE(tips.insert(branch).second);
        }
        if (rows[i].parent < 0) continue;
        const HistoryRow& parent = rows[static_cast<std::size_t>(rows[i].parent)];
        EXPECT_LT(rows[i].parent, static_cast<int>(i));
        EXPECT_EQ(content.history.state(rows[i].first()).parent, parent.last());
        EXPECT_TRUE(rows[i].lane == parent.lane || parent.forks);
    }
    EXPECT_EQ(tips.size(), content.history.branches().size());
    for (const HistoryRow& row : rows)
        for (const int branch : row.branches) EXPECT_EQ(row.lane == 0, branch == 1);
}

TEST_F(HistoryTest, ClickGoesAndRenamingStaysInPlace) {
    desk.open("attention");
    branch_off(3);
    HistoryPanel panel(document, desk.proofs);
    panel.resize(320, 700);
    panel.show();
    QTest::mouseClick(panel.tree().viewport(), Qt::LeftButton, {}, panel.tree().row_rect(0).center());
    EXPECT_EQ(document.content().current, 0);
    const int branch = document.content().history.branches().back().id;
    panel.tree().rename(branch);
    ASSERT_TRUE(panel.tree().editor()->isVisible());
    panel.tree().editor()->setText(QStringLiteral("Without softmax"));
    QTest::keyClick(panel.tree().editor(), Qt::Key_Return);
    EXPECT_FALSE(panel.tree().editor()->isVisible());
    EXPECT_EQ(document.content().history.branch(branch).name, "Without softmax");
    document.undo();
    EXPECT_NE(document.content().history.branch(branch).name, "Without softmax");
}

TEST_F(RenamingTest, EscLeavesANameAsItWasWhateverElseTheKeyDoes) {
    int deselected = 0;
    const QShortcut deselect(QKeySequence(Qt::Key_Escape), &panel, [&] { ++deselected; });
    QApplication::setActiveWindow(&panel);
    const std::string name = document.content().history.branch(branch).name;
    tree.rename(branch);
    QTest::keyClicks(tree.editor(), QStringLiteral("zzz"));
    QTest::keyClick(tree.editor(), Qt::Key_Escape);
    EXPECT_FALSE(tree.editor()->isVisible());
    EXPECT_EQ(deselected, 0);
    EXPECT_EQ(document.content().history.branch(branch).name, name);
    QTest::keyClick(&tree, Qt::Key_Escape);
    EXPECT_EQ(deselected, 1) << "once nothing is typed it is the window's";
}

// Buttons of the toolbar take no focus, and a name is typed on through what they do.
TEST_F(RenamingTest, EndsWithItsBranch) {
    tree.rename(branch);
    tree.editor()->setText(QStringLiteral("half a na"));
    document.go(0);
    EXPECT_TRUE(tree.editor()->isVisible()) << "the branch is still there";
    EXPECT_EQ(tree.editor()->text(), QStringLiteral("half a na"));
    while (document.content().history.branches().size() > 1) document.undo();
    EXPECT_FALSE(tree.editor()->isVisible());
    QTest::keyClick(tree.editor(), Qt::Key_Return);
    while (document.can_redo()) document.redo();
    tree.rename(branch);
    ASSERT_TRUE(tree.editor()->isVisible());
    document.close();
    EXPECT_FALSE(tree.editor()->isVisible());
    Q_EMIT tree.editor()->editingFinished();
    tree.rename(branch);
    EXPECT_FALSE(tree.editor()->isVisible());
}

// At the width that the window gives it at first. A branch of a long name ends in a row with all marks.
TEST_F(HistoryTest, TheNameOfARuleIsWholeBesideMarksAndBranches) {
    constexpr int kWidth = 270;
    desk.open("attention");
    HistoryTree tree(document, desk.proofs);
    tree.resize(kWidth, 700);
    tree.show();
    const auto check = [&] {
        for (int row = 0; row < static_cast<int>(tree.rows().size()); ++row)
            EXPECT_THAT(tree.shown_words(row).toStdString(),
                        testing::StartsWith(tree.row_name(row).toStdString()))
                << row;
    };
    document.end();
    document.rename_branch(1, QStringLiteral("The algorithm as it is in the paper"));
    check();
    branch_off(3);
    for (const StateId id : {document.content().current, document.content().history.branch(1).tip})
        document.set_note(id, QStringLiteral("remarkable"));
    check();
    document.compare_with({document.content().history.branch(1).tip});
    check();
    // Words that have room are all of them, the place, too.
    tree.resize(700, 700);
    for (int row = 0; row < static_cast<int>(tree.rows().size()); ++row)
        EXPECT_EQ(tree.shown_words(row).toStdString(), tree.row_text(row).toStdString());
}

TEST_F(HistoryTest, DeletingABranchCanBeUndone) {
    desk.open("attention");
    branch_off(3);
    HistoryPanel panel(document, desk.proofs);
    const ContentPtr before = document.snapshot();
    const std::unique_ptr<QMenu> menu(panel.make_menu(document.content().current));
    QAction* remove = nullptr;
    for (QAction* action : menu->actions())
        if (action->text().startsWith(QStringLiteral("Delete branch"))) remove = action;
    ASSERT_TRUE(remove && remove->isEnabled());
    remove->trigger();
    EXPECT_EQ(document.content().history.branches().size(), 1u);
    for (const HistoryRow& row : panel.tree().rows()) EXPECT_EQ(row.lane, 0);
    document.undo();
    EXPECT_EQ(document.snapshot(), before);  // the very same value
    EXPECT_EQ(document.content().history.branches().size(), 2u);
}

TEST_F(HistoryTest, ComparesStatesAndRunsFromHere) {
    desk.open("attention");
    HistoryPanel panel(document, desk.proofs);
    const auto choose = [&](StateId state, const QString& text) {
        const std::unique_ptr<QMenu> menu(panel.make_menu(state));
        for (QAction* action : menu->actions())
            if (action->text().startsWith(text)) return action->trigger();
        FAIL() << text.toStdString();
    };
    choose(4, QStringLiteral("Compare"));
    EXPECT_THAT(document.content().compared, testing::ElementsAre(4));
    choose(4, QStringLiteral("Do not show"));
    EXPECT_TRUE(document.content().compared.empty());
    QSignalSpy run(&panel, &HistoryPanel::run_wanted);
    choose(6, QStringLiteral("Run the algorithm"));
    EXPECT_EQ(document.content().current, 6);
    EXPECT_EQ(run.size(), 1);
}

TEST_F(HistoryTest, NotesBelongToTheStepThatTheyWereTypedFor) {
    desk.open("attention");
    HistoryPanel panel(document, desk.proofs);
    document.forward();
    const StateId first = document.content().current;
    panel.note().setPlainText(QStringLiteral("first"));
    EXPECT_EQ(document.content().history.state(first).note, "first");
    document.forward();
    EXPECT_EQ(document.content().history.state(first).note, "first");
    EXPECT_EQ(panel.note().toPlainText(), QString());
    panel.note().setPlainText(QStringLiteral("second"));
    EXPECT_EQ(document.content().state().note, "second");
    document.undo();
    EXPECT_EQ(panel.note().toPlainText(), QString());
    document.redo();
    EXPECT_EQ(panel.note().toPlainText(), QStringLiteral("second"));
    document.back();
    EXPECT_EQ(panel.note().toPlainText(), QStringLiteral("first"));
    while (document.can_undo()) document.undo();
    EXPECT_TRUE(document.content().history.state(first).note.empty());
}

}  // namespace
}  // namespace blockscope::test
