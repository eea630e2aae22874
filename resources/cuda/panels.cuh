// Products in float32. Both operands pass through shared memory in panels of kDepth columns.
#pragma once

// Columns of a panel for operands with this many rows in all; PANEL_FLOATS is what the launch has room for.
template <int ROWS>
constexpr int kPanelDepth = ROWS * (32 + 4) <= PANEL_FLOATS   ? 32
                            : ROWS * (16 + 4) <= PANEL_FLOATS ? 16
                            : ROWS * (8 + 4) <= PANEL_FLOATS  ? 8
                                                              : 4;

// Columns first .. first + DEPTH of an operand, padded with zeros to ROWS rows, at `place` in shared memory.
template <int ROWS, int DEPTH, class V>
DEVICE void stage(int place, const V& from, int first) {
    for (int at = thread_index(); at < ROWS * DEPTH; at += THREADS) {
        // Neighbouring threads read neighbours in memory.
        const bool along = from.col_step == 1;
        const int row = along ? at / DEPTH : at % ROWS;
        const int col = along ? at % DEPTH : at / ROWS;
        shared_write(place + row * (DEPTH + 4) + col, from.at(row, first + col));
    }
}
template <int ROWS, int DEPTH, int R, int C>
DEVICE void stage(int place, const Block<R, C>& from, int first) {
    UNROLL for (int i = 0; i < from.kI; ++i)
        UNROLL for (int j = 0; j < from.kJ; ++j) {
            const int col = from.col(j) - first;
            const bool there = from.row(i) < from.rows && from.col(j) < from.cols;
            if (col >= 0 && col < DEPTH && from.row(i) < ROWS)
                shared_write(place + from.row(i) * (DEPTH + 4) + col, there ? from.v[i][j] : 0.0f);
        }
    // A block of 16 columns fills half of a panel of 32.
    const int filled = from.kAllCols - first;
    for (int at = thread_index(); filled < DEPTH && at < ROWS * (DEPTH - filled); at += THREADS)
        shared_write(place + at / (DEPTH - filled) * (DEPTH + 4) + filled + at % (DEPTH - filled), 0.0f);
}

// to += a @ b.T
template <int R, int C, class A, class B>
DEVICE void add_dot(Block<R, C>& to, const A& a, const B& b) {
    constexpr int kI = Block<R, C>::kI, kJ = Block<R, C>::kJ;
    constexpr int kRowsA = Block<R, C>::kAllRows, kRowsB = Block<R, C>::kAllCols;
    constexpr int kDepth = kPanelDepth<kRowsA + kRowsB>;
    constexpr int kPanelB = kRowsA * (kDepth + 4);
    to.rows = a.rows, to.cols = b.rows;
    UNROLL for (int first = 0; first < A::kCols; first += kDepth) {
        sync();
        stage<kRowsA, kDepth>(0, a, first);
        stage<kRowsB, kDepth>(kPanelB, b, first);
        sync();
        for (int k = 0; k < kDepth; k += 4) {
            float right[kJ][4];
            UNROLL for (int j = 0; j < kJ; ++j)
                shared_read4(kPanelB + to.col(j) * (kDepth + 4) + k, right[j]);
            UNROLL for (int i = 0; i < kI; ++i) {
                float left[4];
                shared_read4(to.row(i) * (kDepth + 4) + k, left);
                UNROLL for (int j = 0; j < kJ; ++j)
                    UNROLL for (int part = 0; part < 4; ++part) to.v[i][j] += left[part] * right[j][part];
            }
        }
    }
}
template <class A, class B>
DEVICE Block<A::kRows, B::kRows> dot(const A& a, const B& b) {
    Block<A::kRows, B::kRows> to = filled_block<A::kRows, B::kRows>(0.0f, a.rows, b.rows);
    add_dot(to, a, b);
    return to;
}
