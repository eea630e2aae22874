// Buffered edges of every state of a document, counted once for each program and off the interface thread
// where that takes long.
#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <optional>

#include "app/document/document.h"
#include "app/document/work.h"

namespace blockscope {

class EdgeCounts : public QObject {
    Q_OBJECT

public:
    explicit EdgeCounts(Document& document);
    // The document's own instance, created by the first call.
    static EdgeCounts& of(Document& document);

    std::optional<int> of(const ProgramPtr& program) const;

    // The counting, for a bar that announces it; cancel() ends it.
    Work& work() { return work_; }
    // By the user: what takes long is not counted any more until count_again(), or another document.
    void cancel();
    void count_again();
    bool given_up() const { return given_up_; }

Q_SIGNALS:
    void counted();  // some count is new, or given up

private:
    using Counts = std::vector<std::pair<ProgramPtr, int>>;
    void count();
    Work::Finish count_all(const std::vector<ProgramPtr>& programs, const Stop& stop);
    void take(const Counts& counts);

    Document& document_;
    std::map<ProgramPtr, int> counts_;  // keeps the programs, so that no other one gets their addresses
    bool given_up_ = false;
    Work work_;  // the last member: its destructor waits for jobs that use the others
};

// The steps of the branch that the document shows, as the timeline draws them.

struct StepCell {
    StateId id = 0;
    std::shared_ptr<const HistoryState> state;
    QString rule, name, place;         // "6a", "extend loop", "M › N"; the first cell has none
    std::optional<int> before, after;  // buffered edges; unknown while they are being counted
    bool branch_point = false;         // other branches go on from here too

    bool snapshot() const { return state->snapshot; }
    bool noted() const { return !state->note.empty(); }
    const ProgramPtr& program() const { return state->program; }
};

class TimelineModel : public QObject {
    Q_OBJECT

public:
    explicit TimelineModel(Document& document, QObject* parent = nullptr);

    // The initial program and then one cell a step, to the tip of the branch.
    const std::vector<StepCell>& cells() const { return cells_; }
    int size() const { return static_cast<int>(cells_.size()); }
    int current() const { return current_; }        // index; -1 without a document
    int most_edges() const { return most_edges_; }  // over the cells; at least 1

Q_SIGNALS:
    void cells_changed();
    void current_changed();

private:
    void refresh();
    void count();

    Document& document_;
    EdgeCounts& edges_;
    std::vector<StepCell> cells_;
    int current_ = -1;
    int most_edges_ = 1;
};

// Steps on by itself until the end of the branch.

class Player : public QObject {
    Q_OBJECT

public:
    explicit Player(Document& document, QObject* parent = nullptr);

    bool playing() const { return timer_.isActive(); }
    // At the end of the branch playing begins at the start again.
    void set_playing(bool playing);
    void set_interval(int milliseconds) { timer_.setInterval(milliseconds); }
    int interval() const { return timer_.interval(); }

Q_SIGNALS:
    void playing_changed(bool playing);

private:
    void step();

    Document& document_;
    QTimer timer_;
};

}  // namespace blockscope
