// Counting and predicting that take long can be cancelled; what they leave says so and goes on with the next
// step.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "app/costs/cost_page.h"
#include "app/costs/forecast.h"
#include "core/program/convert.h"
#include "core/rules/rule.h"
#include "tests/panels/text_support.h"
#include "tests/support/decoder_stack.h"

namespace blockscope {
namespace {

using test::wait_until;

constexpr int kLong = 1000;  // milliseconds, in which a job that goes on after all would be done

// A program that is counted off the interface thread.
struct LongStack {
    LongStack() {
        document.reset(content_of_blocks(to_block_program(decoder_stack(20)).program, "stack"), {});
    }
    void step() {
        const StateId before = document.content().current;
        document.apply(all_matches(*document.content().program()).front());
        ASSERT_TRUE(wait_until([&] { return document.content().current != before; }));
    }

    Document document;
    Costs& costs = Costs::of(document);
    Forecast& forecast = Forecast::of(document);
};

TEST(Cancel, StatesThatAreNotCountedSayWhyUntilTheNextStep) {
    LongStack stack;
    ASSERT_TRUE(stack.costs.work().busy());
    EXPECT_FALSE(stack.costs.work().title().isEmpty());
    const QSignalSpy told(&stack.costs, &Costs::counted);
    stack.costs.cancel();
    EXPECT_FALSE(stack.costs.busy());
    EXPECT_FALSE(stack.costs.work().busy());
    EXPECT_EQ(told.count(), 1);
    // What a thread had counted meanwhile comes too late.
    QTest::qWait(kLong);
    EXPECT_FALSE(stack.costs.counted_rows());
    EXPECT_TRUE(stack.costs.missing().contains(QStringLiteral("cancelled")));
    EXPECT_EQ(traffic_of(stack.document.content(), stack.costs).missing, stack.costs.missing());
    EXPECT_EQ(memory_of(stack.costs, 0, {}).missing, stack.costs.missing());
    stack.step();
    EXPECT_FALSE(stack.costs.cancelled());
    EXPECT_TRUE(wait_until([&] { return stack.costs.counted_rows(); }));
}

TEST(Cancel, TimesThatAreNotPredictedSayWhyUntilTheNextStep) {
    LongStack stack;
    ASSERT_TRUE(wait_until([&] { return !stack.costs.busy(); }));
    EXPECT_FALSE(stack.forecast.of(StateId{0}));
    ASSERT_TRUE(wait_until([&] { return stack.forecast.work().busy(); }));
    EXPECT_FALSE(stack.forecast.work().title().isEmpty());
    const QSignalSpy told(&stack.forecast, &Forecast::changed);
    stack.forecast.cancel();
    EXPECT_FALSE(stack.forecast.work().busy());
    EXPECT_EQ(told.count(), 1);
    EXPECT_TRUE(stack.forecast.missing().contains(QStringLiteral("cancelled")));
    QTest::qWait(kLong);
    EXPECT_FALSE(stack.forecast.of(StateId{0}));
    stack.step();
    EXPECT_TRUE(wait_until([&] { return stack.forecast.of(StateId{0}) != nullptr; }));
    stack.forecast.cancel();
    stack.forecast.set_model("roofline");
    EXPECT_TRUE(wait_until([&] { return stack.forecast.of(StateId{0}) != nullptr; }));
}

}  // namespace
}  // namespace blockscope
