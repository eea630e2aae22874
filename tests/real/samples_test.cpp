// Samples from the start page to their last step and back, by the keys of the keyboard.
// (tests/window/readable_test.cpp does so with every sample, without a display.)
#include <gmock/gmock.h>

#include <array>

#include "tests/real/desk.h"

namespace blockscope {
namespace {

using test::Desk;

// To the end by Space, state by state, and back by a Backspace that is held; the first picture must come back
// as it was.
void there_and_back(Desk& desk) {
    const PicturePtr first = desk.picture();
    const QImage first_image = desk.canvas_image();
    const Branch& branch = desk.content().history.branch(desk.content().branch);
    const StateId tip = branch.tip;
    EXPECT_FALSE(branch.stopped.empty()) << "the algorithm's run has an end";
    const int steps = desk.content().history.depth(tip);
    ASSERT_GT(steps, 0);
    for (int step = 1; step <= steps; ++step) {
        ASSERT_TRUE(desk.press(Qt::Key_Space, 1));
        ASSERT_EQ(desk.content().history.depth(desk.content().current), step);
        ASSERT_FALSE(desk.picture()->figure.boxes.empty());
    }
    EXPECT_EQ(desk.content().current, tip);
    EXPECT_FALSE(desk.document().can_forward());
    EXPECT_NE(desk.canvas_image(), first_image);
    ASSERT_TRUE(desk.hold(Qt::Key_Backspace, steps));
    EXPECT_EQ(desk.content().current, 0);
    EXPECT_TRUE(test::same_geometry(*desk.picture(), *first));
    EXPECT_EQ(desk.canvas_image(), first_image) << "the same state is the same picture, pixel by pixel";
}

// Two small ones, masks, element types with casts, and the longest run.
constexpr std::array kStepped{"lora", "layernorm-matmul", "causal-attention", "fp8-attention",
                              "decoder-block"};

TEST(Samples, StepToTheirEndAndBackToTheVeryFirstPicture) {
    Desk desk;
    for (const char* sample : kStepped) {
        SCOPED_TRACE(sample);
        ASSERT_TRUE(desk.open(QString::fromUtf8(sample)));
        there_and_back(desk);
        if (HasFatalFailure()) return;
    }
}

TEST(Samples, OneMovesToItsEndAndBackWithAnimations) {
    Desk desk(Desk::Motion::On);
    ASSERT_TRUE(desk.open(QStringLiteral("softmax")));
    there_and_back(desk);
}

TEST(Samples, ACardOfTheStartPageOpensItsSample) {
    Desk desk;
    ASSERT_TRUE(desk.window().on_start_page());
    desk.key(Qt::Key_Tab);
    desk.key(Qt::Key_Backtab, Qt::ShiftModifier);
    desk.key(Qt::Key_Return);
    ASSERT_TRUE(test::wait_until([&] { return !desk.document().empty(); }));
    ASSERT_TRUE(desk.settle());
    EXPECT_EQ(desk.content().name, samples().front().name.toStdString());
}

TEST(Samples, KeysSkipToSnapshotsEndAndStart) {
    Desk desk;
    ASSERT_TRUE(desk.open(QStringLiteral("attention")));
    const History& history = desk.content().history;
    ASSERT_TRUE(desk.press(Qt::Key_N, 1, Qt::ShiftModifier));
    EXPECT_TRUE(desk.content().state().snapshot);
    const StateId snapshot = desk.content().current;
    ASSERT_TRUE(desk.press(Qt::Key_End, 1));
    EXPECT_EQ(desk.content().current, history.branch(desk.content().branch).tip);
    ASSERT_TRUE(desk.press(Qt::Key_P, 1, Qt::ShiftModifier));
    EXPECT_NE(desk.content().current, 0);
    EXPECT_TRUE(desk.content().state().snapshot);
    EXPECT_LE(snapshot, desk.content().current);
    ASSERT_TRUE(desk.press(Qt::Key_Home, 1));
    EXPECT_EQ(desk.content().current, 0);
}

}  // namespace
}  // namespace blockscope
