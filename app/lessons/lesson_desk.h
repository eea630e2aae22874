// One lesson in the window. The desk ties the player of core/lesson to the document: it opens programs, goes
// to states, lights what a part is about, and looks after every change of the document whether the task is
// done, whichever way. It locks nothing: the document may be worked with as ever, and every part can be gone
// to.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/content.h"
#include "app/document/document.h"
#include "app/document/work.h"
#include "app/lessons/lesson_shelf.h"
#include "app/lessons/lesson_store.h"
#include "core/lesson/player.h"
#include "core/state/choose.h"

namespace blockscope {

// Between the content of a document and the values of core/lesson: what a lesson sees of the document, the
// document as a lesson wants it, and which answers can be pointed at. No window, no state.

// Whether the document is about this program, at whatever sizes.
bool is_program(const Content& content, const lesson::Reference& reference);

// The way that the document shows, for a lesson about `program`, whose reference is given: the document is
// called so if it is that program, however it was opened.
lesson::Learner learner_of(const Content& content, const std::string& program,
                           const lesson::Reference& reference);

// `content` at the state to which the first `step` steps of `trace` lead. States that are there are found,
// others are made. Where a match is not to be had, the last state before it.
Content at_steps(Content content, const Trace& trace, int step);

// A red edge of the picture between two neighbours of one level.
struct EdgeChoice {
    lesson::Arrow arrow;
    ValueRef value;
    NodeId consumer;
};
// All of them, from inputs to outputs, outer levels first.
std::vector<EdgeChoice> red_edges(const Content& content);

// What pointing at an edge answers: one of `right` if it is that edge, or a part of its way through the rims
// of maps; else the edge itself. None for an edge that is not red.
std::optional<lesson::Arrow> pointed_arrow(const Content& content, const Spot& spot,
                                           const std::vector<lesson::Arrow>& right);

// The rules to choose from, by number: the right one, those with a reaction, and others that are often right.
std::vector<RuleId> rules_to_choose(const std::vector<RuleId>& with_reaction, RuleId right);

// What the window does for lessons.
struct LessonWindow {
    // Opens a program before its first step and then calls `then`. Asks before what is not saved is lost, if
    // `ask`. False if the user wants to go on with that: nothing is opened, and nobody is called.
    std::function<bool(const QString& name, const QString& text, bool ask, std::function<void()> then)> open;
    std::function<void()> show_picture;
    std::function<void(const std::vector<NodeId>&)> look_at;  // none: as the picture likes it best
    std::function<void()> focus_work;                         // the page that is worked with gets the keys
    std::function<void(const std::string&panel)> show_panel, hide_panel;
    std::function<bool(const std::string& panel)> panel_is_open;
    std::function<bool()> safe;  // whether the listing shows the safe form
    std::function<void(bool)> set_safe;
    // The calm arrangement of a lesson; without one, the former again.
    std::function<void(bool)> arrange;
};

// What is said of the last answer or turn.
struct Said {
    enum class Tone : std::uint8_t { Right, Wrong, Shown, Note } tone = Tone::Note;
    QString text;  // Markdown; empty: nothing is said
    bool operator==(const Said&) const = default;
};

class LessonDesk : public QObject {
    Q_OBJECT

public:
    explicit LessonDesk(Document& document);
    // The one of this document, made when first asked for.
    static LessonDesk& of(Document& document);
    // Both before the first lesson begins.
    void set_window(LessonWindow window) { window_ = std::move(window); }
    void set_store(LessonStore& store) { store_ = &store; }
    LessonStore* store() const { return store_; }
    const LessonWindow& window() const { return window_; }
    // The document as the lesson sees it now. Only with a lesson.
    lesson::Learner learner() const;

    // Where the learner left it, or at a part. Another lesson is left for it.
    void begin(const LessonInfo& lesson);
    void begin(const LessonInfo& lesson, int part);
    // Questions about the program that is open, from the step that is shown on.
    void begin_quiz();
    bool quizzing() const { return active() && lesson_ == quiz_.get(); }
    void begin_again();  // the same, from its first part, as if nothing was done
    void leave();
    bool active() const { return player_ != nullptr; }
    const LessonInfo* lesson() const { return lesson_; }  // null without one
    const lesson::LessonPlayer& player() const { return *player_; }
    // Its last part was passed: what was done can be looked at.
    bool finished() const { return finished_; }
    // A part is being set up: the document is about to change.
    bool busy() const { return loading_ || !turns_.empty(); }

    void go(int part);
    // From the last part: finished(). From there: the next lesson, or none.
    void forward();
    void back();
    // The part as it is at first, for whoever got lost.
    void set_up_again();

    // Something that the learner did was no change of the document.
    void look_soon() { soon_.start(); }

    // ---- The task of this part.
    void answer(const lesson::Answer& answer);
    void hint();
    void show_me();
    const Said& said() const { return said_; }
    const QStringList& hints() const { return hints_; }    // that were taken here
    std::optional<int> chosen() const { return chosen_; }  // the choice that was answered with last
    // Markdown with its values; empty while the part is being set up.
    const QString& text() const { return text_; }
    const QString& prompt() const { return prompt_; }
    QString choice_text(const lesson::Choice& choice) const;
    // What can be chosen for a question for a rule or an edge.
    std::vector<RuleId> rule_choices() const;
    std::vector<EdgeChoice> edge_choices() const;

Q_SIGNALS:
    void changed();  // another lesson or part, or none any more
    void replied();  // said(), hints(), or whether the task is done
    void text_changed();

private:
    using Turn = std::function<bool()>;  // done at once; else go_on() comes later

    void load(int part, bool from_scratch);
    void next_lesson();
    void follow_quiz();
    void prepare(int part, bool from_scratch);
    void arrive();
    void look();
    void pointed();
    void take(const Result<lesson::Reply>& reply, bool shown);
    void say(Said::Tone tone, const QString& text);
    void keep();
    void retell();
    void keep_secret();
    lesson::Setting setting(const lesson::Learner& learner) const;
    const lesson::Reference* reference() const;
    const lesson::Task* task() const;
    Result<const Step*> asked_step() const;
    bool before_asked_step() const;
    bool owns_document() const;

    // ---- Things to do, one after the other; some of them take time.
    void add_turn(Turn turn) { turns_.push_back(std::move(turn)); }
    void go_on();
    void add_actions(const std::vector<lesson::Action>& actions);
    bool carry_out(const lesson::Action& action);
    bool open(const std::string& file);
    bool set_state(const lesson::Learner& wanted);
    void set_objective(const std::string& name);
    void set_view(const std::string& view);
    void light(const lesson::Action& action);
    void change_to(Content content);

    Document& document_;
    LessonWindow window_;
    LessonStore* store_ = nullptr;
    const LessonInfo* lesson_ = nullptr;
    std::unique_ptr<LessonInfo> quiz_;  // the last one
    std::unique_ptr<lesson::LessonPlayer> player_;
    ProgramPtr opened_program_;  // that this desk opened last; null: the document is the user's
    std::deque<Turn> turns_;
    std::vector<std::string> panels_;                // that were opened for this lesson
    std::optional<ObjectiveKind> objective_before_;  // the user's, while a lesson has its own
    bool loading_ = false, finished_ = false, going_on_ = false, opening_ = false;
    bool elsewhere_ = false;  // it was said that another program is open
    Said said_;
    QStringList hints_;
    std::optional<int> chosen_;
    QString text_, prompt_;
    QTimer soon_;  // the document has changed, and is about to be looked at
    Work work_;    // last: its jobs are waited for before the rest goes
};

}  // namespace blockscope
