// What bulk.cuh takes from the device: threads that only copy, memory barriers, boxes. A box is copied as
// late as the language allows, when somebody waits for its barrier, and its place holds NaN from the start of
// the copy on.
#pragma once

#include "tensor_map.h"

#define MAP const TensorMap
#define TMA_KERNEL static void

namespace emulator {

void start_box(int place, const TensorMap& map, int barrier, const long long* corner, int axes);
void fewer_registers(int count);
void more_registers(int count);

}  // namespace emulator

bool is_producer();
bool is_one_of_producers();
bool is_first_thread();
void sync_everybody();
void sync_warp();

// setmaxnreg moves what the launch has: who asks for more than is free waits.
template <int N>
inline void fewer_registers() {
    static_assert(N % 8 == 0 && N >= 24 && N <= 256);
    emulator::fewer_registers(N);
}
template <int N>
inline void more_registers() {
    static_assert(N % 8 == 0 && N >= 24 && N <= 256);
    emulator::more_registers(N);
}

void barrier_init(int place, int arrivals);
void publish_barriers();
void barrier_arrive(int place);
void barrier_expect(int place, int bytes);
void barrier_wait(int place, int parity);
template <class... I>
inline void copy_box(int place, const TensorMap& map, int barrier, I... at) {
    const long long corner[] = {static_cast<long long>(at)...};
    emulator::start_box(place, map, barrier, corner, static_cast<int>(sizeof...(at)));
}
