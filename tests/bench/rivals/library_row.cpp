#include "tests/bench/rivals/library_row.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/engine/executor.h"
#include "core/engine/simd.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#ifdef __linux__
#include <sched.h>
#endif

#ifdef BLOCKSCOPE_OPENBLAS
#include <cblas.h>
#endif
#ifdef BLOCKSCOPE_ONEDNN
#include <dnnl.hpp>
#endif

namespace blockscope::bench {
namespace {

using engine::op_of;

void unary(Fn fn, float* row, int n) {
    engine::simd().unary[static_cast<int>(op_of(fn))]({row, n, 1, n}, {row, n, false});
}

// row = row fn other; `splat`: other is one number.
void binary(Fn fn, float* row, int n, const float* other, bool splat) {
    engine::simd().binary[static_cast<int>(op_of(fn))][0][splat ? 1 : 0]({row, n, 1, n}, {row, n, false},
                                                                         {other, splat ? 0 : n, splat});
}

float folded(Fn fn, const float* row, int n) {
    float number = 0;
    engine::simd().row_fold[static_cast<int>(fn)](&number, row, n, 1, n, false);
    return number;
}

void softmax(float* row, int n) {
    float number = folded(Fn::Max, row, n);
    binary(Fn::Sub, row, n, &number, true);
    unary(Fn::Exp, row, n);
    number = 1 / folded(Fn::Add, row, n);
    binary(Fn::Mul, row, n, &number, true);
}

// row = silu(row) * other = row * other / (1 + exp(-row))
void silu_times(float* row, const float* other, int n, std::vector<float>& room) {
    room.assign(row, row + n);
    unary(Fn::Neg, room.data(), n);
    unary(Fn::Exp, room.data(), n);
    const float one = 1;
    binary(Fn::Add, room.data(), n, &one, true);
    binary(Fn::Mul, row, n, other, false);
    binary(Fn::Div, row, n, room.data(), false);
}

#ifdef BLOCKSCOPE_ONEDNN
std::function<void()> onednn_product(float* a, float* b, float* c, const std::vector<std::int64_t>& sizes,
                                     bool transposed, float scale) {
    using dnnl::memory;
    static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    static dnnl::stream stream(engine);
    const auto [batch, rows, cols, inner] =
        std::array<std::int64_t, 4>{sizes[0], sizes[1], sizes[2], sizes[3]};
    const auto desc = [](memory::dims dims, memory::format_tag tag) {
        return memory::desc(std::move(dims), memory::data_type::f32, tag);
    };
    const memory::desc left = desc({batch, rows, inner}, memory::format_tag::abc);
    const memory::desc right =
        desc({batch, inner, cols}, transposed ? memory::format_tag::acb : memory::format_tag::abc);
    const memory::desc result = desc({batch, rows, cols}, memory::format_tag::abc);
    dnnl::primitive_attr scaled;
    if (scale != 1) scaled.set_output_scales(0, {scale});
    const dnnl::matmul product({{left, right, result}, scaled, engine});
    const memory from(left, engine, a), with(right, engine, b), to(result, engine, c);
    return [=] {
        product.execute(stream, {{DNNL_ARG_SRC, from}, {DNNL_ARG_WEIGHTS, with}, {DNNL_ARG_DST, to}});
        stream.wait();
    };
}
#endif

#ifdef BLOCKSCOPE_OPENBLAS
std::function<void()> blas_product(float* a, float* b, float* c, const std::vector<std::int64_t>& sizes,
                                   bool transposed, float scale) {
    return [=] {
        const auto rows = static_cast<int>(sizes[1]);
        const auto cols = static_cast<int>(sizes[2]);
        const auto inner = static_cast<int>(sizes[3]);
        for (std::int64_t i = 0; i < sizes[0]; ++i)
            cblas_sgemm(CblasRowMajor, CblasNoTrans, transposed ? CblasTrans : CblasNoTrans, rows, cols,
                        inner, scale, a + i * rows * inner, inner, b + i * inner * cols,
                        transposed ? inner : cols, 0, c + i * rows * cols, cols);
    };
}
#endif

// Each thread of OpenMP on a core of its own, as the engine's threads are; the caller's place is
// Pool::Place's.
void seat_threads(int threads) {
#if defined(_OPENMP) && defined(__linux__)
    if (threads < 2 || threads != engine::usable_cores()) return;
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() > 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(static_cast<std::size_t>(engine::usable_core_numbers()[omp_get_thread_num()]), &set);
        sched_setaffinity(0, sizeof set, &set);
    }
#else
    (void)threads;
#endif
}

}  // namespace

bool has_library([[maybe_unused]] Library library) {
#ifdef BLOCKSCOPE_ONEDNN
    if (library == Library::OneDnn) return true;
#endif
#ifdef BLOCKSCOPE_OPENBLAS
    if (library == Library::OpenBlas) return true;
#endif
    return false;
}

