// Above the steps of the timeline: the chapters of the run, and the algorithm's steps beside a branch that
// left them.
#pragma once

#include <QSlider>
#include <QToolButton>
#include <QWidget>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/costs/best.h"
#include "app/document/document.h"
#include "app/shell/telling.h"
#include "app/shell/timeline_model.h"

namespace blockscope {

// Where the timeline draws a step; the coordinates of the row, which is as wide.
using CellPlace = std::function<QRect(int step)>;

// A button for each chapter over its steps. A click goes to its first step. The left and right arrow go from
// chapter to chapter; Tab stops at the one that is shown.
class ChapterRow : public QWidget {
    Q_OBJECT

public:
    ChapterRow(Document& document, CellPlace place, QWidget* parent = nullptr);
    // The steps stand elsewhere now.
    void arrange();
    const std::vector<QToolButton*>& buttons() const { return buttons_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void go(std::size_t chapter);
    int current() const;

    Document& document_;
    Telling& telling_;
    CellPlace place_;
    std::vector<QToolButton*> buttons_;
};

// The steps of the algorithm from where the branch that is shown left them, as pale cells. A click goes
// there. Hidden while the algorithm's branch is shown.
class GhostRow : public QWidget {
    Q_OBJECT

public:
    GhostRow(Document& document, CellPlace place, QWidget* parent = nullptr);
    void arrange();
    void rebuild();
    const std::vector<QToolButton*>& buttons() const { return buttons_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    Document& document_;
    CellPlace place_;
    std::vector<QToolButton*> buttons_;  // the first one goes back to where the branch began
    std::vector<StateId> states_;        // of the buttons
};

// Steps that are one cell: `first` to `last`, without one between them that changes the bytes that are moved.
struct FoldedSteps {
    int first = 0, last = 0;
    bool operator==(const FoldedSteps&) const = default;
};
// What stays where steps in a row that change no bytes are one cell: each other step is alone. `bytes` by
// step, 0 being the initial program; none: not known.
std::vector<FoldedSteps> fold_steps(const std::vector<std::optional<std::int64_t>>& bytes);

// A slider over the run, on a chart of what its states are worth by the objective; a star marks the best one.

class RunSlider : public QSlider {
    Q_OBJECT

public:
    RunSlider(Document& document, TimelineModel& model, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    void describe();  // what a tooltip and a screen reader say, anew

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void refresh();
    double x_of(int index) const;
    int index_at(double x) const;
    int told() const;  // of how many states the chart says what they are worth
    void paint_curve(QPainter& painter, double bottom) const;
    void paint_marks(QPainter& painter, double bottom) const;

    Document& document_;
    TimelineModel& model_;
    Best& best_;
};

}  // namespace blockscope
