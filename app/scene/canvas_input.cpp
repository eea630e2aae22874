// Mouse, trackpad, touch and keys of a canvas.
#include <QApplication>
#include <QContextMenuEvent>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPinchGesture>
#include <QToolTip>
#include <cmath>

#include "app/scene/canvas_state.h"
#include "app/words/words.h"

namespace blockscope {

namespace {

constexpr double kEdgeReach = 6;       // widget pixels around an edge in which it is meant
constexpr double kZoomPerNotch = 1.2;  // of a mouse wheel
constexpr double kZoomPerPixel = 1.0035;

QString tip_of(const Picture& picture, int box, int edge) {
    if (box >= 0) return translated(picture.figure.boxes[static_cast<std::size_t>(box)].detail);
    if (edge < 0) return {};
    return edge_words(picture.figure.edges[static_cast<std::size_t>(edge)]);
}

}  // namespace

QString edge_words(const Edge& edge) {
    const QString type = QString::fromStdString(edge.label);
    return edge.buffered ? Canvas::tr("%1, through global memory").arg(type)
                         : Canvas::tr("%1, in local memory").arg(type);
}

// A leaf or a cloud, else an edge, else a frame.
Canvas::Spot Canvas::spot_at(QPointF p) const {
    const State& s = *state_;
    if (!s.picture || !s.title.isEmpty()) return {};
    const Point at = to_picture(s.camera, size(), p);
    const int box = s.hits.box_at(at);
    if (box >= 0 && s.picture->figure.boxes[static_cast<std::size_t>(box)].kind != BoxKind::Frame)
        return {box, -1};
    const int edge = s.hits.edge_at(at, kEdgeReach / s.camera.scale);
    return edge >= 0 ? Spot{-1, edge} : Spot{box, -1};
}

HeatNumber Canvas::number_at(QPointF p) const {
    const State& s = *state_;
    if (!s.picture || !s.title.isEmpty() || s.transition) return {};
    return heat_number_at(*s.picture, s.lights, s.camera.scale, to_picture(s.camera, size(), p));
}

void Canvas::hover(Spot spot) {
    State& s = *state_;
    if (spot == s.hover) return;
    const Spot before = std::exchange(s.hover, spot);
    refresh({before.box, spot.box}, {before.edge, spot.edge});
    Q_EMIT hovered(spot.box, spot.edge);
}

void Canvas::mousePressEvent(QMouseEvent* event) {
    State& s = *state_;
    s.pressed = s.dragged = event->position();
    if (event->button() == Qt::MiddleButton) {
        s.drag = State::Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        s.drag = State::Drag::Maybe;
        s.consumed_press = false;
    }
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    State& s = *state_;
    const QPointF at = event->position();
    if (s.drag == State::Drag::Maybe &&
        (at - s.pressed).manhattanLength() >= QApplication::startDragDistance()) {
        const bool band = event->modifiers() & Qt::ShiftModifier;
        s.dragged_box = event->modifiers() & Qt::ControlModifier ? spot_at(s.pressed).box : -1;
        s.drag = band ? State::Drag::Band : s.dragged_box >= 0 ? State::Drag::Box : State::Drag::Pan;
        if (!band) setCursor(Qt::ClosedHandCursor);
    }
    const QPointF by = at - s.dragged;
    if (s.drag == State::Drag::Pan) pan(by.x(), by.y());
    if (s.drag == State::Drag::Band || s.drag == State::Drag::Box) update();
    if (s.drag != State::Drag::Maybe) s.dragged = at;
    if (s.drag != State::Drag::None) return;
    if (s.lights.heated) setCursor(number_at(at).found() ? Qt::PointingHandCursor : Qt::ArrowCursor);
    hover(spot_at(at));
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
    State& s = *state_;
    const State::Drag drag = std::exchange(s.drag, State::Drag::None);
    unsetCursor();
    if (drag == State::Drag::Band) {
        const QRectF band = QRectF(s.pressed, event->position()).normalized();
        const Point a = to_picture(s.camera, size(), band.topLeft());
        const Point b = to_picture(s.camera, size(), band.bottomRight());
        update();
        Q_EMIT boxes_selected(s.hits.boxes_in({a.x, a.y, b.x - a.x, b.y - a.y}), event->modifiers());
    } else if (drag == State::Drag::Box) {
        const QPointF by = (event->position() - s.pressed) / s.camera.scale;
        update();
        Q_EMIT box_dragged(s.dragged_box, by);
    } else if (drag == State::Drag::Maybe && !s.consumed_press) {
        const HeatNumber number = number_at(event->position());
        const Spot spot = number.found() ? Spot{number.box, number.edge} : spot_at(event->position());
        s.focus = spot.box;
        Q_EMIT clicked(spot.box, spot.edge, event->modifiers());
        if (number.found()) Q_EMIT number_clicked(number.box, number.edge);
    }
    hover(spot_at(event->position()));
}

void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    state_->consumed_press = true;
    const Spot spot = spot_at(event->position());
    if (spot.box >= 0) Q_EMIT activated(spot.box);
}

void Canvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    const QPoint pixels = event->pixelDelta();
    const QPoint angle = event->angleDelta();
    const bool control = event->modifiers() & Qt::ControlModifier;
    if (!pixels.isNull()) {  // a trackpad
        if (control) return zoom_about(std::pow(kZoomPerPixel, pixels.y()), event->position(), false);
        return pan(pixels.x(), pixels.y());
    }
    if (event->modifiers() & Qt::ShiftModifier) return pan((angle.x() + angle.y()) * 0.5, 0);
    if (angle.y() == 0) return pan(angle.x() * 0.5, 0);
    zoom_about(std::pow(kZoomPerNotch, angle.y() / 120.0), event->position(), true);
}

void Canvas::keyPressEvent(QKeyEvent* event) {
    const State& s = *state_;
    switch (event->key()) {
        case Qt::Key_Left:
            return move_focus(Direction::Left);
        case Qt::Key_Right:
            return move_focus(Direction::Right);
        case Qt::Key_Up:
            return move_focus(Direction::Up);
        case Qt::Key_Down:
            return move_focus(Direction::Down);
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (s.focus < 0) break;
            Q_EMIT clicked(s.focus, -1, event->modifiers());
            return;
        case Qt::Key_Escape:
            if (s.focus < 0) break;
            return focus_box(-1);
        case Qt::Key_Menu:
            if (s.focus < 0) break;
            Q_EMIT menu_requested(s.focus, -1, mapToGlobal(box_rect(s.focus).center().toPoint()));
            return;
        default:
            break;
    }
    QWidget::keyPressEvent(event);
}

void Canvas::leaveEvent(QEvent*) {
    hover({});
}

void Canvas::contextMenuEvent(QContextMenuEvent* event) {
    if (event->reason() == QContextMenuEvent::Keyboard) return;  // keyPressEvent knows the box
    const Spot spot = spot_at(event->pos());
    Q_EMIT menu_requested(spot.box, spot.edge, event->globalPos());
}

void Canvas::resizeEvent(QResizeEvent*) {
    if (state_->fitted) fit(false);
    Q_EMIT camera_changed();
}

bool Canvas::event(QEvent* event) {
    switch (event->type()) {
        case QEvent::ToolTip: {
            const auto* help = static_cast<QHelpEvent*>(event);
            const Spot spot = spot_at(help->pos());
            QString tip = state_->picture ? tip_of(*state_->picture, spot.box, spot.edge) : QString();
            if (!tip.isEmpty() && state_->more_words)
                if (const QString more = state_->more_words(spot.box, spot.edge); !more.isEmpty())
                    tip = more + QLatin1Char('\n') + tip;
            if (tip.isEmpty())
                QToolTip::hideText();
            else
                QToolTip::showText(help->globalPos(), tip, this);
            return true;
        }
        case QEvent::NativeGesture: {
            const auto* gesture = static_cast<QNativeGestureEvent*>(event);
            if (gesture->gestureType() != Qt::ZoomNativeGesture) break;
            zoom_about(1 + gesture->value(), gesture->position(), false);
            return true;
        }
        case QEvent::Gesture: {
            const auto* pinch =
                static_cast<QPinchGesture*>(static_cast<QGestureEvent*>(event)->gesture(Qt::PinchGesture));
            if (!pinch) break;
            zoom_about(pinch->scaleFactor(), mapFromGlobal(pinch->centerPoint()), false);
            return true;
        }
        default:
            break;
    }
    return QWidget::event(event);
}

}  // namespace blockscope
