// A lesson: a text that opens programs, asks, waits for what the learner does, and reacts. It is read from
// one Markdown file:
//
//     ---
//     title: Why fuse
//     minutes: 12
//     program: bias-gelu-mlp.bp
//     goal: Say how many bytes an operator moves, and why that decides its time.
//     ---
//
//     ## The bytes
//
//     Press Home. This is the program, *operator by operator*. It moves {traffic(0)}.
//
//     ```ask
//     How many of them are [intermediates](glossary), in MB?
//     answer: between(0) in MB within 2%
//     wrong: traffic(0) in MB -> These are all bytes. Leave out the inputs and outputs.
//     hint: The page Costs has a row "Between".
//     ```
//
// docs/teaching.md has all blocks and keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/lesson/expression.h"

namespace blockscope::lesson {

// Text in Markdown with values in braces: "It moves {traffic(0)}."
struct ProseValue {
    Expression expression = {};
    const UnitWord* unit = nullptr;  // to say it in; null: the one that suits
};
struct Prose {
    std::vector<std::variant<std::string, ProseValue>> parts = {};

    bool empty() const { return parts.empty(); }
};

// What the program can do for the learner: to show something, to carry out a task, to reveal an answer.
enum class ActionKind : std::uint8_t {
    Open,       // open FILE
    Go,         // step 7, last, snapshot 1, best, fastest: a state of the algorithm's run
    Apply,      // apply RULE [at PLACE] [number K]: its first or K-th match
    Run,        // run: the algorithm on from the state that is shown
    Select,     // select NODE, ...
    Highlight,  // highlight NODE, ...
    Look,       // look at NODE, ... | all: the camera
    View,       // view picture | listing | costs | circuit | cuda | rule | sizes
    Device,     // device NAME
    Safe,       // safe on | off
    Size,       // size M = 4096 / 64: as a program's dim has it
    Measure,    // measure: on the learner's own processor
};
struct Action {
    ActionKind kind = ActionKind::Go;
    std::vector<std::string> words = {};  // what stands behind the keyword, cut at commas; of Go all of it
    std::string at = {};                  // of Apply: the place; empty: any
    int number = 1;                       // of Apply: which match
    std::string text = {};                // as it is written
    Place place = {};
};

// A typical wrong answer or a wrong turn, and what to say then.
struct Reaction {
    // Of a number what was answered, of a task a condition; none: "other", any other wrong answer.
    std::optional<Expression> when = {};
    const UnitWord* unit = nullptr;
    std::string rule = {};        // of a question for a rule: its number
    std::vector<Action> by = {};  // of a task: how one gets there, for the rehearsal
    Prose text = {};
    Place place = {};
};

struct Choice {
    Prose text = {};
    std::optional<Expression> when = {};  // whether it is right, if that follows from the program
    bool right = false;                   // otherwise
    Prose reaction = {};
    Place place = {};
};

enum class AnswerKind : std::uint8_t { Number, Choice, Rule, Arrow };

struct Expected {
    AnswerKind kind = AnswerKind::Number;
    Expression number = {};                      // of Number
    const UnitWord* unit = nullptr;              // in which it is asked; null: as it is
    std::optional<double> within = {};           // a share (0.02) of the right number, ...
    std::optional<double> within_absolute = {};  // ... or so much of it, in the unit; neither: see accepts()
    std::vector<Choice> choices = {};  // of Choice; more than one may be right, each is a right answer
    std::string state = {};            // of Rule and Arrow: the state that the step leads to, "step 7"
    Place place = {};
};

enum class TaskKind : std::uint8_t {
    Do,       // until the state is as wanted
    Ask,      // until the answer is right
    Predict,  // one answer, then it is shown what happens
};

struct Task {
    TaskKind kind = TaskKind::Do;
    std::string name = {};  // for the progress: its own, or made of the heading
    Prose prompt = {};
    std::optional<Expression> until = {};   // of Do
    std::optional<Expected> expected = {};  // of Ask and Predict
    std::vector<Reaction> wrong = {};
    std::vector<Prose> hints = {};
    Prose right = {};                  // said when it is done
    std::vector<Action> show_me = {};  // of Do
    std::vector<Action> reveal = {};   // after the answer
    Place place = {};
};

// A part of a lesson that is seen at once: text, what is shown with it, and at most one task.
struct Stop {
    std::string heading = {};  // of its section
    Prose text = {};
    std::vector<Action> show = {};        // carried out when the learner comes here
    std::vector<Expression> claims = {};  // what the text takes for granted; checked, not shown
    std::optional<Task> task = {};
    std::string program = {};  // which its values are about
    Place place = {};
};

struct InnerProgram {
    std::string name = {};
    std::string text = {};
    Place place = {};  // of its first line
};

enum class LessonKind : std::uint8_t {
    Lesson,
    Tour,  // of the program itself, in a minute or two: no goals are asked of it
    Quiz,  // made from a run, not written: nobody keeps what was done of it
};

struct Lesson {
    std::string file = {};
    LessonKind kind = LessonKind::Lesson;
    std::string title = {};
    int minutes = 0;
    std::string program = {};  // that it begins with
    std::vector<std::string> goals = {};
    std::vector<InnerProgram> programs = {};  // that stand in it
    std::vector<Stop> stops = {};
};

// All problems at once, each with line and column. Words that are unknown come with "Did you mean".
Result<Lesson> read_lesson(const std::string& text, const std::string& file);

}  // namespace blockscope::lesson
