// Handout and solution.
#include "core/lesson/rehearsal.h"

#include "tests/lesson/lessons.h"

namespace blockscope::lesson::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const char* const kBody =
    "## Bytes\nIt moves {traffic(0)}.\n"
    "```ask\nHow much at the end?\nanswer: traffic(last)\nwrong: traffic(0) -> That is before.\n```\n"
    "```ask\nLess?\n- [x] Yes -> Right.\n- [ ] No -> Look.\n```\n"
    "```do\nGo there.\nuntil: step >= 3\nshow-me: last\nright: {traffic(now)} there.\n```\n"
    "Now it is {traffic(now)}.\n";

TEST(Sheet, AsksInTheHandoutAndAnswersInTheSolution) {
    const std::string handout = sheet(lesson_of(kBody), {}, SheetKind::Handout).value();
    EXPECT_THAT(handout, HasSubstr("<h2>Bytes</h2>"));
    EXPECT_THAT(handout, HasSubstr("It moves 736 B."));
    EXPECT_THAT(handout, HasSubstr("How much at the end?"));
    EXPECT_THAT(handout, Not(HasSubstr("That is before")));
    EXPECT_THAT(handout, Not(HasSubstr("\u2611")));
    EXPECT_THAT(handout, HasSubstr("Now it is 224 B.")) << "the state after the task before";
    const std::string solution = sheet(lesson_of(kBody), {}, SheetKind::Solution).value();
    EXPECT_THAT(solution, HasSubstr("<p class=\"answer\">224 B</p>"));
    EXPECT_THAT(solution, HasSubstr("That is before."));
    EXPECT_THAT(solution, HasSubstr("\u2611 Yes"));
    EXPECT_THAT(solution, HasSubstr("<code>last</code>"));
    EXPECT_THAT(solution, HasSubstr("224 B there.")) << "the state that was reached";
}

TEST(Sheet, IsNotMadeOfABrokenLesson) {
    const Result<std::string> page = sheet(lesson_of("Step {traffic(9)}.\n"), {}, SheetKind::Handout);
    ASSERT_FALSE(page);
    EXPECT_EQ(
        to_string(page.problems().front()),
        "small.md:13:15: there is no step 9; the run takes 3 steps, and step 0 is the initial block program");
}

}  // namespace
}  // namespace blockscope::lesson::test
