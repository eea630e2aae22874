// Block operators other than products: the same code for every way in which blocks lie in registers.
// A thread knows row(i) and col(j) of the numbers v[i][j] that it holds; the lanes of a row are neighbours.
#pragma once

// ---- From and to global memory.

template <class V>
DEVICE Block<V::kRows, V::kCols> load(const V& from) {
    Block<V::kRows, V::kCols> to;
    to.rows = from.rows, to.cols = from.cols;
    UNROLL for (int i = 0; i < to.kI; ++i)
        UNROLL for (int j = 0; j < to.kJ; ++j) to.v[i][j] = from.at(to.row(i), to.col(j));
    return to;
}
template <int R, class T>
DEVICE Rows<R> load_rows(const T* from, int rows, long long step) {
    Rows<R> to;
    to.rows = rows;
    UNROLL for (int i = 0; i < to.kI; ++i)
        to.v[i] = to.row(i) < rows ? to_float(global_read(from + to.row(i) * step)) : 0.0f;
    return to;
}
template <int C, class T>
DEVICE Cols<C> load_cols(const T* from, int cols, long long step) {
    Cols<C> to;
    to.cols = cols;
    UNROLL for (int j = 0; j < to.kJ; ++j)
        to.v[j] = to.col(j) < cols ? to_float(global_read(from + to.col(j) * step)) : 0.0f;
    return to;
}
template <class T>
DEVICE float load_scalar(const T* from) { return to_float(global_read(from)); }

template <class T, int R, int C>
DEVICE void store(const Block<R, C>& from, T* to, long long row_step, long long col_step) {
    UNROLL for (int i = 0; i < from.kI; ++i)
        UNROLL for (int j = 0; j < from.kJ; ++j)
            if (from.row(i) < from.rows && from.col(j) < from.cols)
                global_write(to + from.row(i) * row_step + from.col(j) * col_step, FromFloat<T>::of(from.v[i][j]));
}
template <class T, int R>
DEVICE void store(const Rows<R>& from, T* to, long long step) {
    UNROLL for (int i = 0; i < from.kI; ++i)
        if (my_lane() == 0 && from.row(i) < from.rows)
            global_write(to + from.row(i) * step, FromFloat<T>::of(from.v[i]));
}
template <class T, int C>
DEVICE void store(const Cols<C>& from, T* to, long long step) {
    UNROLL for (int j = 0; j < from.kJ; ++j)
        if (my_band() == 0 && from.col(j) < from.cols)
            global_write(to + from.col(j) * step, FromFloat<T>::of(from.v[j]));
}
template <class T>
DEVICE void store(float from, T* to) {
    if (thread_index() == 0) global_write(to, FromFloat<T>::of(from));
}

// A block of rows x cols from one of cols x rows.
template <class O, class I>
DEVICE void transpose(O* to, long long to_row_step, long long to_col_step, const I* from, long long from_row_step,
                      long long from_col_step, int rows, int cols) {
    for (int at = thread_index(); at < rows * cols; at += THREADS) {
        const int row = at / cols, col = at % cols;
        const float x = to_float(global_read(from + col * from_row_step + row * from_col_step));
        global_write(to + row * to_row_step + col * to_col_step, FromFloat<O>::of(x));
    }
}

// ---- Element by element. A scalar operand is the same everywhere.

template <int R, int C>
DEVICE Block<R, C> filled_block(float value, int rows, int cols) {
    Block<R, C> to;
    to.rows = rows, to.cols = cols;
    UNROLL for (int i = 0; i < to.kI; ++i)
        UNROLL for (int j = 0; j < to.kJ; ++j) to.v[i][j] = value;
    return to;
}
template <int R>
DEVICE Rows<R> filled_rows(float value, int rows) {
    Rows<R> to;
    to.rows = rows;
    UNROLL for (int i = 0; i < to.kI; ++i) to.v[i] = value;
    return to;
}
template <int C>
DEVICE Cols<C> filled_cols(float value, int cols) {
    Cols<C> to;
    to.cols = cols;
    UNROLL for (int j = 0; j < to.kJ; ++j) to.v[j] = value;
    return to;
}

