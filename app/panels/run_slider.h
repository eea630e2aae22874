// A slider over the run, on a chart of what its states are worth by the objective; a star marks the best one.
#pragma once

#include <QSlider>

#include "app/costs/best.h"
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
    void describe();
    double x_of(int index) const;
    int index_at(double x) const;
    void paint_curve(QPainter& painter, double bottom) const;
    void paint_marks(QPainter& painter, double bottom) const;

    Document& document_;
    TimelineModel& model_;
    Best& best_;
};

}  // namespace blockscope
