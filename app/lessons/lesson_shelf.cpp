#include "app/lessons/lesson_shelf.h"

#include <QCoreApplication>
#include <algorithm>

#include "app/shell/step_look.h"
#include "app/words/words.h"
#include "app/worker/predict.h"
#include "core/json/json_io.h"
#include "core/lesson/learner.h"
#include "core/lesson/lesson.h"
#include "core/state/state.h"

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

namespace {

struct Quiz {
    Q_DECLARE_TR_FUNCTIONS(Quiz)
};

constexpr int kKinds = 3;        // of questions, in turn
constexpr double kWithin = 0.2;  // of the bytes: an estimate

lesson::Prose plain(const QString& text) {
    lesson::Prose prose;
    prose.parts.emplace_back(text.toStdString());
    return prose;
}

lesson::Expression bytes_after(int step) {
    return lesson::read_number("traffic(step " + std::to_string(step) + ")", {}).value();
}

// "It moves {traffic(step 3)} now. ..."
lesson::Prose with_bytes(const QString& text, int step) {
    const QStringList around = text.split(QStringLiteral("%1"));
    lesson::Prose prose = plain(around.value(0));
    prose.parts.emplace_back(lesson::ProseValue{bytes_after(step), nullptr});
    prose.parts.emplace_back(around.value(1).toStdString());
    return prose;
}

// In which the numbers of this program are easily said.
const lesson::UnitWord* unit_for(double bytes) {
    return lesson::find_unit(bytes < 1e6 ? "kB" : bytes < 5e9 ? "MB" : "GB");
}

lesson::Action go_to(int step) {
    const std::string words = "step " + std::to_string(step);
    return {.kind = lesson::ActionKind::Go, .words = {words}, .text = words};
}

lesson::Task ask_rule(int step) {
    lesson::Task task{.kind = lesson::TaskKind::Predict, .prompt = plain(Quiz::tr("Which rule comes next?"))};
    task.expected = lesson::Expected{.kind = lesson::AnswerKind::Rule, .state = go_to(step).text};
    task.hints.push_back(
        plain(Quiz::tr("What the next step matches is marked in the picture now. What stands there?")));
    return task;
}

lesson::Task ask_edge(int step) {
    lesson::Task task{.kind = lesson::TaskKind::Predict,
                      .prompt = plain(Quiz::tr("Which red edge becomes local with the next step?"))};
    task.expected = lesson::Expected{.kind = lesson::AnswerKind::Arrow, .state = go_to(step).text};
    task.hints.push_back(plain(Quiz::tr("It lies between two of the frames that are marked now.")));
    return task;
}

lesson::Task ask_bytes(int step, const lesson::UnitWord* unit) {
    lesson::Task task{
        .kind = lesson::TaskKind::Predict,
        .prompt = with_bytes(Quiz::tr("It moves %1 now. Estimate: what does it move after the next step?"),
                             step - 1)};
    task.expected = lesson::Expected{
        .kind = lesson::AnswerKind::Number, .number = bytes_after(step), .unit = unit, .within = kWithin};
    task.hints.push_back(
        plain(Quiz::tr("What becomes local is neither written nor read any more. How large is it?")));
    return task;
}

lesson::Stop ask_before(int step, const Step& made, const lesson::UnitWord* unit) {
    const bool frees = !lesson::vanishing_arrows(made).empty();
    const int kind = step % kKinds;
    lesson::Stop stop{.heading = Quiz::tr("Step %1").arg(step).toStdString(), .show = {go_to(step - 1)}};
    if (frees && kind == 1)
        stop.task = ask_edge(step);
    else if (frees && kind == 2)
        stop.task = ask_bytes(step, unit);
    else
        stop.task = ask_rule(step);
    const RuleId id = made.match.rule;
    stop.task->name = "step-" + std::to_string(step);
    stop.task->right = with_bytes(Quiz::tr("Rule %2, %3: %4. It moves %1 now.")
                                      .replace(QStringLiteral("%2"), rule_text(id))
                                      .replace(QStringLiteral("%3"), short_rule_name(id))
                                      .replace(QStringLiteral("%4"), translated(rule(id).because)),
                                  step);
    stop.task->reveal = {go_to(step)};
    return stop;
}

}  // namespace

std::unique_ptr<LessonInfo> make_quiz(const Content& content) {
    const Branch& run = content.history.branches().front();
    const std::vector<StateId> way = content.history.path(run.tip);
    if (way.size() < 2) return nullptr;
    const std::string file = content.name + ".bp";
    const ProgramPtr& initial = content.history.state(0).program;
    lesson::Lesson quiz{.file = "predict.md",
                        .kind = lesson::LessonKind::Quiz,
                        .title = Quiz::tr("Predict, then reveal").toStdString(),
                        .program = file};
    quiz.programs.push_back({file, content.source.empty() ? write_json(*initial) : content.source, {}});
    const State unfused(initial);
    const lesson::UnitWord* unit = unit_for(static_cast<double>(unfused.counts().bytes()));
    for (std::size_t i = 1; i < way.size(); ++i) {
        const HistoryState& state = content.history.state(way[i]);
        lesson::Stop stop = ask_before(static_cast<int>(i), *state.step, unit);
        stop.program = file;
        quiz.stops.push_back(std::move(stop));
    }
    return std::make_unique<LessonInfo>(
        LessonInfo{"predict", std::make_shared<const lesson::Lesson>(std::move(quiz))});
}

}  // namespace blockscope
