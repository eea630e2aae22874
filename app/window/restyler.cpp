#include "app/window/restyler.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace blockscope {
namespace {

constexpr int kTurn = 12;  // milliseconds of styling in one turn of the event loop

// A style sheet keeps the colours that it found for a widget until the widget is polished again.
void restyle(QWidget& widget) {
    QStyle* style = widget.style();
    style->unpolish(&widget);
    style->polish(&widget);
    widget.update();
}

}  // namespace

Restyler::Restyler(QObject* parent) : QObject(parent) {
    turn_.setSingleShot(true);
    turn_.setInterval(0);
    connect(&turn_, &QTimer::timeout, this, &Restyler::go_on);
}

Restyler& Restyler::of(QApplication& application) {
    if (auto* found = application.findChild<Restyler*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new Restyler(&application);
}

void Restyler::start() {
    waiting_.clear();
    for (QWidget* widget : QApplication::allWidgets())
        if (widget->testAttribute(Qt::WA_WState_Polished)) waiting_.emplace_back(widget);
    std::stable_partition(waiting_.begin(), waiting_.end(),
                          [](const auto& widget) { return widget->isVisible(); });
    turn_.start();
}

void Restyler::go_on() {
    QElapsedTimer clock;
    clock.start();
    while (!waiting_.empty() && clock.elapsed() < kTurn) {
        const QPointer<QWidget> widget = waiting_.front();
        waiting_.pop_front();
        if (widget) restyle(*widget);
    }
    if (!waiting_.empty()) turn_.start();
}

}  // namespace blockscope
