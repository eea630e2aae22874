#include "core/exec/array_ops.h"

#include <algorithm>
#include <thread>
#include <type_traits>
#include <vector>

namespace blockscope {

namespace {

constexpr std::size_t kRows = 4;   // of c that are summed at once, in registers
constexpr std::size_t kCols = 32;  // the same for columns
constexpr double kThreaded = 3e7;  // multiply-adds from which threads pay

// The instruction set is chosen when the program starts; sanitizers know nothing of that mechanism (ifunc).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define BLOCKSCOPE_CLONES __attribute__((target_clones("avx512f", "arch=haswell", "default"), optimize("O3")))
#else
#define BLOCKSCOPE_CLONES
#endif

// kRows x kCols of c; `b` is packed: kCols numbers for each step of `inner`.
BLOCKSCOPE_CLONES
void tile(const double* a, std::size_t a_step, const double* b, std::size_t inner, double* c) {
    double sums[kRows][kCols] = {};
    for (std::size_t l = 0; l < inner; ++l) {
        const double* row = b + l * kCols;
        for (std::size_t i = 0; i < kRows; ++i) {
            const double x = a[i * a_step + l];
            for (std::size_t j = 0; j < kCols; ++j) sums[i][j] += x * row[j];
        }
    }
    for (std::size_t i = 0; i < kRows; ++i)
        for (std::size_t j = 0; j < kCols; ++j) c[i * kCols + j] = sums[i][j];
}

struct Product {
    const double* a;
    const double* b;
    double* c;
    std::size_t rows, inner, cols;

    // Columns from `first` on, at most kCols, packed and filled up with zeros.
    void pack(std::size_t first, std::vector<double>& packed) const {
        const std::size_t width = std::min(kCols, cols - first);
        packed.assign(inner * kCols, 0);
        for (std::size_t l = 0; l < inner; ++l)
            std::copy_n(b + l * cols + first, width, packed.data() + l * kCols);
    }

    // The columns from `first` on of rows [from, to).
    void panel(std::size_t first, const std::vector<double>& packed, std::size_t from, std::size_t to) const {
        const std::size_t width = std::min(kCols, cols - first);
        double result[kRows * kCols];
        std::vector<double> last;  // rows of a, filled up with zeros
        for (std::size_t i = from; i < to; i += kRows) {
            const std::size_t height = std::min(kRows, to - i);
            const double* rows_of_a = a + i * inner;
            if (height < kRows) {
                last.assign(kRows * inner, 0);
                std::copy_n(rows_of_a, height * inner, last.data());
                rows_of_a = last.data();
            }
            tile(rows_of_a, inner, packed.data(), inner, result);
            for (std::size_t r = 0; r < height; ++r)
                std::copy_n(result + r * kCols, width, c + (i + r) * cols + first);
        }
    }

    // Every `stride`-th panel from the one with this number on.
    void panels(std::size_t number, std::size_t stride) const {
        std::vector<double> packed;
        for (std::size_t first = number * kCols; first < cols; first += stride * kCols) {
            pack(first, packed);
            panel(first, packed, 0, rows);
        }
    }
};

}  // namespace

void multiply(const double* a, const double* b, double* c, std::size_t rows, std::size_t inner,
              std::size_t cols) {
    const Product product{a, b, c, rows, inner, cols};
    const double work = static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(cols);
    const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t threads =
        work < kThreaded ? 1 : std::min<std::size_t>({most, 16, (cols + kCols - 1) / kCols});
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back([&, i] { product.panels(i, threads); });
    product.panels(0, threads);
    for (std::thread& other : others) other.join();
}

namespace {

template <class S>
S sum(const S* a, std::size_t n) {
    S total{};
    for (std::size_t i = 0; i < n; ++i) total = total + a[i];
    return total;
}

template <class S>
S largest(const S* a, std::size_t n) {
    S result = a[0];
    for (std::size_t i = 1; i < n; ++i) result = apply(Fn::Max, result, a[i]);
    return result;
}

template <class S>
S divide(S a, S b) {
    return apply(Fn::Div, a, b);
}

template <class S>
S count(std::size_t n) {
    return scalar_from<S>(static_cast<double>(n));
}

// Doubles subtract the row's maximum first, so that this is the reference for numerically safe programs
// too; in exact arithmetic that changes nothing and would only cost.
template <class S>
void softmax(const S* a, S* result, std::size_t rows, std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i) {
        S shift{};
        if constexpr (std::is_same_v<S, double>) shift = largest(a + i * n, n);
        S* row = result + i * n;
        for (std::size_t j = 0; j < n; ++j) row[j] = apply(Fn::Exp, a[i * n + j] - shift);
        const S total = sum(row, n);
        for (std::size_t j = 0; j < n; ++j) row[j] = divide(row[j], total);
    }
}

template <class S>
void rmsnorm(const ArrayOp& op, const S* a, const S* weight, S* result, std::size_t rows, std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i) {
        const S* row = a + i * n;
        S squares{};
        for (std::size_t j = 0; j < n; ++j) squares = squares + row[j] * row[j];
        if (!op.paper_form) squares = divide(squares, count<S>(n)) + scalar_from<S>(op.epsilon);
        const S root = apply(Fn::Sqrt, squares);
        for (std::size_t j = 0; j < n; ++j) {
            const S value = divide(row[j], root);
            result[i * n + j] = weight ? value * weight[j] : value;
        }
    }
}

