// The document that the window shows: its content, what is selected, undo and redo. Panels take a Document,
// call its actions and listen to its signals; they do not know each other.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "app/document/content.h"
#include "app/document/work.h"

namespace blockscope {

class Work;

// What the user points at or has selected, in any view. The nodes are those of the state that the view shows.
struct Spot {
    std::set<NodeId> nodes;
    std::optional<ValueRef> value;  // an edge's value, if one is meant; `consumer` is one of its users
    NodeId consumer;
    bool operator==(const Spot&) const = default;
    bool empty() const { return nodes.empty() && !value; }
};

// Nodes that views highlight besides the selection: a match under the mouse, or the nodes for which a rule
// does not apply.
struct Glow {
    enum class Kind { None, Match, Culprit, Made, Search } kind = Kind::None;
    std::vector<NodeId> nodes;
    bool operator==(const Glow&) const = default;
};

class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    const Content& content() const { return *content_; }
    ContentPtr snapshot() const { return content_; }
    bool empty() const { return !content_; }

    // Replaces everything (for Open and New) and clears the undo history. `path` is empty if there is no file
    // yet.
    void reset(Content content, const QString& path);
    void close();
    QString path() const { return path_; }
    void set_path(const QString& path);
    bool modified() const { return content_ != saved_; }
    void mark_saved();
    void mark_saved(const ContentPtr& content);  // the file has `content`, which may be older than content()
    // Whether steps, branches, notes, sizes or the text differ from the file. Changes of the view alone
    // (folds, the shown state) do not count.
    bool has_work() const;
    void mark_unsaved();  // for work restored after a crash, which no file has

    // ---- Undo. Every change is one entry; successive changes with the same non-empty `merge` key share one.
    void change(const QString& label, Content content, const QString& merge = {});
    bool can_undo() const { return !undo_.empty(); }
    bool can_redo() const { return !redo_.empty(); }
    QString undo_label() const;
    QString redo_label() const;
    void undo();
    void redo();

    // ---- Stepping.
    void go(StateId id);
    void go(StateId id, int branch);
    bool can_forward() const;
    bool can_back() const;
    void forward();  // along the branch; at an unfinished tip the algorithm's next step
    void back();
    void next_snapshot();
    void previous_snapshot();
    void home();
    void end();
    void apply(const Match& match);
    void run_from_here();
    void rename_branch(int branch, const QString& name);
    void remove_branch(int branch);
    void set_note(StateId id, const QString& note);
    void rename_step(StateId id, const QString& name);  // empty: called by its rule
    // Groups the steps `first` to `last` of the shown branch under a name, and removes groups that overlap
    // them. An empty name only removes.
    void group_steps(int first, int last, const QString& name);
    void tidy();  // lays the current state out afresh

    // ---- Looking.
    void set_folds(Folds folds, const QString& label);
    void toggle_fold(NodeId map);
    // Moves the block that shows this node by this distance, in addition to earlier moves.
    void move_block(NodeId node, Shift by);
    // Pins a note to the block that shows the node; a note without a text removes it.
    void pin_note(NodeId node, const PinnedNote& note);
    // Sets the data of the page Tilings. See change() for `merge`.
    void set_tilings(TilingsWork work, const QString& label, const QString& merge = {});
    void compare_with(std::vector<StateId> states);
    void set_baseline(std::optional<StateId> state);
    void set_dims(const DimTable& dims);  // emits failed() if they are refused
    // Runs the algorithm again with these rules (content.h, with_rules), unless they are the current ones.
    void set_rules(RuleSet rules);
    // Replaces the text of the program (content.h, with_source). If the text is wrong, failed() reports its
    // first problem; the editor shows all of them.
    void set_source(const QString& source);

    // ---- Actions that make or replay steps of a large program run on a background thread. Until such an
    // action is done, content() is the one before it, and the user can look at it and step through it. If its
    // steps change in the meantime, the action is dropped and failed() says so.
    bool is_busy() const;
    // Programs of more than this many nodes are large; 1,000 unless set.
    void set_background_above(int nodes) { background_above_ = nodes; }
    void wait();  // until it is not busy any more; for tests and exports

