// Products by groups of four warps (sm_90a): wgmma.mma_async takes 64 rows at once. Right operands lie in shared
// memory, left ones there or in registers; accumulators are blocks as tensor.cuh lays them out.
#pragma once

#ifndef BLOCKSCOPE_EMULATED
// Registers that the next products use are as the lines above have left them.
DEVICE void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
// Products since the last commit are one group.
DEVICE void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Until at most N groups are under way.
template <int N>
DEVICE void wgmma_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }
// The compiler may not read the number earlier than here.
DEVICE void keep(float& x) { asm volatile("" : "+f"(x)::"memory"); }
#endif

// Columns of the left operand, and rows of the right one's transpose, that one instruction takes: 32 bytes.
template <class T>
constexpr int kWgmmaDepth = 32 / (int)sizeof(T);

// Rows from `row` and columns from `col` of a tile. Lines of 128 bytes lie in groups of eight, 1024 bytes from each
// other, their chunks exchanged as SharedTile::at does; panels of such lines are kLines * 128 bytes apart.
template <class T, int R, int C, bool TRANSPOSED>
DEVICE Descriptor describe(const SharedTile<T, R, C, TRANSPOSED>& tile, int row, int col) {
    constexpr int kPerLine = 128 / (int)sizeof(T), kPanel = SharedTile<T, R, C, TRANSPOSED>::kLines * 128;
    const int along = TRANSPOSED ? row : col, line = TRANSPOSED ? col : row;
    const int place = tile.place + along / kPerLine * kPanel + line * 128 + along % kPerLine * (int)sizeof(T);
    const Descriptor start = (shared_address(place) & 0x3ffffu) >> 4, panel = TRANSPOSED ? kPanel >> 4 : 1;
    return start | panel << 16 | (Descriptor)(1024 >> 4) << 32 | (Descriptor)1 << 62;
}

// A left operand: 64 rows of the present group of warps, strip `m`, columns from `col`. Groups that a tile has no rows
// for read the first ones instead.
template <class T, int R, int C>
DEVICE Left<T> group_rows(T type, const Block<R, C>& a, int m, int col) {
    return strip(type, a, m, col);
}
template <class T, int R, int C, bool TRANSPOSED>
DEVICE Descriptor group_rows(T, const SharedTile<T, R, C, TRANSPOSED>& a, int m, int col) {
    const int row = (m * kWarps + my_warp() / 4 * 4) * 16;
    return describe(a, row < R ? row : 0, col);
}

// One step of a product for 64 rows and all columns from number FIRST of the thread on: 256 at most at once.
template <bool LEFT_TRANSPOSED, int FIRST, int KJ, class A, class T, int R, int C, bool TRANSPOSED>
DEVICE void group_step(float (&upper)[KJ], float (&lower)[KJ], const A& a, const SharedTile<T, R, C, TRANSPOSED>& b,
                       int col) {
    constexpr int kLeft = (KJ - FIRST) * 4, kColumns = kLeft < 256 ? kLeft : 256, kNext = FIRST + kColumns / 4;
    wgmma<LEFT_TRANSPOSED, TRANSPOSED, FIRST>(T(), Size<kColumns>(), upper, lower, a, describe(b, FIRST * 4, col));
    if constexpr (kNext < KJ) group_step<LEFT_TRANSPOSED, kNext>(upper, lower, a, b, col);
}

template <class A>
constexpr bool kTransposed = false;
template <class T, int R, int C>
constexpr bool kTransposed<SharedTile<T, R, C, true>> = true;

// to += a @ b.T, as add_dot of mma.cuh.
template <int R, int C, class A, class T, int RB, int CB, bool TRANSPOSED>
DEVICE void add_group_dot(Block<R, C>& to, const A& a, const SharedTile<T, RB, CB, TRANSPOSED>& b) {
    constexpr int kStrips = Block<R, C>::kStrips, kDepth = kWgmmaDepth<T>, kSteps = (CB + kDepth - 1) / kDepth;
    to.rows = a.rows, to.cols = b.rows;
    decltype(group_rows(T(), a, 0, 0)) rows[kStrips][kSteps];
    UNROLL for (int m = 0; m < kStrips; ++m)
        UNROLL for (int k = 0; k < kSteps; ++k) rows[m][k] = group_rows(T(), a, m, k * kDepth);
    // Copies of accumulators where branches join are done before the fence.
    UNROLL for (int i = 0; i < to.kI; ++i) UNROLL for (int j = 0; j < to.kJ; ++j) keep(to.v[i][j]);
    wgmma_fence();
    UNROLL for (int m = 0; m < kStrips; ++m)
        UNROLL for (int k = 0; k < kSteps; ++k)
            group_step<kTransposed<A>, 0>(to.v[2 * m], to.v[2 * m + 1], rows[m][k], b, k * kDepth);
    wgmma_commit();
    wgmma_wait<0>();
    UNROLL for (int i = 0; i < to.kI; ++i) UNROLL for (int j = 0; j < to.kJ; ++j) keep(to.v[i][j]);
}
template <class A, class B>
DEVICE Block<A::kRows, B::kRows> group_dot(const A& a, const B& b) {
    Block<A::kRows, B::kRows> to = filled_block<A::kRows, B::kRows>(0.0f, a.rows, b.rows);
    add_group_dot(to, a, b);
    return to;
}

// A product that is still to be computed: where it is added to a block.
template <class A, class B>
struct DelayedByGroup {
    const A& a;
    B b;
};
template <class A, class B>
DEVICE DelayedByGroup<A, B> delayed_group_dot(const A& a, const B& b) {
    return DelayedByGroup<A, B>{a, b};
}
template <int R, int C, class A, class B>
DEVICE Block<R, C> add(Block<R, C> to, const DelayedByGroup<A, B>& product) {
    add_group_dot(to, product.a, product.b);
    return to;
}
