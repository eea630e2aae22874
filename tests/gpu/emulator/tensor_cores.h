// What tiles.cuh and mma.cuh take from the device: copies that are under way, ldmatrix and mma.sync by their
// tables in the PTX manual. A copy is done as late as the language allows, and until then its place holds
// NaN.
#pragma once

#include "emulator.h"

namespace emulator {

void copy_async(int bytes_at_once, int place, const void* from, int bytes);
void wait_for_copies(int groups);

// Puts the DEPTH / 8 neighbours that a register holds at `step` from each other.
using Unpack = void (*)(unsigned int bits, float* to, int step);
// 16 x depth by depth x 8: `d` are the numbers that the product is added to.
void multiply(int depth, float (&d)[4], const unsigned int (&left)[4], unsigned int right0,
              unsigned int right1, Unpack unpack);

}  // namespace emulator

template <int BYTES>
inline void copy_async(int place, const void* from, int bytes) {
    emulator::copy_async(BYTES, place, from, bytes);
}
void commit();
template <int N>
inline void wait_for_copies() {
    emulator::wait_for_copies(N);
}

void load_matrices(unsigned int (&to)[4], int place);
void load_matrices_transposed(unsigned int (&to)[4], int place);
unsigned int shared_read_word(int place);
void shared_write_word(int place, unsigned int bits);
void show_writes();
unsigned int shared_address(int place);
unsigned int to_tf32(float x);

template <class T>
struct FromFloat;  // base.cuh
template <class T>
inline unsigned int pack(float low, float high) {
    return FromFloat<T>::of(low).bits | static_cast<unsigned int>(FromFloat<T>::of(high).bits) << 16;
}

// m16n8k16 of two types of 16 bits, m16n8k32 of two types of 8 bits, m16n8k8 of tf32, which ignores the lower
// bits.
template <class T>
inline void mma(T, float& d0, float& d1, float& d2, float& d3, const unsigned int (&left)[4],
                unsigned int right0, unsigned int right1) {
    float d[4] = {d0, d1, d2, d3};
    if constexpr (sizeof(T) == 2)
        emulator::multiply(16, d, left, right0, right1, [](unsigned int bits, float* to, int step) {
            to[0] = to_float(T{static_cast<unsigned short>(bits)});
            to[step] = to_float(T{static_cast<unsigned short>(bits >> 16)});
        });
    else if constexpr (sizeof(T) == 1)
        emulator::multiply(32, d, left, right0, right1, [](unsigned int bits, float* to, int step) {
            for (int i = 0; i < 4; ++i) to[i * step] = to_float(T{static_cast<unsigned char>(bits >> 8 * i)});
        });
    else
        emulator::multiply(8, d, left, right0, right1, [](unsigned int bits, float* to, int) {
            *to = bits_to_float(bits & 0xffffe000u);
        });
    d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3];
}
