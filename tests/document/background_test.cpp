// Actions of large programs, done in the background: the same results, or none.
#include <gmock/gmock.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QSignalSpy>

#include "app/document/document.h"
#include "core/program/convert.h"
#include "tests/document/contents.h"
#include "tests/support/decoder_stack.h"

namespace blockscope::test {
namespace {

struct Background : testing::Test {
    Background() {
        document.set_background_above(0);
        document.reset(rich_content(), {});
        document.home();
    }
    Document document;
};

TEST_F(Background, GivesWhatTheForegroundGives) {
    Document other;
    other.reset(rich_content(), {});
    other.home();
    const Match match = all_matches(*document.content().program()).back();
    DimTable dims = document.content().program()->dims;
    dims[0].size *= 2;
    for (Document* each : {&document, &other}) {
        each->apply(match), each->wait();
        each->run_from_here(), each->wait();
        each->end(), each->back();
        each->set_dims(dims), each->wait();
        each->forward(), each->wait();
    }
    EXPECT_EQ(write_document(document.content()), write_document(other.content()));
    EXPECT_FALSE(document.is_busy());
}

TEST_F(Background, WhatCancelEndsIsSaid) {
    QSignalSpy cancelled(&document, &Document::cancelled);
    document.cancel();  // nothing runs
    EXPECT_EQ(cancelled.count(), 0);
    const ContentPtr before = document.snapshot();
    document.apply(all_matches(*before->program()).back());
    document.cancel();
    EXPECT_EQ(cancelled.count(), 1);
    EXPECT_EQ(document.snapshot(), before);
    EXPECT_FALSE(document.is_busy());
}

TEST_F(Background, TheContentStaysUntilItIsDone) {
    const ContentPtr before = document.snapshot();
    document.apply(all_matches(*before->program()).back());
    EXPECT_TRUE(document.is_busy());
    EXPECT_EQ(document.snapshot(), before);
    document.wait();
    EXPECT_NE(document.snapshot(), before);
    EXPECT_EQ(document.undo_label(),
              "Apply rule " + QString::fromStdString(to_string(document.content().state().step->match.rule)));
}

TEST_F(Background, LookingAroundMeanwhileIsKept) {
    const std::size_t states = document.content().history.states().size();
    document.apply(all_matches(*document.content().program()).back());
    document.go(5);
    document.toggle_fold(NodeId{2});
    document.wait();
    EXPECT_EQ(document.content().history.states().size(), states + 1);
    EXPECT_EQ(document.content().current, 5);
    EXPECT_EQ(document.content().folds.count(NodeId{2}), 1U);
}

TEST_F(Background, OtherStepsMeanwhileDropIt) {
    QSignalSpy failed(&document, &Document::failed);
    document.apply(all_matches(*document.content().program()).back());
    document.set_note(0, "changed meanwhile");
    const ContentPtr content = document.snapshot();
    document.wait();
    EXPECT_EQ(document.snapshot(), content);
    ASSERT_EQ(failed.count(), 1);
    EXPECT_TRUE(failed[0][0].toString().contains("dropped"));
}

TEST_F(Background, ASecondActionWaitsItsTurn) {
    QSignalSpy failed(&document, &Document::failed);
    const Match match = all_matches(*document.content().program()).back();
    document.apply(match);
    document.apply(match);
    EXPECT_EQ(failed.count(), 1);
    document.wait();
    EXPECT_EQ(failed.count(), 1);
}

TEST_F(Background, CancelLeavesTheContent) {
    QSignalSpy idle(&document, &Document::idle);
    const ContentPtr before = document.snapshot();
    document.apply(all_matches(*before->program()).back());
    document.cancel();
    EXPECT_FALSE(document.is_busy());
    EXPECT_EQ(idle.count(), 1);
    QCoreApplication::processEvents();
    EXPECT_EQ(document.snapshot(), before);
}

TEST_F(Background, ClosingMeanwhileIsClean) {
    document.run_from_here();
    document.close();
    QCoreApplication::processEvents();
    EXPECT_TRUE(document.empty());
    document.reset(rich_content(), {});
    document.apply(all_matches(*document.content().program()).back());
}

// A run that takes seconds announces itself and ends within one step after Cancel.
TEST(LargeProgram, RunsInTheBackgroundAndIsCancelled) {
    Document document;
    document.reset(content_of_blocks(to_block_program(decoder_stack(20)).program, "stack"), {});
    QSignalSpy busy(&document, &Document::busy);
    document.run_from_here();
    EXPECT_TRUE(document.is_busy());
    ASSERT_TRUE(busy.wait(20'000));
    EXPECT_EQ(busy[0][0].toString(), "Run the algorithm");
    document.cancel();
    EXPECT_FALSE(document.is_busy());
    EXPECT_EQ(document.content().history.states().size(), 1U);
}

}  // namespace
}  // namespace blockscope::test