    // ---- The view of the picture. It is saved with the document, but a change of it does not make the
    // document modified.
    const SavedView& view() const { return view_; }
    void set_camera(const std::optional<SavedView::Camera>& camera) { view_.camera = camera; }
    void set_edge_labels(bool on) { view_.edge_labels = on; }
    Content to_save() const;  // the content with the current view

    // ---- What the user points at. It is no part of the content, is not undone and not saved.
    const Spot& selection() const { return selection_; }
    const Spot& hover() const { return hover_; }
    const Glow& glow() const { return glow_; }
    void select(const Spot& spot);
    void set_hover(const Spot& spot);
    void set_glow(const Glow& glow);
    // Selects the node, unfolds what hides it and asks views to bring it into sight.
    void reveal(NodeId node);
    // Whether picture, listing and sentences show the numerically safe form. False after a document is
    // opened.
    bool shows_safe() const { return safe_; }
    void show_safe(bool on);
    // Whether views do not reveal the next step, because a lesson or a question asks the user to find it.
    bool hides_next() const { return !asking_.empty(); }
    void hide_next(const QObject* asking, bool on);
    // Whether views do not reveal any of the steps after the current one, because a lesson or a quiz asks for
    // them.
    bool hides_run() const { return run_hidden_ || hides_next(); }
    void hide_run(bool on);
    // A match whose result views may show instead of the current state; none ends the preview.
    const std::optional<Match>& preview() const { return preview_; }
    void set_preview(std::optional<Match> match);

public Q_SLOTS:
    void cancel();  // what runs in the background; the content stays as it is

Q_SIGNALS:
    void opened();           // reset() or close(): everything is new
    void content_changed();  // any change of content(), opened() included
    void current_changed();  // the state that is shown, the branch, or its program
    void selection_changed();
    void hover_changed();
    void glow_changed();
    void preview_changed();
    void safe_changed();
    void next_hidden_changed();  // hides_next() or hides_run()
    void reveal_asked(NodeId node);
    void saved_changed();              // path() or modified()
    void said(const QString& what);    // an action that had nothing to do, as a sentence
    void failed(const QString& what);  // an action that could not be done, as a sentence
    void busy(const QString& what);    // an action in the background takes longer than 100 ms
    void progressed(int permille);     // how much of it is done, if that is known
    void cancelled();                  // the user has ended it
    void idle();                       // it is done or cancelled

private:
    struct Entry {
        QString label, merge;
        ContentPtr before;
    };
    // What an action makes of the content.
    using Make = std::function<Result<Content>(const Content&, const StepObserver&)>;
    enum class WhileBusy { Refuse, Replace, Ignore };
    struct Action {
        QString label, merge = {};
        WhileBusy while_busy = WhileBusy::Refuse;
        QString nothing = {};  // what said() says if the content stays the same; may be empty
        Make make;
        bool replays = false;  // it makes all steps again, so that how much is done is known
    };
    bool is_large() const;
    void perform(Action action);
    void take(const Action& action, const ContentPtr& base, const Result<Content>& made);
    void show(ContentPtr content);
    void forget();

    ContentPtr content_, saved_;
    std::vector<Entry> undo_, redo_;  // redo_ holds the content after
    bool merging_ = false;            // the last entry of undo_ may still take more
    QString path_;
    SavedView view_;  // its selection counts when it is opened; then selection_ does
    Spot selection_, hover_;
    Glow glow_;
    std::optional<Match> preview_;
    bool safe_ = false;
    std::set<const QObject*> asking_;  // for the next step
    bool run_hidden_ = false;
    std::unique_ptr<Work> work_;
    int background_above_ = 1000;
};

// The run that a program is opened with.

// prepared() for no longer than two seconds: a program whose run takes longer is shown with the steps so far
// (Branch::stopped is empty then), the next ones come as they are asked for.
Content first_run(Content content, const Stop& stop);

}  // namespace blockscope
