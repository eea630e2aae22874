// Runs generated CUDA on a CPU, as strictly as the language allows it to be understood: every thread is a
// fiber that runs until it reaches a barrier or an instruction of its whole warp. Shared memory starts as
// NaN, everything outside of it and of the arrays is an error, and a thread block that waits for ever is one,
// too. Included before the tile library and the kernels, which are then ordinary C++.
//
// Here is what base.cuh takes from the device. Declarations only, and no headers of C++: to read those took
// longer than to compile the kernels. The machine itself is compiled once, when the tests are built.
#pragma once

#define BLOCKSCOPE_EMULATED
#define DEVICE inline
#define UNROLL
#define INFINITY_F __builtin_inff()
#define KERNEL static void

extern "C" {
float cosf(float) noexcept;
float erff(float) noexcept;
float expf(float) noexcept;
float fabsf(float) noexcept;
float floorf(float) noexcept;
float fmaf(float, float, float) noexcept;
float fmaxf(float, float) noexcept;
float fminf(float, float) noexcept;
float logf(float) noexcept;
float powf(float, float) noexcept;
float sinf(float) noexcept;
float sqrtf(float) noexcept;
float tanhf(float) noexcept;
}

namespace emulator {

// What launches may touch from now on: `count` arrays with these sizes. Forgets the last error.
void begin(void* const* arrays, const long long* bytes, int count);
// Runs `tiles` thread blocks of a kernel, the last one first: nothing may depend on their order.
// `computing` of the threads take part in sync(). Returns whether nothing went wrong.
bool run_launch(void (*body)(void**), void** arguments, long long tiles, int threads, int shared_bytes,
                int computing);
// What went wrong; empty if nothing did.
const char* error();

void check_array(const void* at, unsigned long bytes, const char* what);

}  // namespace emulator

int thread_index();
long long tile_index();
void sync();

float bits_to_float(unsigned int bits);
unsigned int float_to_bits(float x);
float half_to_float(unsigned short bits);
unsigned short float_to_half(float x);

float shuffle_xor(float x, int mask);
inline bool any_of_warp(bool holds) {
    float any = holds ? 1.0f : 0.0f;
    for (int mask = 1; mask < 32; mask *= 2) any = fmaxf(any, shuffle_xor(any, mask));
    return any > 0;
}
inline float rounded_product(float x, float y) {
    return x * y;
}
float shared_read(int index);
void shared_write(int index, float x);
void shared_read4(int index, float (&x)[4]);

template <class T>
inline T global_read(const T* from) {
    emulator::check_array(from, sizeof(T), "read");
    return *from;
}
template <class T>
inline void global_write(T* to, T x) {
    emulator::check_array(to, sizeof(T), "write");
    *to = x;
}
void global_add(float* to, float x);

float exp2_fast(float x);
float reciprocal_fast(float x);
float sqrt_fast(float x);
float rsqrtf(float x);
