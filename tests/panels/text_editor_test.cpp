#include <gmock/gmock.h>

#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTest>
#include <QToolButton>

#include "app/panels/editor_panel.h"
#include "app/shell/progress.h"
#include "core/state/state.h"
#include "tests/panels/text_support.h"

namespace blockscope {
namespace {

using test::Desk;

constexpr int kManyLines = 60'000;

// "4096 / 128" explains itself where a comment has no room.
TEST(SizeWords, SayWhatADimensionIs) {
    EXPECT_EQ(size_words(QStringLiteral("dim M = 4_096 / 128   # tokens")),
              QStringLiteral("M: 4096 elements, in blocks of 128"));
    EXPECT_EQ(size_words(QStringLiteral("  batch B = 8")), QStringLiteral("B: 8 elements"));
    EXPECT_TRUE(size_words(QStringLiteral("S = Q @ K.T")).isEmpty());
}

struct Editor : Desk {
    EditorPanel panel{document, services};

    void settle() {
        ASSERT_TRUE(test::wait_until([&] { return !panel.busy(); }));
    }
    QString text() { return panel.edit().toPlainText(); }
    void type(const QString& text) {
        panel.edit().setPlainText(text);
        settle();
    }
};

TEST(ProgramEditor, ShowsTheTextOfEverySampleWithoutProblems) {
    Editor editor;
    for (const char* name : {"attention", "gqa", "layernorm", "causal-attention"}) {
        editor.open(name);
        editor.settle();
        EXPECT_EQ(editor.text().toStdString(), test::sample_source(name));
        EXPECT_FALSE(editor.panel.edited());
        EXPECT_TRUE(editor.panel.edit().problems().empty());
    }
}

TEST(ProgramEditor, ProblemsAreUnderlinedWhereTheyAre) {
    Editor editor;
    editor.open("softmax");
    editor.type(QStringLiteral("dim M = 64 / 16\ninput X[M, M]\nY = exq(X)\noutput Z = X + Missing\n"));
    const std::vector<ProgramProblem>& problems = editor.panel.edit().problems();
    ASSERT_EQ(problems.size(), 2U);
    EXPECT_EQ(problems[0].line, 2);
    EXPECT_EQ(problems[0].column, 4);
    EXPECT_EQ(problems[0].length, 3);
    EXPECT_EQ(problems[1].line, 3);
    EXPECT_EQ(problems[1].column, 15);
    EXPECT_EQ(problems[1].length, 7);
    EXPECT_EQ(editor.panel.edit().looks()[2].mark, LineMark::Error);
    EXPECT_EQ(editor.panel.edit().looks()[0].mark, LineMark::None);
    EXPECT_TRUE(editor.panel.edit().problem_at(3, 16));
    EXPECT_FALSE(editor.panel.edit().problem_at(3, 10));

    auto* list = editor.panel.findChild<QListWidget*>();
    ASSERT_EQ(list->count(), 2);
    EXPECT_TRUE(list->item(1)->text().contains(QStringLiteral("Line 4, column 16")));
    list->setCurrentRow(1);
    Q_EMIT list->itemActivated(list->item(1));
    EXPECT_EQ(editor.panel.edit().textCursor().blockNumber(), 3);
    EXPECT_EQ(editor.panel.edit().textCursor().positionInBlock(), 15);
}

TEST(ProgramEditor, ALongProblemIsSeenWholeInANarrowPanel) {
    Editor editor;
    editor.panel.resize(260, 600);
    editor.panel.show();
    editor.open("attention");
    editor.type(editor.text() + QStringLiteral("Z = P @ Q\n"));
    auto* list = editor.panel.findChild<QListWidget*>();
    ASSERT_EQ(list->count(), 1);
    const auto whole = [&] {
        return list->viewport()->height() >= list->visualItemRect(list->item(0)).height();
    };
    EXPECT_GT(list->visualItemRect(list->item(0)).height(), 2 * list->fontMetrics().height());
    EXPECT_TRUE(whole());
    editor.panel.resize(200, 600);
    ASSERT_TRUE(test::wait_until(whole));
    EXPECT_GT(editor.panel.edit().height(), 100) << "the text has room";
}

TEST(ProgramEditor, ColumnsCountCharactersNotBytes) {
    // The comment's letters take two bytes each.
    const QString text = QStringLiteral("x = \u00e4\u00f6\u00fc wrong");
    const std::vector<ProgramProblem> problems = program_problems(
        text, {{{"", 1, 12, ""}, Text("found 'wrong'")}, {{"", 9, 1, ""}, Text("behind the end")}});
    EXPECT_EQ(problems[0].column, 8);
    EXPECT_EQ(problems[0].length, 5);
    EXPECT_EQ(problems[1].line, 0);
}

// Nobody is caught in the text, and nobody edits it by looking at what is next.
TEST(ProgramEditor, TabLeavesTheText) {
    Editor editor;
    editor.open("attention");
    editor.settle();
    editor.panel.edit().setFocus();
    const QString before = editor.text();
    QTest::keyClick(&editor.panel.edit(), Qt::Key_Tab);
    EXPECT_EQ(editor.text(), before);
    EXPECT_FALSE(editor.panel.edited());
}

TEST(ProgramEditor, AppliesAProgramAsOneChangeThatIsUndone) {
    Editor editor;
    editor.open("attention");
    editor.settle();
    const std::string before = listing(*editor.document.content().program());
    const QString source = editor.text();
    const QString other = QString::fromStdString(test::sample_source("gemm-relu"));
    editor.type(other);
    EXPECT_TRUE(editor.panel.edited());
    editor.panel.apply();
    editor.settle();
    EXPECT_FALSE(editor.panel.edited());
    EXPECT_EQ(editor.document.content().source, other.toStdString());
    EXPECT_EQ(editor.document.content().name, "attention") << "the document keeps its name";
    EXPECT_GT(editor.document.content().history.states().size(), 1U) << "the timeline is full";
    EXPECT_NE(listing(*editor.document.content().program()), before);
    editor.document.undo();
    EXPECT_EQ(listing(*editor.document.content().program()), before);
    EXPECT_EQ(editor.text(), source);
    EXPECT_FALSE(editor.document.can_undo());
    editor.document.redo();
    EXPECT_EQ(editor.text(), other);
}

// A long program's conversion and run take a while: as for any work, the window shows it with Cancel.
TEST(ProgramEditor, ApplyingCanBeCancelled) {
    Editor editor;
    editor.open("attention");
    editor.settle();
    const ContentPtr before = editor.document.snapshot();
    const QString typed = QString::fromStdString(test::sample_source("decoder-block"));
    editor.type(typed);
    editor.panel.apply();
    ASSERT_TRUE(editor.work.busy());
    EXPECT_EQ(editor.work.title(), QStringLiteral("Applying the edits"));
    EXPECT_TRUE(editor.panel.busy());
    editor.work.cancel();
    EXPECT_FALSE(editor.panel.busy());
    for (int i = 0; i < 20; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    EXPECT_EQ(editor.document.snapshot(), before);
    EXPECT_EQ(editor.text(), typed) << "nothing that was typed is lost";
    editor.panel.apply();
    editor.settle();
    EXPECT_EQ(editor.document.content().source, typed.toStdString());
}

TEST(ProgramEditor, ACheckThatTakesLongIsAnnouncedAndCanBeCancelled) {
    Editor editor;
    editor.open("softmax");
    editor.settle();
    editor.panel.resize(500, 400);
    editor.panel.show();
    QString text = QStringLiteral("dim M = 8 / 4\ndim N = 8 / 4\ninput X0[M, N]\n");
    for (int i = 1; i <= kManyLines; ++i)
        text += QStringLiteral("X%1 = exp(X%2) + exp(X%2) * exp(X%2)\n").arg(i).arg(i - 1);
    editor.panel.edit().setPlainText(text + QStringLiteral("output Y = X%1").arg(kManyLines));
    auto* strip = editor.panel.findChild<StatusProgress*>();
    ASSERT_NE(strip, nullptr);
    ASSERT_TRUE(test::wait_until([&] { return strip->isVisible() || !editor.panel.busy(); }));
    ASSERT_TRUE(strip->isVisible());
    strip->findChild<QToolButton*>()->click();
    EXPECT_FALSE(editor.panel.busy());
    EXPECT_FALSE(strip->isVisible());
    QLabel* said = nullptr;
    for (auto* label : editor.panel.findChildren<QLabel*>())
        if (label->text().startsWith(QStringLiteral("Not checked"))) said = label;
    ASSERT_NE(said, nullptr);
    EXPECT_TRUE(said->isVisible());
    EXPECT_TRUE(editor.panel.findChild<QPushButton*>()->isEnabled()) << "it can be applied all the same";
    Q_EMIT said->linkActivated(QStringLiteral("check"));
    EXPECT_TRUE(editor.panel.busy());
    EXPECT_FALSE(said->text().startsWith(QStringLiteral("Not checked")));
    editor.settle();
    EXPECT_FALSE(editor.panel.edit().problems().empty()) << "of a program with too many operators";
}

TEST(ProgramEditor, AWrongProgramIsNotApplied) {
    Editor editor;
    editor.open("attention");
    editor.settle();
    editor.type(QStringLiteral("output O = nothing\n"));
    editor.panel.apply();
    editor.settle();
    EXPECT_FALSE(editor.document.can_undo());
    EXPECT_FALSE(editor.panel.edit().problems().empty());
}

TEST(ProgramEditor, EditsThatAreNotAppliedAreKept) {
    Editor editor;
    editor.open("attention");
    editor.settle();
    const QString edited = editor.text() + QStringLiteral("# more to come\n");
    editor.type(edited);
    editor.document.forward();
    editor.document.end();
    EXPECT_EQ(editor.text(), edited) << "stepping";
    DimTable dims = editor.document.content().program()->dims;
    dims[0].size *= 2;
    editor.document.set_dims(dims);
    EXPECT_EQ(editor.text(), edited) << "other sizes";
    editor.open("softmax");
    EXPECT_EQ(editor.text().toStdString(), test::sample_source("softmax"));
    editor.open("attention");
    EXPECT_EQ(editor.text(), edited) << "another document in between";
    editor.panel.revert();
    EXPECT_EQ(editor.text().toStdString(), test::sample_source("attention"));
}

TEST(ProgramEditor, FollowsTheDocumentsSizes) {
    Editor editor;
    editor.open("attention");
    editor.settle();
    DimTable dims = editor.document.content().program()->dims;
    dims[0].size = 8192;
    editor.document.set_dims(dims);
    EXPECT_TRUE(editor.text().contains(QStringLiteral("dim M = 8192 / 128")));
    EXPECT_FALSE(editor.panel.edited());
}

TEST(ProgramEditor, LightsTheLineOfWhatIsSelected) {
    Editor editor;
    editor.open("attention");
    editor.settle();
    const Content& content = editor.document.content();
    const int line_of_softmax = 9;  // "P = softmax(S)", counted from 0
    ASSERT_TRUE(editor.text().split(QLatin1Char('\n'))[line_of_softmax].contains(QStringLiteral("softmax")));
    NodeId node;
    for (const Origin& origin : content.origins)
        if (content.array->ops[static_cast<std::size_t>(origin.op)].kind == ArrayOpKind::Softmax)
            node = origin.node;
    editor.panel.show();
    editor.document.select({{node}, {}, {}});
    EXPECT_EQ(editor.panel.edit().lights().count(line_of_softmax), 1U);
    EXPECT_EQ(editor.panel.edit().lights().size(), 1U);
}

TEST(ProgramTokens, AreTheWordsOfTheLanguage) {
    using W = ProgramWord;
    const auto kinds = [](const char* line) {
        std::vector<std::pair<std::string, W>> words;
        for (const ProgramToken& token : program_tokens(QString::fromLatin1(line)))
            words.emplace_back(QString::fromLatin1(line).mid(token.start, token.length).toStdString(),
                               token.word);
        return words;
    };
    using testing::ElementsAre;
    using testing::Pair;
    EXPECT_THAT(kinds("dim M = 4_096 / 128 # dim"),
                ElementsAre(Pair("dim", W::Keyword), Pair("4_096", W::Number), Pair("128", W::Number),
                            Pair("# dim", W::Comment)));
    EXPECT_THAT(
        kinds("output O : bf16 = softmax(custom(\"so#rt\", S)) * 1e-5"),
        ElementsAre(Pair("output", W::Keyword), Pair("bf16", W::Type), Pair("softmax", W::Function),
                    Pair("custom", W::Function), Pair("\"so#rt\"", W::Text), Pair("1e-5", W::Number)));
    EXPECT_THAT(kinds("dimension = outputs"), ElementsAre());
}

}  // namespace
}  // namespace blockscope
