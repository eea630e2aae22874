// The Document: undo and redo of every action give the same bytes, and the signals say what changed.
#include <gmock/gmock.h>

#include <QSignalSpy>

#include "tests/document/contents.h"
#include "tests/document/random_actions.h"

namespace blockscope::test {
namespace {

std::string text(const Document& document) {
    return write_document(document.content());
}

// Undoes everything and redoes everything; on the way up the texts are those of the way down.
void expect_undo_and_redo(Document& document, const std::string& first) {
    while (document.can_redo()) document.redo();
    const std::string last = text(document);
    std::vector<std::string> down;
    while (document.can_undo()) {
        down.push_back(text(document));
        document.undo();
    }
    EXPECT_EQ(text(document), first);
    while (document.can_redo()) {
        ASSERT_FALSE(down.empty());
        document.redo();
        EXPECT_EQ(text(document), down.back());
        down.pop_back();
    }
    EXPECT_TRUE(down.empty());
    EXPECT_EQ(text(document), last);
}

TEST(Undo, EverySequenceOfActionsIsUndoneAndRedone) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Random random(seed);
        Document document;
        document.reset(seed % 3 == 0 ? rich_block_content() : rich_content(), {});
        const std::string first = text(document);
        std::string actions;
        for (int i = 0; i < 12; ++i) {
            const std::string before = text(document);
            const ContentPtr content = document.snapshot();
            actions += random_action(random, document, false).toStdString() + ", ";
            // An action that is done has an entry, or is part of the one before.
            if (document.snapshot() != content) {
                EXPECT_TRUE(document.can_undo());
                EXPECT_NE(text(document), before) << "an entry that changes nothing";
            }
        }
        expect_undo_and_redo(document, first);
        ASSERT_FALSE(HasFailure()) << "seed " << seed << ": " << actions;
    }
}

// Other rules are another run of the same program, from its start; the one before comes back with undo.
TEST(Undo, OtherRulesAreAnotherRun) {
    Document document;
    const std::string source =
        "dim M = 64 / 16\ndim K = 64 / 16\ndim N = 64 / 16\ninput X[M, K], G[K], W[K, N]\n"
        "output Y = rmsnorm(X, G) @ W\n";
    document.reset(prepared(content_of_source(source, "norm.bp").value()), {});
    const auto steps = [&] { return document.content().history.states().size(); };
    const std::size_t extended = steps();
    const std::string before = text(document);
    document.set_rules(RuleSet{});
    EXPECT_FALSE(document.can_undo()) << "they are the document's already";
    document.set_rules(kPaperRules);
    EXPECT_EQ(document.content().history.rules(), kPaperRules);
    const Trace paper = fuse(document.content().history.state(0).program, {}, kPaperRules);
    EXPECT_EQ(steps(), paper.steps.size() + 1);
    EXPECT_NE(steps(), extended) << "an addition passes the weight on";
    EXPECT_EQ(document.content().source, source);
    // They stay when the text is another.
    document.set_source(QString::fromStdString(source) + QStringLiteral("output Z = exp(Y)\n"));
    EXPECT_EQ(document.content().history.rules(), kPaperRules);
    document.undo();
    document.undo();
    EXPECT_EQ(text(document), before);
}

// The same with undo and redo in between, and with the document closed and opened in the middle.
TEST(Undo, InTheMiddleOfWork) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Random random(seed);
        Document document, reopened;
        document.reset(rich_content(), {});
        for (int i = 0; i < 10; ++i) random_action(random, document, true);
        Result<Content> content = read_document(text(document), "d");
        ASSERT_TRUE(content) << to_string(content.problems().front());
        const std::string middle = text(document);
        document.reset(Content(document.content()), {});
        reopened.reset(std::move(content).value(), {});
        Random other = random;
        for (int i = 0; i < 10; ++i) {
            random_action(random, document, true);
            random_action(other, reopened, true);
            ASSERT_EQ(text(document), text(reopened)) << "seed " << seed;
        }
        expect_undo_and_redo(reopened, middle);
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
}

struct Opened : testing::Test {
    Opened() { document.reset(rich_content(), "a.blockscope"), document.go(0, 1), document.mark_saved(); }
    Document document;
};

TEST_F(Opened, StepsInARowAreOneEntry) {
    document.forward();
    document.forward();
    document.forward();
    EXPECT_EQ(document.content().current, 3);
    EXPECT_EQ(document.undo_label(), "Go to step 3");
    document.undo();
    EXPECT_EQ(document.content().current, 0);
    document.redo();
    EXPECT_EQ(document.content().current, 3);
}

TEST_F(Opened, SavingUndoingAndOtherActionsEndARow) {
    document.forward();
    document.mark_saved();
    document.forward();
    document.undo();
    EXPECT_EQ(document.content().current, 1);
    EXPECT_FALSE(document.modified());
    document.forward();
    document.toggle_fold(NodeId{2});
    document.forward();
    document.undo();
    EXPECT_EQ(document.content().current, 2);
    document.undo();
    document.undo();
    EXPECT_EQ(document.content().current, 1);
}

TEST_F(Opened, ModifiedIsWhetherTheSavedContentIsShown) {
    QSignalSpy saved(&document, &Document::saved_changed);
    EXPECT_FALSE(document.modified());
    document.set_note(1, "x");
    EXPECT_TRUE(document.modified());
    document.undo();
    EXPECT_FALSE(document.modified());
    document.redo();
    document.mark_saved();
    EXPECT_FALSE(document.modified());
    EXPECT_EQ(saved.count(), 4);
}

