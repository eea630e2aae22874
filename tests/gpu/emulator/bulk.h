// What bulk.cuh takes from the device: threads that only copy, memory barriers, boxes. A box is copied as
// late as the language allows, when somebody waits for its barrier, and its place holds NaN from the start of
// the copy on.
#pragma once

#include <map>

#include "tensor_map.h"

#define MAP const TensorMap
#define TMA_KERNEL static void

namespace emulator {

struct BoxCopy {
    long place = 0;
    TensorMap map;
    long long corner[5] = {};
};

struct MemoryBarrier {
    int arrivals = 0;  // that end a phase
    int missing = 0;
    long bytes = 0;  // announced and not there yet
    int parity = 0;  // of the present phase
    std::vector<BoxCopy> copies;
};

struct Bulk {
    std::map<int, MemoryBarrier> barriers;  // by place
    int everybody = 0;                      // threads at the barrier of all
    long generation = 0;
    std::map<int, int> registers;  // of each group of four warps
};
static Bulk bulk;

inline MemoryBarrier& barrier_at(int place) {
    if (place % 8 != 0) fail("a memory barrier that is not aligned");
    check_shared(place, 8, "memory barrier");
    const auto found = bulk.barriers.find(place);
    if (found == bulk.barriers.end()) fail("a memory barrier that was not set up");
    return found->second;
}

inline void end_phase(MemoryBarrier& barrier) {
    if (barrier.missing > 0 || barrier.bytes != 0) return;
    barrier.parity ^= 1;
    barrier.missing = barrier.arrivals;
    ++machine.progress;
}

inline void arrive(MemoryBarrier& barrier) {
    if (barrier.missing == 0) fail("more arrivals at a memory barrier than it expects");
    --barrier.missing;
    ++machine.progress;
    end_phase(barrier);
}

// The numbers of a line of the box, in its chunks' exchanged order; zero outside of the array.
inline void copy_line(const BoxCopy& copy, int line) {
    const TensorMap& map = copy.map;
    long long at = map.strides[1] * (copy.corner[1] + line);
    bool there = copy.corner[1] + line >= 0 && copy.corner[1] + line < map.sizes[1];
    for (int axis = 2; axis < map.rank; ++axis) {
        there = there && copy.corner[axis] >= 0 && copy.corner[axis] < map.sizes[axis];
        at += map.strides[axis] * copy.corner[axis];
    }
    for (int i = 0; i < map.box[0]; ++i) {
        const long long along = copy.corner[0] + i;
        const long plain = copy.place + line * 128L + static_cast<long>(i) * map.element;
        unsigned char* to = &machine.shared[static_cast<std::size_t>(plain ^ (plain >> 7 & 7) << 4)];
        std::memset(to, 0, static_cast<std::size_t>(map.element));
        if (!there || along < 0 || along >= map.sizes[0]) continue;
        const char* from = map.base + at + along * map.element;
        check_array(from, static_cast<std::size_t>(map.element), "box");
        std::memcpy(to, from, static_cast<std::size_t>(map.element));
    }
}

inline void finish_copies(MemoryBarrier& barrier) {
    for (const BoxCopy& copy : barrier.copies) {
        for (int line = 0; line < copy.map.box[1]; ++line) copy_line(copy, line);
        barrier.bytes -= copy.map.box[1] * 128L;
    }
    barrier.copies.clear();
    if (barrier.bytes < 0) fail("more bytes at a memory barrier than were announced");
    end_phase(barrier);
}

inline void start_copy(int barrier, BoxCopy copy) {
    if (copy.place % 1024 != 0) fail("a box at a place that is no multiple of 1024");
    check_shared(copy.place, copy.map.box[1] * 128L, "box");
    std::memset(&machine.shared[static_cast<std::size_t>(copy.place)], 0xff,
                static_cast<std::size_t>(copy.map.box[1]) * 128);
    barrier_at(barrier).copies.push_back(std::move(copy));
    ++machine.progress;
}

template <class... I>
void start_box(int place, const TensorMap& map, int barrier, I... at) {
    if (map.rank != static_cast<int>(sizeof...(at))) fail("a box with another number of axes");
    if (map.box[0] * map.element != 128) fail("a box whose lines have not 128 bytes");
    start_copy(barrier, {place, map, {at...}});
}

// At the start of each thread block.
inline void new_tile() {
    bulk = Bulk();
}
static const bool kHooked = (machine.new_tile = new_tile, true);

}  // namespace emulator

