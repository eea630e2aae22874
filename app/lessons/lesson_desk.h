// One lesson in the window. The desk ties the player of core/lesson to the document: it opens programs, goes
// to states, highlights what a part is about, and checks after every change of the document whether the task
// is done, in whichever way the user did it. It locks nothing: the user can edit the document as always, and
// can go to every part.
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

// These functions translate between the content of a document and the values of core/lesson: what a lesson
// sees of the document, the content that a lesson asks for, and the answers that the user can give by
// pointing at the picture. They need no window and keep no state.

// Whether the document is about this program, at whatever sizes.
bool is_program(const Content& content, const lesson::Reference& reference);

// What the document shows, as a lesson about `program` sees it. `reference` belongs to `program`. The
// learner's program gets that name if the document holds it, whichever way it was opened.
lesson::Learner learner_of(const Content& content, const std::string& program,
                           const lesson::Reference& reference);

// `content` at the state to which the first `step` steps of `trace` lead. Uses the states that the content
// already has and makes the others. Ends at the last state before a step whose match does not exist.
Content at_steps(Content content, const Trace& trace, int step);

// A red edge of the picture between two neighbours of one level.
struct EdgeChoice {
    lesson::Arrow arrow;
    ValueRef value;
    NodeId consumer;
};
// All of them, from inputs to outputs, outer levels first.
std::vector<EdgeChoice> red_edges(const Content& content);

// The answer that the user gives by pointing at an edge: the arrow of `right` that the edge belongs to (an
// arrow may cross the borders of maps, and each piece counts), else the edge itself. None for an edge that is
// not red.
std::optional<lesson::Arrow> pointed_arrow(const Content& content, const Spot& spot,
                                           const std::vector<lesson::Arrow>& right);

// The rules that a question offers, in the order of their numbers: the right one, those for which the lesson
// has a reaction, and others that are often right.
std::vector<RuleId> rules_to_choose(const std::vector<RuleId>& with_reaction, RuleId right);

// What a lesson asks of the window that it runs in.
struct LessonWindow {
    // Opens a program before its first step and then calls `then`. With `confirm`, first asks the user
    // whether unsaved changes may be lost. False if the user keeps the open document: then nothing is opened,
    // and `then` is not called.
    std::function<bool(const QString& name, const QString& text, bool confirm, std::function<void()> then)>
        open;
    std::function<void()> show_picture;
    std::function<void(const std::vector<NodeId>&)> look_at;  // no nodes: the picture's first view
    std::function<void()> focus_work;                         // the page that is worked with gets the keys
    std::function<void(const std::string&panel)> show_panel, hide_panel;
    std::function<bool(const std::string& panel)> panel_is_open;
    std::function<bool()> safe;  // whether the listing shows the safe form
    std::function<void(bool)> set_safe;
    // True: hides the panels that a lesson does not need. False: shows the panels from before the lesson
    // again.
    std::function<void(bool)> arrange;
};

// What the lesson replies to the learner's last answer or action.
struct Said {
    enum class Tone : std::uint8_t { Right, Wrong, Shown, Note } tone = Tone::Note;
    QString text;  // Markdown; empty: nothing is said
    bool operator==(const Said&) const = default;
};

class LessonDesk : public QObject {
    Q_OBJECT

public:
    explicit LessonDesk(Document& document);
    // The document's desk, made by the first call.
    static LessonDesk& of(Document& document);
    // Call both before the first lesson begins.
    void set_window(LessonWindow window) { window_ = std::move(window); }
    void set_store(LessonStore& store) { store_ = &store; }
    LessonStore* store() const { return store_; }
    const LessonWindow& window() const { return window_; }
    // The document as the lesson sees it now. Only with a lesson.
    lesson::Learner learner() const;

    // Begins at the part where the learner left the lesson, or at `part`. Ends another lesson that is
    // running.
    void begin(const LessonInfo& lesson);
    void begin(const LessonInfo& lesson, int part);
    // Begins a quiz about the open program: questions on the steps from the shown one on.
    void begin_quiz();
    bool quizzing() const { return active() && lesson_ == quiz_.get(); }
    void begin_again();  // the same lesson from its first part; forgets the learner's progress
    void leave();
    bool active() const { return player_ != nullptr; }
    const LessonInfo* lesson() const { return lesson_; }  // null without one
    const lesson::LessonPlayer& player() const { return *player_; }
    // The learner has gone past the last part and sees the summary of the lesson.
    bool finished() const { return finished_; }
    // The desk is setting up a part: the document is about to change.
    bool busy() const { return loading_ || !turns_.empty(); }

    void go(int part);
    // To the next part; after the last part to the summary (finished()), and from there to the next lesson.
    void forward();
    void back();
    // Sets up this part again, for a learner who got lost.
    void set_up_again();

    // Checks soon whether the task is done. For what the learner does without changing the document, which
    // the desk does not notice by itself.
    void look_soon() { soon_.start(); }

    // ---- The task of this part.
    void answer(const lesson::Answer& answer);
    void hint();
    void show_me();
    const Said& said() const { return said_; }
    const QStringList& hints() const { return hints_; }    // that the learner took in this part
    std::optional<int> chosen() const { return chosen_; }  // the choice of the last answer
    // The text of this part: Markdown with the values filled in. Empty while the part is being set up.
    const QString& text() const { return text_; }
    const QString& prompt() const { return prompt_; }
    QString choice_text(const lesson::Choice& choice) const;
    // The choices of a question that asks for a rule, and of one that asks for an edge.
    std::vector<RuleId> rule_choices() const;
    std::vector<EdgeChoice> edge_choices() const;

Q_SIGNALS:
    void changed();  // another lesson or part is shown, or the lesson has ended
    void replied();  // said() or hints() has changed, or whether the task is done
    void text_changed();

private:
    // One action that sets up a part. True: it is done. False: it goes on in the background and calls go_on()
    // when it is done.
    using Turn = std::function<bool()>;

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

    // ---- The queue of actions that set up a part, one after the other; some run in the background.
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
    std::unique_ptr<LessonInfo> quiz_;  // the last quiz
    std::unique_ptr<lesson::LessonPlayer> player_;
    ProgramPtr opened_program_;  // that this desk opened last; null: the user opened the document
    std::deque<Turn> turns_;
    std::vector<std::string> panels_;                // that the desk opened for this lesson
    std::optional<ObjectiveKind> objective_before_;  // the user's, while a lesson has its own
    bool loading_ = false, finished_ = false, going_on_ = false, opening_ = false;
    bool elsewhere_ = false;  // the learner has been told that another program is open
    Said said_;
    QStringList hints_;
    std::optional<int> chosen_;
    QString text_, prompt_;
    QTimer soon_;  // runs between a change of the document and the check whether the task is done
    Work work_;    // the last member: its destructor waits for jobs that use the other members
};

}  // namespace blockscope
