#include "app/window/card_grid.h"

#include <QKeyEvent>
#include <QSizePolicy>
#include <algorithm>

namespace blockscope {
namespace {

constexpr int kGap = 16;

}  // namespace

CardGrid::CardGrid(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void CardGrid::add(QWidget* card) {
    card->setParent(this);
    card->installEventFilter(this);
    cards_.push_back(card);
    updateGeometry();
}

QSize CardGrid::card_size() const {
    return cards_.empty() ? QSize(0, 0) : cards_.front()->sizeHint();
}

int CardGrid::columns(int width) const {
    const int step = card_size().width() + kGap;
    return step <= kGap ? 1 : std::max(1, (width + kGap) / step);
}

int CardGrid::heightForWidth(int width) const {
    if (cards_.empty()) return 0;
    const int count = static_cast<int>(cards_.size());
    const int across = columns(width);
    const int rows = (count + across - 1) / across;
    return rows * (card_size().height() + kGap) - kGap;
}

QSize CardGrid::sizeHint() const {
    return {card_size().width(), heightForWidth(width())};
}
QSize CardGrid::minimumSizeHint() const {
    return {card_size().width(), card_size().height()};
}

void CardGrid::resizeEvent(QResizeEvent* event) {
    const QSize size = card_size();
    const int across = columns(width());
    // Cards grow a little so that the columns fill the width.
    const int wide = std::min(size.width() * 3 / 2, (width() + kGap) / across - kGap);
    for (int i = 0; i < static_cast<int>(cards_.size()); ++i)
        cards_[i]->setGeometry(i % across * (wide + kGap), i / across * (size.height() + kGap), wide,
                               size.height());
    setMinimumHeight(heightForWidth(width()));
    QWidget::resizeEvent(event);
}

bool CardGrid::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto at = std::find(cards_.begin(), cards_.end(), watched);
    if (at == cards_.end()) return QWidget::eventFilter(watched, event);
    const int across = columns(width());
    int step = 0;
    switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Left:
            step = -1;
            break;
        case Qt::Key_Right:
            step = 1;
            break;
        case Qt::Key_Up:
            step = -across;
            break;
        case Qt::Key_Down:
            step = across;
            break;
        default:
            return QWidget::eventFilter(watched, event);
    }
    const auto target = (at - cards_.begin()) + step;
    if (target < 0 || target >= static_cast<std::ptrdiff_t>(cards_.size())) return false;
    cards_[static_cast<std::size_t>(target)]->setFocus(Qt::TabFocusReason);
    return true;
}

}  // namespace blockscope
