// blockscope-cli lesson: lists lessons, checks them without a window, prints them, and reads what learners
// hand in.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/pictures.h"
#include "app/cli/terminal.h"
#include "app/worker/predict.h"
#include "core/lesson/lesson.h"
#include "core/lesson/rehearsal.h"

namespace blockscope::cli {
namespace {

namespace fs = std::filesystem;

struct LessonArguments {
    std::string action;
    std::vector<std::string> files;
    std::string output;
    bool json = false;
};

struct LoadedLesson {
    std::string file;
    std::string text;
    std::shared_ptr<const lesson::Lesson> lesson;
};

const lesson::ShippedText* shipped(const std::vector<lesson::ShippedText>& texts, const std::string& name) {
    const auto found = std::find_if(texts.begin(), texts.end(),
                                    [&](const lesson::ShippedText& text) { return text.name == name; });
    return found == texts.end() ? nullptr : &*found;
}

LoadedLesson read(const std::string& file, const std::string& text) {
    Result<lesson::Lesson> lesson = lesson::read_lesson(text, file);
    if (!lesson) throw BadInput(lesson.problems(), text);
    return {file, text, std::make_shared<const lesson::Lesson>(std::move(lesson).value())};
}

// A file, or the name of a lesson that comes with Blockscope.
LoadedLesson load_lesson(const std::string& file) {
    const bool tour = file == lesson::shipped_tour().name;
    const lesson::ShippedText* own =
        tour ? &lesson::shipped_tour() : shipped(lesson::shipped_lessons(), file);
    return own != nullptr ? read(file + ".md", own->text) : read(display_name(file), read_file(file));
}

// Programs stand beside the lesson, in the folder around it, or come with Blockscope.
lesson::Sources sources_for(const std::string& file) {
    const fs::path folder = fs::path(file).parent_path();
    return {.program = [folder](const std::string& name) -> Result<ProgramPtr> {
                std::error_code error;
                for (const fs::path& place : {folder / name, folder / ".." / name})
                    if (fs::is_regular_file(place, error))
                        return lesson::program_of(read_file(place.string()), name);
                if (const auto* own = shipped(lesson::shipped_programs(), name))
                    return lesson::program_of(own->text, name);
                return Problem{
                    {}, std::string("there is no file of this name beside the lesson or in the samples")};
            },
            .seconds =
                [](const State& state, const Device& device) {
                    const State built = state.in_form(worker::built_form(device));
                    return worker::predict_as_built(*find_time_model(kUsualModel), built, device).seconds;
                },
            .device = {}};
}

int count_tasks(const lesson::Lesson& lesson) {
    return static_cast<int>(std::count_if(lesson.stops.begin(), lesson.stops.end(),
                                          [](const lesson::Stop& stop) { return stop.task.has_value(); }));
}

// ---- list

std::vector<LoadedLesson> asked_lessons(const LessonArguments& arguments) {
    std::vector<LoadedLesson> lessons;
    for (const std::string& file : arguments.files) lessons.push_back(load_lesson(file));
    if (arguments.files.empty())
        for (const lesson::ShippedText& text : lesson::shipped_lessons())
            lessons.push_back(load_lesson(text.name));
    return lessons;
}

int list_lessons(const LessonArguments& arguments) {
    Json json = envelope("lesson");
    json["lessons"] = json::Array{};
    std::vector<Row> rows{{"lesson", "title", "minutes", "tasks"}};
    for (const LoadedLesson& loaded : asked_lessons(arguments)) {
        const lesson::Lesson& lesson = *loaded.lesson;
        const std::string name = fs::path(loaded.file).stem().string();
        rows.push_back(
            {name, lesson.title, std::to_string(lesson.minutes), std::to_string(count_tasks(lesson))});
        json["lessons"].push_back({{"lesson", name},
                                   {"title", lesson.title},
                                   {"minutes", lesson.minutes},
                                   {"program", lesson.program},
                                   {"goals", list_json(lesson.goals)},
                                   {"tasks", count_tasks(lesson)}});
    }
    if (arguments.json)
        std::cout << to_text(json) << '\n';
    else
        print_table(rows, Align::Left, style_for(STDOUT_FILENO));
    return kFine;
}

// ---- check

std::string summary_of(const lesson::Rehearsal& rehearsal) {
    return std::to_string(rehearsal.tasks) + " tasks, " + std::to_string(rehearsal.right) + " right and " +
           std::to_string(rehearsal.wrong) + " wrong ways, " + std::to_string(rehearsal.claims) + " claims";
}

int check_lessons(const LessonArguments& arguments) {
    Json json = envelope("lesson");
    json["lessons"] = json::Array{};
    Problems problems;
    std::string broken_text;
    std::vector<LoadedLesson> asked = asked_lessons(arguments);
    if (arguments.files.empty()) asked.push_back(load_lesson(lesson::shipped_tour().name));
    for (const LoadedLesson& loaded : asked) {
        const lesson::Rehearsal rehearsal = lesson::rehearse(loaded.lesson, sources_for(loaded.file));
        const bool fine = rehearsal.problems.empty();
        if (!fine) broken_text = problems.empty() ? loaded.text : "";
        problems.insert(problems.end(), rehearsal.problems.begin(), rehearsal.problems.end());
        if (!arguments.json && fine) std::cout << loaded.file << ": " << summary_of(rehearsal) << '\n';
        json["lessons"].push_back({{"file", loaded.file},
                                   {"tasks", rehearsal.tasks},
                                   {"right", rehearsal.right},
                                   {"wrong", rehearsal.wrong},
                                   {"claims", rehearsal.claims}});
    }
    if (!problems.empty()) throw BadInput(problems, broken_text);
    if (arguments.json) std::cout << to_text(json) << '\n';
    return kFine;
}

// ---- handout and solution

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

int print_lesson(const LessonArguments& arguments, const Invocation& invocation) {
    if (arguments.files.size() != 1) throw UsageError("a sheet is made of one lesson");
    const bool pdf = ends_with(arguments.output, ".pdf");
    if (pdf && invocation.pictures == nullptr) become_picture_program(invocation.words);
    const LoadedLesson loaded = load_lesson(arguments.files.front());
    const auto kind =
        arguments.action == "handout" ? lesson::SheetKind::Handout : lesson::SheetKind::Solution;
    const Result<std::string> page = lesson::sheet(loaded.lesson, sources_for(loaded.file), kind);
    if (!page) throw BadInput(page.problems(), loaded.text);
    const std::string bytes = pdf ? invocation.pictures->pdf_of_page(*page) : *page;
    const bool to_stdout = arguments.output.empty() || arguments.output == "-";
    if (!to_stdout) write_file(arguments.output, bytes);
    if (arguments.json) {
        Json json = envelope("lesson");
        json["file"] = loaded.file;
        json["sheet"] = arguments.action;
        if (to_stdout)
            json["content"] = bytes;
        else
            json["output"] = arguments.output;
        std::cout << to_text(json) << '\n';
    } else if (to_stdout) {
        std::cout << bytes;
    }
    return kFine;
}

// ---- progress

int count_lesson_tries(const lesson::LessonProgress& progress) {
    int tries = 0;
    for (const lesson::TaskProgress& task : progress.tasks) tries += task.tries;
    return tries;
}

int show_progress(const LessonArguments& arguments) {
    if (arguments.files.empty()) throw UsageError("name the files that learners have exported");
    Json json = envelope("lesson");
    json["progress"] = json::Array{};
    std::vector<Row> rows{{"learner", "lesson", "done", "of", "at first try", "tries"}};
    for (const std::string& file : arguments.files) {
        const std::string text = read_file(file);
        const Result<lesson::LearnerProgress> progress = lesson::read_progress(text, display_name(file));
        if (!progress) throw BadInput(progress.problems(), text);
        for (const lesson::LessonProgress& lesson : progress->lessons) {
            rows.push_back({harmless_name(progress->learner), harmless_name(lesson.lesson),
                            std::to_string(lesson.done()), std::to_string(lesson.tasks.size()),
                            std::to_string(lesson.at_first_try()),
                            std::to_string(count_lesson_tries(lesson))});
            json["progress"].push_back({{"learner", progress->learner},
                                        {"lesson", lesson.lesson},
                                        {"done", lesson.done()},
                                        {"tasks", lesson.tasks.size()},
                                        {"at_first_try", lesson.at_first_try()},
                                        {"tries", count_lesson_tries(lesson)}});
        }
    }
    if (arguments.json)
        std::cout << to_text(json) << '\n';
    else
        print_table(rows, Align::Left, style_for(STDOUT_FILENO));
    return kFine;
}

int lesson_command(const LessonArguments& arguments, const Invocation& invocation) {
    if (arguments.action == "list") return list_lessons(arguments);
    if (arguments.action == "check") return check_lessons(arguments);
    if (arguments.action == "progress") return show_progress(arguments);
    return print_lesson(arguments, invocation);
}

std::vector<std::string> shipped_names() {
    std::vector<std::string> names;
    for (const lesson::ShippedText& text : lesson::shipped_lessons()) names.emplace_back(text.name);
    return names;
}

}  // namespace

Command lesson_row() {
    const auto arguments = std::make_shared<LessonArguments>();
    Option output = output_option(arguments->output);
    output.help = "of a sheet: write it there, as PDF if the name ends with .pdf, else as HTML";
    return {
        .name = "lesson",
        .summary = "list, check and print lessons, and read learners' progress",
        .options = {{.names = "ACTION",
                     .help = "list; check (go through it, right and wrong); handout or solution (a sheet); "
                             "progress (a table of exported files)",
                     .to = &arguments->action,
                     .required = true,
                     .choices = {"list", "check", "handout", "solution", "progress"}},
                    {.names = "FILE",
                     .help = "lessons, or names of those that come with Blockscope (list and check: all); "
                             "of progress, learners' files",
                     .to = &arguments->files,
                     .offered = shipped_names,
                     .completion = Completion::Files},
                    output,
                    json_option(arguments->json)},
        .notes =
            "docs/teaching.md says how to write one.\n"
            "Examples:\n"
            "  blockscope-cli lesson list\n"
            "  blockscope-cli lesson check my-lesson.md\n"
            "  blockscope-cli lesson handout 1-why-fuse -o why-fuse.pdf\n"
            "  blockscope-cli lesson progress ada.json bob.json",
        .run = [arguments](const Invocation& invocation) { return lesson_command(*arguments, invocation); }};
}

}  // namespace blockscope::cli
