// The block matmul for fixed shapes: libxsmm's routines, made for the shape when the program is prepared, or
// the engine's own.
#pragma once

#include <string>

#include "core/engine/plan.h"
#include "core/engine/simd.h"

namespace blockscope::engine {

// C[rows,cols] = A[rows,inner] Bt[inner,cols], or += with `add`.
class Matmul {
public:
    explicit Matmul(const MatmulShape& shape);

    void run(int rows, int cols, int inner, const float* a, const float* bt, float* c, bool add) const {
        const std::size_t r = rows == shape_.rows[0] ? 0 : 1;
        const std::size_t s = cols == shape_.cols[0] ? 0 : 1;
        const std::size_t t = inner == shape_.inner[0] ? 0 : 1;
        const Made made = made_[4 * r + 2 * s + t][add ? 1 : 0];
        if (made && rows == shape_.rows[r] && cols == shape_.cols[s] && inner == shape_.inner[t])
            return made(bt, a, c);
        table_->matmul(rows, cols, inner, a, shape_.a_step, bt, shape_.bt_step, c, shape_.c_step, add);
    }

private:
    using Made = void (*)(const float* bt, const float* a, float* c, ...);
    MatmulShape shape_;
    const SimdTable* table_;
    std::array<std::array<Made, 2>, 8> made_{};
};

// "libxsmm (clx)" or "own (avx512)"
std::string matmul_name();

}  // namespace blockscope::engine
