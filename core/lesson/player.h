// A learner's way through a lesson, as a value: which part is seen, what was answered, which hints were
// taken. It never locks anything: every part can be gone to at any time, and a task may be left undone.
//
//     LessonPlayer player(lesson, sources);
//     carry out player.stop().show
//     player.watch(learner)                        whenever the learner's state changes, or
//     player.answer("437 MB", learner)             when a question is answered
//     carry out the reply's actions, player.forward()
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/lesson/facts.h"
#include "core/lesson/learner.h"
#include "core/lesson/progress.h"

namespace blockscope::lesson {

// What a question is answered with: a number as it is typed ("437 MB", "4096 * 2"), the index of a choice, a
// rule, an arrow of the picture.
using Answer = std::variant<std::string, int, RuleId, Arrow>;

struct Reply {
    enum class Kind : std::uint8_t {
        Nothing,        // goes on waiting
        Right,          // the task is done
        Wrong,          // with what is said of it
        Revealed,       // of a prediction that was wrong: it is done, too
        Elsewhere,      // another program is open than the lesson is about
        NotUnderstood,  // the answer is no number
    };
    Kind kind = Kind::Nothing;
    std::string text = {};               // Markdown
    std::vector<Action> actions = {};    // to be carried out
    const Reaction* reaction = nullptr;  // the one that spoke, if one did

    bool done() const { return kind == Kind::Right || kind == Kind::Revealed; }
};

class LessonPlayer {
public:
    // Programs are read when they are needed; copies of a player share them.
    LessonPlayer(std::shared_ptr<const Lesson> lesson, Sources sources);

    const Lesson& lesson() const { return *lesson_; }
    int at() const { return at_; }
    int count() const { return static_cast<int>(lesson_->stops.size()); }
    const Stop& stop() const { return lesson_->stops[static_cast<std::size_t>(at_)]; }
    bool at_end() const { return at_ + 1 == count(); }

    void forward() { go(at_ + 1); }
    void back() { go(at_ - 1); }
    void go(int stop);  // to the nearest there is

    // The text of this part, of its task, and what went on with it. A problem is the lesson's fault.
    Result<std::string> text(const Learner& learner) const;
    Result<std::string> prompt(const Learner& learner) const;

    // Whether the task here is done; true where there is none.
    bool done() const;
    const TaskProgress* task() const;  // null where there is no task

    // Tasks to do: whether the state is as wanted, or a wrong turn was taken. Says each thing once.
    Result<Reply> watch(const Learner& learner);
    // Questions. Each answer counts as a try.
    Result<Reply> answer(const Answer& answer, const Learner& learner);
    // The next hint; empty if there is no more.
    Result<std::string> hint(const Learner& learner);
    bool has_hint() const;
    // What carries the task out, or answers the question by what follows. The task counts as shown. The
    // text says the right answer.
    Result<Reply> show_me(const Learner& learner);

    // ---- What is kept.
    LessonProgress progress() const;
    // Goes on where `progress` ends. Tasks that the lesson has no more are left out.
    void resume(const LessonProgress& progress);

    Programs& programs() const { return *programs_; }
    const std::shared_ptr<Programs>& shared_programs() const { return programs_; }

private:
    TaskProgress& mine();
    Reply finish(Reply reply, bool right);

    std::shared_ptr<const Lesson> lesson_;
    std::shared_ptr<Programs> programs_;
    int at_ = 0;
    std::vector<TaskProgress> tasks_;  // one per stop; without a name where it has no task
    const Reaction* said_ = nullptr;   // the last that watch() said
};

// The learner who comes to a part and finds what it shows, having done every task before it as the lesson
// shows it: what a window sets up for somebody who comes back, or who leaves parts out.
// `done`: with the part's own task done, too.
Result<Learner> learner_at(const LessonPlayer& player, int stop, const std::string& device,
                           bool done = false);

// ---- Answers by themselves, for the player and the rehearsal.

// The right answer as it would be typed or said: "437 MB", "rule 4 (...)", the text of the right choice.
Result<std::string> right_answer(const Task& task, const Setting& setting);
// Whether a choice is right.
Result<bool> is_right(const Choice& choice, const Setting& setting);
// Whether `given` counts as the number `wanted`: within the tolerance of the question; without one exactly
// for whole counts, else within 1%.
bool accepts(const Expected& expected, const Value& wanted, const Value& given);
// The step whose rule or edge is asked for.
Result<const Step*> asked_step(const Expected& expected, const Setting& setting);

}  // namespace blockscope::lesson
