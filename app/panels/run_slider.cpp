#include "app/panels/run_slider.h"

#include <QFontInfo>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "app/costs/step_cost.h"
#include "app/shell/controls.h"
#include "app/shell/step_look.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr double kMargin = 14;  // to the left and right of the chart
constexpr double kHandle = 5;   // radius

}  // namespace

RunSlider::RunSlider(Document& document, TimelineModel& model, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), document_(document), model_(model), best_(Best::of(document)) {
    setAccessibleName(tr("Position in the run"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setSingleStep(1);
    setPageStep(5);
    connect(&model, &TimelineModel::cells_changed, this, &RunSlider::refresh);
    connect(&model, &TimelineModel::current_changed, this, &RunSlider::refresh);
    connect(&best_, &Best::changed, this, &RunSlider::describe);
    connect(this, &QSlider::valueChanged, this, [this](int value) {
        if (value >= 0 && value < model_.size())
            document_.go(model_.cells()[static_cast<std::size_t>(value)].id, document_.content().branch);
    });
    refresh();
}

QSize RunSlider::sizeHint() const {
    return {200, QFontInfo(font()).pixelSize() * 3};
}

void RunSlider::refresh() {
    const QSignalBlocker blocker(this);
    setEnabled(model_.size() > 1);
    setRange(0, std::max(0, model_.size() - 1));
    setValue(std::max(0, model_.current()));
    describe();
}

void RunSlider::describe() {
    const QString best = best_.sentence();
    setAccessibleDescription(best);
    const QString what = tr("The curve: %1. Drag to go to any step.").arg(best_.objective_text());
    setToolTip(best.isEmpty() ? what : what + QLatin1Char('\n') + best);
    update();
}

double RunSlider::x_of(int index) const {
    const double share = maximum() == 0 ? 0 : static_cast<double>(index) / maximum();
    return kMargin + share * (width() - 2 * kMargin);
}

int RunSlider::index_at(double x) const {
    const double share = (x - kMargin) / std::max(1.0, width() - 2 * kMargin);
    return std::clamp(qRound(share * maximum()), 0, maximum());
}

// A staircase: a state's value holds until the next step. At most one point a pixel is drawn. What is not
// known (yet) has no part of it.
void RunSlider::paint_curve(QPainter& painter, double bottom) const {
    const double room = bottom - 14;
    double most = 0;
    for (const StepCell& cell : model_.cells()) most = std::max(most, best_.value_of(cell.id).value_or(0));
    if (most <= 0) return;
    QPainterPath line;
    for (int i = 0; i < model_.size(); ++i) {
        const auto value = best_.value_of(model_.cells()[static_cast<std::size_t>(i)].id);
        if (!value) continue;
        const QPointF at(x_of(i), bottom - room * *value / most);
        if (line.elementCount() == 0) {
            line.moveTo(at);
            continue;
        }
        if (i + 1 < model_.size() && at.x() - line.currentPosition().x() < 0.5) continue;
        line.lineTo(at.x(), line.currentPosition().y());
        line.lineTo(at);
    }
    QPainterPath area = line;
    area.lineTo(area.currentPosition().x(), bottom);
    area.lineTo(QPointF(line.elementAt(0)).x(), bottom);
    const Colors& colors = colors_of(*this);
    QColor fill = colors.accent;
    fill.setAlphaF(theme_of(*this).dark ? 0.20F : 0.12F);
    painter.fillPath(area, fill);
    painter.strokePath(line, QPen(colors.accent, 1.3));
}

// Flags of snapshots, and the star of the best state to the left of its flag, if it has one.
void RunSlider::paint_marks(QPainter& painter, double bottom) const {
    const Colors& colors = colors_of(*this);
    for (int i = 0; i < model_.size(); ++i) {
        const StepCell& cell = model_.cells()[static_cast<std::size_t>(i)];
        const bool best = best_.is_best(cell.id);
        if (!cell.snapshot() && !best) continue;
        const double x = x_of(i);
        painter.setPen(QPen(colors.accent, 1, Qt::DashLine));
        painter.drawLine(QPointF(x, 12), QPointF(x, bottom));
        if (cell.snapshot()) paint_flag(painter, QRectF(x - 2.6, 1, 11, 11), colors.accent);
        if (best) paint_star(painter, QRectF(x - (cell.snapshot() ? 13 : 6), 0, 12, 12), colors.accent);
    }
}

void RunSlider::paintEvent(QPaintEvent*) {
    if (model_.size() == 0) return;
    const Colors& colors = colors_of(*this);
    const double bottom = height() - 8.5;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paint_curve(painter, bottom);
    painter.setPen(QPen(colors.line, 1));
    painter.drawLine(QPointF(x_of(0), bottom), QPointF(x_of(maximum()), bottom));
    const double here = x_of(sliderPosition());
    painter.setPen(QPen(colors.accent, 2));
    painter.drawLine(QPointF(x_of(0), bottom), QPointF(here, bottom));
    paint_marks(painter, bottom);
    painter.setPen(QPen(colors.window, 2));
    painter.setBrush(colors.accent);
    painter.drawEllipse(QPointF(here, bottom), kHandle + 1, kHandle + 1);
    if (!hasFocus()) return;
    painter.setPen(QPen(colors.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(QPointF(here, bottom), kHandle + 3, kHandle + 3);
}

void RunSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) setValue(index_at(event->position().x()));
}

void RunSlider::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) setValue(index_at(event->position().x()));
}

}  // namespace blockscope