// It is of the state before: what is drawn after a step must not ask for it.
TEST_F(Opened, AStepEndsThePreviewBeforeAnybodyHearsOfIt) {
    document.set_preview(all_matches(*document.content().program()).front());
    int heard = 0;
    const auto hears = QObject::connect(&document, &Document::content_changed, &document, [&] {
        ++heard;
        EXPECT_FALSE(document.preview());
    });
    QSignalSpy preview(&document, &Document::preview_changed);
    document.forward();
    EXPECT_EQ(heard, 1);
    EXPECT_EQ(preview.count(), 1);
    QObject::disconnect(hears);
    document.set_preview(all_matches(*document.content().program()).front());
    document.set_note(1, "x");
    EXPECT_TRUE(document.preview()) << "the same state";
}

// Another program has other nodes with the same ids.
TEST_F(Opened, WhatIsSelectedStaysWithItsProgram) {
    const NodeId node = document.content().program()->graph->nodes().front()->id;
    document.select({{node}, {}, {}});
    document.forward();
    EXPECT_FALSE(document.selection().empty());
    DimTable dims = document.content().program()->dims;
    dims[0].size *= 2;
    document.set_dims(dims);
    EXPECT_FALSE(document.selection().empty()) << "the same program at other sizes";
    document.set_source("dim M = 8 / 4\ninput X[M, M]\noutput Y = exp(X)\n");
    EXPECT_TRUE(document.selection().empty());
    document.select({{node}, {}, {}});
    document.undo();
    EXPECT_TRUE(document.selection().empty());
}

TEST_F(Opened, ClosingLeavesNothing) {
    document.select({{NodeId{1}}, {}, {}});
    document.set_glow({Glow::Kind::Match, {NodeId{1}}});
    document.set_preview(all_matches(*document.content().program()).front());
    document.set_note(1, "x");
    QSignalSpy preview(&document, &Document::preview_changed),
        selection(&document, &Document::selection_changed);
    document.close();
    EXPECT_TRUE(document.empty());
    EXPECT_FALSE(document.can_undo());
    EXPECT_TRUE(document.selection().empty());
    EXPECT_EQ(document.glow(), Glow{});
    EXPECT_FALSE(document.preview());
    EXPECT_EQ(preview.count(), 1);
    EXPECT_EQ(selection.count(), 1);
    document.forward(), document.back(), document.end(), document.home(), document.run_from_here();
    document.undo(), document.redo(), document.tidy(), document.next_snapshot(), document.cancel();
    EXPECT_TRUE(document.empty());
}

TEST_F(Opened, WhatIsSelectedIsSavedAndComesBack) {
    for (const Spot& spot :
         {Spot{{NodeId{2}, NodeId{5}}, {}, {}}, Spot{{}, ValueRef{NodeId{2}, 0, 1}, NodeId{5}}}) {
        document.select(spot);
        Result<Content> read = read_document(write_document(document.to_save()), "t");
        ASSERT_TRUE(read);
        Document again;
        again.reset(std::move(read).value(), {});
        EXPECT_EQ(again.selection(), spot);
        EXPECT_EQ(write_document(again.to_save()), write_document(document.to_save()));
    }
}

TEST_F(Opened, WhatHasNothingToDoIsNoFailure) {
    document.run_from_here();
    const std::string before = text(document);
    QSignalSpy said(&document, &Document::said), failed(&document, &Document::failed);
    document.run_from_here();
    EXPECT_EQ(said.count(), 1);
    EXPECT_EQ(failed.count(), 0);
    EXPECT_EQ(text(document), before);
}

TEST_F(Opened, WhatCannotBeDoneIsSaidAndChangesNothing) {
    const std::string before = text(document);
    QSignalSpy failed(&document, &Document::failed);
    Match match = all_matches(*document.content().program()).front();
    match.roles[0].node = NodeId{9999};
    document.apply(match);
    EXPECT_EQ(failed.count(), 1);
    DimTable dims = document.content().program()->dims;
    dims[0].block = dims[0].size + 1;
    document.set_dims(dims);
    EXPECT_EQ(failed.count(), 2);
    document.set_source("nothing");
    EXPECT_EQ(failed.count(), 3);
    document.set_note(0, QString(2 << 20, 'x'));
    EXPECT_EQ(failed.count(), 4);
    document.rename_branch(1, QString(2000, 'x'));
    EXPECT_EQ(failed.count(), 5);
    for (const auto& arguments : failed) EXPECT_FALSE(arguments[0].toString().isEmpty());
    EXPECT_EQ(text(document), before);
    EXPECT_FALSE(document.modified());
}

TEST_F(Opened, NothingIsNoAction) {
    document.go(0), document.home(), document.go(99), document.rename_branch(1, "Algorithm");
    document.rename_branch(1, " "), document.rename_branch(77, "x"), document.set_note(99, "x");
    document.compare_with(document.content().compared), document.set_baseline(99),
        document.set_folds(document.content().folds, "x");
    EXPECT_FALSE(document.modified());
}

TEST_F(Opened, WalksThroughSnapshots) {
    std::vector<int> seen;
    for (int last = -1; document.content().current != last;) {
        last = document.content().current;
        document.next_snapshot();
        if (document.content().current != last) seen.push_back(document.content().current);
    }
    const Trace trace = fuse(document.content().history.state(0).program);
    EXPECT_EQ(seen, trace.snapshots);
    document.previous_snapshot();
    EXPECT_EQ(document.content().current, trace.snapshots[trace.snapshots.size() - 2]);
    document.previous_snapshot(), document.previous_snapshot(), document.previous_snapshot();
    EXPECT_EQ(document.content().current, 0);
}

}  // namespace
}  // namespace blockscope::test
