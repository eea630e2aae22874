// How much of what a program keeps in temporaries is still needed at one time, found out as it runs.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace blockscope {

// A value is alive from when it is set to when it is read last.
class ValueLives {
public:
    explicit ValueLives(int temps) : open_(static_cast<std::size_t>(temps) + 1) {}

    void next() { ++time_; }  // before every statement
    void set(int temp, std::int64_t size);
    // A number whose shape is not known yet: it has that of what the temporary is set to next.
    void set_unshaped(int temp);
    void grow(int temp, std::int64_t size);  // in place: a sum
    void read(int temp) { open_[static_cast<std::size_t>(temp)].last = time_; }

    // The most that was alive at one time. Nothing may follow.
    std::int64_t most();

private:
    struct Life {
        std::int64_t first = -1;  // -1: nothing is set
        std::int64_t last = -1;
        std::int64_t size = 0;
        bool unshaped = false;
    };
    void end(Life& life);

    std::int64_t time_ = 0;
    std::vector<Life> open_;                        // by temporary
    std::map<std::int64_t, std::int64_t> changes_;  // of what is alive, by time
};

}  // namespace blockscope
