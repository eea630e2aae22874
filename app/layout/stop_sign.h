// Ends a layout that nobody waits for any more.
#pragma once

#include <functional>

namespace blockscope {

struct LayoutStopped {};  // thrown by the Layouter; it can be used again

class StopSign {
public:
    // `up` says whether to stop; asked between the parts of a layout. Never, without one.
    explicit StopSign(std::function<bool()> up = {}) : up_(std::move(up)) {}
    void check() const {
        if (up_ && up_()) throw LayoutStopped{};
    }

private:
    std::function<bool()> up_;
};

}  // namespace blockscope
