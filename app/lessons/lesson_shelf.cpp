#include "app/lessons/lesson_shelf.h"

#include <algorithm>

#include "app/worker/predict.h"
#include "core/lesson/lesson.h"
#include "core/lesson/shipped.h"

namespace blockscope {

namespace {

constexpr const char* kFirstLesson = "4-flash-attention";

// What is compiled in has been read by the tests.
LessonInfo read_shipped(const lesson::ShippedText& text) {
    Result<lesson::Lesson> read = lesson::read_lesson(text.text, text.name + std::string(".md"));
    if (!read) throw InternalError(to_string(read.problems().front()));
    return {text.name, std::make_shared<const lesson::Lesson>(std::move(read).value())};
}

std::vector<LessonInfo> read_shelf() {
    std::vector<LessonInfo> all;
    for (const lesson::ShippedText& text : lesson::shipped_lessons()) all.push_back(read_shipped(text));
    return all;
}

const lesson::ShippedText* shipped_program(const std::string& file) {
    const std::vector<lesson::ShippedText>& all = lesson::shipped_programs();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const lesson::ShippedText& text) { return text.name == file; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

int LessonInfo::tasks() const {
    return static_cast<int>(std::count_if(lesson->stops.begin(), lesson->stops.end(),
                                          [](const lesson::Stop& stop) { return stop.task.has_value(); }));
}

const std::vector<LessonInfo>& lesson_shelf() {
    static const std::vector<LessonInfo> all = read_shelf();
    return all;
}

const LessonInfo& tour_lesson() {
    static const LessonInfo tour = read_shipped(lesson::shipped_tour());
    return tour;
}

const LessonInfo* find_lesson(const std::string& name) {
    if (name == tour_lesson().name) return &tour_lesson();
    const auto found = std::find_if(lesson_shelf().begin(), lesson_shelf().end(),
                                    [&](const LessonInfo& info) { return info.name == name; });
    return found == lesson_shelf().end() ? nullptr : &*found;
}

const LessonInfo& first_lesson() {
    const LessonInfo* found = find_lesson(kFirstLesson);
    return found == nullptr ? lesson_shelf().front() : *found;
}

std::string lesson_program(const lesson::Lesson& lesson, const std::string& file) {
    for (const lesson::InnerProgram& program : lesson.programs)
        if (program.name == file) return program.text;
    const lesson::ShippedText* sample = shipped_program(file);
    return sample == nullptr ? std::string() : std::string(sample->text);
}

lesson::Sources lesson_sources(std::vector<Device> devices, const TimeModel& model) {
    const auto known = std::make_shared<const std::vector<Device>>(std::move(devices));
    return {.program = [](const std::string& file) -> Result<ProgramPtr> {
                const lesson::ShippedText* sample = shipped_program(file);
                if (sample != nullptr) return lesson::program_of(sample->text, file);
                return Problem{{}, std::string("there is no such sample")};
            },
            .seconds =
                [&model](const State& state, const Device& device) {
                    const State built = state.in_form(worker::built_form(device));
                    return worker::predict_as_built(model, built, device).seconds;
                },
            .device = [known](const std::string& name) -> const Device* {
                const auto found = std::find_if(known->begin(), known->end(),
                                                [&](const Device& device) { return device.name == name; });
                return found == known->end() ? nullptr : &*found;
            }};
}

}  // namespace blockscope
