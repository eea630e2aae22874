// The extent that pictures are shaped for. It stays while bars of the program's own come and go: they do not
// move what one looks at.
#pragma once

#include <QSize>
#include <optional>

#include "app/document/history.h"

namespace blockscope {

class RoomHold {
public:
    // What gives the canvas its extent, besides bars of the program's own. In another one nothing is held.
    struct Frame {
        QSize outer;    // of the middle of the window, with its bars
        int width = 0;  // of the canvas
        int below = 0;  // left for a card
        bool legend = false, presenting = false;
        StateId state = -1;
        bool operator==(const Frame&) const = default;
    };

    bool holds(const Frame& frame) const { return held_ && held_->frame == frame; }
    void hold(const Frame& frame, const QSize& canvas) { held_ = {frame, canvas}; }
    void give_up() { held_.reset(); }
    // The extent that counts in a canvas that now is `canvas` large. One that differs by more than bars take
    // counts itself.
    QSize room(const Frame& frame, const QSize& canvas) const;

private:
    struct Held {
        Frame frame;
        QSize canvas;
    };
    std::optional<Held> held_;  // none: the canvas has had its extent for a moment only
};

}  // namespace blockscope
