#include "core/lesson/rehearsal.h"

#include <algorithm>
#include <cstdio>
#include <map>

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

}  // namespace blockscope::lesson
