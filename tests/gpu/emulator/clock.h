// What the probe of a card's clock takes from the device (gpu/driver/microbenchmarks.cpp): 1.5 GHz. With the
// word "throttled" in $BLOCKSCOPE_FAKE_CUDA every second probe finds a third of that, with "slow" all but the
// first.
#pragma once

#include <cstdlib>
#include <cstring>
#include <ctime>

namespace emulator {

static unsigned long long last_nanosecond = 0;
static int probes = 0;

inline bool faulty_clock(const char* word) {
    const char* words = std::getenv("BLOCKSCOPE_FAKE_CUDA");
    return words && std::strstr(words, word);
}

}  // namespace emulator

static inline unsigned long long nanosecond_count() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return emulator::last_nanosecond = static_cast<unsigned long long>(now.tv_sec) * 1'000'000'000 +
                                       static_cast<unsigned long long>(now.tv_nsec);
}

// Of the last nanosecond that was counted: exact, however busy the machine is. Asked for twice by each probe.
static inline unsigned long long cycle_count() {
    const int probe = emulator::probes++ / 2;
    const bool low = (emulator::faulty_clock("throttled") && probe % 2 == 1) ||
                     (emulator::faulty_clock("slow") && probe > 0);
    return low ? emulator::last_nanosecond / 2 : emulator::last_nanosecond / 2 * 3;
}
