// Products by tensor cores: mma.sync m16n8k16 of f16 and bf16, m16n8k8 of tf32, m16n8k32 of e4m3 and e5m2 (sm_89 and
// later), with float32 accumulators.
#pragma once

#ifndef BLOCKSCOPE_EMULATED
// to += left @ right: 16 x 16 by 16 x 8 numbers, spread over the warp.
#define BLOCKSCOPE_MMA(SHAPE, TYPES)                                                             \
    asm volatile("mma.sync.aligned." SHAPE ".row.col.f32." TYPES                                 \
                 ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"          \
                 : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)                                        \
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right0), "r"(right1))
DEVICE void mma(f16, float& d0, float& d1, float& d2, float& d3, const unsigned int (&left)[4], unsigned int right0,
                unsigned int right1) {
    BLOCKSCOPE_MMA("m16n8k16", "f16.f16");
}
DEVICE void mma(bf16, float& d0, float& d1, float& d2, float& d3, const unsigned int (&left)[4], unsigned int right0,
                unsigned int right1) {
    BLOCKSCOPE_MMA("m16n8k16", "bf16.bf16");
}
#if __CUDA_ARCH__ >= 890
// 16 x 32 by 32 x 8 numbers.
DEVICE void mma(e4m3, float& d0, float& d1, float& d2, float& d3, const unsigned int (&left)[4], unsigned int right0,
                unsigned int right1) {
    BLOCKSCOPE_MMA("m16n8k32", "e4m3.e4m3");
}
DEVICE void mma(e5m2, float& d0, float& d1, float& d2, float& d3, const unsigned int (&left)[4], unsigned int right0,
                unsigned int right1) {
    BLOCKSCOPE_MMA("m16n8k32", "e5m2.e5m2");
}
#endif
// 16 x 8 by 8 x 8 numbers.
DEVICE void mma(float, float& d0, float& d1, float& d2, float& d3, const unsigned int (&left)[4], unsigned int right0,
                unsigned int right1) {
    BLOCKSCOPE_MMA("m16n8k8", "tf32.tf32");
}
DEVICE unsigned int to_tf32(float x) {
    unsigned int bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}
#endif

// Columns that one mma takes.
template <class T>
constexpr int kMmaDepth = 32 / (int)sizeof(T);

// 16 rows from `row` and as many columns from `col` of a left operand.
template <class T>
struct Left {
    unsigned int v[4];
};
// The same columns of 16 rows of a right operand: v[0], v[1] of the first eight, v[2], v[3] of the others.
template <class T>
struct Right {
    unsigned int v[4];
};

// In tf32 lane t of a row takes the columns 2t and 2t + 1 of eight where the instruction means t and t + 4: the
// same exchange in both operands leaves the product as it is, and suits accumulators that become operands.
template <int R, int C, bool TRANSPOSED>
DEVICE unsigned int tf32_at(const SharedTile<float, R, C, TRANSPOSED>& a, int row, int col) {
    return to_tf32(bits_to_float(shared_read_word(TRANSPOSED ? a.at(col, row) : a.at(row, col))));
}

template <class T, int R, int C, bool TRANSPOSED>
DEVICE Left<T> left(const SharedTile<T, R, C, TRANSPOSED>& a, int row, int col) {
    Left<T> to;
    const int lane = my_place();
    if constexpr (sizeof(T) == 4) {
        UNROLL for (int i = 0; i < 4; ++i)
            to.v[i] = tf32_at(a, row + lane / 4 + i % 2 * 8, col + lane % 4 * 2 + i / 2);
    } else if constexpr (TRANSPOSED) {
        load_matrices_transposed(to.v, a.at(col + lane % 8 + lane / 16 * 8, row + lane / 8 % 2 * 8));
    } else {
        load_matrices(to.v, a.at(row + lane % 16, col + lane / 16 * a.kChunk));
    }
    return to;
}
template <class T, int R, int C, bool TRANSPOSED>
DEVICE Right<T> right(const SharedTile<T, R, C, TRANSPOSED>& b, int row, int col) {
    Right<T> to;
    const int lane = my_place();
    if constexpr (sizeof(T) == 4) {
        UNROLL for (int i = 0; i < 4; ++i)
            to.v[i] = tf32_at(b, row + lane / 4 + i / 2 * 8, col + lane % 4 * 2 + i % 2);
    } else if constexpr (TRANSPOSED) {
        load_matrices_transposed(to.v, b.at(col + lane % 16, row + lane / 16 * 8));
    } else {
        load_matrices(to.v, b.at(row + lane % 8 + lane / 16 * 8, col + lane / 8 % 2 * b.kChunk));
    }
    return to;
}

// An accumulator becomes an operand where it is: strip `m`, columns from `col`. What lies outside is zero.
template <int R, int C>
DEVICE float inside(const Block<R, C>& a, int i, int j) {
    return j < a.kJ && a.col(j) < a.cols ? a.v[i][j < a.kJ ? j : 0] : 0.0f;
}
template <class T, int R, int C>
DEVICE Left<T> strip(T, const Block<R, C>& a, int m, int col) {
    Left<T> to;
    const int j = col / 4;
    UNROLL for (int part = 0; part < 4; ++part) {
        const int i = 2 * m + part % 2, first = j + part / 2 * 2;
        to.v[part] = pack<T>(inside(a, i, first), inside(a, i, first + 1));
    }
    return to;
}
template <int R, int C>
DEVICE Left<float> strip(float, const Block<R, C>& a, int m, int col) {
    Left<float> to;
    UNROLL for (int part = 0; part < 4; ++part)
        to.v[part] = to_tf32(inside(a, 2 * m + part % 2, col / 4 + part / 2));
    return to;
}
// Warps that a block has no rows for read the first ones instead.
template <class T, int R, int C, bool TRANSPOSED>
DEVICE Left<T> strip(T, const SharedTile<T, R, C, TRANSPOSED>& a, int m, int col) {
    const int row = (m * kWarps + my_warp()) * 16;
    return left(a, row < R ? row : 0, col);
}

// to += a @ b.T; `b` is a tile, `a` one of the same type or a block that is rounded to it.
template <int R, int C, class A, class T, int RB, int CB, bool TRANSPOSED>
DEVICE void add_dot(Block<R, C>& to, const A& a, const SharedTile<T, RB, CB, TRANSPOSED>& b) {
    constexpr int kStrips = Block<R, C>::kStrips, kDepth = kMmaDepth<T>;
    to.rows = a.rows, to.cols = b.rows;
    UNROLL for (int k = 0; k < CB; k += kDepth) {
        Left<T> rows[kStrips];
        UNROLL for (int m = 0; m < kStrips; ++m) rows[m] = strip(T(), a, m, k);
        UNROLL for (int n = 0; n < to.kJ; n += 4) {
            const Right<T> cols = right(b, n * 4, k);
            UNROLL for (int m = 0; m < kStrips; ++m)
                UNROLL for (int half = 0; half < 2; ++half) {
                    const int j = n + 2 * half;
                    if (j < to.kJ)
                        mma(T(), to.v[2 * m][j], to.v[2 * m][j + 1], to.v[2 * m + 1][j], to.v[2 * m + 1][j + 1],
                            rows[m].v, cols.v[2 * half], cols.v[2 * half + 1]);
                }
        }
    }
}

// A product that is still to be computed: where it is added to a block.
template <class A, class B>
struct Delayed {
    const A& a;
    B b;
};
template <class A, class B>
DEVICE Delayed<A, B> delayed_dot(const A& a, const B& b) {
    return Delayed<A, B>{a, b};
}
template <int R, int C, class A, class B>
DEVICE Block<R, C> add(Block<R, C> to, const Delayed<A, B>& product) {
    add_dot(to, product.a, product.b);
    return to;
}

// A tile's numbers in registers.
template <class T, int R, int C, bool TRANSPOSED>
DEVICE Block<R, C> load(const SharedTile<T, R, C, TRANSPOSED>& from) {
    Block<R, C> to;
    to.rows = from.rows, to.cols = from.cols;
    if constexpr (sizeof(T) == 1) {  // ldmatrix deals these out in fours, where a thread holds pairs
        UNROLL for (int i = 0; i < to.kI; ++i)
            UNROLL for (int j = 0; j < to.kJ; ++j) {
                const int row = to.row(i) < R ? to.row(i) : 0, col = to.col(j) < C ? to.col(j) : 0;
                const int place = TRANSPOSED ? from.at(col, row) : from.at(row, col);
                to.v[i][j] = to_float(T{(unsigned char)(shared_read_word(place & ~3) >> place % 4 * 8)});
            }
        return to;
    } else {
    UNROLL for (int m = 0; m < to.kStrips; ++m)
        UNROLL for (int j = 0; j < to.kJ; j += 4) {
            const Left<T> four = strip(T(), from, m, j * 4);
            UNROLL for (int part = 0; part < 4; ++part) {
                const int i = 2 * m + part % 2, first = j + part / 2 * 2;
                if (first >= to.kJ) continue;
                to.v[i][first] = low_half(T(), four.v[part]);
                to.v[i][first + 1] = high_half(T(), four.v[part]);
            }
        }
    return to;
    }
}
template <int R, int C, bool TRANSPOSED>
DEVICE Block<R, C> load(const SharedTile<float, R, C, TRANSPOSED>& from) {
    Block<R, C> to;
    to.rows = from.rows, to.cols = from.cols;
    UNROLL for (int i = 0; i < to.kI; ++i)
        UNROLL for (int j = 0; j < to.kJ; ++j) {
            const int row = to.row(i) < R ? to.row(i) : 0, col = to.col(j) < C ? to.col(j) : 0;
            to.v[i][j] = bits_to_float(shared_read_word(TRANSPOSED ? from.at(col, row) : from.at(row, col)));
        }
    return to;
}
