// A whole picture small, over the view that shows a part of it, with what the view shows. A click or a drag
// moves the view.
#pragma once

#include <QPainter>
#include <QWidget>

#include "app/scene/canvas.h"
#include "app/scene/theme.h"

namespace blockscope {

class Overview : public QWidget {
    Q_OBJECT

protected:
    // A child of the view. `name` and `description` are for screen readers.
    Overview(QWidget* view, const QString& name, const QString& description);

    virtual Rect bounds() const = 0;  // of the whole picture, in its units; empty without one
    virtual Rect seen() const = 0;    // what the view shows of it
    virtual const Theme& theme() const = 0;
    virtual void show_place(Point place) = 0;  // in the middle of the view

    // That the whole picture has in the view: 150 by 100 pixels at most, and a part of the view.
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
