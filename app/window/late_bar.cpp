#include "app/window/late_bar.h"

#include <QApplication>
#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
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
    connect(&patience_, &QTimer::timeout, this, [this] { show_work(title_); });
    connect(this, &WorkBar::cancel_clicked, this, [this] {
        end();
        Q_EMIT cancelled();
    });
    over->installEventFilter(this);
}

LateBar::LateBar(Work& work, int top, QWidget* over) : LateBar(QString(), top, over) {
    follow(work);
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

void LateBar::say_given_up(const QString& text) {
    if (text.isEmpty()) {
        if (is_given_up()) hide();
        return;
    }
    show_given_up(text);
    place();
}

void LateBar::showEvent(QShowEvent* event) {
    setFont(QApplication::font());  // not the one of the code that it may lie over
    place();
    raise();
    WorkBar::showEvent(event);
}

// In a narrow panel its parts stand below each other, and the title may need several lines.
void LateBar::place() {
    const int room = parentWidget()->width();
    const int width = std::min(kMostWidth, room - 2 * kAir);
    auto* parts = static_cast<QBoxLayout*>(layout());
    parts->setDirection(QBoxLayout::LeftToRight);
    auto* title = findChild<QLabel*>();
    title->setWordWrap(false);
    const bool narrow = parts->minimumSize().width() > width;
    title->setWordWrap(narrow);
    if (narrow) parts->setDirection(QBoxLayout::TopToBottom);
    const int height = narrow ? parts->totalHeightForWidth(width) : sizeHint().height();
    setGeometry((room - width) / 2, top_, width, height);
}

bool LateBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == parentWidget()) place();
    return WorkBar::eventFilter(watched, event);
}

}  // namespace blockscope
