// Runs generated CUDA on a CPU, as strictly as the language allows it to be understood: every thread is a
// fiber that runs until it reaches a barrier or an instruction of its whole warp. Shared memory starts as
// NaN, everything outside of it and of the arrays is an error, and a thread block that waits for ever is one,
// too. Included before the tile library and the kernels, which are then ordinary C++.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define BLOCKSCOPE_EMULATED
#define DEVICE inline
#define UNROLL
#define INFINITY_F __builtin_inff()
#define KERNEL static void

namespace emulator {

// ---- Fibers: stacks that are switched by hand (getcontext and its like make two system calls each time).

extern "C" void blockscope_switch(void** save, void* load);
#if defined(__x86_64__)
asm(R"(
.text
.globl blockscope_switch
.type blockscope_switch,@function
blockscope_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size blockscope_switch,.-blockscope_switch
)");
inline void* first_frame(char* top, void (*entry)()) {
    auto address = reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15};
    auto* frame = reinterpret_cast<void**>(address) - 8;
    for (int i = 0; i < 8; ++i) frame[i] = nullptr;
    frame[6] = reinterpret_cast<void*>(entry);  // where the first switch returns to
    return frame;
}
#elif defined(__aarch64__)
asm(R"(
.text
.globl blockscope_switch
.type blockscope_switch,@function
blockscope_switch:
    stp x29, x30, [sp, #-160]!
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x29, x30, [sp], #160
    ret
.size blockscope_switch,.-blockscope_switch
)");
inline void* first_frame(char* top, void (*entry)()) {
    auto address = reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15};
    auto* frame = reinterpret_cast<void**>(address) - 20;
    for (int i = 0; i < 20; ++i) frame[i] = nullptr;
    frame[1] = reinterpret_cast<void*>(entry);
    return frame;
}
#else
#error "the emulator switches stacks on x86-64 and AArch64 only"
#endif

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
    void (*new_tile)() = nullptr;
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

static Machine machine;

inline void pause() {
    blockscope_switch(&machine.fibers[static_cast<std::size_t>(machine.current)].top, machine.scheduler);
}

// The thread stops for good; the launch ends with this error.
inline void fail(const std::string& why) {
    if (machine.error.empty())
        machine.error = why + " (tile " + std::to_string(machine.tile) + ", thread " +
                        std::to_string(machine.current) + ")";
    for (;;) pause();
}

inline void run_thread() {
    machine.body(machine.arguments);
    machine.fibers[static_cast<std::size_t>(machine.current)].done = true;
    ++machine.progress;
    for (;;) pause();
}

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

inline void check_array(const void* at, std::size_t bytes, const char* what) {
    const char* place = static_cast<const char*>(at);
    for (const Range& range : machine.arrays)
        if (place >= range.begin && place + bytes <= range.end) return;
    fail(std::string(what) + " outside of all arrays");
}

inline void check_shared(long index, long bytes, const char* what) {
    if (index < 0 || index + bytes > static_cast<long>(machine.shared.size()))
        fail(std::string(what) + " outside of shared memory");
}

// Until all lanes are done or wait for other warps; `left` says that some are not done.
inline void run_warp(int warp, bool& left) {
    Machine& m = machine;
    for (long progress = m.progress - 1; progress != m.progress;) {
        progress = m.progress;
        for (m.current = warp * 32; m.current < warp * 32 + 32; ++m.current) {
            Fiber& fiber = m.fibers[static_cast<std::size_t>(m.current)];
            if (fiber.done) continue;
            blockscope_switch(&m.scheduler, fiber.top);
            if (!m.error.empty()) return;
        }
    }
    for (int lane = 0; lane < 32; ++lane)
        left = left || !m.fibers[static_cast<std::size_t>(warp * 32 + lane)].done;
}

inline void run_tile(int threads, int shared_bytes) {
    Machine& m = machine;
    m.shared.assign(static_cast<std::size_t>(shared_bytes), 0xff);  // 0xffff and 0xffffffff are NaN
    m.writers.assign(static_cast<std::size_t>(shared_bytes / 4 + 1), 0);
    m.warps.assign(static_cast<std::size_t>(threads / 32), Warp());
    m.fibers.resize(static_cast<std::size_t>(threads));
    if (m.new_tile) m.new_tile();
    m.at_barrier = 0;
    for (Fiber& fiber : m.fibers) {
        fiber.done = false;
        fiber.open.clear();
        fiber.groups.clear();
        fiber.written.clear();
        fiber.top = first_frame(fiber.stack.end(), run_thread);
    }
    // One warp runs as far as it can before the next: nothing but a barrier holds it back. Every other thread
    // block begins with its last warp.
    for (bool left = true; left;) {
        const long progress = m.progress;
        left = false;
        for (int i = 0; i < threads / 32; ++i) {
            run_warp(m.tile % 2 == 0 ? i : threads / 32 - 1 - i, left);
            if (!m.error.empty()) return;
        }
        if (left && progress == m.progress) {
            m.error = "threads wait for each other for ever (tile " + std::to_string(m.tile) + ")";
            return;
        }
    }
}

