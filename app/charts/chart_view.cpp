#include "app/charts/chart_view.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <utility>

namespace blockscope {

ChartView::ChartView(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void ChartView::show_chart(PaintChart paint, const QString& summary) {
    paint_ = std::move(paint);
    pointed_ = -1;
    spots_.clear();
    setAccessibleDescription(summary);
    update();
}

void ChartView::set_style(const ChartStyle& style) {
    style_ = style;
    update();
}

void ChartView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), style_.theme.canvas);
    if (!paint_) return;
    const QRectF all(rect());
    spots_ = paint_(painter, all.adjusted(kChartMargin, kChartMargin, -kChartMargin, -kChartMargin), style_);
    if (pointed_ >= static_cast<int>(spots_.size())) pointed_ = -1;
    if (pointed_ < 0 || !hasFocus()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style_.theme.selected, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(spots_[static_cast<std::size_t>(pointed_)].area);
}

int ChartView::spot_at(QPointF point) const {
    for (int i = static_cast<int>(spots_.size()) - 1; i >= 0; --i)
        if (spots_[static_cast<std::size_t>(i)].area.contains(point)) return i;
    return -1;
}

void ChartView::point_at(int spot) {
    if (spot == pointed_) return;
    pointed_ = spot;
    Q_EMIT pointed(spot < 0 ? -1 : spots_[static_cast<std::size_t>(spot)].key);
    update();
}

bool ChartView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int spot = spot_at(help->pos());
    if (spot < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), spots_[static_cast<std::size_t>(spot)].tip, this);
    return true;
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
    const int spot = spot_at(event->position());
    setCursor(spot >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    point_at(spot);
}

void ChartView::mousePressEvent(QMouseEvent* event) {
    choose(spot_at(event->position()));
}

void ChartView::mouseDoubleClickEvent(QMouseEvent* event) {
    const int spot = spot_at(event->position());
    if (spot >= 0) Q_EMIT opened(spots_[static_cast<std::size_t>(spot)].key);
}

void ChartView::choose(int spot) {
    if (spot < 0 || spot >= static_cast<int>(spots_.size())) return;
    const ChartSpot chosen_spot = spots_[static_cast<std::size_t>(spot)];
    Q_EMIT chosen(chosen_spot.key, chosen_spot.part);
}

void ChartView::leaveEvent(QEvent*) {
    point_at(-1);
}

void ChartView::keyPressEvent(QKeyEvent* event) {
    const int count = static_cast<int>(spots_.size());
    const bool next = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    const bool before = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    const bool open = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (count > 0 && event->key() == Qt::Key_Space) return choose(pointed_);
    if (count == 0 || (!next && !before && !open)) return QWidget::keyPressEvent(event);
    if (open) {
        if (pointed_ >= 0) Q_EMIT opened(spots_[static_cast<std::size_t>(pointed_)].key);
        return;
    }
    // The first one is a state's, if there is one: ceilings lie before them.
    const auto state =
        std::find_if(spots_.begin(), spots_.end(), [](const ChartSpot& s) { return s.key >= 0; });
    if (pointed_ < 0)
        point_at(state == spots_.end() ? 0 : static_cast<int>(state - spots_.begin()));
    else
        point_at(next ? std::min(pointed_ + 1, count - 1) : std::max(pointed_ - 1, 0));
    const ChartSpot& spot = spots_[static_cast<std::size_t>(pointed_)];
    const QPoint at = mapToGlobal(spot.area.boundingRect().center().toPoint());
    QToolTip::showText(at, spot.tip, this);
    setAccessibleName(spot.tip);
    QAccessibleEvent changed(this, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&changed);
}

}  // namespace blockscope
