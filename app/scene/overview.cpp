#include "app/scene/overview.h"

#include <QMouseEvent>
#include <QPainterPath>
#include <algorithm>
#include <limits>

namespace blockscope {

namespace {

constexpr double kMostWide = 150, kMostHigh = 100;
constexpr double kMostOfView = 0.22;  // of its width and height
constexpr double kLeastShort = 48;    // of the shorter side,
constexpr double kMostLong = 0.6;     // as long as the longer one is no more of the view
constexpr int kAir = 10;              // between a widget over a view and the view's edge
constexpr double kEnd = 8;            // of the end of a line
constexpr double kOverviewRim = 5;
constexpr float kVeil = 0.4F;

double area(const QRectF& rect) {
    return rect.isEmpty() ? 0 : rect.width() * rect.height();
}

}  // namespace

CornerPlace corner_over(QSize view, QSize extent, const std::vector<Qt::Corner>& corners,
                        const std::vector<Covered>& covered) {
    CornerPlace best;
    double least = std::numeric_limits<double>::infinity();
    for (const Qt::Corner corner : corners) {
        const bool right = corner == Qt::TopRightCorner || corner == Qt::BottomRightCorner;
        const bool bottom = corner == Qt::BottomLeftCorner || corner == Qt::BottomRightCorner;
        const QPoint at(right ? view.width() - extent.width() - kAir : kAir,
                        bottom ? view.height() - extent.height() - kAir : kAir);
        const QRectF place(at, extent);
        double sum = 0;
        bool free = true;
        for (const Covered& each : covered) {
            const double hidden = each.weight * area(place & each.place);
            sum += hidden;
            free = free && (each.ground || hidden == 0);
        }
        if (sum >= least) continue;
        least = sum;
        best = {at, free};
    }
    return best;
}

const std::vector<Qt::Corner>& overview_corners() {
    static const std::vector<Qt::Corner> corners{Qt::BottomRightCorner, Qt::TopRightCorner,
                                                 Qt::BottomLeftCorner, Qt::TopLeftCorner};
    return corners;
}

Covered covered_end(QPointF end) {
    return {QRectF(end - QPointF(kEnd / 2, kEnd / 2), QSizeF(kEnd, kEnd)), 1, false};
}

Overview::Overview(QWidget* view, const QString& name, const QString& description) : QWidget(view) {
    setAccessibleName(name);
    setAccessibleDescription(description);
    setToolTip(tr("Overview: click or drag to move the view"));
    setCursor(Qt::PointingHandCursor);
}

QSize Overview::extent() const {
    const Rect all = bounds();
    if (all.width <= 0 || all.height <= 0) return {};
    const QWidget& view = *parentWidget();
    const double usual = std::min(std::min(kMostWide, view.width() * kMostOfView) / all.width,
                                  std::min(kMostHigh, view.height() * kMostOfView) / all.height);
    const double longest =
        std::min(kMostLong * view.width() / all.width, kMostLong * view.height() / all.height);
    const double scale = std::max(usual, std::min(longest, kLeastShort / std::min(all.width, all.height)));
    return {static_cast<int>(all.width * scale + 2 * kOverviewRim),
            static_cast<int>(all.height * scale + 2 * kOverviewRim)};
}

Camera Overview::camera() const {
    const Rect all = bounds();
    return {all.center(), std::min((width() - 2 * kOverviewRim) / std::max(all.width, 1.0),
                                   (height() - 2 * kOverviewRim) / std::max(all.height, 1.0))};
}

QColor Overview::ground() const {
    return mixed(theme().canvas, theme().frame_fill, 0.12);
}

void Overview::paint_window(QPainter& painter) const {
    const Camera here = camera();
    const Rect shown = seen();
    const QRectF window = QRectF(to_view(here, size(), {shown.left(), shown.top()}),
                                 QSizeF(shown.width, shown.height) * here.scale) &
                          QRectF(rect()).adjusted(1, 1, -1, -1);
    QPainterPath around;
    around.addRect(QRectF(rect()));
    around.addRoundedRect(window, 2, 2);
    QColor veil = theme().canvas;
    veil.setAlphaF(kVeil);
    painter.fillPath(around, veil);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().selected, 1.6));
    painter.drawRoundedRect(window, 2, 2);
    painter.setPen(QPen(mixed(theme().canvas, theme().frame_rim, 0.5), 1));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void Overview::go(QPointF place) {
    if (bounds().width > 0) show_place(to_picture(camera(), size(), place));
}

void Overview::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) go(event->position());
}

void Overview::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) go(event->position());
}

}  // namespace blockscope
