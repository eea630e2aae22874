// The scheduler of fibers, and what base.cuh takes from the device.
#include <cmath>

#include "machine.h"

namespace emulator {

Machine machine;

namespace {

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

}  // namespace

void pause() {
    blockscope_switch(&machine.fibers[static_cast<std::size_t>(machine.current)].top, machine.scheduler);
}

void fail(const std::string& why) {
    if (machine.error.empty())
        machine.error = why + " (tile " + std::to_string(machine.tile) + ", thread " +
                        std::to_string(machine.current) + ")";
    for (;;) pause();
}

void run_thread() {
    machine.body(machine.arguments);
    machine.fibers[static_cast<std::size_t>(machine.current)].done = true;
    ++machine.progress;
    for (;;) pause();
}

void check_array(const void* at, unsigned long bytes, const char* what) {
    const char* place = static_cast<const char*>(at);
    for (const Range& range : machine.arrays)
        if (place >= range.begin && place + bytes <= range.end) return;
    fail(std::string(what) + " outside of all arrays");
}

void check_shared(long index, long bytes, const char* what) {
    if (index < 0 || index + bytes > static_cast<long>(machine.shared.size()))
        fail(std::string(what) + " outside of shared memory");
}

// Until all lanes are done or wait for other warps; `left` says that some are not done.
void run_warp(int warp, bool& left) {
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

void run_tile(int threads, int shared_bytes) {
    Machine& m = machine;
    m.shared.assign(static_cast<std::size_t>(shared_bytes), 0xff);  // 0xffff and 0xffffffff are NaN
    m.writers.assign(static_cast<std::size_t>(shared_bytes / 4 + 1), 0);
    m.warps.assign(static_cast<std::size_t>(threads / 32), Warp());
    m.fibers.resize(static_cast<std::size_t>(threads));
    forget_boxes();
    forget_products();
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

bool run_launch(void (*body)(void**), void** arguments, long long tiles, int threads, int shared_bytes,
                int computing) {
    machine.computing = computing;
    machine.body = body;
    machine.arguments = arguments;
    for (machine.tile = tiles - 1; machine.tile >= 0 && machine.error.empty(); --machine.tile)
        run_tile(threads, shared_bytes);
    return machine.error.empty();
}

void begin(void* const* arrays, const long long* bytes, int count) {
    machine.error.clear();
    machine.arrays.clear();
    for (int i = 0; i < count; ++i) {
        const char* first = static_cast<const char*>(arrays[i]);
        machine.arrays.push_back({first, first + bytes[i]});
    }
}

const char* error() {
    return machine.error.c_str();
}

}  // namespace emulator

int thread_index() {
    return emulator::machine.current;
}
long long tile_index() {
    return emulator::machine.tile;
}

void sync() {
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

float bits_to_float(unsigned int bits) {
    float x;
    std::memcpy(&x, &bits, 4);
    return x;
}
unsigned int float_to_bits(float x) {
    unsigned int bits;
    std::memcpy(&bits, &x, 4);
    return bits;
}

float shuffle_xor(float x, int mask) {
    const std::uint32_t in = float_to_bits(x);
    std::uint32_t out = 0;
    emulator::collective(&in, 1, &out, 1, [mask](emulator::Warp& warp) {
        for (int lane = 0; lane < 32; ++lane) warp.out[lane][0] = warp.in[lane ^ mask][0];
    });
    return bits_to_float(out);
}

float shared_read(int index) {
    emulator::check_shared(index * 4L, 4, "read");
    float x;
    std::memcpy(&x, &emulator::machine.shared[static_cast<std::size_t>(index) * 4], 4);
    return x;
}
void shared_write(int index, float x) {
    emulator::check_shared(index * 4L, 4, "write");
    std::memcpy(&emulator::machine.shared[static_cast<std::size_t>(index) * 4], &x, 4);
}
void shared_read4(int index, float (&x)[4]) {
    if (index % 4 != 0) emulator::fail("a read of 16 bytes that is not aligned");
    for (int i = 0; i < 4; ++i) x[i] = shared_read(index + i);
}

void global_add(float* to, float x) {
    emulator::check_array(to, sizeof(float), "add");
    *to += x;
}

float exp2_fast(float x) {
    return std::exp2(x);
}

float reciprocal_fast(float x) {
    return 1.0f / x;
}
float sqrt_fast(float x) {
    return std::sqrt(x);
}

// The exponent counts from another number: one product makes up for it, of subnormal numbers, too. (A
// compiler that may not assume instructions for it would call a function.)
float half_to_float(unsigned short bits) {
    const float magnitude = bits_to_float((bits & 0x7fffu) << 13) * 0x1p112f;
    const bool special = (bits & 0x7c00u) == 0x7c00u;
    const unsigned int found = special ? 0x7f800000u | (bits & 0x3ffu) << 13 : float_to_bits(magnitude);
    return bits_to_float(found | (bits & 0x8000u) << 16);
}
unsigned short float_to_half(float x) {
    const auto half = static_cast<_Float16>(x);
    unsigned short bits;
    std::memcpy(&bits, &half, 2);
    return bits;
}

float rsqrtf(float x) {
    return 1.0f / std::sqrt(x);
}
