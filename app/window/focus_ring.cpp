#include "app/window/focus_ring.h"

#include <QEvent>
#include <QLabel>

#include "app/charts/chart.h"
#include "app/circuit/circuit_view.h"
#include "app/plan/plan_page.h"
#include "app/scene/canvas.h"
#include "app/shell/step_look.h"

namespace blockscope {

namespace {

// Of a kind that does not draw its own; a new kind of view that takes keys belongs here or draws one.
bool draws_no_ring(const QWidget& stop) {
    return qobject_cast<const Canvas*>(&stop) != nullptr ||
           qobject_cast<const ChartView*>(&stop) != nullptr ||
           qobject_cast<const CircuitView*>(&stop) != nullptr ||
           qobject_cast<const PlanPage*>(&stop) != nullptr || qobject_cast<const QLabel*>(&stop) != nullptr;
}

}  // namespace

FocusRing::FocusRing(QWidget& window) : QWidget(&window) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void FocusRing::show_at(QWidget& stop) {
    leave();
    if (!draws_no_ring(stop)) return;
    stop_ = &stop;
    // What moves one of its parents, as scrolling does, moves it, too.
    for (QWidget* part = &stop; part != nullptr && part != window(); part = part->parentWidget())
        part->installEventFilter(this);
    place();
    raise();
    show();
}

void FocusRing::leave() {
    for (QWidget* part = stop_; part != nullptr && part != window(); part = part->parentWidget())
        part->removeEventFilter(this);
    stop_ = nullptr;
    hide();
}

// The part of it that is seen.
void FocusRing::place() {
    const QRect seen = stop_->visibleRegion().boundingRect();
    setGeometry(QRect(stop_->mapTo(window(), seen.topLeft()), seen.size()));
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (watched == stop_ && (type == QEvent::FocusOut || type == QEvent::Hide)) leave();
    if (stop_ != nullptr && (type == QEvent::Resize || type == QEvent::Move)) place();
    return false;
}

void FocusRing::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paint_focus_ring(painter, rect(), colors_of(*this).accent);
}

}  // namespace blockscope
