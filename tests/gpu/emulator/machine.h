// The machine that runs kernels, for the emulator's own sources: its threads, warps and memory.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "emulator.h"

namespace emulator {

constexpr int kStackBytes = 512 * 1024;

// A copy to shared memory that is on its way.
struct Copy {
    int place;
    const void* from;
    int bytes, zeros;
};

// Not a vector, which would touch all of it; and not of <memory>, whose headers know another sync().
struct Stack {
    char* bytes = nullptr;
    Stack() = default;
    Stack(Stack&& other) noexcept : bytes(other.bytes) { other.bytes = nullptr; }
    Stack& operator=(Stack&&) = delete;
    ~Stack() { std::free(bytes); }
    char* end() {
        if (!bytes) bytes = static_cast<char*>(std::malloc(kStackBytes));
        return bytes + kStackBytes;
    }
};

struct Fiber {
    Stack stack;
    void* top = nullptr;
    bool done = false;
    std::vector<Copy> open;                 // not in a group yet
    std::vector<std::vector<Copy>> groups;  // oldest first
    std::vector<std::size_t> written;       // words of shared memory that were not shown
};

struct Warp {
    int arrived = 0;
    long generation = 0;
    std::uint32_t in[32][12];
    std::uint32_t out[32][8];
};

struct Range {
    const char* begin;
    const char* end;
};

struct Machine {
    std::vector<Fiber> fibers;
    std::vector<Warp> warps;
    std::vector<unsigned char> shared;
    std::vector<int> writers;   // of each word of it: 1 + the thread that wrote it and has not shown it
    std::vector<Range> arrays;  // what kernels may touch
    int computing = 0;          // threads that sync() is for
    void* scheduler = nullptr;
    int current = 0;
    long long tile = 0;
    int at_barrier = 0;
    long barriers = 0;
    long progress = 0;  // grows whenever anything happens
    std::string error;
    void (*body)(void**) = nullptr;
    void** arguments = nullptr;
};

extern Machine machine;

// The next fiber's turn.
void pause();
// The thread stops for good; the launch ends with this error.
void fail(const std::string& why);
void check_shared(long index, long bytes, const char* what);
inline Fiber& fiber() {
    return machine.fibers[static_cast<std::size_t>(machine.current)];
}

// At the start of each thread block.
void forget_boxes();
void forget_products();

// All 32 lanes put `in`, the last one combines, all take `out`. (Nobody's `out` changes before it was taken:
// the next to combine is the last lane that comes back.)
template <class F>
void collective(const std::uint32_t* in, int ins, std::uint32_t* out, int outs, const F& combine) {
    Warp& warp = machine.warps[static_cast<std::size_t>(machine.current / 32)];
    const int lane = machine.current % 32;
    std::memcpy(warp.in[lane], in, static_cast<std::size_t>(ins) * 4);
    const long generation = warp.generation;
    if (++warp.arrived == 32) {
        combine(warp);
        warp.arrived = 0;
        ++warp.generation;
        ++machine.progress;
    } else {
        while (warp.generation == generation) pause();
    }
    std::memcpy(out, warp.out[lane], static_cast<std::size_t>(outs) * 4);
}

}  // namespace emulator
