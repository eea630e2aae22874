// "Predict, then reveal" for any program: a lesson that nobody has written, with a question before every step
// of the algorithm's run. Which rule comes next, which red edge becomes local, how many bytes are moved then.
#pragma once

#include "app/document/content.h"
#include "app/lessons/lesson_shelf.h"

namespace blockscope {

// Part k is about step k + 1 of the run that the document's first branch shows. None if the run has no steps.
std::unique_ptr<LessonInfo> make_quiz(const Content& content);

}  // namespace blockscope