template <int R, int C>
DEVICE float element(const Block<R, C>& a, int i, int j) { return a.v[i][j]; }
DEVICE float element(float a, int, int) { return a; }
template <int R>
DEVICE float element(const Rows<R>& a, int i) { return a.v[i]; }
template <int C>
DEVICE float element(const Cols<C>& a, int j) { return a.v[j]; }
DEVICE float element(float a, int) { return a; }

// `shape` is one of the operands that are no scalars.
template <class F, int R, int C, class... A>
DEVICE Block<R, C> map(const F& f, const Block<R, C>& shape, const A&... a) {
    Block<R, C> to;
    to.rows = shape.rows, to.cols = shape.cols;
    UNROLL for (int i = 0; i < to.kI; ++i)
        UNROLL for (int j = 0; j < to.kJ; ++j) to.v[i][j] = f(element(a, i, j)...);
    return to;
}
template <class F, int R, class... A>
DEVICE Rows<R> map(const F& f, const Rows<R>& shape, const A&... a) {
    Rows<R> to;
    to.rows = shape.rows;
    UNROLL for (int i = 0; i < to.kI; ++i) to.v[i] = f(element(a, i)...);
    return to;
}
template <class F, int C, class... A>
DEVICE Cols<C> map(const F& f, const Cols<C>& shape, const A&... a) {
    Cols<C> to;
    to.cols = shape.cols;
    UNROLL for (int j = 0; j < to.kJ; ++j) to.v[j] = f(element(a, j)...);
    return to;
}

template <class A>
DEVICE A add(const A& a, const A& b) {
    return map([](float x, float y) { return x + y; }, a, a, b);
}
DEVICE float add(float a, float b) { return a + b; }
template <class A>
DEVICE A mul(const A& a, const A& b) {
    return map([](float x, float y) { return x * y; }, a, a, b);
}
DEVICE float mul(float a, float b) { return a * b; }

