// What a view shows, kept as pixels: panning moves them and paints only what comes into view.
//
// What takes long to paint is painted part by part, in several turns of the event loop. Until a view of
// another scale or another picture is whole, the pixels from before are shown, stretched to where they
// belong.
#pragma once

#include <QPixmap>
#include <QRegion>
#include <functional>
#include <optional>

namespace blockscope {

class Backing {
public:
    // Device pixels: the extent of the view and where the picture's origin is; and pixels per unit.
    struct Place {
        QSize size;
        double scale = 0;
        QPoint offset;
        bool operator==(const Place&) const = default;
    };
    // Paints a rectangle of device pixels.
    using Paint = std::function<void(QPainter&, const QRect&)>;

    // Brings the pixels towards what `place` shows, by one part at least and for about `budget` milliseconds,
    // or however long it takes without one. Whether they are there.
    bool update(const Place& place, const Paint& paint, std::optional<int> budget = {});
    // Draws what there is on a view with so many device pixels a unit of `painter`. What nothing is known of
    // is left out.
    void draw(QPainter& painter, double ratio) const;

    void invalidate();                   // all of it, which stays to be seen until the new is there
    void invalidate(const QRect& part);  // of the place of the last update
    void forget();                       // nothing of it is to be seen any more

private:
    struct Layer {
        Place place;
        QPixmap pixels;
        QRegion stale;  // to be painted
        QRegion blank;  // the part of it that has no pixels from before
    };
    void pan(QPoint offset);
    bool paint_stale(Layer& layer, const Paint& paint, std::optional<int> budget);

    std::optional<Layer> shown_, coming_;  // what is seen; what will be seen once it is whole
    Place wanted_;
    bool valid_ = false;  // `shown_` is of the right picture
    int strip_ = 0;       // height of what is painted in one go, by how long that took
};

}  // namespace blockscope
