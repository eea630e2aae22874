// The same operators on the host, one thread with blocks of doubles: what stand-alone files check a card with. It
// stands in a namespace of its own behind a copy of base.cuh, and the lines of the plain target follow it.
#pragma once

template <int R, int C>
struct Block {
    std::vector<double> v;
    int rows = 0, cols = 0;
    double& at(int row, int col) { return v[(std::size_t)row * C + col]; }
    double at(int row, int col) const { return v[(std::size_t)row * C + col]; }
};
template <int R>
struct Rows {
    std::vector<double> v;
    int rows = 0;
};
template <int C>
struct Cols {
    std::vector<double> v;
    int cols = 0;
};

// ---- From and to memory.

template <int R, int C, class F>
Block<R, C> made(int rows, int cols, const F& f) {
    Block<R, C> to{std::vector<double>((std::size_t)R * C), rows, cols};
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col) to.at(row, col) = f(row, col);
    return to;
}
template <int R, class F>
Rows<R> made_rows(int rows, const F& f) {
    Rows<R> to{std::vector<double>(R), rows};
    for (int row = 0; row < rows; ++row) to.v[row] = f(row);
    return to;
}
template <int C, class F>
Cols<C> made_cols(int cols, const F& f) {
    Cols<C> to{std::vector<double>(C), cols};
    for (int col = 0; col < cols; ++col) to.v[col] = f(col);
    return to;
}

template <class V>
Block<V::kRows, V::kCols> load(const V& from) {
    return made<V::kRows, V::kCols>(from.rows, from.cols, [&](int row, int col) { return from.at(row, col); });
}
template <int R, class T>
Rows<R> load_rows(const T* from, int rows, long long step) {
    return made_rows<R>(rows, [&](int row) { return to_float(from[row * step]); });
}
template <int C, class T>
Cols<C> load_cols(const T* from, int cols, long long step) {
    return made_cols<C>(cols, [&](int col) { return to_float(from[col * step]); });
}
template <class T>
float load_scalar(const T* from) { return to_float(*from); }

template <class T>
void put(T* to, double x) { *to = FromFloat<T>::of((float)x); }
inline void put(Added* to, double x) { to->value += (float)x; }

template <class T, int R, int C>
void store(const Block<R, C>& from, T* to, long long row_step, long long col_step) {
    for (int row = 0; row < from.rows; ++row)
        for (int col = 0; col < from.cols; ++col)
            put(to + row * row_step + col * col_step, from.at(row, col));
}
template <class T, int R>
void store(const Rows<R>& from, T* to, long long step) {
    for (int row = 0; row < from.rows; ++row) put(to + row * step, from.v[row]);
}
template <class T, int C>
void store(const Cols<C>& from, T* to, long long step) {
    for (int col = 0; col < from.cols; ++col) put(to + col * step, from.v[col]);
}
template <class T>
void store(double from, T* to) { put(to, from); }

template <class O, class I>
void transpose(O* to, long long to_row_step, long long to_col_step, const I* from, long long from_row_step,
               long long from_col_step, int rows, int cols) {
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col)
            to[row * to_row_step + col * to_col_step] =
                FromFloat<O>::of(to_float(from[col * from_row_step + row * from_col_step]));
}

// ---- Element by element.

template <int R, int C>
Block<R, C> filled_block(double value, int rows, int cols) {
    return made<R, C>(rows, cols, [&](int, int) { return value; });
}
template <int R>
Rows<R> filled_rows(double value, int rows) {
    return made_rows<R>(rows, [&](int) { return value; });
}
template <int C>
Cols<C> filled_cols(double value, int cols) {
    return made_cols<C>(cols, [&](int) { return value; });
}

template <int R, int C>
double element(const Block<R, C>& a, int row, int col) { return a.at(row, col); }
inline double element(double a, int, int) { return a; }
template <int R>
double element(const Rows<R>& a, int i) { return a.v[i]; }
template <int C>
double element(const Cols<C>& a, int i) { return a.v[i]; }
inline double element(double a, int) { return a; }

template <class F, int R, int C, class... A>
Block<R, C> map(const F& f, const Block<R, C>& shape, const A&... a) {
    return made<R, C>(shape.rows, shape.cols, [&](int row, int col) { return f(element(a, row, col)...); });
}
template <class F, int R, class... A>
Rows<R> map(const F& f, const Rows<R>& shape, const A&... a) {
    return made_rows<R>(shape.rows, [&](int i) { return f(element(a, i)...); });
}
template <class F, int C, class... A>
Cols<C> map(const F& f, const Cols<C>& shape, const A&... a) {
    return made_cols<C>(shape.cols, [&](int i) { return f(element(a, i)...); });
}

