// The overview of a picture, and what small widgets over a canvas had better not cover.
#pragma once

#include <QPixmap>
#include <QTimer>
#include <QWidget>
#include <cstdint>
#include <vector>

#include "app/scene/overview.h"

namespace blockscope {

// What small widgets over a canvas had better not cover: `taken` (rectangles of the canvas), its blocks, the
// ends of its edges; and much less the grounds of its maps.
std::vector<Covered> covered_by(const Canvas& canvas, const std::vector<QRect>& taken);

// The overview of a canvas's picture. The wheel zooms the canvas.

class Minimap : public Overview {
    Q_OBJECT

public:
    // A child of the canvas, in the corner where it covers least. Shows itself while a block is out of sight;
    // where nearly all of the picture is seen, only in a corner without blocks.
    explicit Minimap(Canvas* canvas);

    void set_wanted(bool wanted);  // the user's choice
    // Whether it is shown only where it covers nothing at all of the picture.
    void set_discreet(bool discreet);
    bool wanted() const { return wanted_; }
    // Chooses the corner, too. It does so by itself for a new picture, and once the camera rests.
    void place();

Q_SIGNALS:
    void placed();  // it stands elsewhere, or is no longer shown

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void renew();  // the picture or the theme is new
    void look();   // the camera has moved: shown or not, at its place
    Rect bounds() const override;
    Rect seen() const override { return canvas_->visible(); }
    const Theme& theme() const override { return canvas_->theme(); }
    void show_place(Point place) override { canvas_->set_camera({place, canvas_->camera().scale}); }
    void draw_pixels(double ratio);

    Canvas* canvas_;
    QPixmap pixels_;
    // Of the picture that `pixels_` are to show. Large ones are painted on another thread; what was shown
    // before stays until they are there.
    bool stale_ = true;
    std::uint64_t generation_ = 0;
    bool wanted_ = true;
    bool discreet_ = false;
    bool in_free_corner_ = false;
    QTimer rests_;  // runs while the camera moves
};

}  // namespace blockscope
