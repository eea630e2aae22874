#include "app/window/late_bar.h"

#include <QEvent>
#include <algorithm>

namespace blockscope {

namespace {

constexpr int kPatience = 100;  // milliseconds
constexpr int kMostWidth = 460, kAir = 10;

}  // namespace

LateBar::LateBar(const QString& title, int top, QWidget* over) : WorkBar(over), title_(title), top_(top) {
    setObjectName(QStringLiteral("late_bar"));
    patience_.setSingleShot(true);
    patience_.setInterval(kPatience);
    connect(&patience_, &QTimer::timeout, this, [this] {
        place();
        raise();
        show_work(title_);
    });
    connect(this, &WorkBar::cancel_clicked, this, [this] {
        end();
        Q_EMIT cancelled();
    });
    over->installEventFilter(this);
}

void LateBar::wait() {
    if (!waiting()) patience_.start();
}

void LateBar::show_share(int permille) {
    if (isVisibleTo(parentWidget())) WorkBar::show_share(permille);
}

void LateBar::end() {
    patience_.stop();
    hide();
}

void LateBar::place() {
    const int room = parentWidget()->width();
    const int width = std::min(kMostWidth, room - 2 * kAir);
    setGeometry((room - width) / 2, top_, width, sizeHint().height());
}

bool LateBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == parentWidget()) place();
    return WorkBar::eventFilter(watched, event);
}

}  // namespace blockscope
