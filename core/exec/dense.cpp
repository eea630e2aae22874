#include "core/exec/dense.h"

#include <algorithm>
#include <thread>
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

}  // namespace blockscope
