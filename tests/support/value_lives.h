// How much of what a listing keeps in temporaries is still needed at one time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace blockscope::reader {

// When temporaries hold values that are still read, found out as it happens: a value is alive from when
// it is set to when it is read last.
class ValueLives {
public:
    void next() { ++time_; }
    void set(int temporary, std::int64_t size) {
        Life& life = of(temporary);
        if (life.open && life.last == time_) return grow(temporary, size);  // in place
        end(life);
        life = {.open = true, .first = time_, .last = time_, .size = size};
    }
    void grow(int temporary, std::int64_t size) {
        Life& life = of(temporary);
        life.last = time_;
        life.size = std::max(life.size, size);
    }
    void read(int temporary) { of(temporary).last = time_; }

    // The most that was alive at one time.
    std::int64_t most() {
        for (Life& life : lives_) end(life);
        std::sort(changes_.begin(), changes_.end());  // what ends at a time does so before others begin
        std::int64_t alive = 0;
        std::int64_t most = 0;
        for (const auto& [time, change] : changes_) most = std::max(most, alive += change);
        return most;
    }

private:
    struct Life {
        bool open = false;
        std::int64_t first = 0;
        std::int64_t last = 0;
        std::int64_t size = 0;
    };

    Life& of(int temporary) {
        const auto at = static_cast<std::size_t>(temporary);
        if (at >= lives_.size()) lives_.resize(at + 1);
        return lives_[at];
    }

    void end(Life& life) {
        if (!life.open) return;
        changes_.emplace_back(life.first, life.size);
        changes_.emplace_back(life.last + 1, -life.size);
        life.open = false;
    }

    std::int64_t time_ = 0;
    std::vector<Life> lives_;  // by temporary
    std::vector<std::pair<std::int64_t, std::int64_t>>
        changes_;  // a time, and what is alive more from then on
};

}  // namespace blockscope::reader