static inline bool is_producer() {
    return emulator::machine.current >= emulator::machine.computing;
}
static inline bool is_one_of_producers() {
    return emulator::machine.current == emulator::machine.computing;
}
static inline bool is_first_thread() {
    return emulator::machine.current == 0;
}
static inline void sync_everybody() {
    emulator::Bulk& bulk = emulator::bulk;
    const long generation = bulk.generation;
    if (++bulk.everybody == static_cast<int>(emulator::machine.fibers.size())) {
        bulk.everybody = 0;
        ++bulk.generation;
        ++emulator::machine.progress;
    } else {
        while (bulk.generation == generation) emulator::pause();
    }
}
static inline void sync_warp() {
    const std::uint32_t in = 0;
    std::uint32_t out = 0;
    emulator::collective(&in, 1, &out, 1, [](emulator::Warp&) {});
}

// Registers of each thread when the launch begins: as many as all of them can have, in steps of eight.
inline int registers_at_first() {
    return 65536 / static_cast<int>(emulator::machine.fibers.size()) / 8 * 8;
}
// Of all groups, if the present thread's group has `count` for each thread.
inline int registers_with(int count) {
    emulator::Machine& m = emulator::machine;
    int sum = 0;
    for (int group = 0; group < static_cast<int>(m.fibers.size()) / 128; ++group) {
        const auto found = emulator::bulk.registers.find(group);
        const int own = found == emulator::bulk.registers.end() ? registers_at_first() : found->second;
        sum += group == m.current / 128 ? count : own;
    }
    return sum;
}
// setmaxnreg moves what the launch has: who asks for more than is free waits.
template <int N>
inline void set_registers() {
    static_assert(N % 8 == 0 && N >= 24 && N <= 256);
    emulator::Machine& m = emulator::machine;
    const int all = registers_at_first() * (static_cast<int>(m.fibers.size()) / 128);
    while (registers_with(N) > all) emulator::pause();
    if (emulator::bulk.registers[m.current / 128] != N) ++m.progress;
    emulator::bulk.registers[m.current / 128] = N;
}
template <int N>
inline void fewer_registers() {
    if (N > registers_at_first()) emulator::fail("fewer registers that are more");
    set_registers<N>();
}
template <int N>
inline void more_registers() {
    if (N < registers_at_first()) emulator::fail("more registers that are fewer");
    set_registers<N>();
}

static inline void barrier_init(int place, int arrivals) {
    emulator::check_shared(place, 8, "memory barrier");
    emulator::bulk.barriers[place] = {arrivals, arrivals, 0, 0, {}};
}
static inline void publish_barriers() {}
static inline void barrier_arrive(int place) {
    emulator::arrive(emulator::barrier_at(place));
}
static inline void barrier_expect(int place, int bytes) {
    emulator::MemoryBarrier& barrier = emulator::barrier_at(place);
    barrier.bytes += bytes;
    emulator::arrive(barrier);
}
static inline void barrier_wait(int place, int parity) {
    emulator::MemoryBarrier& barrier = emulator::barrier_at(place);
    while (barrier.parity == parity) {
        if (barrier.missing == 0 && !barrier.copies.empty())
            emulator::finish_copies(barrier);
        else
            emulator::pause();
    }
}
template <class... I>
inline void copy_box(int place, const TensorMap& map, int barrier, I... at) {
    emulator::start_box(place, map, barrier, static_cast<long long>(at)...);
}
