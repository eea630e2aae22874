// The steps of the branch that the document shows, as the timeline draws them.
#pragma once

#include "app/document/document.h"
#include "app/panels/edge_counts.h"

namespace blockscope {

struct StepCell {
    StateId id = 0;
    std::shared_ptr<const HistoryState> state;
    QString rule, name, place;         // "6a", "Extend Map ...", "M › N"; the first cell has none
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

}  // namespace blockscope
