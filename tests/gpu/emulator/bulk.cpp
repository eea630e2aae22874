#include "bulk.h"

#include <map>

#include "machine.h"

namespace emulator {

namespace {

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
Bulk bulk;

MemoryBarrier& barrier_at(int place) {
    if (place % 8 != 0) fail("a memory barrier that is not aligned");
    check_shared(place, 8, "memory barrier");
    const auto found = bulk.barriers.find(place);
    if (found == bulk.barriers.end()) fail("a memory barrier that was not set up");
    return found->second;
}

void end_phase(MemoryBarrier& barrier) {
    if (barrier.missing > 0 || barrier.bytes != 0) return;
    barrier.parity ^= 1;
    barrier.missing = barrier.arrivals;
    ++machine.progress;
}

void arrive(MemoryBarrier& barrier) {
    if (barrier.missing == 0) fail("more arrivals at a memory barrier than it expects");
    --barrier.missing;
    ++machine.progress;
    end_phase(barrier);
}

// The numbers of a line of the box, in its chunks' exchanged order; zero outside of the array.
void copy_line(const BoxCopy& copy, int line) {
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

void finish_copies(MemoryBarrier& barrier) {
    for (const BoxCopy& copy : barrier.copies) {
        for (int line = 0; line < copy.map.box[1]; ++line) copy_line(copy, line);
        barrier.bytes -= copy.map.box[1] * 128L;
    }
    barrier.copies.clear();
    if (barrier.bytes < 0) fail("more bytes at a memory barrier than were announced");
    end_phase(barrier);
}

void start_copy(int barrier, const BoxCopy& copy) {
    if (copy.place % 1024 != 0) fail("a box at a place that is no multiple of 1024");
    check_shared(copy.place, copy.map.box[1] * 128L, "box");
    std::memset(&machine.shared[static_cast<std::size_t>(copy.place)], 0xff,
                static_cast<std::size_t>(copy.map.box[1]) * 128);
    barrier_at(barrier).copies.push_back(copy);
    ++machine.progress;
}

// Registers of each thread when the launch begins: as many as all of them can have, in steps of eight.
int registers_at_first() {
    return 65536 / static_cast<int>(machine.fibers.size()) / 8 * 8;
}
// Of all groups, if the present thread's group has `count` for each thread.
int registers_with(int count) {
    Machine& m = machine;
    int sum = 0;
    for (int group = 0; group < static_cast<int>(m.fibers.size()) / 128; ++group) {
        const auto found = bulk.registers.find(group);
        const int own = found == bulk.registers.end() ? registers_at_first() : found->second;
        sum += group == m.current / 128 ? count : own;
    }
    return sum;
}
void set_registers(int count) {
    const int all = registers_at_first() * (static_cast<int>(machine.fibers.size()) / 128);
    while (registers_with(count) > all) pause();
    int& own = bulk.registers[machine.current / 128];
    if (own != count) ++machine.progress;
    own = count;
}

}  // namespace

void forget_boxes() {
    bulk = Bulk();
}

void start_box(int place, const TensorMap& map, int barrier, const long long* corner, int axes) {
    if (map.rank != axes) fail("a box with another number of axes");
    if (map.box[0] * map.element != 128) fail("a box whose lines have not 128 bytes");
    BoxCopy copy{place, map, {}};
    for (int axis = 0; axis < axes; ++axis) copy.corner[axis] = corner[axis];
    start_copy(barrier, copy);
}

void fewer_registers(int count) {
    if (count > registers_at_first()) fail("fewer registers that are more");
    set_registers(count);
}

void more_registers(int count) {
    if (count < registers_at_first()) fail("more registers that are fewer");
    set_registers(count);
}

}  // namespace emulator

using namespace emulator;

bool is_producer() {
    return machine.current >= machine.computing;
}
bool is_one_of_producers() {
    return machine.current == machine.computing;
}
bool is_first_thread() {
    return machine.current == 0;
}
void sync_everybody() {
    const long generation = bulk.generation;
    if (++bulk.everybody == static_cast<int>(machine.fibers.size())) {
        bulk.everybody = 0;
        ++bulk.generation;
        ++machine.progress;
    } else {
        while (bulk.generation == generation) pause();
    }
}
void sync_warp() {
    const std::uint32_t in = 0;
    std::uint32_t out = 0;
    collective(&in, 1, &out, 1, [](Warp&) {});
}

void barrier_init(int place, int arrivals) {
    check_shared(place, 8, "memory barrier");
    bulk.barriers[place] = {arrivals, arrivals, 0, 0, {}};
}
void publish_barriers() {}
void barrier_arrive(int place) {
    arrive(barrier_at(place));
}
void barrier_expect(int place, int bytes) {
    MemoryBarrier& barrier = barrier_at(place);
    barrier.bytes += bytes;
    arrive(barrier);
}
void barrier_wait(int place, int parity) {
    MemoryBarrier& barrier = barrier_at(place);
    while (barrier.parity == parity) {
        if (barrier.missing == 0 && !barrier.copies.empty())
            finish_copies(barrier);
        else
            pause();
    }
}
