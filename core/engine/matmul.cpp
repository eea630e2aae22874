#include "core/engine/matmul.h"

#ifdef BLOCKSCOPE_LIBXSMM
#include <libxsmm.h>
#endif

namespace blockscope::engine {

#ifdef BLOCKSCOPE_LIBXSMM

namespace {

// libxsmm's matrices are column-major: its C^T = Bt^T A^T is our C = A Bt. Null where it has no kernel.
libxsmm_smmfunction make(int rows, int cols, int inner, const MatmulShape& shape, bool add) {
    const auto m = static_cast<libxsmm_blasint>(cols);
    const auto n = static_cast<libxsmm_blasint>(rows);
    const auto k = static_cast<libxsmm_blasint>(inner);
    const auto lda = static_cast<libxsmm_blasint>(shape.bt_step);
    const auto ldb = static_cast<libxsmm_blasint>(shape.a_step);
    const auto ldc = static_cast<libxsmm_blasint>(shape.c_step);
    if (lda < m || ldb < k || ldc < m) return nullptr;
    const float alpha = 1;
    const float beta = add ? 1 : 0;
    const int flags = LIBXSMM_GEMM_FLAG_NONE;
    const int prefetch = LIBXSMM_GEMM_PREFETCH_NONE;
    return libxsmm_smmdispatch(m, n, k, &lda, &ldb, &ldc, &alpha, &beta, &flags, &prefetch);
}

}  // namespace

Matmul::Matmul(const MatmulShape& shape) : shape_(shape), table_(&simd()) {
    libxsmm_init();
    for (std::size_t size = 0; size < 8; ++size)
        for (const bool add : {false, true})
            made_[size][add ? 1 : 0] = make(shape.rows[(size >> 2) & 1], shape.cols[(size >> 1) & 1],
                                            shape.inner[size & 1], shape, add);
}

std::string matmul_name() {
    libxsmm_init();
    return std::string("libxsmm (") + libxsmm_get_target_arch() + ")";
}

#else

Matmul::Matmul(const MatmulShape& shape) : shape_(shape), table_(&simd()) {}

std::string matmul_name() {
    return std::string("own (") + simd().name + ")";
}

#endif

}  // namespace blockscope::engine
