// A small random source with the same numbers on every platform.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace blockscope {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    // splitmix64
    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    // 0 .. count - 1
    int below(int count) {
        if (count < 1) throw std::logic_error("a random choice among nothing");
        return static_cast<int>(next() % static_cast<std::uint64_t>(count));
    }
    // low .. high
    int between(int low, int high) { return low + below(high - low + 1); }
    // True in `percent` of 100 cases.
    bool chance(int percent) { return below(100) < percent; }

    template <class T>
    const T& pick(const std::vector<T>& from) {
        return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
    }

    // An index, each as likely as its weight says; at least one weight is positive.
    int weighted(const std::vector<int>& weights) {
        int sum = 0;
        for (const int weight : weights) sum += weight;
        int left = below(sum);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            left -= weights[i];
            if (left < 0) return static_cast<int>(i);
        }
        return static_cast<int>(weights.size()) - 1;
    }

private:
    std::uint64_t state_;
};

}  // namespace blockscope
