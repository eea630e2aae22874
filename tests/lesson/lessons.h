// Small lessons for tests, and where their programs come from.
#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/lesson/player.h"

namespace blockscope::lesson::test {

// A lesson about tiny.bp, which stands in it, with `body` behind the header.
inline std::string lesson_text(const std::string& body) {
    return "---\ntitle: Small\nminutes: 1\nprogram: tiny.bp\ngoal: Test lessons.\n---\n"
           "```program tiny.bp\n"
           "dim M = 8 / 4\ndim N = 6 / 3\ninput X[M, N]\noutput S = row_sum(exp(X))\n"
           "```\n" +
           body;
}
constexpr int kBodyLine = 13;  // on which `body` begins

inline std::shared_ptr<const Lesson> lesson_of(const std::string& body) {
    Result<Lesson> lesson = read_lesson(lesson_text(body), "small.md");
    if (!lesson) throw InternalError(to_string(lesson.problems().front()));
    return std::make_shared<const Lesson>(std::move(lesson).value());
}

inline std::vector<std::string> messages_of(const Problems& problems) {
    std::vector<std::string> messages;
    for (const Problem& problem : problems) messages.push_back(to_string(problem));
    return messages;
}

// The samples.
inline Sources sample_sources() {
    return {.program = [](const std::string& file) -> Result<ProgramPtr> {
                for (const ShippedText& program : shipped_programs())
                    if (program.name == file) return program_of(program.text, file);
                return Problem{{}, std::string("there is no such sample")};
            },
            .seconds = {},
            .device = {}};
}

// A learner who has just opened the lesson's program.
inline Learner beginner(LessonPlayer& player) {
    const Action open{.kind = ActionKind::Open, .words = {player.lesson().program}};
    return after({}, open, player.programs()).value();
}

// The learner after actions as lessons write them.
inline Learner done(const Learner& learner, const std::string& actions, LessonPlayer& player) {
    const auto lesson = lesson_of("```show\n" + actions + "\n```\n");
    const Result<Learner> result = after(learner, lesson->stops.front().show, player.programs());
    if (!result) throw InternalError(to_string(result.problems().front()));
    return *result;
}

}  // namespace blockscope::lesson::test