// The variance as the mean of (x - mean)^2, which equals the paper's E[x^2] - mean^2 and cancels less.
template <class S>
void layernorm(const ArrayOp& op, const S* a, const S* weight, const S* bias, S* result, std::size_t rows,
               std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i) {
        const S* row = a + i * n;
        const S mean = divide(sum(row, n), count<S>(n));
        S variance{};
        for (std::size_t j = 0; j < n; ++j) variance = variance + (row[j] - mean) * (row[j] - mean);
        variance = divide(variance, count<S>(n));
        if (!op.paper_form) variance = variance + scalar_from<S>(op.epsilon);
        const S root = apply(Fn::Sqrt, variance);
        for (std::size_t j = 0; j < n; ++j) {
            S value = divide(row[j] - mean, root);
            if (weight) value = value * weight[j];
            result[i * n + j] = bias ? value + bias[j] : value;
        }
    }
}

template <class S>
void row_reduce(ArrayOpKind kind, const S* a, S* result, std::size_t rows, std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i) {
        const S* row = a + i * n;
        result[i] = kind == ArrayOpKind::RowMax ? largest(row, n) : sum(row, n);
        if (kind == ArrayOpKind::RowMean) result[i] = divide(result[i], count<S>(n));
    }
}

}  // namespace

template <class S>
void ArrayOps<S>::matmul(const S* a, const S* b, S* result, std::size_t rows, std::size_t k, std::size_t n) {
    if constexpr (std::is_same_v<S, double>) return multiply(a, b, result, rows, k, n);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            S total{};
            for (std::size_t l = 0; l < k; ++l) total = total + a[i * k + l] * b[l * n + j];
            result[i * n + j] = total;
        }
}

template <class S>
void ArrayOps<S>::transpose(const S* a, S* result, std::size_t rows, std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < n; ++j) result[j * rows + i] = a[i * n + j];
}

template <class S>
void ArrayOps<S>::outer(const S* a, const S* b, S* result, std::size_t rows, std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < n; ++j) result[i * n + j] = a[i] * b[j];
}

template <class S>
void ArrayOps<S>::by_rows(const ArrayOp& op, const std::array<const S*, 3>& operands, S* result,
                          std::size_t rows, std::size_t n) {
    const auto [a, weight, bias] = operands;
    switch (op.kind) {
        case ArrayOpKind::Softmax:
            return softmax(a, result, rows, n);
        case ArrayOpKind::RmsNorm:
            return rmsnorm(op, a, weight, result, rows, n);
        case ArrayOpKind::LayerNorm:
            return layernorm(op, a, weight, bias, result, rows, n);
        case ArrayOpKind::RowSum:
        case ArrayOpKind::RowMean:
        case ArrayOpKind::RowMax:
            return row_reduce(op.kind, a, result, rows, n);
        default:
            throw InternalError(describe(op.kind) + " does not work row by row");
    }
}

template struct ArrayOps<double>;
template struct ArrayOps<Exact>;

}  // namespace blockscope
