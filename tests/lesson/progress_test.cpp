// A learner's progress as a file.
#include "core/lesson/progress.h"

#include "tests/lesson/lessons.h"

namespace blockscope::lesson::test {
namespace {

using testing::HasSubstr;

LearnerProgress ada() {
    LearnerProgress progress{.learner = "Ada \"L\""};
    progress.set({.lesson = "1-why-fuse",
                  .at = 3,
                  .tasks = {{.name = "bytes", .done = true, .right = true, .tries = 1, .answer = "437 MB"},
                            {.name = "kernels", .done = true, .right = true, .tries = 2, .hints = 1},
                            {.name = "end", .shown = true}}});
    return progress;
}

TEST(Progress, ReadsAsItWasWritten) {
    const std::string text = write_json(ada());
    const Result<LearnerProgress> read = read_progress(text, "ada.json");
    ASSERT_TRUE(read) << to_string(read.problems().front());
    EXPECT_EQ(*read, ada());
    EXPECT_EQ(write_json(*read), text);
    EXPECT_LT(text.size(), 1000U) << "a small file";
}

TEST(Progress, CountsWhatATeacherWants) {
    const LearnerProgress progress = ada();
    const LessonProgress* lesson = progress.find("1-why-fuse");
    ASSERT_NE(lesson, nullptr);
    EXPECT_EQ(lesson->done(), 2);
    EXPECT_EQ(lesson->at_first_try(), 1);
    EXPECT_EQ(progress.find("2"), nullptr);
}

TEST(Progress, ReplacesThatOfTheSameLesson) {
    LearnerProgress progress = ada();
    progress.set({.lesson = "1-why-fuse", .at = 5});
    progress.set({.lesson = "other", .at = 1});
    ASSERT_EQ(progress.lessons.size(), 2U);
    EXPECT_EQ(progress.find("1-why-fuse")->at, 5);
}

TEST(Progress, RefusesOtherFiles) {
    const auto wrong = [](const std::string& text) {
        const Result<LearnerProgress> read = read_progress(text, "p");
        return read ? std::string() : to_string(read.problems().front());
    };
    EXPECT_THAT(wrong("{"), HasSubstr("p"));
    EXPECT_THAT(wrong("{\"format\": \"blockscope trace\", \"version\": 1}"), HasSubstr("/format"));
    std::string text = write_json(ada());
    text.replace(text.find("\"at\": 3"), 7, "\"at\": -3");
    EXPECT_THAT(wrong(text), HasSubstr("/lessons/0/at"));
}

}  // namespace
}  // namespace blockscope::lesson::test
