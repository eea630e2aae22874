// The picture of a plan's operators, in which one can be dragged onto another.
#pragma once

#include "app/charts/chart.h"

namespace blockscope {

class OperatorPicture : public ChartView {
    Q_OBJECT

public:
    using ChartView::ChartView;

Q_SIGNALS:
    void dropped(int node, int onto);  // -1: beside all operators

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    int node_at(QPointF point) const;
    bool is_dragging() const;

    int dragged_ = -1;   // the node that the button was pressed on
    QPointF from_, to_;  // where, and where the pointer is
};

}  // namespace blockscope
