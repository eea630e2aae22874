// A whole picture small, over the view that shows a part of it, with what the view shows. A click or a drag
// moves the view.
#pragma once

#include <QPainter>
#include <QWidget>
#include <vector>

#include "app/scene/canvas.h"
#include "app/scene/theme.h"

namespace blockscope {

// Something in a view that a small widget over it had better not cover, in the view's coordinates.
struct Covered {
    QRectF place;
    double weight = 1;    // of its area
    bool ground = false;  // it may be covered, if it must be somewhere
};

// Where a small widget stands over a view: `at`, in the view, and whether it covers nothing there but
// grounds.
struct CornerPlace {
    QPoint at;
    bool free = false;
};

// The corner, of `corners`, in which a widget of this extent covers least; the first of those that are equal.
CornerPlace corner_over(QSize view, QSize extent, const std::vector<Qt::Corner>& corners,
                        const std::vector<Covered>& covered);
// In the order in which an overview takes them.
const std::vector<Qt::Corner>& overview_corners();
// The end of a line, as something that is not to be covered.
Covered covered_end(QPointF end);

class Overview : public QWidget {
    Q_OBJECT

protected:
    // A child of the view. `name` and `description` are for screen readers.
    Overview(QWidget* view, const QString& name, const QString& description);

    virtual Rect bounds() const = 0;  // of the whole picture, in its units; empty without one
    virtual Rect seen() const = 0;    // what the view shows of it
    virtual const Theme& theme() const = 0;
    virtual void show_place(Point place) = 0;  // in the middle of the view

    // That the whole picture has in the view: 150 by 100 pixels at most, and a part of the view. Of a long
    // picture it is longer, so that it is no mere line.
    QSize extent() const;
    Camera camera() const;  // of this widget
    QColor ground() const;
    // The frame of what the view shows, everything else veiled, and the rim.
    void paint_window(QPainter& painter) const;

    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void go(QPointF place);
};

}  // namespace blockscope
