#include "core/lesson/progress.h"

#include <algorithm>

#include "core/json/reader.h"

namespace blockscope::lesson {
namespace {

constexpr const char* kFormat = "blockscope lesson progress";
constexpr std::size_t kMostLessons = 1000;
constexpr std::size_t kMostTasks = 1000;
constexpr std::size_t kMostAnswerBytes = 1000;
constexpr int kMostTries = 1'000'000;

json::Value task_json(const TaskProgress& task) {
    return {{"name", task.name},   {"done", task.done},   {"right", task.right},  {"tries", task.tries},
            {"hints", task.hints}, {"shown", task.shown}, {"answer", task.answer}};
}

json::Value lesson_json(const LessonProgress& lesson) {
    json::Array tasks;
    for (const TaskProgress& task : lesson.tasks) tasks.push_back(task_json(task));
    return {{"lesson", lesson.lesson}, {"at", lesson.at}, {"tasks", std::move(tasks)}};
}

std::string text_in(const json::Reader& reader, const char* key, std::size_t most) {
    const json::Reader member = reader.member(key);
    return member.plain_text(most).value_or("");
}
int count_in(const json::Reader& reader, const char* key) {
    const json::Reader member = reader.member(key);
    return static_cast<int>(member.integer(0, kMostTries).value_or(0));
}
bool truth_in(const json::Reader& reader, const char* key) {
    const json::Reader member = reader.member(key);
    return member.boolean().value_or(false);
}

TaskProgress read_task(const json::Reader& reader) {
    if (!reader.object({"name", "done", "right", "tries", "hints", "shown", "answer"})) return {};
    return {.name = text_in(reader, "name", json::kMaxNameBytes),
            .done = truth_in(reader, "done"),
            .right = truth_in(reader, "right"),
            .tries = count_in(reader, "tries"),
            .hints = count_in(reader, "hints"),
            .shown = truth_in(reader, "shown"),
            .answer = text_in(reader, "answer", kMostAnswerBytes)};
}

LessonProgress read_lesson_progress(const json::Reader& reader) {
    if (!reader.object({"lesson", "at", "tasks"})) return {};
    LessonProgress lesson{.lesson = text_in(reader, "lesson", json::kMaxNameBytes),
                          .at = count_in(reader, "at")};
    const json::Reader tasks = reader.member("tasks");
    if (!tasks.array(0, kMostTasks)) return lesson;
    for (std::size_t i = 0; i < tasks.size(); ++i) lesson.tasks.push_back(read_task(tasks.at(i)));
    return lesson;
}

}  // namespace

int LessonProgress::done() const {
    return static_cast<int>(
        std::count_if(tasks.begin(), tasks.end(), [](const TaskProgress& task) { return task.done; }));
}

int LessonProgress::at_first_try() const {
    return static_cast<int>(std::count_if(tasks.begin(), tasks.end(), [](const TaskProgress& task) {
        return task.right && task.tries <= 1 && task.hints == 0 && !task.shown;
    }));
}

const LessonProgress* LearnerProgress::find(const std::string& lesson) const {
    const auto found = std::find_if(lessons.begin(), lessons.end(),
                                    [&](const LessonProgress& known) { return known.lesson == lesson; });
    return found == lessons.end() ? nullptr : &*found;
}

void LearnerProgress::set(const LessonProgress& progress) {
    for (LessonProgress& known : lessons)
        if (known.lesson == progress.lesson) {
            known = progress;
            return;
        }
    lessons.push_back(progress);
}

std::string write_json(const LearnerProgress& progress) {
    json::Array lessons;
    for (const LessonProgress& lesson : progress.lessons) lessons.push_back(lesson_json(lesson));
    return json::print({{"format", kFormat},
                        {"version", 1},
                        {"learner", progress.learner},
                        {"lessons", std::move(lessons)}});
}

Result<LearnerProgress> read_progress(const std::string& text, const std::string& file) {
    const Result<json::Value> value = json::parse(text, file);
    if (!value) return value.problems();
    json::Report report(file);
    const json::Reader document(*value, report);
    LearnerProgress progress;
    if (json::check_header(document, kFormat) &&
        document.object({"format", "version", "learner", "lessons"})) {
        progress.learner = text_in(document, "learner", kMostAnswerBytes);
        const json::Reader lessons = document.member("lessons");
        if (lessons.array(0, kMostLessons))
            for (std::size_t i = 0; i < lessons.size(); ++i)
                progress.lessons.push_back(read_lesson_progress(lessons.at(i)));
    }
    if (!report.clean()) return report.problems();
    return progress;
}

}  // namespace blockscope::lesson
