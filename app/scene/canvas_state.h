// What a view shows, kept as pixels: panning moves them and paints only what comes into view.
//
// What takes long to paint is painted part by part, in several turns of the event loop. Until a view of
// another scale or another picture is whole, the pixels from before are shown, stretched to where they
// belong.
#pragma once

#include <QElapsedTimer>
#include <QPixmap>
#include <QRegion>
#include <QTimer>
#include <functional>
#include <optional>

#include "app/scene/canvas.h"
#include "app/scene/hit.h"
#include "app/scene/transition.h"

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

// What a canvas knows. Internal to its source files.

// A span of time that something takes; over as soon as it is made, until it starts.
class Span {
public:
    void start(int milliseconds) {
        length_ = milliseconds;
        clock_.start();
    }
    void stop() { length_ = 0; }
    bool running() const { return length_ > 0; }
    // 0 at the start, 1 at the end and later.
    double share() const {
        return running() ? std::min(1.0, static_cast<double>(clock_.nsecsElapsed()) / 1e6 / length_) : 1;
    }

private:
    QElapsedTimer clock_;
    int length_ = 0;
};

struct Canvas::State {
    PicturePtr picture;
    HitIndex hits;
    Theme theme = Theme::light();
    Lights lights;
    QString title, text;  // the message
    bool animated = true;
    bool fitted = true;  // the whole picture is shown and shall be, whatever the size of the widget
    double least = kReadableScale, most = kFitMost;  // Canvas::set_reading()

    Camera camera;  // as painted
    Camera camera_from, camera_to;
    Span camera_span;

    std::optional<Transition> transition;
    Span transition_span;
    std::vector<Curve> ghosts;  // where edges were red before the last step
    std::function<QString(int box, int edge)> more_words;
    std::vector<int> made;  // boxes that glow after the transition
    Span glow_span;

    QTimer ticker;
    Backing backing;
    bool unfinished = false;  // the rest of the picture is painted in the next turns of the event loop

    Spot hover;
    int focus = -1;
    enum class Drag { None, Maybe, Pan, Band, Box } drag = Drag::None;
    int dragged_box = -1;
    QPointF pressed, dragged;     // widget coordinates
    bool consumed_press = false;  // a double click: its release is no click

    Camera goal() const { return camera_span.running() ? camera_to : camera; }
    // The moment of the transition that is under way: slow at both ends.
    const Blend& transition_now() {
        const double t = transition_span.share();
        const double left = 1 - t;
        return transition->at(t < 0.5 ? 4 * t * t * t : 1 - 4 * left * left * left);
    }
    bool moving() const { return camera_span.running() || transition || glow_span.running(); }
};

}  // namespace blockscope
