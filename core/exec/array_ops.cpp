#include "core/exec/array_ops.h"

#include <type_traits>

#include "core/exec/dense.h"

namespace blockscope {

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

// Doubles subtract the row's maximum first, so that this is the reference for numerically safe programs
// too; in exact arithmetic that changes nothing and would only cost.
template <class S>
void ArrayOps<S>::softmax(const S* a, S* result, std::size_t rows, std::size_t n) {
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
void ArrayOps<S>::rmsnorm(const ArrayOp& op, const S* a, const S* weight, S* result, std::size_t rows,
                          std::size_t n) {
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
void ArrayOps<S>::layernorm(const ArrayOp& op, const S* a, const S* weight, const S* bias, S* result,
                            std::size_t rows, std::size_t n) {
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
void ArrayOps<S>::row_reduce(ArrayOpKind kind, const S* a, S* result, std::size_t rows, std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i) {
        const S* row = a + i * n;
        result[i] = kind == ArrayOpKind::RowMax ? largest(row, n) : sum(row, n);
        if (kind == ArrayOpKind::RowMean) result[i] = divide(result[i], count<S>(n));
    }
}

template <class S>
void ArrayOps<S>::outer(const S* a, const S* b, S* result, std::size_t rows, std::size_t n) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < n; ++j) result[i * n + j] = a[i] * b[j];
}

template struct ArrayOps<double>;
template struct ArrayOps<Exact>;

}  // namespace blockscope
