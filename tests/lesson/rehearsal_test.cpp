// The rehearsal finds what is broken in a lesson, with line and column.
#include "core/lesson/rehearsal.h"

#include "tests/lesson/lessons.h"

namespace blockscope::lesson::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> found_in(const std::string& body) {
    return messages_of(rehearse(lesson_of(body), sample_sources()).problems);
}

TEST(Rehearsal, IsContentWithALessonThatHolds) {
    const Rehearsal rehearsal = rehearse(
        lesson_of(
            "```claim\nbuffered(0) == 4\n```\n"
            "```ask\nHow many?\nanswer: steps\nwrong: 4 -> No.\nwrong: other -> No no.\n```\n"
            "```do\nGo.\nuntil: step >= 1\nwrong: applied(3) > 0 by apply 3 -> Hm.\nshow-me: step 1\n```\n"),
        {});
    // The second task is done on its wrong way, too: a step is a step.
    EXPECT_THAT(messages_of(rehearsal.problems),
                ElementsAre(HasSubstr("the task is done on this wrong way")));
    EXPECT_EQ(rehearsal.tasks, 2);
    EXPECT_EQ(rehearsal.right, 2);
    EXPECT_EQ(rehearsal.wrong, 2);
    EXPECT_EQ(rehearsal.claims, 1);
}

TEST(Rehearsal, FindsNumbersThatNoLongerHold) {
    EXPECT_THAT(found_in("```claim\nbuffered(last) == 3\n```\n"),
                ElementsAre("small.md:14:16: 'buffered(last) == 3' does not hold: the left side is 2, the "
                            "right side 3"));
    EXPECT_THAT(found_in("Step {traffic(step 7)}.\n"),
                ElementsAre("small.md:13:15: there is no step 7; the run takes 3 steps, and step 0 is the "
                            "initial block program"));
}

TEST(Rehearsal, FindsRulesThatAreCalledOtherwise) {
    EXPECT_THAT(found_in("```do\nFuse.\nuntil: applied(\"Fuse Maps\") > 0\nshow-me: step 1\n```\n"),
                ElementsAre(HasSubstr("small.md:15:16: there is no rule 'Fuse Maps'")));
    EXPECT_THAT(found_in("```predict\nWhich?\nrule: step 1\nwrong: 1 -> No.\nreveal: step 1\n```\n"),
                ElementsAre("small.md:16:8: this answer, rule 1, is right"));
}

TEST(Rehearsal, FindsTasksThatCannotFail) {
    EXPECT_THAT(
        found_in("```do\nGo.\nuntil: step >= 0\nshow-me: step 1\n```\n"),
        ElementsAre("small.md:15:13: the task is done before the learner does anything: 'step >= 0'"));
    EXPECT_THAT(found_in("```do\nGo.\nuntil: step >= 2\nshow-me: step 1\n```\n"),
                ElementsAre(HasSubstr("the task is not done by its 'show-me': the left side is 1, the right "
                                      "side 2")));
    EXPECT_THAT(found_in("```do\nGo.\nuntil: step >= 2\nwrong: step >= 1 by step 0 -> No.\n"
                         "show-me: step 2\n```\n"),
                ElementsAre("small.md:16:8: this is not said on its own way"));
}

TEST(Rehearsal, FindsReactionsThatAreNeverSaid) {
    EXPECT_THAT(
        found_in("```ask\nHow many?\nanswer: steps\nwrong: 3 -> No.\nwrong: 5 -> A.\nwrong: 5 -> B.\n```\n"),
        ElementsAre("small.md:16:8: this answer, 3, is right",
                    "small.md:18:8: this is never said: 5 has another reaction before it"));
    EXPECT_THAT(found_in("```ask\nWhich?\n- [x] A\n- [ ] B\n```\n"),
                ElementsAre("small.md:16:4: a wrong choice needs a reaction: '-> TEXT' behind it"));
    EXPECT_THAT(found_in("```ask\nWhich?\n- [if steps == 4] A -> Yes.\n- [ ] B -> No.\n```\n"),
                ElementsAre("small.md:15:4: no choice is right any more"));
}

TEST(Rehearsal, WantsTheNumberThatTheProgramShowsToBeAccepted) {
    EXPECT_THAT(found_in("```ask\nRatio?\nanswer: traffic(0) / traffic(last) within 0.01%\n```\n"),
                ElementsAre(HasSubstr("the number as the program shows it, 3.29, is not accepted")));
}

TEST(Rehearsal, GoesOnToTheEnd) {
    EXPECT_THAT(found_in("```show\nopen none.bp\n```\nText.\n"),
                ElementsAre("small.md:14:1: the program none.bp cannot be opened: there is no such sample"));
    EXPECT_THAT(found_in("```show\nopen softmax.bp\n```\nIt moves {traffic(0)}.\n"), IsEmpty());
}

}  // namespace
}  // namespace blockscope::lesson::test
