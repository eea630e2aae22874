// Below compared pictures: what their marks mean, those that are there.
#pragma once

#include <QToolButton>
#include <QWidget>

#include "app/compare/diff.h"
#include "app/costs/costs.h"
#include "app/scene/canvas.h"
#include "app/scene/legend.h"
#include "app/shell/controls.h"

namespace blockscope {

class MarksLegend : public QWidget {
    Q_OBJECT

public:
    explicit MarksLegend(QWidget* parent);
    void set_theme(const Theme& theme);
    void show_signs(const Signs& signs);  // none: it is hidden
    const Signs& signs() const { return signs_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int columns() const;

    Theme theme_ = Theme::light();
    Signs signs_;
};

// One of the states that are compared: what it is, what it costs, how it differs, and its picture.

class ComparePane : public QWidget {
    Q_OBJECT

public:
    // `costs`: of the document, for the types that are counted, and to open where a number comes from.
    ComparePane(const Content& content, StateId state, Costs& costs, QWidget* parent = nullptr);

    StateId state() const { return state_; }
    bool current() const { return current_; }
    Canvas& canvas() { return *canvas_; }
    ElidedLabel& numbers() { return *numbers_; }

    // How it differs from the current state, and the same for a narrow pane.
    void set_summary(const QString& text, const QStringList& shorter);
    // The lights of a picture, by node: what differs, and what is pointed at.
    void set_marks(std::map<NodeId, Mark> marks);
    void set_pointed(std::vector<NodeId> nodes);
    void light();  // after another picture is shown

Q_SIGNALS:
    void removed();  // the user takes the state out of the comparison
    void chosen();   // the pane's differences are the ones to step through
    void pointed(const std::vector<NodeId>& nodes);
    void resized();

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    // What the line of costs says, in full or shorter, and of which column of CostTable each part of it is.
    struct CostForm {
        QString text;
        std::vector<int> columns;
    };
    void show_costs();
    std::optional<int> column_at(int x) const;

    StateId state_;
    ProgramPtr program_;
    Costs& costs_;
    bool current_;
    ElidedLabel *title_, *numbers_, *summary_;
    StateCostsPtr counted_;  // what is shown; null while it is being counted
    std::vector<CostForm> forms_;
    Canvas* canvas_;
    std::map<NodeId, Mark> marks_;
    std::vector<NodeId> pointed_;
};

// "Step 7 · rule 4", "Initial program"; with the branch's name if the history has several.
// Of many states: `branch` from branches_of_states().
QString state_name(const Content& content, StateId state, std::optional<int> branch = {});
// The branch through each state: the current one where it is, else the first (History::branch_through).
std::map<StateId, int> branches_of_states(const Content& content);
// "3 removed, 1 added, 4 moved, 2 changed"; "no difference".
QString summary(const DiffCounts& counts);
// "−3 +1 ⇄4 ∼2": the signs that the marks in the picture have.
QString short_summary(const DiffCounts& counts);
// "Step 7", "Initial program".
QString short_state_name(const Content& content, StateId state);

}  // namespace blockscope
