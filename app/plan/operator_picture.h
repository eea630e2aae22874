// The picture of a plan's operators. The user drags one operator onto another to fuse the two.
#pragma once

#include "app/charts/chart.h"

namespace blockscope {

class OperatorPicture : public ChartView {
    Q_OBJECT

public:
    using ChartView::ChartView;

Q_SIGNALS:
    // The user dragged the operator `node` and let it go on the operator `onto`; `onto` is -1 where it was
    // let go on the background.
    void dropped(int node, int onto);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    int node_at(QPointF point) const;  // -1: no operator is there
    bool is_dragging() const;

    int dragged_ = -1;   // the operator on which the mouse button was pressed; -1: none
    QPointF from_, to_;  // where the button was pressed, and where the pointer is now
};

}  // namespace blockscope
