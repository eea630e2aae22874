#include "core/lesson/player.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/lesson/facts.h"
#include "core/story/program_names.h"

namespace blockscope::lesson {
namespace {

constexpr const char* kNotQuite = "That is not it. Try again, take a hint, or let me show you.";
constexpr const char* kRight = "Right.";

std::string stem_of(const std::string& file) {
    return std::filesystem::path(file).stem().string();
}

Value in_unit(Value value, const UnitWord* unit) {
    if (unit == nullptr || value.unit != Unit::Number) return value;
    return {value.number * unit->factor, unit->unit};
}

// "437 MB", "4096 * 2", "85%": as the learner types it, in the unit that is asked for where it has none.
Result<Value> typed_value(const std::string& typed, const Expected& expected, const Setting& setting) {
    std::string plain = typed;
    std::erase(plain, ',');  // 4,096
    for (const std::string micro :
         {"\u00b5s", "\u03bcs"})  // as it is shown: with the micro sign, or a Greek mu
        for (std::size_t at = plain.find(micro); at != std::string::npos; at = plain.find(micro))
            plain.replace(at, micro.size(), "us");
    const Result<Expression> expression = read_number(plain, {});
    if (!expression) return expression.problems();
    const Result<Value> value = evaluate(*expression, setting);
    const bool has_percent = plain.find('%') != std::string::npos;
    return !value || has_percent ? value : Result<Value>(in_unit(*value, expected.unit));
}

std::string said_of(const Answer& answer) {
    if (const auto* typed = std::get_if<std::string>(&answer)) return *typed;
    if (const auto* choice = std::get_if<int>(&answer)) return "choice " + std::to_string(*choice + 1);
    if (const auto* rule = std::get_if<RuleId>(&answer)) return "rule " + to_string(*rule);
    const Arrow& arrow = std::get<Arrow>(answer);
    return to_string(arrow.from) + " to " + to_string(arrow.to);
}

// What was found of an answer.
struct Found {
    bool right = false;
    bool understood = true;
    const Reaction* reaction = nullptr;
    const Prose* text = nullptr;  // of a choice
};

const Reaction* other_reaction(const Task& task) {
    for (const Reaction& reaction : task.wrong)
        if (!reaction.when && reaction.rule.empty()) return &reaction;
    return nullptr;
}

Result<Found> judge_number(const Task& task, const std::string& typed, const Setting& setting) {
    const Result<Value> wanted = evaluate(task.expected->number, setting);
    if (!wanted) return wanted.problems();
    const Result<Value> given = typed_value(typed, *task.expected, setting);
    if (!given) return Found{.understood = false};
    if (accepts(*task.expected, *wanted, *given)) return Found{.right = true};
    for (const Reaction& reaction : task.wrong) {
        if (!reaction.when) continue;
        const Result<Value> typical = evaluate(*reaction.when, setting);
        if (!typical) return typical.problems();
        // A bare number is one in the unit that is asked for; what is computed has its unit.
        const UnitWord* unit = reaction.unit != nullptr ? reaction.unit : task.expected->unit;
        const bool bare = reaction.when->kind == Expression::Kind::Literal;
        if (accepts(*task.expected, bare ? in_unit(*typical, unit) : *typical, *given))
            return Found{.reaction = &reaction};
    }
    return Found{.reaction = other_reaction(task)};
}

Result<Found> judge_choice(const Task& task, int index, const Setting& setting) {
    const std::vector<Choice>& choices = task.expected->choices;
    if (index < 0 || index >= static_cast<int>(choices.size())) return Found{.understood = false};
    const Choice& choice = choices[static_cast<std::size_t>(index)];
    const Result<bool> right = is_right(choice, setting);
    if (!right) return right.problems();
    return Found{.right = *right, .text = choice.reaction.empty() ? nullptr : &choice.reaction};
}

Result<Found> judge_rule(const Task& task, RuleId given, const Setting& setting) {
    const Result<const Step*> step = asked_step(*task.expected, setting);
    if (!step) return step.problems();
    if ((*step)->match.rule == given) return Found{.right = true};
    for (const Reaction& reaction : task.wrong) {
        if (reaction.rule.empty()) continue;
        const Result<RuleId> typical = rule_named(reaction.rule, reaction.place);
        if (!typical) return typical.problems();
        if (typical->number == given.number) return Found{.reaction = &reaction};
    }
    return Found{.reaction = other_reaction(task)};
}

Result<Found> judge_arrow(const Task& task, const Arrow& given, const Setting& setting) {
    const Result<const Step*> step = asked_step(*task.expected, setting);
    if (!step) return step.problems();
    const std::vector<Arrow> right = vanishing_arrows(**step);
    if (std::find(right.begin(), right.end(), given) != right.end()) return Found{.right = true};
    return Found{.reaction = other_reaction(task)};
}

Result<Found> judge(const Task& task, const Answer& answer, const Setting& setting) {
    const AnswerKind kind = task.expected->kind;
    if (const auto* typed = std::get_if<std::string>(&answer); typed && kind == AnswerKind::Number)
        return judge_number(task, *typed, setting);
    if (const auto* choice = std::get_if<int>(&answer); choice && kind == AnswerKind::Choice)
        return judge_choice(task, *choice, setting);
    if (const auto* rule = std::get_if<RuleId>(&answer); rule && kind == AnswerKind::Rule)
        return judge_rule(task, *rule, setting);
    if (const auto* arrow = std::get_if<Arrow>(&answer); arrow && kind == AnswerKind::Arrow)
        return judge_arrow(task, *arrow, setting);
    return Found{.understood = false};
}

Action open_action(const std::string& file) {
    return {.kind = ActionKind::Open, .words = {file}, .text = "open " + file};
}

}  // namespace

bool accepts(const Expected& expected, const Value& wanted, const Value& given) {
    const auto plain = [](Unit unit) {
        return unit == Unit::Number || unit == Unit::Operations || unit == Unit::Other;
    };
    if (given.unit != wanted.unit && !(plain(given.unit) && plain(wanted.unit)) && given.unit != Unit::Number)
        return false;
    const double off = std::abs(given.number - wanted.number);
    const double factor = expected.unit != nullptr ? expected.unit->factor : 1;
    if (expected.within) return off <= *expected.within * std::abs(wanted.number);
    if (expected.within_absolute) return off <= *expected.within_absolute * factor;
    const bool count = wanted.unit == Unit::Number && wanted.number == std::floor(wanted.number);
    return off <= (count ? 1e-9 : 0.01) * std::abs(wanted.number);
}

Result<bool> is_right(const Choice& choice, const Setting& setting) {
    if (choice.when) return holds(*choice.when, setting);
    return choice.right;
}

Result<const Step*> asked_step(const Expected& expected, const Setting& setting) {
    const Result<const Reference*> reference = setting.programs.find(setting.program);
    if (!reference) return Problem{expected.place, reference.problems().front().message};
    const Result<int> step =
        step_named(expected.state, **reference, setting.learner, setting.programs, expected.place);
    if (!step) return step.problems();
    if (*step == 0) return Problem{expected.place, std::string("no step leads to step 0")};
    return &(*reference)->run.steps[static_cast<std::size_t>(*step - 1)];
}

Result<std::string> right_answer(const Task& task, const Setting& setting) {
    const Expected& expected = *task.expected;
    switch (expected.kind) {
        case AnswerKind::Number: {
            const Result<Value> value = evaluate(expected.number, setting);
            if (!value) return value.problems();
            return to_text(*value, expected.unit);
        }
        case AnswerKind::Choice:
            for (const Choice& choice : expected.choices) {
                const Result<bool> right = is_right(choice, setting);
                if (!right) return right.problems();
                if (*right) return text_of(choice.text, setting);
            }
            return Problem{expected.place, std::string("no choice is right")};
        case AnswerKind::Rule: {
            const Result<const Step*> step = asked_step(expected, setting);
            if (!step) return step.problems();
            const RuleId id = (*step)->match.rule;
            return "rule " + to_string(id) + ", " + rule(id).short_name.str();
        }
        case AnswerKind::Arrow: {
            const Result<const Step*> step = asked_step(expected, setting);
            if (!step) return step.problems();
            const ProgramNames names((*step)->before, {});
            std::string text;
            for (const Arrow& arrow : vanishing_arrows(**step))
                text += (text.empty() ? "the edge from " : ", and from ") +
                        names.operators(arrow.from).str() + " to " + names.operators(arrow.to).str();
            return text;
        }
    }
    throw InternalError("unknown kind of answer");
}

LessonPlayer::LessonPlayer(std::shared_ptr<const Lesson> lesson, Sources sources)
    : lesson_(std::move(lesson)), programs_(std::make_shared<Programs>(std::move(sources), lesson_)) {
    for (const Stop& stop : lesson_->stops) tasks_.push_back({.name = stop.task ? stop.task->name : ""});
}

void LessonPlayer::go(int stop) {
    at_ = std::clamp(stop, 0, count() - 1);
    said_ = nullptr;
}

TaskProgress& LessonPlayer::mine() {
    return tasks_[static_cast<std::size_t>(at_)];
}

const TaskProgress* LessonPlayer::task() const {
    return stop().task ? &tasks_[static_cast<std::size_t>(at_)] : nullptr;
}

bool LessonPlayer::done() const {
    return !stop().task || task()->done;
}

Result<std::string> LessonPlayer::text(const Learner& learner) const {
    return text_of(stop().text, {*programs_, stop().program, learner});
}

Result<std::string> LessonPlayer::prompt(const Learner& learner) const {
    if (!stop().task) return std::string();
    return text_of(stop().task->prompt, {*programs_, stop().program, learner});
}

Reply LessonPlayer::finish(Reply reply, bool right) {
    TaskProgress& progress = mine();
    progress.right = progress.done ? progress.right : right && !progress.shown;
    progress.done = true;
    reply.actions = stop().task->reveal;
    return reply;
}

Result<Reply> LessonPlayer::watch(const Learner& learner) {
    if (!stop().task || stop().task->kind != TaskKind::Do || done()) return Reply{};
    const Task& task = *stop().task;
    const Setting setting{*programs_, stop().program, learner};
    const Result<bool> reached = holds(*task.until, setting);
    if (!reached) return reached.problems();
    if (*reached) {
        const Result<std::string> text = text_of(task.right, setting);
        if (!text) return text.problems();
        return finish({.kind = Reply::Kind::Right, .text = text->empty() ? kRight : *text}, true);
    }
    if (learner.program != stop().program)
        return Reply{.kind = Reply::Kind::Elsewhere,
                     .text = "This part of the lesson is about `" + stop().program + "`.",
                     .actions = {open_action(stop().program)}};
    for (const Reaction& reaction : task.wrong) {
        if (!reaction.when) continue;
        const Result<bool> taken = holds(*reaction.when, setting);
        if (!taken) return taken.problems();
        if (!*taken) continue;
        if (said_ == &reaction) return Reply{};
        said_ = &reaction;
        ++mine().tries;
        const Result<std::string> text = text_of(reaction.text, setting);
        if (!text) return text.problems();
        return Reply{.kind = Reply::Kind::Wrong, .text = *text, .reaction = &reaction};
    }
    said_ = nullptr;
    return Reply{};
}

Result<Reply> LessonPlayer::answer(const Answer& answer, const Learner& learner) {
    if (!stop().task || !stop().task->expected) return Reply{};
    const Task& task = *stop().task;
    const Setting setting{*programs_, stop().program, learner};
    const Result<Found> found = judge(task, answer, setting);
    if (!found) return found.problems();
    if (!found->understood)
        return Reply{.kind = Reply::Kind::NotUnderstood,
                     .text = "That is no answer that I understand. A number may have a unit: `12.5 MB`."};
    if (!mine().done) {
        ++mine().tries;
        mine().answer = said_of(answer);
    }
    const Prose* own = found->right ? &task.right : found->reaction ? &found->reaction->text : nullptr;
    if (found->text != nullptr) own = found->text;
    const Result<std::string> text = own != nullptr ? text_of(*own, setting) : std::string();
    if (!text) return text.problems();
    if (found->right)
        return finish({.kind = Reply::Kind::Right, .text = text->empty() ? kRight : *text}, true);
    Reply reply{
        .kind = Reply::Kind::Wrong, .text = text->empty() ? kNotQuite : *text, .reaction = found->reaction};
    if (task.kind != TaskKind::Predict) return reply;
    reply.kind = Reply::Kind::Revealed;
    const Result<std::string> right = right_answer(task, setting);
    if (!right) return right.problems();
    const Result<std::string> why = text_of(task.right, setting);
    if (!why) return why.problems();
    reply.text =
        (text->empty() ? "" : *text + " ") + "It is " + *right + "." + (why->empty() ? "" : " " + *why);
    return finish(std::move(reply), false);
}

bool LessonPlayer::has_hint() const {
    return stop().task && task()->hints < static_cast<int>(stop().task->hints.size());
}

Result<std::string> LessonPlayer::hint(const Learner& learner) {
    if (!has_hint()) return std::string();
    const Prose& next = stop().task->hints[static_cast<std::size_t>(mine().hints++)];
    return text_of(next, {*programs_, stop().program, learner});
}

Result<Reply> LessonPlayer::show_me(const Learner& learner) {
    if (!stop().task) return Reply{};
    const Task& task = *stop().task;
    mine().shown = !mine().done || mine().shown;
    if (task.kind == TaskKind::Do) {
        Reply reply{.kind = Reply::Kind::Nothing, .actions = task.show_me};
        if (learner.program != stop().program)
            reply.actions.insert(reply.actions.begin(), open_action(stop().program));
        return reply;
    }
    const Setting setting{*programs_, stop().program, learner};
    const Result<std::string> answer = right_answer(task, setting);
    const Result<std::string> why = text_of(task.right, setting);
    if (!answer) return answer.problems();
    if (!why) return why.problems();
    return finish({.kind = Reply::Kind::Revealed,
                   .text = "The answer: " + *answer + (why->empty() ? "." : ". " + *why)},
                  false);
}

Result<Learner> learner_at(const LessonPlayer& player, int stop, const std::string& device, bool done) {
    Learner beginner;
    beginner.device = device;
    std::vector<Action> way{open_action(player.lesson().program)};
    const auto add = [&](const std::vector<Action>& actions) {
        way.insert(way.end(), actions.begin(), actions.end());
    };
    for (int i = 0; i <= stop && i < player.count(); ++i) {
        const Stop& part = player.lesson().stops[static_cast<std::size_t>(i)];
        add(part.show);
        if ((i == stop && !done) || !part.task) continue;
        add(part.task->show_me);
        add(part.task->reveal);
    }
    // What was measured on the way is of no use any more.
    std::erase_if(way, [](const Action& action) { return action.kind == ActionKind::Measure; });
    return after(std::move(beginner), way, player.programs());
}

LessonProgress LessonPlayer::progress() const {
    LessonProgress progress{.lesson = stem_of(lesson_->file), .at = at_};
    for (const TaskProgress& task : tasks_)
        if (!task.name.empty()) progress.tasks.push_back(task);
    return progress;
}

void LessonPlayer::resume(const LessonProgress& progress) {
    go(progress.at);
    for (TaskProgress& task : tasks_)
        for (const TaskProgress& kept : progress.tasks)
            if (kept.name == task.name && !task.name.empty()) task = kept;
}

}  // namespace blockscope::lesson
