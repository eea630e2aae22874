#include "app/circuit/clock_view.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/circuit/circuit_look.h"
#include "app/circuit/clock_paint.h"

namespace blockscope {

namespace {

using circuit::ClockBlock;

constexpr int kLeastWidth = 420;

}  // namespace

ClockView::ClockView(QWidget* parent) : QWidget(parent) {
    setMinimumWidth(kLeastWidth);
    setAccessibleName(tr("Clock diagram"));
    setMouseTracking(true);
}

void ClockView::show_schedule(std::optional<circuit::Schedule> schedule) {
    schedule_ = std::move(schedule);
    draw_again();
    updateGeometry();
}

void ClockView::set_theme(const Theme& theme) {
    theme_ = theme;
    update();
}

void ClockView::draw_again() {
    drawing_.reset();
    if (schedule_ && schedule_->period > 0) {
        circuit::ClockOptions options;
        options.width = std::max(kLeastWidth, width());
        options.measure = circuit_measure();
        drawing_ = circuit::draw_clocks(*schedule_, options);
        setAccessibleDescription(tr("Warpgroups: %1. Clocks of an iteration of all: %2.")
                                     .arg(schedule_->lanes)
                                     .arg(clocks_text(schedule_->period)));
        setMinimumHeight(static_cast<int>(drawing_->bounds.height));
    }
    update();
}

QSize ClockView::sizeHint() const {
    return {720, drawing_ ? static_cast<int>(drawing_->bounds.height) : 120};
}

void ClockView::resizeEvent(QResizeEvent*) {
    draw_again();
}

void ClockView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    if (drawing_) paint_clocks(painter, *drawing_, theme_);
}

QByteArray ClockView::file(const std::string& format, const std::string& title) const {
    if (!drawing_) return {};
    CircuitFile file;
    file.theme = theme_;
    file.title = title;
    return clock_bytes(format, *drawing_, file);
}

QString ClockView::text_at(QPointF place) const {
    if (!drawing_) return {};
    for (const circuit::ClockBarrier& one : drawing_->barriers)
        if (std::abs(one.x - place.x()) < 3 && place.y() >= one.top && place.y() <= one.bottom)
            return tr("Waited %1 clocks for its pipeline").arg(clocks_text(one.waited));
    for (const ClockBlock& block : drawing_->blocks) {
        const Rect all{block.work.x, block.work.y, block.work.width + block.overhead.width,
                       block.work.height};
        if (!all.contains({place.x(), place.y()})) continue;
        QString text = tr("%1, iteration %2: %3 clocks")
                           .arg(QString::fromStdString(block.name))
                           .arg(block.iteration + 1)
                           .arg(clocks_text(block.clocks));
        if (block.overhead.width > 0) text += QLatin1Char('\n') + tr("Hatched: overhead");
        return text;
    }
    return {};
}

bool ClockView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = text_at(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace blockscope
