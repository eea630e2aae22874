// The lessons that come with Blockscope: each of them right, wrong and resumed, and what they have in common.
#include <set>

#include "core/glossary/glossary.h"
#include "core/lesson/rehearsal.h"
#include "tests/lesson/lessons.h"

namespace blockscope::lesson::test {
namespace {

using testing::IsEmpty;

class Shipped : public testing::TestWithParam<int> {
protected:
    const ShippedText& text() const { return shipped_lessons()[static_cast<std::size_t>(GetParam())]; }
    std::shared_ptr<const Lesson> lesson() const {
        Result<Lesson> lesson = read_lesson(text().text, text().name + std::string(".md"));
        if (!lesson) throw InternalError(to_string(lesson.problems().front()));
        return std::make_shared<const Lesson>(std::move(lesson).value());
    }
};

std::vector<const Task*> tasks_of(const Lesson& lesson) {
    std::vector<const Task*> tasks;
    for (const Stop& stop : lesson.stops)
        if (stop.task) tasks.push_back(&*stop.task);
    return tasks;
}

TEST_P(Shipped, HoldsRightWrongAndResumed) {
    const Rehearsal rehearsal = rehearse(lesson(), sample_sources());
    EXPECT_THAT(messages_of(rehearsal.problems), IsEmpty());
    EXPECT_GE(rehearsal.tasks, 8) << "a lesson of ten minutes";
    EXPECT_EQ(rehearsal.right, rehearsal.tasks);
    EXPECT_GE(rehearsal.wrong, rehearsal.tasks - 3) << "typical mistakes get an answer";
}

TEST_P(Shipped, HasGoalsHintsAndALastTaskOnAnotherProgram) {
    const auto lesson = this->lesson();
    EXPECT_GE(lesson->minutes, 10);
    EXPECT_LE(lesson->minutes, 15);
    EXPECT_GE(lesson->goals.size(), 3U);
    EXPECT_TRUE(lesson->stops.back().task);
    EXPECT_NE(lesson->stops.back().program, lesson->program);
    EXPECT_EQ(lesson->stops.back().heading, "On your own");
    for (const Task* task : tasks_of(*lesson))
        EXPECT_FALSE(task->hints.empty()) << "line " << task->place.line;
}

TEST_P(Shipped, BecomesSheets) {
    for (const SheetKind kind : {SheetKind::Handout, SheetKind::Solution}) {
        const Result<std::string> page = sheet(lesson(), sample_sources(), kind);
        ASSERT_TRUE(page) << to_string(page.problems().front());
        EXPECT_EQ(page->find('{', page->find("</style>")), std::string::npos) << "a value was not put in";
    }
}

// Whoever does everything wrong first and leaves after every task still gets to the end.
TEST_P(Shipped, LetsALearnerFinishWhoLeavesAfterEveryTask) {
    const auto lesson = this->lesson();
    LessonProgress kept;
    Learner learner;
    for (int stop = 0; stop < static_cast<int>(lesson->stops.size()); ++stop) {
        LessonPlayer player(lesson, sample_sources());
        if (stop == 0) learner = beginner(player);
        if (stop > 0) player.resume(kept);
        if (stop > 0) player.forward();
        learner = after(learner, player.stop().show, player.programs()).value();
        if (player.stop().task) {
            const Reply shown = player.show_me(learner).value();
            learner = after(learner, shown.actions, player.programs()).value();
            const bool done = player.done() || player.watch(learner)->done();
            EXPECT_TRUE(done) << player.stop().place.line;
        }
        kept = player.progress();
    }
    EXPECT_EQ(kept.done(), static_cast<int>(tasks_of(*lesson).size()));
    EXPECT_EQ(kept.at, static_cast<int>(lesson->stops.size()) - 1);
}

INSTANTIATE_TEST_SUITE_P(Lessons, Shipped, testing::Range(0, 9), [](const auto& lesson) {
    std::string name = shipped_lessons()[static_cast<std::size_t>(lesson.param)].name;
    std::erase(name, '-');
    return "L" + name;
});

// It is short, asks nothing, and every task of it is done with one key.
TEST(ShippedLessons, HaveATourBesideThem) {
    Result<Lesson> tour = read_lesson(shipped_tour().text, "tour.md");
    ASSERT_TRUE(tour) << to_string(tour.problems().front());
    EXPECT_EQ(tour->kind, LessonKind::Tour);
    EXPECT_LE(tour->minutes, 2);
    const auto shared = std::make_shared<const Lesson>(std::move(tour).value());
    for (const Task* task : tasks_of(*shared)) EXPECT_EQ(task->kind, TaskKind::Do);
    const Rehearsal rehearsal = rehearse(shared, sample_sources());
    EXPECT_THAT(messages_of(rehearsal.problems), IsEmpty());
    EXPECT_EQ(rehearsal.right, rehearsal.tasks);
}

TEST(ShippedLessons, AreNine) {
    EXPECT_EQ(shipped_lessons().size(), 9U);
}

// Whoever looks a linked word up finds two sentences at least.
TEST(ShippedLessons, LinkTermsThatAreExplainedInTwoSentences) {
    std::set<const GlossaryTerm*> linked;
    for (const ShippedText& lesson : shipped_lessons()) {
        const std::string text = lesson.text;
        for (std::size_t at = text.find("](glossary"); at != std::string::npos;
             at = text.find("](glossary", at + 1)) {
            const std::size_t open = text.rfind('[', at);
            const std::size_t close = text.find(')', at);
            linked.insert(linked_term(glossary(), text.substr(open + 1, at - open - 1),
                                      text.substr(at + 2, close - at - 2)));
        }
    }
    EXPECT_FALSE(linked.contains(nullptr));
    EXPECT_GE(linked.size(), 25U);
    for (const GlossaryTerm* term : linked) {
        if (term == nullptr) continue;
        std::string text;
        for (const std::string& paragraph : term->text) text += paragraph + " ";
        const auto ends = [&](const std::string& end) {
            std::size_t count = 0;
            for (std::size_t at = text.find(end); at != std::string::npos; at = text.find(end, at + 1))
                ++count;
            return count;
        };
        EXPECT_GE(ends(". "), 2U) << term->name << ": " << text;
    }
}

}  // namespace
}  // namespace blockscope::lesson::test
