#include "app/plan/operator_picture.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <utility>

namespace blockscope {

int OperatorPicture::node_at(QPointF point) const {
    for (const ChartSpot& spot : spots())
        if (spot.area.contains(point)) return spot.key;
    return -1;
}

bool OperatorPicture::is_dragging() const {
    return dragged_ >= 0 && (to_ - from_).manhattanLength() >= QApplication::startDragDistance();
}

void OperatorPicture::paintEvent(QPaintEvent* event) {
    ChartView::paintEvent(event);
    if (!is_dragging()) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style_now().theme.selected, 2, Qt::DashLine));
    painter.drawLine(from_, to_);
}

void OperatorPicture::mousePressEvent(QMouseEvent* event) {
    dragged_ = event->button() == Qt::LeftButton ? node_at(event->position()) : -1;
    from_ = to_ = event->position();
}

void OperatorPicture::mouseMoveEvent(QMouseEvent* event) {
    ChartView::mouseMoveEvent(event);
    if (dragged_ < 0) return;
    to_ = event->position();
    update();
}

// Without a way between the two it was a click.
void OperatorPicture::mouseReleaseEvent(QMouseEvent* event) {
    to_ = event->position();
    const bool moved = is_dragging();
    const int node = std::exchange(dragged_, -1), onto = node_at(to_);
    update();
    if (node < 0 || (moved && onto == node)) return;
    if (moved)
        Q_EMIT dropped(node, onto);
    else
        Q_EMIT chosen(node, 0);
}

}  // namespace blockscope
