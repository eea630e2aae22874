// Keeps a small widget in a corner of its parent.
#pragma once

#include <QPixmap>
#include <QWidget>
#include <cstdint>

#include "app/scene/canvas.h"

namespace blockscope {

class InCorner : public QObject {
    Q_OBJECT

public:
    // Owned by `child`, which has a parent.
    InCorner(QWidget* child, Qt::Corner corner, int margin = 10);
    void place();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* child_;
    Qt::Corner corner_;
    int margin_;
};

// The whole picture small, in a corner of its canvas, with what the canvas shows. A click or a drag moves the
// canvas.

class Minimap : public QWidget {
    Q_OBJECT

public:
    // A child of the canvas, in its bottom-right corner. Shows itself only while the canvas does not show
    // everything.
    explicit Minimap(Canvas* canvas);

    void set_wanted(bool wanted);  // the user's choice
    bool wanted() const { return wanted_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void renew();  // the picture or the theme is new
    void look();   // the camera has moved
    void go(QPointF p);
    Camera camera() const;  // of this widget
    void draw_pixels(double ratio);

    Canvas* canvas_;
    QPixmap pixels_;
    // Of the picture that `pixels_` are to show. Large ones are painted on another thread; what was shown
    // before stays until they are there.
    bool stale_ = true;
    std::uint64_t generation_ = 0;
    bool wanted_ = true;
};

}  // namespace blockscope