template <int R, int C>
DEVICE Block<R, C> row_shift(Block<R, C> a, const Rows<R>& c) {
    UNROLL for (int i = 0; i < a.kI; ++i) UNROLL for (int j = 0; j < a.kJ; ++j) a.v[i][j] += c.v[i];
    return a;
}
template <int R, int C>
DEVICE Block<R, C> row_scale(Block<R, C> a, const Rows<R>& c) {
    UNROLL for (int i = 0; i < a.kI; ++i) UNROLL for (int j = 0; j < a.kJ; ++j) a.v[i][j] *= c.v[i];
    return a;
}
// exp(factor * a + c) along rows, -c being a maximum of factor * a: a multiply-add and an exponential of base 2 an
// element. Where a mask or a bias hides all of a row so far, c is -1e30 or so, and its product by log2 e is rounded by far
// more than exponents differ. Then a is multiplied and rounded as the maximum was, and the difference of both is exact.
template <int R, int C>
DEVICE Block<R, C> row_exponential(Block<R, C> a, const Rows<R>& c, float factor = 1.0f) {
    constexpr float kLog2E = 1.44269504f, kFar = 1024.0f;
    bool far = false;
    UNROLL for (int i = 0; i < a.kI; ++i) far = far || fabsf(c.v[i]) > kFar;
    if (any_of_warp(far)) {
        UNROLL for (int i = 0; i < a.kI; ++i)
            UNROLL for (int j = 0; j < a.kJ; ++j)
                a.v[i][j] = exp2_fast((rounded_product(a.v[i][j], factor) + c.v[i]) * kLog2E);
        return a;
    }
    UNROLL for (int i = 0; i < a.kI; ++i) {
        const float by = factor * kLog2E, shift = c.v[i] * kLog2E;
        UNROLL for (int j = 0; j < a.kJ; ++j) a.v[i][j] = exp2_fast(fmaf(a.v[i][j], by, shift));
    }
    return a;
}
template <int R>
DEVICE Rows<R> scaled(Rows<R> a, float factor) {
    UNROLL for (int i = 0; i < a.kI; ++i) a.v[i] = rounded_product(a.v[i], factor);
    return a;
}
// A maximum that moves only by so much that exponentials relative to it grow by 256 or more: sums of exponentials are
// right relative to any number, and most tiles need not scale them.
template <int R>
DEVICE Rows<R> lagging_max(Rows<R> a, const Rows<R>& b) {
    constexpr float kBy = 5.54517744f;  // ln 256
    UNROLL for (int i = 0; i < a.kI; ++i) a.v[i] = b.v[i] > a.v[i] + kBy ? b.v[i] : a.v[i];
    return a;
}
// row_scale by numbers that are 1 unless a running maximum has moved: a warp without such a row has nothing to do.
template <int R, int C>
DEVICE Block<R, C> row_rescale(Block<R, C> a, const Rows<R>& c) {
    bool moved = false;
    UNROLL for (int i = 0; i < a.kI; ++i) moved = moved || c.v[i] != 1.0f;
    return any_of_warp(moved) ? row_scale(a, c) : a;
}
template <int R, int C>
DEVICE Block<R, C> col_shift(Block<R, C> a, const Cols<C>& r) {
    UNROLL for (int i = 0; i < a.kI; ++i) UNROLL for (int j = 0; j < a.kJ; ++j) a.v[i][j] += r.v[j];
    return a;
}
template <int R, int C>
DEVICE Block<R, C> col_scale(Block<R, C> a, const Cols<C>& r) {
    UNROLL for (int i = 0; i < a.kI; ++i) UNROLL for (int j = 0; j < a.kJ; ++j) a.v[i][j] *= r.v[j];
    return a;
}
template <int R, int C>
DEVICE Block<R, C> outer(const Rows<R>& c, const Cols<C>& r) {
    Block<R, C> to;
    to.rows = c.rows, to.cols = r.cols;
    UNROLL for (int i = 0; i < to.kI; ++i)
        UNROLL for (int j = 0; j < to.kJ; ++j) to.v[i][j] = c.v[i] * r.v[j];
    return to;
}

// ---- Along rows: the kLanes lanes of a row are neighbours in a warp.

DEVICE float lanes_sum(float x) {
    UNROLL for (int mask = 1; mask < kLanes; mask *= 2) x += shuffle_xor(x, mask);
    return x;
}
DEVICE float lanes_max(float x) {
    UNROLL for (int mask = 1; mask < kLanes; mask *= 2) x = fmaxf(x, shuffle_xor(x, mask));
    return x;
}
// f over a row's numbers in a thread, in COURSES chains that are joined in the end: none waits for the others.
template <int COURSES, class F, int R, int C>
DEVICE float folded(const F& f, const Block<R, C>& a, int i, float outside) {
    constexpr int kCount = COURSES < Block<R, C>::kJ ? COURSES : Block<R, C>::kJ;
    float x[kCount];
    UNROLL for (int j = 0; j < a.kJ; ++j) {
        const float one = a.col(j) < a.cols ? a.v[i][j] : outside;
        x[j % kCount] = j < kCount ? one : f(x[j % kCount], one);
    }
    UNROLL for (int step = 1; step < kCount; step *= 2)
        UNROLL for (int at = 0; at + step < kCount; at += 2 * step) x[at] = f(x[at], x[at + step]);
    return x[0];
}
template <int COURSES = 1, int R, int C>
DEVICE Rows<R> row_sum(const Block<R, C>& a) {
    Rows<R> to;
    to.rows = a.rows;
    UNROLL for (int i = 0; i < a.kI; ++i)
        to.v[i] = lanes_sum(folded<COURSES>([](float x, float y) { return x + y; }, a, i, 0.0f));
    return to;
}
template <int COURSES = 1, int R, int C>
DEVICE Rows<R> row_max(const Block<R, C>& a) {
    Rows<R> to;
    to.rows = a.rows;
    UNROLL for (int i = 0; i < a.kI; ++i)
        to.v[i] = lanes_max(folded<COURSES>([](float x, float y) { return fmaxf(x, y); }, a, i, -INFINITY_F));
    return to;
}

