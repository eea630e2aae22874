// Lessons as they are read, and what is said of broken ones: all problems at once, with line and column.
#include "tests/lesson/lessons.h"

namespace blockscope::lesson::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<std::string> problems_in(const std::string& body) {
    const Result<Lesson> lesson = read_lesson(lesson_text(body), "small.md");
    return lesson ? std::vector<std::string>{} : messages_of(lesson.problems());
}

std::string at(int line, int column, const std::string& message) {
    return "small.md:" + std::to_string(kBodyLine + line - 1) + ":" + std::to_string(column) + ": " + message;
}

TEST(Reader, CutsALessonIntoStops) {
    const auto lesson = lesson_of(
        "Before.\n"
        "## One\nText {steps}.\n"
        "```show\nstep 1; look at all\n```\n"
        "```ask\nHow many?\nanswer: steps\nhint: Count.\n  Twice.\n```\n"
        "More.\n---\nEnd.\n");
    ASSERT_THAT(lesson->stops, SizeIs(4));
    EXPECT_EQ(lesson->stops[0].heading, "");
    const Stop& asked = lesson->stops[1];
    EXPECT_EQ(asked.heading, "One");
    EXPECT_THAT(asked.show, SizeIs(2));
    ASSERT_TRUE(asked.task);
    EXPECT_EQ(asked.task->kind, TaskKind::Ask);
    EXPECT_EQ(asked.task->name, "one");
    EXPECT_THAT(asked.task->hints, ElementsAre(testing::Field(&Prose::parts, SizeIs(3))));
    EXPECT_EQ(lesson->stops[2].heading, "One");
    EXPECT_FALSE(lesson->stops[3].task);
    EXPECT_EQ(lesson->program, "tiny.bp");
    EXPECT_EQ(lesson->minutes, 1);
}

TEST(Reader, KnowsWhichProgramAStopIsAbout) {
    const auto lesson = lesson_of("A.\n---\nB.\n```show\nopen softmax.bp\n```\n---\nC.\n");
    ASSERT_THAT(lesson->stops, SizeIs(3));
    EXPECT_EQ(lesson->stops[0].program, "tiny.bp");
    EXPECT_EQ(lesson->stops[1].program, "softmax.bp");
    EXPECT_EQ(lesson->stops[2].program, "softmax.bp");
}

TEST(Reader, KeepsPlainCode) {
    EXPECT_THAT(lesson_of("```text\na -> b\n```\n")->stops, SizeIs(1));
}

TEST(Reader, SaysWhatAHeaderLacks) {
    const Result<Lesson> lesson = read_lesson("---\ntitel: X\nminutes: many\n---\nText.\n", "l.md");
    ASSERT_FALSE(lesson);
    EXPECT_THAT(messages_of(lesson.problems()),
                ElementsAre("l.md:2:1: the header has no key 'titel'. Did you mean title?",
                            "l.md:3:1: expected a number of minutes", "l.md:4:1: the header has no 'title'",
                            "l.md:4:1: the header has no 'program'", "l.md:4:1: the header has no 'goal'"));
    EXPECT_THAT(messages_of(read_lesson("Text.\n", "l.md").problems()).front(),
                HasSubstr("l.md:1:1: expected '---' and the header"));
}

// A tour has no goals that it would be measured by.
TEST(Reader, KnowsTours) {
    const std::string header = "---\ntitle: T\nminutes: 1\nprogram: softmax.bp\n";
    const Result<Lesson> tour = read_lesson(header + "kind: tour\n---\nText.\n", "l.md");
    ASSERT_TRUE(tour);
    EXPECT_EQ(tour->kind, LessonKind::Tour);
    EXPECT_EQ(read_lesson(header + "goal: G\nkind: lesson\n---\nText.\n", "l.md")->kind, LessonKind::Lesson);
    EXPECT_THAT(messages_of(read_lesson(header + "goal: G\nkind: game\n---\nText.\n", "l.md").problems()),
                ElementsAre("l.md:6:1: there is no kind 'game': expected 'lesson' or 'tour'"));
}

TEST(Reader, NamesEveryUnknownWordWithAGuess) {
    EXPECT_THAT(problems_in("```askk\nWhat?\n```\n"),
                ElementsAre(at(1, 1, "there is no block 'askk'. Did you mean ask?")));
    EXPECT_THAT(problems_in("```ask\nWhat?\nanswr: 1\n```\n"),
                ElementsAre(at(3, 1, "a block 'ask' has no key 'answr'. Did you mean answer?"),
                            at(1, 1, "a question needs 'answer', 'rule', 'edge' or choices")));
    EXPECT_THAT(problems_in("```show\nopn x.bp\nview lising\n```\n"),
                ElementsAre(at(2, 1, "there is no action 'opn'. Did you mean open?"),
                            at(3, 6, "there is no view 'lising'. Did you mean listing?")));
    EXPECT_THAT(problems_in("It moves {trafic(0)}.\n"),
                ElementsAre(at(1, 11, "there is no value 'trafic'. Did you mean traffic?")));
    EXPECT_THAT(
        problems_in("A [bufered edge](glossary).\n"),
        ElementsAre(at(1, 4, "the glossary has no term 'bufered edge'. Did you mean Buffered edge?")));
    EXPECT_THAT(problems_in("```ask\nWhat?\nanswer: 1 in mb\n```\n"),
                ElementsAre(at(3, 14, "there is no unit 'mb'. Did you mean MB?")));
}

TEST(Reader, KnowsGlossaryLinksByPluralAndAnchor) {
    EXPECT_THAT(problems_in("[intermediates](glossary), [red lines](glossary#buffered-edge)\n"), SizeIs(0));
    EXPECT_THAT(problems_in("[red lines](glossary#red-edge)\n"), SizeIs(1));
}

TEST(Reader, SaysWhatABlockLacks) {
    EXPECT_THAT(problems_in("```do\nDo it.\n```\n"),
                ElementsAre(at(1, 1, "a block 'do' needs 'until': when it is done"),
                            at(1, 1, "a block 'do' needs 'show-me': how it is done")));
    EXPECT_THAT(problems_in("```predict\nWhich?\nrule: step 1\n```\n"),
                ElementsAre(at(1, 1, "a block 'predict' needs 'reveal': what is shown after the answer")));
    EXPECT_THAT(problems_in("```ask\nWhich?\n- [ ] One\n- [ ] Two\n```\n"),
                ElementsAre(at(3, 4, "no choice is marked as right: [x] or [if CONDITION]")));
    EXPECT_THAT(problems_in("```ask\nWhich?\nanswer: 1\nanswer: 2\nwrong: 3\n```\n"),
                ElementsAre(at(4, 1, "'answer' stands here twice"),
                            at(5, 8, "expected '-> TEXT': what is said then")));
    EXPECT_THAT(problems_in("```ask\nWhich?\nanswer: 1\n"),
                ElementsAre(at(1, 1, "the block has no end, '```'")));
    EXPECT_THAT(problems_in("A { brace.\n"), ElementsAre(at(1, 3, "the brace has no end in this line")));
}

TEST(Reader, RefusesWhatIsNoText) {
    EXPECT_FALSE(read_lesson("---\n\xff\n---\n", "l.md"));
    EXPECT_FALSE(read_lesson("", "l.md"));
}

}  // namespace
}  // namespace blockscope::lesson::test
