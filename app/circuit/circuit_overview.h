// The whole diagram small, in a corner of its view, with what the view shows: while some of it is out of
// sight. A click or a drag moves the view.
#pragma once

#include <QPixmap>
#include <QWidget>

#include "app/circuit/circuit_view.h"

namespace blockscope {

class CircuitOverview : public QWidget {
    Q_OBJECT

public:
    // A child of the view.
    explicit CircuitOverview(CircuitView* view);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void follow_view();
    QPoint corner() const;
    void go(QPointF place);
    Camera camera() const;  // of this widget
    QPixmap pixels_of(const circuit::Drawing& drawing) const;

    CircuitView* view_;
    DrawingPtr placed_for_;  // and `placed_in_`: what its corner was chosen for
    QSize placed_in_;
    DrawingPtr shown_;  // what `pixels_` are of
    QPixmap pixels_;
    QColor ground_;  // of the theme that they are painted in
};

}  // namespace blockscope
