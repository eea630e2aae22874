#include "app/scene/corner.h"

#include <QEvent>

namespace blockscope {

InCorner::InCorner(QWidget* child, Qt::Corner corner, int margin)
    : QObject(child), child_(child), corner_(corner), margin_(margin) {
    child->parentWidget()->installEventFilter(this);
    child->installEventFilter(this);
    place();
}

void InCorner::place() {
    const QSize room = child_->parentWidget()->size();
    const bool right = corner_ == Qt::TopRightCorner || corner_ == Qt::BottomRightCorner;
    const bool bottom = corner_ == Qt::BottomLeftCorner || corner_ == Qt::BottomRightCorner;
    child_->move(right ? room.width() - child_->width() - margin_ : margin_,
                 bottom ? room.height() - child_->height() - margin_ : margin_);
}

bool InCorner::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Show) place();
    return QObject::eventFilter(watched, event);
}

}  // namespace blockscope
