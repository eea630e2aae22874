#include "core/lesson/rehearsal.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "core/lesson/markdown.h"

namespace blockscope::lesson {

namespace {

std::string exactly(double number) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", number);
    return text;
}

// A value as somebody would type it who knows it exactly: in the unit that is asked for, without naming it.
std::string typed_exactly(const Value& value, const UnitWord* unit) {
    const double number = unit != nullptr ? value.number / unit->factor : value.number;
    // Expressions have no exponents; what is left of them is a product.
    std::string text = exactly(number);
    const std::size_t exponent = text.find('e');
    if (exponent == std::string::npos) return text;
    char plain[400];
    std::snprintf(plain, sizeof plain, "%.20f", number);
    return plain;
}

class Rehearser {
public:
    Rehearser(const std::shared_ptr<const Lesson>& lesson, const Sources& sources)
        : lesson_(lesson), sources_(sources), player_(lesson, sources) {}

    Rehearsal run() {
        if (!begin()) return done_;
        for (int stop = 0; stop < player_.count() && goes_on_; ++stop) {
            player_.go(stop);
            rehearse_stop();
        }
        return done_;
    }

    Problems walk(const VisitStop& visit) {
        if (!begin()) return done_.problems;
        for (int stop = 0; stop < player_.count() && goes_on_; ++stop) {
            player_.go(stop);
            move(player_.stop().show);
            const Learner before = learner_;
            if (player_.stop().task) move(player_.stop().task->show_me);
            visit(player_, before, learner_);
            if (player_.stop().task) move(player_.stop().task->reveal);
        }
        return done_.problems;
    }

private:
    bool begin() {
        const Place top{lesson_->file, 1, 1, {}};
        Action open{.kind = ActionKind::Open, .words = {lesson_->program}, .place = top};
        move({open});
        return goes_on_;
    }

    void problem(const Place& place, const std::string& message) {
        done_.problems.push_back({place, message});
    }
    template <class T>
    bool fine(const Result<T>& result) {
        if (result) return true;
        done_.problems.insert(done_.problems.end(), result.problems().begin(), result.problems().end());
        return false;
    }

    // A learner who cannot go on cannot do what comes behind.
    void move(const std::vector<Action>& actions) {
        if (!goes_on_) return;
        Result<Learner> next = after(learner_, actions, player_.programs());
        goes_on_ = fine(next);
        if (next) learner_ = std::move(next).value();
    }

    Setting setting() { return {player_.programs(), player_.stop().program, learner_}; }
    const Task& task() const { return *player_.stop().task; }

    void says(const Prose& prose) { fine(text_of(prose, setting())); }

    void rehearse_stop() {
        move(player_.stop().show);
        if (!goes_on_) return;
        says(player_.stop().text);
        for (const Expression& claim : player_.stop().claims) {
            const Result<bool> so = holds(claim, setting());
            if (!fine(so)) continue;
            if (!*so) problem(claim.place, "'" + claim.text + "' does not hold" + both_sides(claim));
            done_.claims += *so ? 1 : 0;
        }
        if (!player_.stop().task) return;
        ++done_.tasks;
        says(task().prompt);
        says(task().right);
        for (const Prose& hint : task().hints) says(hint);
        if (task().kind == TaskKind::Do)
            rehearse_doing();
        else
            rehearse_answers();
        check_resuming();
        move(task().reveal);
    }

    // ": the left side is 538 MB, the right side 471 MB"
    std::string both_sides(const Expression& claim) {
        if (claim.operands.size() != 2) return "";
        const Result<Value> left = evaluate(claim.operands[0], setting());
        const Result<Value> right = evaluate(claim.operands[1], setting());
        if (!left || !right || left->unit == Unit::Truth) return "";
        return ": the left side is " + to_text(*left) + ", the right side " + to_text(*right);
    }

    // ---- Tasks to do.

    void rehearse_doing() {
        const Result<Reply> before = LessonPlayer(player_).watch(learner_);
        if (!fine(before)) return;
        if (before->done())
            return problem(task().until->place,
                           "the task is done before the learner does anything: '" + task().until->text + "'");
        if (before->kind == Reply::Kind::Wrong)
            problem(before->reaction->place, "this is said before the learner does anything");
        for (const Reaction& reaction : task().wrong) take_wrong_turn(reaction);
        move(task().show_me);
        const Result<Reply> reply = player_.watch(learner_);
        if (!fine(reply)) return;
        if (!reply->done())
            return problem(task().until->place,
                           "the task is not done by its 'show-me'" + both_sides(*task().until));
        ++done_.right;
    }