LibraryRow::LibraryRow(const std::string& sample, Library library, const Tensors<double>& inputs, int threads)
    : library_(library), threads_(threads), inputs_(inputs) {
    seat_threads(threads);
#ifdef BLOCKSCOPE_OPENBLAS
    openblas_set_num_threads(threads);
#endif
    if (sample == "attention" || sample == "causal-attention") {
        const Matrix q = input("Q");
        const Matrix scores = product(q, input("K"), true, 1 / std::sqrt(static_cast<float>(q.cols)));
        const std::int64_t rows = scores.rows;
        const std::int64_t beyond = sample == "attention" ? scores.cols : scores.cols - rows;
        each_row(scores, [=](std::int64_t row, float* numbers, int cols) {
            const auto seen =
                static_cast<int>(std::min<std::int64_t>(cols, row % rows + 1 + beyond));  // of a causal mask
            softmax(numbers, seen);
            std::fill(numbers + seen, numbers + cols, 0.0F);
        });
        result_ = product(scores, input("V"));
    } else if (sample == "layernorm-matmul") {
        result_ = product(normed(input("X"), true), input("Y"));
    } else if (sample == "rmsnorm-swiglu") {
        const Matrix x = normed(input("X"), false);
        const Matrix gate = product(x, input("W"));
        gated(gate, product(x, input("V")));
        result_ = product(gate, input("U"));
    } else if (sample == "gated-mlp") {
        const Matrix x = input("X");
        const Matrix gate = product(x, input("Wg"));
        gated(gate, product(x, input("Wu")));
        result_ = product(gate, input("Wd"));
    } else if (sample == "lora") {
        const Matrix x = input("X");
        result_ = product(x, input("W"));
        const Matrix update = product(product(x, input("A")), input("B"), false, 2);
        each_row(result_, [=](std::int64_t row, float* numbers, int cols) {
            binary(Fn::Add, numbers, cols, update.data + row * cols, false);
        });
    } else if (sample.rfind("mcfuser-g", 0) == 0) {
        result_ = product(product(input("A"), input("B")), input("D"));
    } else {
        throw std::runtime_error("no library program for " + sample);
    }
}

Tensor<double> LibraryRow::result(const std::vector<std::int64_t>& shape) const {
    const std::int64_t count = result_.batch * result_.rows * result_.cols;
    return {shape, std::vector<double>(result_.data, result_.data + count)};
}

LibraryRow::Matrix LibraryRow::input(const std::string& name) {
    const Tensor<double>& tensor = inputs_.at(name);
    const std::size_t axes = tensor.shape.size();
    Matrix matrix{1, tensor.shape[axes - 2], tensor.shape[axes - 1], nullptr};
    for (std::size_t i = 0; i + 2 < axes; ++i) matrix.batch *= tensor.shape[i];
    matrix.data = arrays_.emplace_back(tensor.data.begin(), tensor.data.end()).data();
    return matrix;
}

LibraryRow::Matrix LibraryRow::make(std::int64_t batch, std::int64_t rows, std::int64_t cols) {
    return {batch, rows, cols, arrays_.emplace_back(static_cast<std::size_t>(batch * rows * cols)).data()};
}

LibraryRow::Matrix LibraryRow::product(Matrix a, Matrix b, bool transposed, [[maybe_unused]] float scale) {
    const Matrix result = make(a.batch, a.rows, transposed ? b.rows : b.cols);
    const std::vector<std::int64_t> sizes = {a.batch, a.rows, result.cols, a.cols};
#ifdef BLOCKSCOPE_ONEDNN
    if (library_ == Library::OneDnn)
        steps_.push_back(onednn_product(a.data, b.data, result.data, sizes, transposed, scale));
#endif
#ifdef BLOCKSCOPE_OPENBLAS
    if (library_ == Library::OpenBlas)
        steps_.push_back(blas_product(a.data, b.data, result.data, sizes, transposed, scale));
#endif
    return result;
}

void LibraryRow::each_row(Matrix matrix, RowWork work) {
    [[maybe_unused]] const int threads = threads_;  // used with OpenMP
    steps_.push_back([=, work = std::move(work)] {
        const std::int64_t rows = matrix.batch * matrix.rows;
#pragma omp parallel for num_threads(threads)
        for (std::int64_t row = 0; row < rows; ++row)
            work(row, matrix.data + row * matrix.cols, static_cast<int>(matrix.cols));
    });
}

LibraryRow::Matrix LibraryRow::normed(Matrix from, bool centred) {
    const Matrix to = make(from.batch, from.rows, from.cols);
    each_row(to, [=](std::int64_t row, float* numbers, int cols) {
        const float* values = from.data + row * cols;
        std::copy(values, values + cols, numbers);
        const float mean = folded(Fn::Add, numbers, cols) / static_cast<float>(cols);
        if (centred) binary(Fn::Sub, numbers, cols, &mean, true);
        thread_local std::vector<float> squares;
        squares.assign(numbers, numbers + cols);
        binary(Fn::Mul, squares.data(), cols, numbers, false);
        const float sum = folded(Fn::Add, squares.data(), cols);
        const float scale = 1 / std::sqrt(centred ? sum / static_cast<float>(cols) : sum);
        binary(Fn::Mul, numbers, cols, &scale, true);
    });
    return to;
}

void LibraryRow::gated(Matrix gate, Matrix up) {
    each_row(gate, [=](std::int64_t row, float* numbers, int cols) {
        thread_local std::vector<float> room;
        silu_times(numbers, up.data + row * cols, cols, room);
    });
}

}  // namespace blockscope::bench