template <class A>
A add(const A& a, const A& b) {
    return map([](double x, double y) { return x + y; }, a, a, b);
}
inline float add(float a, float b) { return a + b; }
template <class A>
A mul(const A& a, const A& b) {
    return map([](double x, double y) { return x * y; }, a, a, b);
}
inline float mul(float a, float b) { return a * b; }

template <int R, int C>
Block<R, C> row_shift(const Block<R, C>& a, const Rows<R>& c) {
    return made<R, C>(a.rows, a.cols, [&](int row, int col) { return a.at(row, col) + c.v[row]; });
}
template <int R, int C>
Block<R, C> row_scale(const Block<R, C>& a, const Rows<R>& c) {
    return made<R, C>(a.rows, a.cols, [&](int row, int col) { return a.at(row, col) * c.v[row]; });
}
template <int R, int C>
Block<R, C> col_shift(const Block<R, C>& a, const Cols<C>& r) {
    return made<R, C>(a.rows, a.cols, [&](int row, int col) { return a.at(row, col) + r.v[col]; });
}
template <int R, int C>
Block<R, C> col_scale(const Block<R, C>& a, const Cols<C>& r) {
    return made<R, C>(a.rows, a.cols, [&](int row, int col) { return a.at(row, col) * r.v[col]; });
}
template <int R, int C>
Block<R, C> outer(const Rows<R>& c, const Cols<C>& r) {
    return made<R, C>(c.rows, r.cols, [&](int row, int col) { return c.v[row] * r.v[col]; });
}
template <int N>
Cols<N> as_cols(const Rows<N>& a) { return Cols<N>{a.v, a.rows}; }

// ---- Along rows, and products.

template <int R, int C>
Rows<R> row_sum(const Block<R, C>& a) {
    return made_rows<R>(a.rows, [&](int row) {
        double sum = 0;
        for (int col = 0; col < a.cols; ++col) sum += a.at(row, col);
        return sum;
    });
}
template <int R, int C>
Rows<R> row_max(const Block<R, C>& a) {
    return made_rows<R>(a.rows, [&](int row) {
        double most = -INFINITY;
        for (int col = 0; col < a.cols; ++col) most = std::fmax(most, a.at(row, col));
        return most;
    });
}
template <int R, int C>
float block_max(const Block<R, C>& a) {
    double most = -INFINITY;
    for (int row = 0; row < a.rows; ++row)
        for (int col = 0; col < a.cols; ++col) most = std::fmax(most, a.at(row, col));
    return (float)most;
}
template <int R>
float block_max(const Rows<R>& a) {
    double most = -INFINITY;
    for (int row = 0; row < a.rows; ++row) most = std::fmax(most, a.v[row]);
    return (float)most;
}
template <int C>
float block_max(const Cols<C>& a) {
    double most = -INFINITY;
    for (int col = 0; col < a.cols; ++col) most = std::fmax(most, a.v[col]);
    return (float)most;
}

template <int R, int C>
Block<R, C> rotate_half(const Block<R, C>& a) {
    return made<R, C>(a.rows, a.cols, [&](int row, int col) {
        return col < a.cols / 2 ? -a.at(row, col + a.cols / 2) : a.at(row, col - a.cols / 2);
    });
}
template <int R, int C>
Block<R, C> rotate_pairs(const Block<R, C>& a) {
    return made<R, C>(a.rows, a.cols,
                      [&](int row, int col) { return col % 2 == 0 ? -a.at(row, col + 1) : a.at(row, col - 1); });
}

template <int R, int C>
const Block<R, C>& numbers(const Block<R, C>& a) { return a; }
template <class V>
Block<V::kRows, V::kCols> numbers(const V& a) { return load(a); }

template <int R, int C, int K>
void add_product(Block<R, C>& to, const Block<R, K>& a, const Block<C, K>& b) {
    to.rows = a.rows, to.cols = b.rows;
    for (int row = 0; row < a.rows; ++row)
        for (int col = 0; col < b.rows; ++col) {
            double sum = 0;
            for (int k = 0; k < a.cols; ++k) sum += a.at(row, k) * b.at(col, k);
            to.at(row, col) += sum;
        }
}
template <int R, int C, class A, class B>
void add_dot(Block<R, C>& to, const A& a, const B& b) { add_product(to, numbers(a), numbers(b)); }
template <int R, int C, int K>
Block<R, C> product(const Block<R, K>& a, const Block<C, K>& b) {
    Block<R, C> to = filled_block<R, C>(0, a.rows, b.rows);
    add_product(to, a, b);
    return to;
}
template <class A, class B>
auto dot(const A& a, const B& b) {
    const auto left = numbers(a);
    const auto right = numbers(b);
    return product(left, right);
}
