// The lessons that come with the program, read once, and where their programs come from.
#pragma once

#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "app/document/content.h"
#include "core/cost/device.h"
#include "core/cost/models/model.h"
#include "core/lesson/learner.h"

namespace blockscope {

struct LessonInfo {
    std::string name;  // "4-flash-attention": its file's, without the ending
    std::shared_ptr<const lesson::Lesson> lesson;

    QString title() const { return QString::fromStdString(lesson->title); }
    int tasks() const;  // that it has
};

// In the order in which they are meant to be taken; without the tour.
const std::vector<LessonInfo>& lesson_shelf();
const LessonInfo& tour_lesson();
// One of them, the tour included; null if there is none of this name.
const LessonInfo* find_lesson(const std::string& name);
// The one that the start page begins with: Flash Attention.
const LessonInfo& first_lesson();

// The text of a program that a lesson names: one that stands in it, else a sample. Empty if there is none.
std::string lesson_program(const lesson::Lesson& lesson, const std::string& file);

// Samples; times as the window has them: by this model, of the numerically safe form. `devices` are
// those that the window knows.
lesson::Sources lesson_sources(std::vector<Device> devices, const TimeModel& model);

// "Predict, then reveal" for any program: a lesson that nobody has written, with a question before every step
// of the algorithm's run. Which rule comes next, which red edge becomes local, how many bytes are moved then.

// Part k is about step k + 1 of the run that the document's first branch shows. None if the run has no steps.
std::unique_ptr<LessonInfo> make_quiz(const Content& content);

}  // namespace blockscope
