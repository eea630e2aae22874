// How much of what a listing keeps in temporaries is still needed at one time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

namespace blockscope::reader {

// When temporaries hold values that are still read, found out as it happens: a value is alive from when
// it is set to when it is read last.
class ValueLives {
public:
    void next() { ++time_; }
    void set(int temporary, std::int64_t size) {
        const auto found = open_.find(temporary);
        if (found != open_.end() && found->second.last == time_) return grow(temporary, size);  // in place
        end(temporary);
        open_[temporary] = {time_, time_, size};
    }
    void grow(int temporary, std::int64_t size) {
        Life& life = open_[temporary];
        life.last = time_;
        life.size = std::max(life.size, size);
    }
    void read(int temporary) { open_[temporary].last = time_; }

    // The most that was alive at one time.
    std::int64_t most() {
        while (!open_.empty()) end(open_.begin()->first);
        std::int64_t alive = 0;
        std::int64_t most = 0;
        for (const auto& [time, change] : changes_) most = std::max(most, alive += change);
        return most;
    }

private:
    struct Life {
        std::int64_t first = 0;
        std::int64_t last = 0;
        std::int64_t size = 0;
    };

    void end(int temporary) {
        const auto found = open_.find(temporary);
        if (found == open_.end()) return;
        changes_[found->second.first] += found->second.size;
        changes_[found->second.last + 1] -= found->second.size;
        open_.erase(found);
    }

    std::int64_t time_ = 0;
    std::map<int, Life> open_;
    std::map<std::int64_t, std::int64_t> changes_;
};

}  // namespace blockscope::reader
