// Clocks around kernels: the processor's time stamp where there is one, as it costs a few nanoseconds only.
#pragma once

#include <chrono>
#include <cstdint>

namespace blockscope::engine {

inline std::uint64_t ticks() {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

// Ticks that one thread spent, by what it did.
struct Times {
    std::uint64_t matmul = 0;
    std::uint64_t kernel = 0;
    std::uint64_t packing = 0;
    std::uint64_t busy = 0;     // in parallel loops, all of the above included
    std::uint64_t waiting = 0;  // for other threads to leave a parallel loop
    std::int64_t matmul_flops = 0;
    std::int64_t matmul_calls = 0;
    std::int64_t kernel_calls = 0;
};

// Adds the time until it is destroyed to `sum`.
class Clock {
public:
    Clock(bool on, std::uint64_t& sum) : sum_(on ? &sum : nullptr), start_(on ? ticks() : 0) {}
    ~Clock() {
        if (sum_) *sum_ += ticks() - start_;
    }
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;

private:
    std::uint64_t* sum_;
    std::uint64_t start_;
};

}  // namespace blockscope::engine
