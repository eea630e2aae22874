#include "app/panels/run_slider.h"

#include <QMouseEvent>
#include <QPainterPath>
#include <QSignalBlocker>

#include "app/panels/step_look.h"

namespace blockscope {

namespace {

constexpr double kMargin = 14;  // to the left and right of the chart
constexpr double kHandle = 5;   // radius

}  // namespace

RunSlider::RunSlider(Document& document, TimelineModel& model, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), document_(document), model_(model) {
    setAccessibleName(tr("Position in the run"));
    setToolTip(tr("Buffered edges over the run; drag to go to any step."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setSingleStep(1);
    setPageStep(5);
    connect(&model, &TimelineModel::cells_changed, this, &RunSlider::refresh);
    connect(&model, &TimelineModel::current_changed, this, &RunSlider::refresh);
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
    update();
}

double RunSlider::x_of(int index) const {
    const double share = maximum() == 0 ? 0 : static_cast<double>(index) / maximum();
    return kMargin + share * (width() - 2 * kMargin);
}

int RunSlider::index_at(double x) const {
    const double share = (x - kMargin) / std::max(1.0, width() - 2 * kMargin);
    return std::clamp(static_cast<int>(share * maximum() + 0.5), 0, maximum());
}

void RunSlider::paintEvent(QPaintEvent*) {
    if (model_.size() == 0) return;
    const Colors& colors = colors_of(*this);
    const Theme theme = theme_of(*this);
    const double bottom = height() - 8.5;
    const double room = bottom - 5;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto y_of = [&](const StepCell& cell) {
        return bottom - room * cell.after.value_or(0) / model_.most_edges();
    };
    // A staircase: a state's count holds until the next step. At most one point a pixel is drawn.
    QPainterPath line(QPointF(x_of(0), y_of(model_.cells().front())));
    for (int i = 1; i < model_.size(); ++i) {
        const double x = x_of(i);
        if (i + 1 < model_.size() && x - line.currentPosition().x() < 0.5) continue;
        line.lineTo(x, line.currentPosition().y());
        line.lineTo(x, y_of(model_.cells()[static_cast<std::size_t>(i)]));
    }
    QPainterPath area = line;
    area.lineTo(x_of(model_.size() - 1), bottom);
    area.lineTo(x_of(0), bottom);
    QColor fill = theme.buffered;
    fill.setAlphaF(theme.dark ? 0.20F : 0.12F);
    painter.fillPath(area, fill);
    painter.strokePath(line, QPen(theme.buffered, 1.3));
    painter.setPen(QPen(colors.line, 1));
    painter.drawLine(QPointF(x_of(0), bottom), QPointF(x_of(maximum()), bottom));
    const double here = x_of(sliderPosition());
    painter.setPen(QPen(colors.accent, 2));
    painter.drawLine(QPointF(x_of(0), bottom), QPointF(here, bottom));
    for (int i = 0; i < model_.size(); ++i) {
        if (!model_.cells()[static_cast<std::size_t>(i)].snapshot()) continue;
        painter.setPen(QPen(colors.accent, 1, Qt::DashLine));
        painter.drawLine(QPointF(x_of(i), 10), QPointF(x_of(i), bottom));
        paint_flag(painter, QRectF(x_of(i) - 2.6, 1, 11, 11), colors.accent);
    }
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
