// A slider over the run, on a chart of the buffered edges of its states.
#pragma once

#include <QAbstractScrollArea>
#include <QComboBox>
#include <QFontMetricsF>
#include <QLabel>
#include <QSlider>
#include <QWidget>

#include "app/costs/step_cost.h"
#include "app/document/proofs.h"
#include "app/shell/controls.h"
#include "app/shell/timeline_model.h"

namespace blockscope {

class RunSlider : public QSlider {
    Q_OBJECT

public:
    RunSlider(Document& document, TimelineModel& model, QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void refresh();
    double x_of(int index) const;
    int index_at(double x) const;

    Document& document_;
    TimelineModel& model_;
};

// The steps of the branch as a row of cells; only what is visible is painted.

class TimelineStrip : public QAbstractScrollArea, public AccessibleCells {
    Q_OBJECT

public:
    TimelineStrip(Document& document, TimelineModel& model, Proofs& proofs, QWidget* parent = nullptr);

    int cell_at(const QPoint& point) const;  // index; -1 beside all cells; viewport coordinates
    QRect cell_rect(int index) const;        // viewport coordinates
    QString tip(int index) const;            // what hovering shows, as rich text
    int accessible_cells() const override { return model_.size(); }
    QString accessible_cell(int index) const final;
    QRect cell_place(int index) const override { return cell_rect(index); }
    int current_cell() const override { return model_.current(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

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

private:
    int unit() const;  // pixels of the text
    int cell_width() const;
    void measure_names();
    int cell_height() const;
    void set_hovered(int index);
    void update_range();
    void show_current();
    void describe();
    void paint_cell(QPainter& painter, int index, const QRect& rect) const;
    void paint_head(QPainter& painter, const StepCell& cell, const QRect& inner, bool current) const;
    void paint_edges(QPainter& painter, const StepCell& cell, const QRect& inner) const;
    static QRect inside(const QRect& cell);
    QRectF cost_line(const QRect& inner) const;
    void paint_cost(QPainter& painter, int index, const QRect& inner) const;

    Document& document_;
    TimelineModel& model_;
    Costs& costs_;
    Proofs& proofs_;
    int hovered_ = -1;
    int name_width_ = 0;  // of a cell that shows the longest name of a rule
};

// What of the place of a step has room in a line of a cell beside the numbers of buffered edges, which are
// `edges` pixels wide.
QString place_beside(double edges, const QString& place, double room, const QFontMetricsF& metrics);

}  // namespace blockscope

// The timeline panel: transport buttons, the steps of the branch, a slider over the run.

class QAction;

namespace blockscope {

class Timeline : public QWidget {
    Q_OBJECT

public:
    // `transport`: the actions that get a button, in their order; null for a gap.
    Timeline(Document& document, Proofs& proofs, const std::vector<QAction*>& transport,
             QWidget* parent = nullptr);

    Player& player() { return player_; }
    TimelineModel& model() { return model_; }
    TimelineStrip& strip() { return *strip_; }
    RunSlider& slider() { return *slider_; }

    // Milliseconds between two steps; the list of speeds has them.
    void set_interval(int milliseconds);

Q_SIGNALS:
    void interval_chosen(int milliseconds);

private:
    QComboBox* make_speeds();
    void say_where();

    Document& document_;
    TimelineModel model_;
    Player player_;
    TimelineStrip* strip_;
    RunSlider* slider_;
    QComboBox* speeds_;
    QLabel* where_;
};

}  // namespace blockscope