    void take_wrong_turn(const Reaction& reaction) {
        if (!reaction.when || reaction.by.empty()) return says(reaction.text);
        const Result<Learner> astray = after(learner_, reaction.by, player_.programs());
        if (!fine(astray)) return;
        const Result<Reply> reply = LessonPlayer(player_).watch(*astray);
        if (!fine(reply)) return;
        if (reply->done()) return problem(reaction.place, "the task is done on this wrong way");
        if (reply->reaction != &reaction) return problem(reaction.place, "this is not said on its own way");
        ++done_.wrong;
    }

    // ---- Questions.

    void rehearse_answers() {
        switch (task().expected->kind) {
            case AnswerKind::Number:
                numbers();
                break;
            case AnswerKind::Choice:
                choices();
                break;
            case AnswerKind::Rule:
                rule_numbers_asked();
                break;
            case AnswerKind::Arrow:
                arrows();
                break;
        }
    }

    Result<Reply> try_answer(const Answer& answer) { return LessonPlayer(player_).answer(answer, learner_); }

    void accepted(const Answer& answer, const std::string& as) {
        const Result<Reply> reply = player_.answer(answer, learner_);
        if (!fine(reply)) return;
        if (reply->kind != Reply::Kind::Right)
            return problem(task().expected->place, "the right answer, " + as + ", is not accepted");
        ++done_.right;
    }

    // A typical wrong answer has to be wrong, and has to get its own reaction.
    void refused(const Answer& answer, const Reaction& reaction, const std::string& as) {
        const Result<Reply> reply = try_answer(answer);
        if (!fine(reply)) return;
        if (reply->kind == Reply::Kind::Right)
            return problem(reaction.place, "this answer, " + as + ", is right");
        if (reply->reaction != &reaction)
            return problem(reaction.place, "this is never said: " + as + " has another reaction before it");
        ++done_.wrong;
    }

    void numbers() {
        const Expected& expected = *task().expected;
        const Result<Value> wanted = evaluate(expected.number, setting());
        if (!fine(wanted)) return;
        for (const Reaction& reaction : task().wrong) {
            if (!reaction.when) {
                refused(typed_exactly({wanted->number * 7.7 + 1e-9, wanted->unit}, expected.unit), reaction,
                        "some other number");
                continue;
            }
            const Result<Value> typical = evaluate(*reaction.when, setting());
            if (!fine(typical)) continue;
            const UnitWord* unit = reaction.unit != nullptr ? reaction.unit : expected.unit;
            const bool plain =
                typical->unit == Unit::Number && reaction.when->kind == Expression::Kind::Literal;
            refused(plain ? exactly(typical->number) : typed_exactly(*typical, unit), reaction,
                    to_text(*typical, plain ? nullptr : unit));
        }
        const std::string shown = to_text(*wanted, expected.unit);
        const Result<Reply> as_shown = try_answer(shown);
        if (fine(as_shown) && as_shown->kind != Reply::Kind::Right)
            problem(expected.place, "the number as the program shows it, " + shown +
                                        ", is not accepted; allow more with 'within'");
        accepted(typed_exactly(*wanted, expected.unit), shown);
    }

    void choices() {
        const std::vector<Choice>& choices = task().expected->choices;
        int right = -1;
        for (int i = 0; i < static_cast<int>(choices.size()); ++i) {
            const Choice& choice = choices[static_cast<std::size_t>(i)];
            says(choice.text);
            says(choice.reaction);
            const Result<bool> is = is_right(choice, setting());
            if (!fine(is)) return;
            if (*is) {
                right = i;
                continue;
            }
            if (choice.reaction.empty())
                problem(choice.place, "a wrong choice needs a reaction: '-> TEXT' behind it");
            const Result<Reply> reply = try_answer(i);
            if (fine(reply) && reply->kind != Reply::Kind::Right) ++done_.wrong;
        }
        if (right < 0) return problem(task().expected->place, "no choice is right any more");
        if (choices.size() < 2) return problem(task().expected->place, "a single choice is none");
        accepted(right, "choice " + std::to_string(right + 1));
    }

