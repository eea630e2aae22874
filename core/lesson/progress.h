// What is kept of a learner's lessons, and what a teacher collects: a small JSON file for each learner.
//
//     {"format": "blockscope lesson progress", "version": 1, "learner": "Ada",
//      "lessons": [{"lesson": "why-fuse", "at": 3, "tasks": [{"name": "the-bytes", "done": true, ...}]}]}
#pragma once

#include <string>
#include <vector>

#include "core/support/result.h"

namespace blockscope::lesson {

struct TaskProgress {
    std::string name;
    bool done = false;
    bool right = false;       // done by the learner; a wrong prediction and what was shown are not
    int tries = 0;            // answers, and wrong turns that were noticed
    int hints = 0;            // that were taken
    bool shown = false;       // "Show me" was used
    std::string answer = {};  // the last one

    bool operator==(const TaskProgress&) const = default;
};

struct LessonProgress {
    std::string lesson;  // its file's name without the ending
    int at = 0;          // the part that is seen
    std::vector<TaskProgress> tasks = {};

    int done() const;
    int at_first_try() const;  // right with one try, without hints, without being shown
    bool operator==(const LessonProgress&) const = default;
};

struct LearnerProgress {
    std::string learner;
    std::vector<LessonProgress> lessons = {};

    const LessonProgress* find(const std::string& lesson) const;  // null if it was never begun
    void set(const LessonProgress& progress);                     // replaces that of the same lesson
    bool operator==(const LearnerProgress&) const = default;
};

std::string write_json(const LearnerProgress& progress);
Result<LearnerProgress> read_progress(const std::string& text, const std::string& file);

}  // namespace blockscope::lesson
