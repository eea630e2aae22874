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
#include <string_view>
#include <variant>
#include <vector>

#include "core/support/result.h"

namespace blockscope::lesson {

// The small language in which lessons say what they expect: numbers and conditions over a program's real
// values, so that a lesson types no number that the program can compute.
//
//     traffic(step 17) < 100 MB
//     (traffic(0) - traffic(last)) / traffic(0)
//     applied(4) and kernels == 1
//
// Sums, products, comparisons, `and`, `or`, `not`; numbers with units; functions of a state, of a dimension,
// of an array, of a device and of what the learner has done (functions() lists them).

// What a value counts. Comparisons and sums want the same on both sides.
enum class Unit : std::uint8_t { Number, Bytes, Seconds, Operations, Truth, Rule, Other, Formula };

struct Value {
    double number = 0;  // bytes, seconds; 1 or 0 of Truth; the index in rules() of Rule
    Unit unit = Unit::Number;
    std::string formula = {};  // of Formula: its text; such a value can only be said
};

// A unit as it is written: "MB" is 1e6 bytes.
struct UnitWord {
    std::string_view word;
    double factor;
    Unit unit;
};
const std::vector<UnitWord>& unit_words();
const UnitWord* find_unit(std::string_view word);  // null if there is none

// What a function takes.
enum class Parameter : std::uint8_t {
    State,   // now, step 7 or 7, snapshot 1, last, last snapshot, best (least traffic), fastest
    Rule,    // 4, 6a, "Fuse Consecutive Maps"
    Place,   // "top", "M", "M/N": the dimensions of the maps around a level
    Dim,     // M
    Array,   // "Q"
    Node,    // "dot", "forall M", "n17"
    Device,  // "h100-sxm5"
    Type,    // bf16
    File,    // "attention.bp"
    Number,  // an expression
};

enum class FunctionId : std::uint8_t {
    Traffic,
    Between,
    Operations,
    Buffered,
    Kernels,
    Tasks,
    Local,
    Least,
    Intensity,
    Time,
    Matches,
    Moved,
    Exponentials,
    RuleOf,
    Steps,
    Step,
    SizeOf,
    BlocksOf,
    BlockOf,
    Bytes,
    Bandwidth,
    Rate,
    Capacity,
    HStar,
    Law,
    Applied,
    Selected,
    OnDevice,
    Opened,
    Safe,
    Measured,
    MeasuredTime,
};

struct Function {
    FunctionId id;
    std::string_view name;
    std::vector<Parameter> parameters = {};
    int needed = 0;  // parameters that cannot be left out; a state left out is `now`
    Unit unit;
    std::string_view meaning;  // for the page: "bytes between global and local memory"
};
const std::vector<Function>& functions();
const Function& function(FunctionId id);

struct Expression;

struct Argument {
    std::string text;  // without quotes; of a state "step 7", "last"
    Place place;
    std::vector<Expression> number;  // of Parameter::Number: one
};

struct Expression {
    enum class Kind : std::uint8_t { Literal, Call, Negate, Not, Binary };
    Kind kind = Kind::Literal;
    Value literal = {};
    FunctionId function = FunctionId::Traffic;
    std::vector<Argument> arguments = {};
    std::string op = {};  // of Binary: + - * / < <= > >= == != and or
    std::vector<Expression> operands = {};
    std::string text = {};  // as it is written
    Place place = {};
};

// Reads expressions out of a line, one after another: what is left behind is the caller's.
class ExpressionReader {
public:
    // `place` is that of the first byte of `text`.
    ExpressionReader(std::string_view text, Place place) : text_(text), place_(std::move(place)) {}

    Result<Expression> condition();  // with comparisons, `and`, `or`, `not`
    Result<Expression> sum();        // a number
    bool at_end();
    // Whether the next word is `word`, which is then passed: "in", "within", "by".
    bool takes(std::string_view word);
    std::string_view word();       // the next word, passed; empty if there is none
    const UnitWord* takes_unit();  // the next word if it is a unit, which is then passed; else null
    std::string_view rest() const { return text_.substr(at_); }
    Place here();  // of what comes next
    Problem problem(const std::string& message);

private:
    Result<Expression> disjunction();
    Result<Expression> conjunction();
    Result<Expression> negation();
    Result<Expression> comparison();
    Result<Expression> product();
    Result<Expression> factor();
    Result<Expression> number();
    Result<Expression> call();
    Result<std::vector<Argument>> arguments(const Function& function);
    Result<Argument> argument(Parameter parameter);
    Result<Expression> chain(Result<Expression> (ExpressionReader::*part)(),
                             const std::vector<std::string_view>& operators);
    bool takes_sign(std::string_view sign);
    void skip();
    Place place_at(std::size_t offset) const;
    std::string_view peek_word();

    std::string_view text_;
    Place place_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

// The whole text as one condition or number.
Result<Expression> read_condition(std::string_view text, const Place& place);
Result<Expression> read_number(std::string_view text, const Place& place);

// "538 MB", "249 us", "85%", "4096", "yes", "rule 4 (...)": a value for people; in `unit` if one is named.
std::string to_text(const Value& value, const UnitWord* unit = nullptr);

// Text in Markdown with values in braces: "It moves {traffic(0)}."
struct ProseValue {
    Expression expression = {};
    const UnitWord* unit = nullptr;  // to say it in; null: the one that suits
};
struct Prose {
    std::vector<std::variant<std::string, ProseValue>> parts = {};

