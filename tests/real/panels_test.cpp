// The panels on a real display: leaving the algorithm's path, finding, editing.
#include <gmock/gmock.h>

#include <QApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QTest>
#include <QTreeView>

#include "app/panels/editor_panel.h"
#include "app/panels/history_panel.h"
#include "app/panels/matches.h"
#include "app/panels/search_panel.h"
#include "tests/real/desk.h"

namespace blockscope {
namespace {

using test::Desk;
using test::wait_until;

const QString kAttention = QStringLiteral("attention");

// A match in the list that the algorithm would not take next; invalid if there is none.
QModelIndex other_match(const MatchList& list) {
    const QAbstractItemModel& model = *list.model();
    for (int rule = 0; rule < model.rowCount(); ++rule) {
        const QModelIndex parent = model.index(rule, 0);
        for (int row = 0; row < model.rowCount(parent); ++row) {
            const QModelIndex index = model.index(row, 0, parent);
            if (index.data(kMatchIndexRole).toInt() >= 0 && !index.data(kNextRole).toBool()) return index;
        }
    }
    return {};
}

// Applies by Return a match that the algorithm would not have taken.
void leave_the_path(Desk& desk) {
    auto* matches = desk.panel<Matches>("panel.matches");
    ASSERT_NE(matches, nullptr);
    ASSERT_TRUE(wait_until([&] {
        return !matches->finder().searching() &&
               matches->finder().report().program == desk.content().program();
    }));
    MatchList& list = matches->list();
    const QModelIndex other = other_match(list);
    ASSERT_TRUE(other.isValid());
    list.setFocus();
    list.setCurrentIndex(other);
    desk.key(Qt::Key_Return);
    ASSERT_TRUE(wait_until([&] { return desk.content().current != 0; }));
    ASSERT_TRUE(desk.settle());
}

TEST(Panels, AnotherMatchMakesABranchThatIsUndoneAndRunToItsEnd) {
    Desk desk;
    ASSERT_TRUE(desk.open(kAttention));
    const std::string before = write_document(desk.content());
    const StateId algorithm = desk.content().history.branches().front().tip;
    leave_the_path(desk);
    if (HasFatalFailure()) return;
    ASSERT_EQ(desk.content().history.branches().size(), 2U);
    const int branch = desk.content().branch;
    EXPECT_NE(branch, desk.content().history.branches().front().id);
    EXPECT_EQ(desk.content().history.depth(desk.content().current), 1);

    ASSERT_TRUE(desk.press(Qt::Key_Z, 1, Qt::ControlModifier));
    EXPECT_EQ(write_document(desk.content()), before);
    ASSERT_TRUE(desk.press(Qt::Key_Z, 1, Qt::ControlModifier | Qt::ShiftModifier));
    ASSERT_EQ(desk.content().history.branches().size(), 2U);

    ASSERT_TRUE(desk.press(Qt::Key_Return, 1, Qt::ControlModifier));
    ASSERT_TRUE(wait_until([&] { return !desk.content().history.branch(branch).stopped.empty(); }));
    ASSERT_TRUE(desk.settle());
    const History& history = desk.content().history;
    EXPECT_GT(history.depth(history.branch(branch).tip), 1);
    EXPECT_EQ(history.branches().front().tip, algorithm) << "the first branch is kept";
    auto* tree = desk.panel<HistoryPanel>("panel.history");
    ASSERT_NE(tree, nullptr);
    std::set<StateId> tips;
    for (const HistoryRow& row : tree->tree().rows()) tips.insert(row.states.begin(), row.states.end());
    EXPECT_EQ(tips.count(algorithm), 1U);
    EXPECT_EQ(tips.count(history.branch(branch).tip), 1U);
}

TEST(Panels, FindLightsWhatIsFoundAndSaysSoIfNothingIs) {
    Desk desk;
    ASSERT_TRUE(desk.open(kAttention));
    desk.key(Qt::Key_F, Qt::ControlModifier);
    auto* search = desk.panel<SearchPanel>("panel.search");
    ASSERT_NE(search, nullptr);
    ASSERT_TRUE(wait_until([&] { return search->isAncestorOf(QApplication::focusWidget()); }));
    desk.type(QStringLiteral("exp"));
    ASSERT_TRUE(
        wait_until([&] { return !search->found().empty() && !desk.document().glow().nodes.empty(); }));
    EXPECT_EQ(desk.document().glow().kind, Glow::Kind::Search);
    EXPECT_EQ(desk.document().glow().nodes.size(), search->found().size());
    desk.type(QStringLiteral("zzz"));
    ASSERT_TRUE(wait_until([&] { return search->found().empty(); }));
    EXPECT_FALSE(search->status().isEmpty());
}

TEST(Panels, FindingAgainReplacesWhatWasLookedFor) {
    Desk desk;
    ASSERT_TRUE(desk.open(kAttention));
    const auto find = [&](const QString& text) {
        desk.key(Qt::Key_F, Qt::ControlModifier);
        auto* search = desk.window().findChild<SearchPanel*>();
        ASSERT_TRUE(wait_until([&] { return search->isAncestorOf(QApplication::focusWidget()); }));
        desk.type(text);
        ASSERT_TRUE(wait_until([&] { return search->findChild<QLineEdit*>()->text() == text; }));
    };
    find(QStringLiteral("dot"));
    desk.window().view().setFocus();
    find(QStringLiteral("exp"));
}

TEST(Panels, AMistakeInTheProgramIsShownWhereItIsAndTheDocumentStays) {
    Desk desk;
    ASSERT_TRUE(desk.open(QStringLiteral("softmax")));
    const ContentPtr before = desk.document().snapshot();
    desk.key(Qt::Key_E, Qt::ControlModifier);
    auto* editor = desk.panel<EditorPanel>("panel.editor");
    ASSERT_NE(editor, nullptr);
    editor->edit().setFocus();
    desk.key(Qt::Key_A, Qt::ControlModifier);
    desk.paste(QStringLiteral("dim M = 64 / 16\ninput X[M, M]\nY = exq(X)\n"));
    ASSERT_TRUE(wait_until([&] { return !editor->busy() && !editor->edit().problems().empty(); }));
    EXPECT_EQ(editor->edit().problems().front().line, 2);
    EXPECT_EQ(desk.document().snapshot(), before);
    auto* list = editor->findChild<QListWidget*>();
    EXPECT_TRUE(list->isVisible());
    EXPECT_TRUE(list->item(0)->text().contains(QStringLiteral("Line 3")));

    editor->edit().setFocus();
    desk.key(Qt::Key_A, Qt::ControlModifier);
    desk.paste(QStringLiteral("dim M = 64 / 16\ninput X[M, M]\nY = exp(X)\noutput Z = Y + X\n"));
    ASSERT_TRUE(wait_until([&] { return !editor->busy() && editor->edit().problems().empty(); }))
        << editor->edit().toPlainText().toStdString();
    desk.key(Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(wait_until([&] { return desk.document().snapshot() != before; }));
    ASSERT_TRUE(desk.settle());
    EXPECT_NE(desk.content().source.find("exp(X)"), std::string::npos);
}

}  // namespace
}  // namespace blockscope
