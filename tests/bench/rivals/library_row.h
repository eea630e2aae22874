// A row of ./dev bench rivals as one would write it with a library of products: the library multiplies, and
// loops over rows (OpenMP, the engine's vectorised routines) do the rest.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "core/exec/evaluate.h"

namespace blockscope::bench {

enum class Library : std::uint8_t { OneDnn, OpenBlas };
// Whether this program was built with it.
bool has_library(Library library);

class LibraryRow {
public:
    // `sample` is one of the rows. Throws std::runtime_error for a sample that has no program here.
    LibraryRow(const std::string& sample, Library library, const Tensors<double>& inputs, int threads);
    LibraryRow(const LibraryRow&) = delete;
    LibraryRow& operator=(const LibraryRow&) = delete;

    void run() const {
        for (const std::function<void()>& step : steps_) step();
    }
    // The last run's result, `shape` being the sample's.
    Tensor<double> result(const std::vector<std::int64_t>& shape) const;

private:
    // All matrices of an array that has a batch of them lie one after another.
    struct Matrix {
        std::int64_t batch = 1;
        std::int64_t rows = 0;
        std::int64_t cols = 0;
        float* data = nullptr;
    };
    using RowWork = std::function<void(std::int64_t row, float* numbers, int cols)>;

    Matrix input(const std::string& name);
    Matrix make(std::int64_t batch, std::int64_t rows, std::int64_t cols);
    // scale * a b, or with `transposed` scale * a b^T.
    Matrix product(Matrix a, Matrix b, bool transposed = false, float scale = 1);
    void each_row(Matrix matrix, RowWork work);
    Matrix normed(Matrix from, bool centred);  // rows over their root of the sum of squares; or LayerNorm
    void gated(Matrix gate, Matrix up);        // gate = silu(gate) * up

    Library library_;
    int threads_;
    const Tensors<double>& inputs_;
    std::deque<std::vector<float>> arrays_;
    std::vector<std::function<void()>> steps_;
    Matrix result_;
};

}  // namespace blockscope::bench
