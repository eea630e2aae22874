#include "core/cost/value_lives.h"

#include <algorithm>

namespace blockscope {

void ValueLives::set(int temp, std::int64_t size) {
    Life& life = open_[static_cast<std::size_t>(temp)];
    if (life.unshaped) {
        life.size = std::max(life.size, size);
        life.unshaped = false;
    }
    // Read by the statement that sets it: in place.
    if (life.first >= 0 && life.last == time_) return grow(temp, size);
    end(life);
    life = {time_, time_, size, false};
}

void ValueLives::set_unshaped(int temp) {
    set(temp, 1);
    open_[static_cast<std::size_t>(temp)].unshaped = true;
}

void ValueLives::grow(int temp, std::int64_t size) {
    Life& life = open_[static_cast<std::size_t>(temp)];
    life.last = time_;
    life.size = std::max(life.size, size);
}

void ValueLives::end(Life& life) {
    if (life.first < 0) return;
    changes_[life.first] += life.size;
    changes_[life.last + 1] -= life.size;
    life.first = -1;
}

std::int64_t ValueLives::most() {
    for (Life& life : open_) end(life);
    std::int64_t alive = 0;
    std::int64_t most = 0;
    for (const auto& [time, change] : changes_) most = std::max(most, alive += change);
    return most;
}

}  // namespace blockscope