// Runs `tiles` thread blocks of a kernel, the last one first: nothing may depend on their order.
// `computing` of the threads take part in sync().
inline bool run_launch(void (*body)(void**), void** arguments, long long tiles, int threads, int shared_bytes,
                       int computing) {
    machine.computing = computing;
    machine.body = body;
    machine.arguments = arguments;
    for (machine.tile = tiles - 1; machine.tile >= 0 && machine.error.empty(); --machine.tile)
        run_tile(threads, shared_bytes);
    return machine.error.empty();
}

}  // namespace emulator

// ---- What base.cuh takes from the device.

static inline int thread_index() {
    return emulator::machine.current;
}
static inline long long tile_index() {
    return emulator::machine.tile;
}

static inline void sync() {
    emulator::Machine& m = emulator::machine;
    const long generation = m.barriers;
    if (m.current >= m.computing) emulator::fail("a barrier of threads that compute");
    if (++m.at_barrier == m.computing) {
        m.at_barrier = 0;
        ++m.barriers;
        ++m.progress;
    } else {
        while (m.barriers == generation) emulator::pause();
    }
}

static inline float bits_to_float(unsigned int bits) {
    float x;
    std::memcpy(&x, &bits, 4);
    return x;
}
static inline unsigned int float_to_bits(float x) {
    unsigned int bits;
    std::memcpy(&bits, &x, 4);
    return bits;
}

static inline float shuffle_xor(float x, int mask) {
    const std::uint32_t in = float_to_bits(x);
    std::uint32_t out = 0;
    emulator::collective(&in, 1, &out, 1, [mask](emulator::Warp& warp) {
        for (int lane = 0; lane < 32; ++lane) warp.out[lane][0] = warp.in[lane ^ mask][0];
    });
    return bits_to_float(out);
}

static inline float shared_read(int index) {
    emulator::check_shared(index * 4L, 4, "read");
    float x;
    std::memcpy(&x, &emulator::machine.shared[static_cast<std::size_t>(index) * 4], 4);
    return x;
}
static inline void shared_write(int index, float x) {
    emulator::check_shared(index * 4L, 4, "write");
    std::memcpy(&emulator::machine.shared[static_cast<std::size_t>(index) * 4], &x, 4);
}
static inline void shared_read4(int index, float (&x)[4]) {
    if (index % 4 != 0) emulator::fail("a read of 16 bytes that is not aligned");
    for (int i = 0; i < 4; ++i) x[i] = shared_read(index + i);
}

template <class T>
static inline T global_read(const T* from) {
    emulator::check_array(from, sizeof(T), "read");
    return *from;
}
template <class T>
static inline void global_write(T* to, T x) {
    emulator::check_array(to, sizeof(T), "write");
    *to = x;
}
static inline void global_add(float* to, float x) {
    emulator::check_array(to, sizeof(float), "add");
    *to += x;
}

static inline float exp2_fast(float x) {
    return std::exp2(x);
}

static inline float reciprocal_fast(float x) {
    return 1.0f / x;
}
static inline float sqrt_fast(float x) {
    return std::sqrt(x);
}

// The exponent counts from another number: one product makes up for it, of subnormal numbers, too. (A
// compiler that may not assume instructions for it would call a function.)
static inline float half_to_float(unsigned short bits) {
    const float magnitude = bits_to_float((bits & 0x7fffu) << 13) * 0x1p112f;
    const bool special = (bits & 0x7c00u) == 0x7c00u;
    const unsigned int found = special ? 0x7f800000u | (bits & 0x3ffu) << 13 : float_to_bits(magnitude);
    return bits_to_float(found | (bits & 0x8000u) << 16);
}
static inline unsigned short float_to_half(float x) {
    const auto half = static_cast<_Float16>(x);
    unsigned short bits;
    std::memcpy(&bits, &half, 2);
    return bits;
}

static inline float rsqrtf(float x) {
    return 1.0f / std::sqrt(x);
}
