// Tiles in shared memory: operands of products on their way to the tensor cores. A tile's lines are 128 bytes of
// neighbours in global memory, and wider tiles are panels of such lines. The 16-byte chunks of a line are
// exchanged by its number, so that copies and ldmatrix meet no bank twice.
#pragma once

#ifndef BLOCKSCOPE_EMULATED
DEVICE unsigned int shared_address(int place) { return (unsigned int)__cvta_generic_to_shared(shared_bytes + place); }

// Starts a copy of BYTES (4, 8 or 16) to `place` in shared memory: `bytes` of them from global memory, then zeros.
template <int BYTES>
DEVICE void copy_async(int place, const void* from, int bytes) {
    if (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(place)), "l"(from),
                     "r"(bytes)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(shared_address(place)), "l"(from),
                     "r"(bytes), "n"(BYTES)
                     : "memory");
}
// What the thread has started since the last commit() is one group.
DEVICE void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// Until at most N groups of this thread are on their way.
template <int N>
DEVICE void wait_for_copies() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }

// Four matrices of 8 x 8 numbers of 16 bits: lane l says where line l % 8 of matrix l / 8 is. A thread gets two
// neighbours of line lane / 4 of each, or of column lane / 4.
DEVICE void load_matrices(unsigned int (&to)[4], int place) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(place))
                 : "memory");
}
DEVICE void load_matrices_transposed(unsigned int (&to)[4], int place) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(place))
                 : "memory");
}
// 32 bits at `place`, a multiple of four.
DEVICE unsigned int shared_read_word(int place) { return *(const unsigned int*)(shared_bytes + place); }
DEVICE void shared_write_word(int place, unsigned int bits) { *(unsigned int*)(shared_bytes + place) = bits; }

// What this thread has written to shared memory is there for wgmma, too.
DEVICE void show_writes() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Two numbers rounded to 16 bits each, `low` in the lower half.
template <class T>
DEVICE unsigned int pack(float low, float high);
template <>
DEVICE unsigned int pack<f16>(float low, float high) {
    unsigned int bits;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return bits;
}
template <>
DEVICE unsigned int pack<bf16>(float low, float high) {
    unsigned int bits;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(bits) : "f"(high), "f"(low));
    return bits;
}
#endif

DEVICE float low_half(f16, unsigned int bits) { return to_float(f16{(unsigned short)bits}); }
DEVICE float high_half(f16, unsigned int bits) { return to_float(f16{(unsigned short)(bits >> 16)}); }
DEVICE float low_half(bf16, unsigned int bits) { return bits_to_float(bits << 16); }
DEVICE float high_half(bf16, unsigned int bits) { return bits_to_float(bits & 0xffff0000u); }

// Whatever of this thread's copies has to be there is, and all other threads' too: all but the last N groups.
// Nobody still reads what was read before.
template <int N>
DEVICE void arrive() {
    wait_for_copies<N>();
    sync();
}

DEVICE constexpr int padded(int n, int to) { return (n + to - 1) / to * to; }

// An R x C block of T (8, 16 or 32 bits) at `place` in shared memory, of which rows x cols are there and the rest is
// zero. Its lines are its rows or, if it is TRANSPOSED, its columns.
template <class T, int R, int C, bool TRANSPOSED>
struct SharedTile {
    static constexpr int kRows = R, kCols = C;
    static constexpr int kLines = padded(TRANSPOSED ? C : R, TRANSPOSED ? 16 : ROW_LINES);
    static constexpr int kLength = padded(TRANSPOSED ? R : C, sizeof(T) == 1 ? 32 : 16);  // what products take
    static constexpr int kChunk = 16 / (int)sizeof(T);  // numbers in 16 bytes
    int place;
    int rows, cols;

    // Where the number at this place of a line is, in bytes.
    DEVICE int at(int line, int along) const {
        const unsigned int l = (unsigned int)line, a = (unsigned int)along, chunk = a / kChunk;
        return place + (int)(chunk / 8 * (kLines * 128) + l * 128 + ((chunk ^ l) & 7) * 16 +
                             a % kChunk * (unsigned int)sizeof(T));
    }
    DEVICE int lines_there() const { return TRANSPOSED ? cols : rows; }
    DEVICE int length_there() const { return TRANSPOSED ? rows : cols; }
};

DEVICE int clamped(int x, int most) { return x < 0 ? 0 : x < most ? x : most; }

