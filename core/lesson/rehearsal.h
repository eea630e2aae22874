// A lesson gone through without a window: every task is done rightly and in each of the wrong ways that the
// lesson knows, and the progress is written and read after each. What is broken is found with line and
// column: a rule that is called otherwise, a number that no longer holds, a task that is done before it
// begins, a reaction that is never said.
#pragma once

#include <memory>
#include <string>

#include "core/lesson/player.h"

namespace blockscope::lesson {

struct Rehearsal {
    Problems problems;
    int tasks = 0;
    int right = 0;   // answers and tasks that were accepted
    int wrong = 0;   // typical wrong answers and wrong turns that were answered with their reaction
    int claims = 0;  // that hold
};

Rehearsal rehearse(const std::shared_ptr<const Lesson>& lesson, const Sources& sources);

// One part after the other, with a learner who does every task as the lesson shows it: for sheets. `before`
// is the learner who has come to the part, with what it shows; `after` the one who has done its task.
using VisitStop = std::function<void(const LessonPlayer&, const Learner& before, const Learner& after)>;
Problems walk(const std::shared_ptr<const Lesson>& lesson, const Sources& sources, const VisitStop& visit);

// A lesson on paper: the handout has texts, questions, and room for answers; the solution has the answers,
// what is said to typical mistakes, and what to do in the window. One HTML page each, which needs nothing
// else.

enum class SheetKind : std::uint8_t { Handout, Solution };

// The problems are those of the lesson with its programs: it cannot be printed while it is broken.
Result<std::string> sheet(const std::shared_ptr<const Lesson>& lesson, const Sources& sources,
                          SheetKind kind);

}  // namespace blockscope::lesson
