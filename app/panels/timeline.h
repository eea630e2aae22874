// The run as a slider, chapters and a strip of steps.
#pragma once

#include <QAbstractScrollArea>
#include <QComboBox>
#include <QFontMetricsF>
#include <QLabel>
#include <QSlider>
#include <QWidget>

#include "app/costs/best.h"
#include "app/costs/step_cost.h"
#include "app/document/proofs.h"
#include "app/panels/timeline_rows.h"
#include "app/shell/controls.h"
#include "app/shell/timeline_model.h"

class QAction;
class QHBoxLayout;
class QToolButton;
class QVBoxLayout;

namespace blockscope {

// The steps of the branch as a row of cells; only what is visible is painted.
class TimelineStrip : public QAbstractScrollArea, public AccessibleCells {
    Q_OBJECT

public:
    TimelineStrip(Document& document, TimelineModel& model, Proofs& proofs, QWidget* parent = nullptr);

    int cell_at(const QPoint& point) const;  // index; -1 beside all cells; viewport coordinates
    QRect cell_rect(int index) const;        // viewport coordinates
    QString tip(int index) const;            // what hovering shows, as rich text
    // Whether steps in a row that move no bytes are one cell.
    void set_folding(bool folding);
    const std::vector<FoldedSteps>& columns() const { return columns_; }
    int accessible_cells() const override { return model_.size(); }
    QString accessible_cell(int index) const final;
    QRect cell_place(int index) const override { return cell_rect(index); }
    int current_cell() const override { return model_.current(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    // The steps that are selected, the first one first: Shift with a click or an arrow selects from the
    // current step on. None without a selection.
    std::optional<std::pair<int, int>> selected() const;
    // One line high: cells with the number of the step, its rule and whether it is worth it.
    void set_compact(bool compact);
    bool compact() const { return compact_; }
    int width_of(int cells) const;  // with what is between and around them

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

Q_SIGNALS:
    void moved();  // cells stand elsewhere now

private:
    void extend_selection(int index);
    void make_columns();
    int column_of(int index) const;
    bool folded(int index) const;
    void paint_folded(QPainter& painter, const FoldedSteps& steps, const QRect& rect, bool current) const;
    int unit() const;  // pixels of the text
    int cell_width() const;
    void measure_names();
    int cell_height() const;
    int cells_top() const;
    void set_hovered(int index);
    void update_range();
    void show_current();
    void describe();
    void paint_cell(QPainter& painter, int index, const QRect& rect) const;
    void paint_compact(QPainter& painter, int index, const QRect& rect) const;
    // What is asked for, now or later, stands in no cell.
    bool hidden(int index) const { return document_.hides_run() && index > model_.current(); }
    void paint_head(QPainter& painter, const StepCell& cell, const QRect& inner, bool current) const;
    void paint_edges(QPainter& painter, const StepCell& cell, const QRect& inner) const;
    static QRect inside(const QRect& cell);
    QRectF cost_line(const QRect& inner) const;
    void paint_cost(QPainter& painter, int index, const QRect& inner) const;

    Document& document_;
    TimelineModel& model_;
    Costs& costs_;
    Best& best_;
    Proofs& proofs_;
    std::vector<FoldedSteps> columns_;  // the cells, from left to right
    bool folding_ = false;
    int hovered_ = -1;
    int anchor_ = -1, reach_ = -1;  // where the selection begins and ends; -1: nothing is selected
    bool compact_ = false;
    int name_width_ = 0;  // of a cell that shows the longest name of a rule
};

// What of the place of a step has room in a line of a cell beside the numbers of buffered edges, which are
// `edges` pixels wide.
QString place_beside(double edges, const QString& place, double room, const QFontMetricsF& metrics);

// The timeline panel: transport buttons, the steps of the branch, a slider over the run.
class Timeline : public QWidget {
    Q_OBJECT

public:
    // `transport`: the actions that get a button, in their order; null for a gap.
    Timeline(Document& document, Proofs& proofs, const std::vector<QAction*>& transport,
             QWidget* parent = nullptr);

    Player& player() { return player_; }
    TimelineModel& model() { return model_; }
    TimelineStrip& strip() { return *strip_; }
    ChapterRow& chapters() { return *chapters_; }
    GhostRow& ghosts() { return *ghosts_; }
    RunSlider& slider() { return *slider_; }

    // Milliseconds between two steps; the list of speeds has them.
    void set_interval(int milliseconds);
    // One row of 40 pixels: buttons and small cells.
    void set_compact(bool compact);
    bool compact() const { return strip_->compact(); }
    // Those that are not needed to step are hidden where the cells of one row have no room.
    const std::vector<QToolButton*>& buttons() const { return buttons_; }

Q_SIGNALS:
    void interval_chosen(int milliseconds);
    void form_chosen(bool compact);  // by its button

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void add_buttons(const std::vector<QAction*>& transport);
    QComboBox* make_speeds();
    void make_room();
    void bound_height();
    void say_where();

    Document& document_;
    TimelineModel model_;
    Player player_;
    QWidget* cells_;  // chapters, steps and ghosts
    TimelineStrip* strip_;
    ChapterRow* chapters_;
    GhostRow* ghosts_;
    RunSlider* slider_;
    QComboBox* speeds_;
    ElidedLabel* where_;
    QHBoxLayout* bar_;
    QVBoxLayout* column_;
    QToolButton* form_;  // to the other form
    std::vector<QToolButton*> buttons_;
};

}  // namespace blockscope