// Starts to copy a tile from global memory, where its lines are `step` numbers apart: BYTES at once, which is
// what line and step are multiples of.
template <int BYTES, class T, int R, int C, bool TRANSPOSED>
DEVICE void fetch(const SharedTile<T, R, C, TRANSPOSED>& to, const T* from, long long step) {
    using To = SharedTile<T, R, C, TRANSPOSED>;
    constexpr int kAtOnce = BYTES / (int)sizeof(T), kPerLine = To::kLength / kAtOnce;
    constexpr int kCopies = To::kLines * kPerLine, kLinesAtOnce = THREADS / kPerLine;
    if constexpr (THREADS % kPerLine == 0 && kLinesAtOnce % 8 == 0) {
        // All copies of a thread have one place in the line and one exchange: what they share is computed once.
        const int line = thread_index() / kPerLine, along = thread_index() % kPerLine * kAtOnce;
        const int place = to.at(line, along), bytes = clamped(to.length_there() - along, kAtOnce) * (int)sizeof(T);
        const T* const start = from + line * step + along;
        UNROLL for (int i = 0; i < padded(To::kLines, kLinesAtOnce) / kLinesAtOnce; ++i) {
            const int lines = i * kLinesAtOnce;
            if (To::kLines % kLinesAtOnce != 0 && line + lines >= To::kLines) continue;
            const int there = line + lines < to.lines_there() ? bytes : 0;
            copy_async<BYTES>(place + lines * 128, there > 0 ? start + lines * step : from, there);
        }
    } else {
        UNROLL for (int i = 0; i < padded(kCopies, THREADS) / THREADS; ++i) {
            const int at = i * THREADS + thread_index();
            if (kCopies % THREADS != 0 && at >= kCopies) continue;
            const int line = at / kPerLine, along = at % kPerLine * kAtOnce;
            const int there = line < to.lines_there() ? clamped(to.length_there() - along, kAtOnce) : 0;
            copy_async<BYTES>(to.at(line, along), there > 0 ? from + line * step + along : from,
                              there * (int)sizeof(T));
        }
    }
}

// The same, one number after the other: for arrays whose lines are not aligned, or of another type.
template <class T, int R, int C, bool TRANSPOSED, class S>
DEVICE void convert(const SharedTile<T, R, C, TRANSPOSED>& to, const S* from, long long step) {
    constexpr int kAtOnce = sizeof(T) == 1 ? 4 : 2, kPerLine = SharedTile<T, R, C, TRANSPOSED>::kLength / kAtOnce;
    for (int at = thread_index(); at < to.kLines * kPerLine; at += THREADS) {
        const int line = at / kPerLine, along = at % kPerLine * kAtOnce;
        float x[kAtOnce];
        UNROLL for (int i = 0; i < kAtOnce; ++i)
            x[i] = line < to.lines_there() && along + i < to.length_there()
                       ? to_float(global_read(from + line * step + along + i))
                       : 0.0f;
        if constexpr (sizeof(T) == 1) {
            unsigned int word = 0;
            UNROLL for (int i = 0; i < kAtOnce; ++i) word |= (unsigned int)FromFloat<T>::of(x[i]).bits << 8 * i;
            shared_write_word(to.at(line, along), word);
        } else {
            write_pair(to, line, along, x[0], x[1]);
        }
    }
}
template <class T, int R, int C, bool TRANSPOSED>
DEVICE void write_pair(const SharedTile<T, R, C, TRANSPOSED>& to, int line, int along, float first, float second) {
    shared_write_word(to.at(line, along), pack<T>(first, second));
}
template <int R, int C, bool TRANSPOSED>
DEVICE void write_pair(const SharedTile<float, R, C, TRANSPOSED>& to, int line, int along, float first, float second) {
    shared_write_word(to.at(line, along), float_to_bits(first));
    shared_write_word(to.at(line, along + 1), float_to_bits(second));
}

// A computed block as a tile of T: what is to be the right operand of a product.
template <class T, int R, int C>
DEVICE SharedTile<T, R, C, false> as_tile(const Block<R, C>& from, int place) {
    const SharedTile<T, R, C, false> to{place, from.rows, from.cols};
    sync();
    UNROLL for (int i = 0; i < from.kI; ++i)
        UNROLL for (int j = 0; j < to.kLength / kLanes; j += 2) {
            float x[2] = {0.0f, 0.0f};
            UNROLL for (int part = 0; part < 2; ++part)
                if (j < from.kJ && from.row(i) < from.rows && from.col(j + part) < from.cols)
                    x[part] = from.v[i][j < from.kJ ? j + part : 0];
            if (from.row(i) < to.kLines) write_pair(to, from.row(i), from.col(j), x[0], x[1]);
        }
    if (WARP_SPECIALISED) show_writes();
    sync();
    return to;
}

// A block in global memory, pair by pair: lines and `step` are multiples of two.
template <class T, int R, int C>
DEVICE void store_pairs(const Block<R, C>& from, T* to, long long step) {
    UNROLL for (int i = 0; i < from.kI; ++i)
        UNROLL for (int j = 0; j < from.kJ; j += 2) {
            T* const place = to + from.row(i) * step + from.col(j);
            if (from.row(i) >= from.rows || from.col(j) >= from.cols) continue;
            if (from.col(j) + 1 < from.cols)
                global_write((unsigned int*)place, pack<T>(from.v[i][j], from.v[i][j + 1]));
            else
                global_write(place, FromFloat<T>::of(from.v[i][j]));
        }
}
