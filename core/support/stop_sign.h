// Ends long work that nobody waits for any more.
#pragma once

#include <functional>
#include <utility>

namespace blockscope {

struct Stopped {};  // thrown by what was told to stop; nothing of it is left

class StopSign {
public:
    // `up` says whether to stop; asked between the parts of the work, of milliseconds each. Never, without
    // one.
    explicit StopSign(std::function<bool()> up = {}) : up_(std::move(up)) {}
    void check() const {
        if (up_ && up_()) throw Stopped{};
    }

private:
    std::function<bool()> up_;
};

// Of work that is always waited for.
inline const StopSign kNeverStop{};

}  // namespace blockscope
