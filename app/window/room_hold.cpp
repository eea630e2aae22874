#include "app/window/room_hold.h"

#include <cstdlib>

namespace blockscope {

QSize RoomHold::room(const Frame& frame, const QSize& canvas) const {
    constexpr int kOfBars = 4;  // what bars take at most: this part of the height
    if (!holds(frame)) return canvas;
    const int held = held_->canvas.height();
    return std::abs(held - canvas.height()) > held / kOfBars ? canvas : held_->canvas;
}

}  // namespace blockscope