    void rule_numbers_asked() {
        const Result<const Step*> step = asked_step(*task().expected, setting());
        if (!fine(step)) return;
        for (const Reaction& reaction : task().wrong) {
            const RuleId right = (*step)->match.rule;
            RuleId given{right.number == 2 ? 3 : 2, 0};
            if (!reaction.rule.empty()) {
                const Result<RuleId> typical = rule_named(reaction.rule, reaction.place);
                if (!fine(typical)) continue;
                given = *typical;
            } else if (names_rule(given)) {
                given = RuleId{right.number == 9 ? 5 : 9, 0};
            }
            refused(given, reaction, "rule " + to_string(given));
        }
        accepted((*step)->match.rule, "rule " + to_string((*step)->match.rule));
    }

    bool names_rule(RuleId id) const {
        return std::any_of(task().wrong.begin(), task().wrong.end(),
                           [&](const Reaction& other) { return other.rule == to_string(id); });
    }

    void arrows() {
        const Result<const Step*> step = asked_step(*task().expected, setting());
        if (!fine(step)) return;
        const std::vector<Arrow> right = vanishing_arrows(**step);
        if (right.empty()) return problem(task().expected->place, "this step makes no buffered edge local");
        for (const Reaction& reaction : task().wrong) refused(Arrow{}, reaction, "another edge");
        accepted(right.front(), "the edge into " + to_string(right.front().to));
    }

    // ---- Leaving and coming back.

    void check_resuming() {
        LearnerProgress kept{.learner = "rehearsal"};
        kept.set(player_.progress());
        const Result<LearnerProgress> read = read_progress(write_json(kept), "progress");
        if (!fine(read)) return;
        LessonPlayer again(lesson_, sources_);
        again.resume(read->lessons.front());
        if (again.at() != player_.at() || again.progress() != player_.progress())
            problem(task().place, "the lesson does not resume here");
    }

    std::shared_ptr<const Lesson> lesson_;
    Sources sources_;
    LessonPlayer player_;
    Learner learner_;
    Rehearsal done_{};
    bool goes_on_ = true;
};

}  // namespace

Rehearsal rehearse(const std::shared_ptr<const Lesson>& lesson, const Sources& sources) {
    return Rehearser(lesson, sources).run();
}

Problems walk(const std::shared_ptr<const Lesson>& lesson, const Sources& sources, const VisitStop& visit) {
    return Rehearser(lesson, sources).walk(visit);
}

namespace {

constexpr const char* kStyle =
    "body{font:16px/1.5 sans-serif;max-width:42em;margin:2em auto;padding:0 "
    "1em;color:#1c2330;background:#fff}"
    "h1{margin-bottom:.2em}h2{margin-top:1.6em;border-bottom:1px solid #c9d1dc}"
    "pre{background:#f3f5f8;padding:.6em;overflow-x:auto}code{background:#f3f5f8}"
    "table{border-collapse:collapse}td,th{border:1px solid #c9d1dc;padding:.2em .6em;text-align:left}"
    ".about{color:#55606f}.task{border-left:4px solid #b4530a;padding:.1em 1em;margin:1em 0;"
    "break-inside:avoid}hr{border:0;border-top:1px solid #8a94a3;margin:2em 0 1em;width:60%}"
    ".answer{font-weight:bold}.small{color:#55606f;font-size:90%}.term{font-style:italic}"
    "ul.choices{list-style:none;padding-left:0}"
    "@media print{body{margin:0;max-width:none}a{color:inherit}}";

std::string paragraph(const std::string& style, const std::string& html) {
    return "<p class=\"" + style + "\">" + html + "</p>\n";
}

class SheetWriter {
public:
    SheetWriter(const Lesson& lesson, SheetKind kind) : lesson_(lesson), kind_(kind) {}

    void stop(const LessonPlayer& player, const Learner& before, const Learner& after) {
        const Stop& stop = player.stop();
        const Setting setting{player.programs(), stop.program, before};
        if (stop.heading != heading_) html_ += "<h2>" + inline_html_of(stop.heading) + "</h2>\n";
        heading_ = stop.heading;
        html_ += html_of(said(stop.text, setting));
        if (stop.task) task(*stop.task, setting, {player.programs(), stop.program, after});
    }

