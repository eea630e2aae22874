// How tiles come ahead of their use on sm_90a: the first THREADS threads compute, and one thread behind them has the
// bulk copy engine (TMA) bring boxes of arrays to shared memory. Memory barriers (mbarrier) tell each side how far the
// other is. Who waits for what is a Ring's business; kernels say acquire, await and release.
#pragma once

using Descriptor = unsigned long long;  // of an operand in shared memory, as wgmma wants it
template <int N>
struct Size {};

#ifndef BLOCKSCOPE_EMULATED
// What the driver makes of an array: cuTensorMapEncodeTiled.
struct alignas(64) TensorMap {
    unsigned char opaque[128];
};
#define MAP const __grid_constant__ TensorMap
#define TMA_KERNEL extern "C" __global__ void __launch_bounds__(THREADS + 128, 1)

DEVICE bool is_producer() { return threadIdx.x >= THREADS; }
DEVICE bool is_one_of_producers() { return threadIdx.x == THREADS; }
DEVICE bool is_first_thread() { return threadIdx.x == 0; }
DEVICE void sync_everybody() { __syncthreads(); }
DEVICE void sync_warp() { __syncwarp(); }
// Registers go from the warps that copy to those that compute; all four warps of a group say so.
template <int N>
DEVICE void fewer_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N)); }
template <int N>
DEVICE void more_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N)); }

// A barrier of 8 bytes at `place`. Each of its phases, of parity 0, 1, 0, ..., ends with so many arrivals and with
// all bytes that were announced.
DEVICE void barrier_init(int place, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(place)), "r"(arrivals) : "memory");
}
// New barriers are there for the copy engine, too.
DEVICE void publish_barriers() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
DEVICE void barrier_arrive(int place) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(place)) : "memory");
}
// Arrives, and announces bytes that the copy engine brings.
DEVICE void barrier_expect(int place, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(place)), "r"(bytes)
                 : "memory");
}
// Until the phase of this parity is over.
DEVICE void barrier_wait(int place, int parity) {
    asm volatile(
        "{\n.reg .pred over;\nagain_%=:\nmbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
        "@over bra done_%=;\nbra again_%=;\ndone_%=:\n}" ::"r"(shared_address(place)),
        "r"(parity)
        : "memory");
}

// Starts to copy a box of an array, whose size and first corner map and coordinates say, to lines of 128 bytes at
// `place`; what lies outside of the array is zero. The barrier hears of the bytes when they are there.
#define BLOCKSCOPE_COPY_BOX(DIMENSIONS, COORDINATES, ...)                                                             \
    asm volatile("cp.async.bulk.tensor." DIMENSIONS                                                                   \
                 ".shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {" COORDINATES "}], [%2];" ::"r"(    \
                     shared_address(place)),                                                                          \
                 "l"(&map), "r"(shared_address(barrier)), __VA_ARGS__                                                 \
                 : "memory")
DEVICE void copy_box(int place, const TensorMap& map, int barrier, int a, int b) {
    BLOCKSCOPE_COPY_BOX("2d", "%3, %4", "r"(a), "r"(b));
}
DEVICE void copy_box(int place, const TensorMap& map, int barrier, int a, int b, int c) {
    BLOCKSCOPE_COPY_BOX("3d", "%3, %4, %5", "r"(a), "r"(b), "r"(c));
}
DEVICE void copy_box(int place, const TensorMap& map, int barrier, int a, int b, int c, int d) {
    BLOCKSCOPE_COPY_BOX("4d", "%3, %4, %5, %6", "r"(a), "r"(b), "r"(c), "r"(d));
}
DEVICE void copy_box(int place, const TensorMap& map, int barrier, int a, int b, int c, int d, int e) {
    BLOCKSCOPE_COPY_BOX("5d", "%3, %4, %5, %6, %7", "r"(a), "r"(b), "r"(c), "r"(d), "r"(e));
}
#endif

// A place in shared memory for STAGES tiles of BYTES, which the producer fills and the consumers free in turn. For
// each stage there is a barrier that says that it is full, and one that says that it is empty; all are empty at
// first. Each side counts for itself.
template <int STAGES, int BYTES>
struct Ring {
    int barriers;
    int stage = 0, phase = 0;

    DEVICE int full() const { return barriers + 8 * stage; }
    DEVICE int empty() const { return barriers + 8 * (STAGES + stage); }
    DEVICE void next() {
        stage = stage + 1 == STAGES ? 0 : stage + 1;
        phase = stage == 0 ? phase ^ 1 : phase;
    }
    DEVICE void init() const {
        for (int i = 0; i < STAGES; ++i) {
            barrier_init(barriers + 8 * i, 1);
            barrier_init(barriers + 8 * (STAGES + i), kWarps);
        }
    }

    // The producer: until the stage is empty; then it announces a tile.
    DEVICE void acquire() const {
        barrier_wait(empty(), phase ^ 1);
        barrier_expect(full(), BYTES);
    }
    // Until all stages are empty: their place is for another ring now.
    DEVICE void drain() const {
        Ring later = *this;
        for (int i = 0; i < STAGES; ++i) {
            barrier_wait(later.empty(), later.phase ^ 1);
            later.next();
        }
    }

    // The consumers: until the tile is there, and when each warp has read it.
    DEVICE void await() const { barrier_wait(full(), phase); }
    DEVICE void release() {
        sync_warp();
        if (my_place() == 0) barrier_arrive(empty());
        next();
    }
};

// Before anything else: all barriers of a kernel.
template <class... R>
DEVICE void set_up(const R&... rings) {
    if (is_first_thread()) {
        (rings.init(), ...);
        publish_barriers();
    }
    sync_everybody();
}

// Boxes of 128 bytes by BOX lines that make a tile, the first one from place `along` of line `line`; `outer` are
// coordinates along the array's other axes.
template <int BOX, class T, int R, int C, bool TRANSPOSED, class... I>
DEVICE void fetch_boxes(const SharedTile<T, R, C, TRANSPOSED>& to, const TensorMap& map, int barrier, int along,
                        int line, I... outer) {
    using To = SharedTile<T, R, C, TRANSPOSED>;
    constexpr int kPerLine = 128 / (int)sizeof(T);
    for (int panel = 0; panel * kPerLine < To::kLength; ++panel)
        copy_box(to.place + panel * To::kLines * 128, map, barrier, along + panel * kPerLine, line, outer...);
}