    bool empty() const { return parts.empty(); }
};

// What a lesson makes the program do: to show something, to do a task for the learner, or to reveal an
// answer.
enum class ActionKind : std::uint8_t {
    Open,       // open FILE
    Go,         // step 7, last, snapshot 1, best, fastest: a state of the algorithm's run
    Apply,      // apply RULE [at PLACE] [number K]: its first or K-th match
    Run,        // run: the fusion algorithm, from the state that is shown
    Select,     // select NODE, ...
    Highlight,  // highlight NODE, ...
    Look,       // look at NODE, ... | all: the camera
    View,       // view picture | listing | costs | circuit | cuda | rule | sizes
    Device,     // device NAME
    Safe,       // safe on | off
    Objective,  // objective time | traffic: the figure by which states are compared
    Size,       // size M = 4096 / 64: written as in a program's "dim"
    Measure,    // measure: on the learner's own processor
};
struct Action {
    ActionKind kind = ActionKind::Go;
    std::vector<std::string> words = {};  // the text behind the keyword, split at commas; of Go in one piece
    std::string at = {};                  // of Apply: the place; empty: any place
    int number = 1;                       // of Apply: the number of the match
    std::string text = {};                // the action as the lesson has it
    Place place = {};
};

// A typical wrong answer, or a typical wrong step in a task, and what the lesson says then.
struct Reaction {
    // Of a question for a number: the wrong number. Of a task: a condition on the state. None: the reaction
    // is written "other" and stands for every other wrong answer.
    std::optional<Expression> when = {};
    const UnitWord* unit = nullptr;
    std::string rule = {};        // of a question for a rule: the wrong rule's number
    std::vector<Action> by = {};  // of a task: actions that lead to the condition, for the rehearsal
    Prose text = {};
    Place place = {};
};

struct Choice {
    Prose text = {};
    std::optional<Expression> when = {};  // a condition on the program: true if the choice is right
    bool right = false;                   // whether it is right, if there is no condition
    Prose reaction = {};
    Place place = {};
};

enum class AnswerKind : std::uint8_t { Number, Choice, Rule, Arrow };

struct Expected {
    AnswerKind kind = AnswerKind::Number;
    Expression number = {};                      // of Number
    const UnitWord* unit = nullptr;              // the unit of the answer; null: a plain number
    std::optional<double> within = {};           // the tolerance, as a share of the right number (0.02) ...
    std::optional<double> within_absolute = {};  // ... or in the unit; accepts() has one for neither
    std::vector<Choice> choices = {};  // of Choice; several may be right, and each of those is accepted
    std::string state = {};            // of Rule and Arrow: the state after the step in question, "step 7"
    Place place = {};
};

enum class TaskKind : std::uint8_t {
    Do,       // the learner edits the program until a condition holds
    Ask,      // the learner answers a question until the answer is right
    Predict,  // the learner answers once, then sees what happens
};

struct Task {
    TaskKind kind = TaskKind::Do;
    std::string name =
        {};  // the key in the learner's progress: written in the lesson, or made from the heading
    Prose prompt = {};
    std::optional<Expression> until = {};   // of Do: the condition
    std::optional<Expected> expected = {};  // of Ask and Predict: the answer
    std::vector<Reaction> wrong = {};
    std::vector<Prose> hints = {};
    Prose right = {};                  // what the lesson says when the task is done
    std::vector<Action> show_me = {};  // of Do: the actions that do the task for the learner
    std::vector<Action> reveal = {};   // the actions that follow the answer
    Place place = {};
};

// One page of a lesson: text, the actions that show what the text is about, and at most one task.
struct Stop {
    std::string heading = {};  // of the section that it belongs to
    Prose text = {};
    std::vector<Action> show = {};        // run when the learner comes to this page
    std::vector<Expression> claims = {};  // conditions that the text relies on; tests check them
    std::optional<Task> task = {};
    std::string program = {};  // the program that the values in the text come from
    Place place = {};
};

// A block program that is written in the lesson itself.
struct InnerProgram {
    std::string name = {};
    std::string text = {};
    Place place = {};  // of its first line
};

enum class LessonKind : std::uint8_t {
    Lesson,
    Tour,  // shows Blockscope itself in a minute or two; needs no goals
    Quiz,  // generated from a run of the algorithm; its progress is not stored
};

struct Lesson {
    std::string file = {};
    LessonKind kind = LessonKind::Lesson;
    std::string title = {};
    int minutes = 0;
    std::string program = {};  // the program that it begins with
    std::vector<std::string> goals = {};
    std::vector<InnerProgram> programs = {};  // written in the lesson
    std::vector<Stop> stops = {};
};

// Reads a lesson. A text that is wrong gives all its problems at once, each with line and column, and
// suggests a word that exists for one that does not.
Result<Lesson> read_lesson(const std::string& text, const std::string& file);

// A file of samples that is compiled in, so that the program finds it wherever it runs.
struct ShippedText {
    const char* name;  // of the file, without the ending
    const char* text;
};

// The lessons of samples/lessons, in the order in which a learner takes them.
const std::vector<ShippedText>& shipped_lessons();
// The tour of the window, samples/lessons/tour.md.
const ShippedText& shipped_tour();
// All programs of samples, by file name.
const std::vector<ShippedText>& shipped_programs();

}  // namespace blockscope::lesson
