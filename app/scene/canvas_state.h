// What a canvas knows. Internal to its source files.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include "app/scene/backing.h"
#include "app/scene/canvas.h"
#include "app/scene/hit.h"
#include "app/scene/transition.h"

namespace blockscope {

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

    Camera camera;  // as painted
    Camera camera_from, camera_to;
    Span camera_span;

    std::optional<Transition> transition;
    Span transition_span;
    std::vector<int> made;  // boxes that glow after the transition
    Span glow_span;

    QTimer ticker;
    Backing backing;
    bool unfinished = false;  // the rest of the picture is painted in the next turns of the event loop

    Spot hover;
    int focus = -1;
    enum class Drag { None, Maybe, Pan, Band } drag = Drag::None;
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