    std::string page() const {
        const std::string title = escaped(lesson_.title);
        std::string goals;
        for (const std::string& goal : lesson_.goals) goals += "<li>" + inline_html_of(goal) + "</li>";
        const std::string kind = kind_ == SheetKind::Handout ? "Handout" : "Solution";
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + title +
               ": " + kind + "</title>\n<style>" + kStyle + "</style>\n</head>\n<body>\n<h1>" + title +
               "</h1>\n" +
               paragraph("about", kind + " to a lesson of Blockscope. About " +
                                      std::to_string(lesson_.minutes) + " minutes. Program: <code>" +
                                      escaped(lesson_.program) + "</code>.") +
               "<p>Afterwards you can:</p>\n<ul>" + goals + "</ul>\n" + html_ + "</body>\n</html>\n";
    }

    const Problems& problems() const { return problems_; }

private:
    std::string said(const Prose& prose, const Setting& setting) {
        const Result<std::string> text = text_of(prose, setting);
        if (text) return *text;
        problems_.insert(problems_.end(), text.problems().begin(), text.problems().end());
        return {};
    }

    void task(const Task& task, const Setting& setting, const Setting& done) {
        const std::string kind = task.kind == TaskKind::Do        ? "Do"
                                 : task.kind == TaskKind::Predict ? "Predict"
                                                                  : "Question";
        html_ += "<div class=\"task\">" + paragraph("small", kind + " " + std::to_string(++number_)) +
                 html_of(said(task.prompt, setting));
        if (task.expected) answers(task, setting);
        if (kind_ == SheetKind::Solution) solution(task, setting, done);
        html_ += "</div>\n";
    }

    void answers(const Task& task, const Setting& setting) {
        if (task.expected->kind != AnswerKind::Choice) {
            if (kind_ == SheetKind::Handout) html_ += "<hr>\n";
            return;
        }
        html_ += "<ul class=\"choices\">";
        for (const Choice& choice : task.expected->choices) {
            const Result<bool> right = is_right(choice, setting);
            const bool marked = kind_ == SheetKind::Solution && right && *right;
            html_ += std::string("<li>") + (marked ? "\u2611 " : "\u2610 ") +
                     inline_html_of(said(choice.text, setting));
            if (kind_ == SheetKind::Solution && !choice.reaction.empty())
                html_ +=
                    " <span class=\"small\">" + inline_html_of(said(choice.reaction, setting)) + "</span>";
            html_ += "</li>";
        }
        html_ += "</ul>\n";
    }

    // What is said in the end is about the state that was reached.
    void solution(const Task& task, const Setting& setting, const Setting& done) {
        if (task.expected && task.expected->kind != AnswerKind::Choice) {
            const Result<std::string> answer = right_answer(task, setting);
            if (answer) html_ += paragraph("answer", inline_html_of(*answer));
        }
        if (!task.show_me.empty()) {
            std::string actions;
            for (const Action& action : task.show_me) actions += (actions.empty() ? "" : "; ") + action.text;
            html_ += paragraph("answer", "<code>" + escaped(actions) + "</code>");
        }
        if (!task.right.empty()) html_ += html_of(said(task.right, done));
        for (const Reaction& reaction : task.wrong) {
            const std::string when = reaction.when           ? reaction.when->text
                                     : reaction.rule.empty() ? "otherwise"
                                                             : "rule " + reaction.rule;
            html_ += paragraph("small", "<code>" + escaped(when) +
                                            "</code>: " + inline_html_of(said(reaction.text, setting)));
        }
    }

    const Lesson& lesson_;
    SheetKind kind_;
    std::string html_;
    std::string heading_;
    int number_ = 0;
    Problems problems_;
};

}  // namespace

Result<std::string> sheet(const std::shared_ptr<const Lesson>& lesson, const Sources& sources,
                          SheetKind kind) {
    SheetWriter writer(*lesson, kind);
    Problems problems =
        walk(lesson, sources, [&](const LessonPlayer& player, const Learner& before, const Learner& after) {
            writer.stop(player, before, after);
        });
    problems.insert(problems.end(), writer.problems().begin(), writer.problems().end());
    if (!problems.empty()) return problems;
    return writer.page();
}

}  // namespace blockscope::lesson