// Pairs (x, y) of a row become (-y, x). Those of rotate_half stand half a row apart, and the row is all there is of its
// dimension: C columns. Where a thread does not hold both, it looks at what every other lane of the row holds.
template <int R, int C>
DEVICE float half_a_row_away(const Block<R, C>& a, int i, int col) {
    const int wanted = col < C / 2 ? col + C / 2 : col - C / 2;
    float found = 0.0f;
    for (int mask = 0; mask < kLanes; ++mask)
        UNROLL for (int j = 0; j < a.kJ; ++j) {
            const float x = shuffle_xor(a.v[i][j], mask);
            if (a.col_of(my_lane() ^ mask, j) == wanted) found = x;
        }
    return found;
}
template <int R, int C>
DEVICE Block<R, C> rotate_half(const Block<R, C>& a) {
    Block<R, C> to;
    to.rows = a.rows, to.cols = a.cols;
    constexpr int kHalf = Block<R, C>::kJ / 2;
    UNROLL for (int i = 0; i < to.kI; ++i)
        UNROLL for (int j = 0; j < to.kJ; ++j) {
            const float other = Block<R, C>::kHalvesMeet ? a.v[i][j < kHalf ? j + kHalf : j - kHalf]
                                                         : half_a_row_away(a, i, a.col(j));
            to.v[i][j] = a.col(j) < C / 2 ? -other : other;
        }
    return to;
}
template <int R, int C>
DEVICE Block<R, C> rotate_pairs(const Block<R, C>& a) {
    Block<R, C> to;
    to.rows = a.rows, to.cols = a.cols;
    UNROLL for (int i = 0; i < to.kI; ++i)
        UNROLL for (int j = 0; j < to.kJ; ++j) {
            const float other = a.neighbour(i, j);
            to.v[i][j] = a.col(j) % 2 == 0 ? -other : other;
        }
    return to;
}

// The largest number of any thread, in all threads.
DEVICE float all_max(float x) {
    UNROLL for (int mask = 1; mask < 32; mask *= 2) x = fmaxf(x, shuffle_xor(x, mask));
    sync();
    if (thread_index() % 32 == 0) shared_write(thread_index() / 32, x);
    sync();
    UNROLL for (int warp = 0; warp < THREADS / 32; ++warp) x = fmaxf(x, shared_read(warp));
    return x;
}
template <int R, int C>
DEVICE float block_max(const Block<R, C>& a) {
    float most = -INFINITY_F;
    UNROLL for (int i = 0; i < a.kI; ++i)
        UNROLL for (int j = 0; j < a.kJ; ++j)
            if (a.row(i) < a.rows && a.col(j) < a.cols) most = fmaxf(most, a.v[i][j]);
    return all_max(most);
}
template <int R>
DEVICE float block_max(const Rows<R>& a) {
    float most = -INFINITY_F;
    UNROLL for (int i = 0; i < a.kI; ++i)
        if (a.row(i) < a.rows) most = fmaxf(most, a.v[i]);
    return all_max(most);
}
template <int C>
DEVICE float block_max(const Cols<C>& a) {
    float most = -INFINITY_F;
    UNROLL for (int j = 0; j < a.kJ; ++j)
        if (a.col(j) < a.cols) most = fmaxf(most, a.v[j]);
    return all_max(most);
}

// ---- A vector along the other axis, through shared memory.

template <int N>
DEVICE Cols<N> as_cols(const Rows<N>& a) {
    sync();
    UNROLL for (int i = 0; i < a.kI; ++i)
        if (my_lane() == 0) shared_write(a.row(i), a.v[i]);
    sync();
    Cols<N> to;
    to.cols = a.rows;
    UNROLL for (int j = 0; j < to.kJ; ++j) to.v[j] = to.col(j) < a.rows ? shared_read(to.col(j)) : 0.0f;
    return to;
}
