// Actions of lessons as a learner without a window carries them out.
#include "core/lesson/learner.h"

#include "tests/lesson/lessons.h"
#include "tests/support/samples.h"

namespace blockscope::lesson::test {
namespace {

using testing::HasSubstr;

std::int64_t bytes_of(const Learner& learner) {
    const State state = learner.state();
    return state.counts().bytes();
}

class Actions : public testing::Test {
protected:
    std::string refused(const std::string& action) {
        const auto lesson = lesson_of("```show\n" + action + "\n```\n");
        const Result<Learner> result = after(learner_, lesson->stops[0].show, player_.programs());
        return result ? "" : to_string(result.problems().front());
    }

    LessonPlayer player_{lesson_of("Text.\n"), sample_sources()};
    Learner learner_ = beginner(player_);
};

TEST_F(Actions, GoAlongTheAlgorithmsRun) {
    EXPECT_EQ(done(learner_, "step 2", player_).step, 2);
    EXPECT_EQ(done(learner_, "last", player_).step, 3);
    EXPECT_EQ(done(learner_, "snapshot 1", player_).step, 3);
    EXPECT_EQ(done(learner_, "last; best", player_).step, 3);
    EXPECT_EQ(done(learner_, "apply 3; step 1", player_).trace.steps.size(), 3U) << "back on its run";
}

TEST_F(Actions, TakeAnotherWayAndRunOn) {
    const Learner other = done(learner_, "apply 3", player_);
    EXPECT_EQ(other.trace.steps.size(), 1U);
    EXPECT_EQ(other.trace.steps[0].match.rule, (RuleId{3, 0}));
    const Learner end = done(other, "run", player_);
    EXPECT_EQ(end.step, 3);
    EXPECT_EQ(bytes_of(end), bytes_of(done(learner_, "last", player_)));
}

TEST_F(Actions, ChangeSizesAlongTheWholeWay) {
    const Learner sized = done(learner_, "last; size N = 12 / 3", player_);
    EXPECT_EQ(sized.step, 3);
    EXPECT_EQ(sized.trace.state(0)->dims[1].blocks(), 4);
    EXPECT_EQ(sized.trace.state(3)->dims[1].blocks(), 4);
    EXPECT_EQ(bytes_of(sized), 8 * 12 * 4 + 8 * 4);
}

TEST_F(Actions, ChooseWhatTheStarGoesBy) {
    EXPECT_EQ(learner_.objective, "time");
    EXPECT_EQ(done(learner_, "objective traffic", player_).objective, "traffic");
}

TEST_F(Actions, SayWhyTheyCannotBeDone) {
    EXPECT_THAT(refused("apply 4"), HasSubstr(":14:1: rule 4 does not apply in this state"));
    EXPECT_THAT(refused("apply 3 at M number 2"), HasSubstr("rule 3 has only 1 match at M in this state"));
    EXPECT_THAT(refused("step 4"), HasSubstr("there is no step 4; the run takes 3 steps"));
    EXPECT_THAT(refused("open no.bp"),
                HasSubstr("the program no.bp cannot be opened: there is no such sample"));
    EXPECT_THAT(refused("select row_sun"), HasSubstr("Did you mean row_sum?"));
    EXPECT_THAT(refused("select row_sun 2"), HasSubstr("Did you mean row_sum?"));
    EXPECT_THAT(refused("select row_sum 2"), HasSubstr("of 'row_sum' this state has only 1"));
    EXPECT_THAT(refused("highlight value exp"),
                HasSubstr("'value exp' is an arrow, which can be selected only"));
    EXPECT_THAT(refused("look at value exp"),
                HasSubstr("'value exp' is an arrow, which can be selected only"));
    EXPECT_THAT(refused("select value exp, value row_sum"), HasSubstr("'value row_sum' is another"));
    EXPECT_THAT(refused("select value M-map"), HasSubstr("'M-map' is a map"));
    EXPECT_THAT(refused("device l5"), HasSubstr("there is no device 'l5'. Did you mean l4?"));
    EXPECT_THAT(refused("size K = 4 / 2"), HasSubstr("there is no dimension 'K'"));
    EXPECT_THAT(refused("size M = 4 / 8"), HasSubstr("expected a size and a block size"));
}

TEST(Nodes, OfTheSameNameAreCounted) {
    const BlockProgram program = *blockscope::test::block_sample("attention");
    const auto all = find_nodes(program, "dot", {}), first = find_nodes(program, "dot 1", {}),
               second = find_nodes(program, "dot 2", {});
    ASSERT_TRUE(all && first && second);
    ASSERT_EQ(all->size(), 2U);
    EXPECT_EQ(*first, std::vector{(*all)[0]});
    EXPECT_EQ(*second, std::vector{(*all)[1]});
}

// Of every step of these programs that makes buffered edges fewer, and of no other, one can point at an edge
// that goes.
TEST(VanishingArrows, AreThereJustWhereTheCountFalls) {
    for (const char* file : {"attention.bp", "layernorm-matmul.bp", "rmsnorm-swiglu.bp", "lora.bp"}) {
        const auto lesson = lesson_of("Text.\n");
        Programs programs(sample_sources(), lesson);
        const Result<const Reference*> reference = programs.find(file);
        ASSERT_TRUE(reference);
        for (const Step& step : (*reference)->run.steps) {
            // A step that only lines loops up is not said to free what it joins.
            EXPECT_EQ(vanishing_arrows(step).empty(), step.buffered_edges >= 0)
                << file << ": " << step.explanation.str();
        }
    }
}

}  // namespace
}  // namespace blockscope::lesson::test
