#include "tests/bench/library_chain.h"

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "core/engine/simd.h"

#ifdef BLOCKSCOPE_OPENBLAS
#include <cblas.h>
#endif
#ifdef BLOCKSCOPE_ONEDNN
#include <dnnl.h>
#endif

namespace blockscope::bench {

namespace {

std::vector<float> numbers(std::size_t count, std::uint32_t random) {
    std::vector<float> values(count);
    for (float& value : values) {
        random = random * 1664525u + 1013904223u;
        value = static_cast<float>(random >> 8) * 0x1p-23f - 1;
    }
    return values;
}

// c [rows, cols] = scale * a [rows, depth] @ b; b is [depth, cols], or [cols, depth] if it is to be
// transposed.
void product(const std::string& library, const float* a, const float* b, float* c, int rows, int cols,
             int depth, float scale, bool transposed) {
#ifdef BLOCKSCOPE_OPENBLAS
    if (library == "OpenBLAS")
        return cblas_sgemm(CblasRowMajor, CblasNoTrans, transposed ? CblasTrans : CblasNoTrans, rows, cols,
                           depth, scale, a, depth, b, transposed ? depth : cols, 0, c, cols);
#endif
#ifdef BLOCKSCOPE_ONEDNN
    if (library == "oneDNN") {
        dnnl_sgemm('N', transposed ? 'T' : 'N', rows, cols, depth, scale, a, depth, b,
                   transposed ? depth : cols, 0, c, cols);
        return;
    }
#endif
    static_cast<void>(a), static_cast<void>(b), static_cast<void>(c), static_cast<void>(rows);
    static_cast<void>(cols), static_cast<void>(depth), static_cast<void>(scale);
    static_cast<void>(transposed);
    throw std::runtime_error("the library " + library + " is not linked");
}

std::size_t elements(int batch, int rows, int cols) {
    return static_cast<std::size_t>(batch) * static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
}

}  // namespace

LibraryChain::LibraryChain(const tilings::Workload& workload)
    : workload_(workload),
      a_(numbers(elements(workload.batch, workload.m, workload.k), 1)),
      b_(numbers(elements(workload.batch, workload.k, workload.n), 2)),
      d_(numbers(elements(workload.batch, workload.n, workload.h), 3)),
      scores_(elements(1, workload.m, workload.n)),
      out_(elements(workload.batch, workload.m, workload.h)),
      sums_(static_cast<std::size_t>(workload.m)) {
#ifdef BLOCKSCOPE_OPENBLAS
    openblas_set_num_threads(1);
#endif
}

std::vector<std::string> LibraryChain::libraries() {
    std::vector<std::string> names;
#ifdef BLOCKSCOPE_OPENBLAS
    names.emplace_back("OpenBLAS");
#endif
#ifdef BLOCKSCOPE_ONEDNN
    names.emplace_back("oneDNN");
#endif
    return names;
}

void LibraryChain::run(const std::string& library) {
    using engine::simd;
    const tilings::Workload& w = workload_;
    const float scale = w.attention ? 1 / std::sqrt(static_cast<float>(w.k)) : 1;
    for (int chain = 0; chain < w.batch; ++chain) {
        const auto at = [chain](const std::vector<float>& all, std::size_t size) {
            return all.data() + static_cast<std::size_t>(chain) * size;
        };
        product(library, at(a_, elements(1, w.m, w.k)), at(b_, elements(1, w.k, w.n)), scores_.data(), w.m,
                w.n, w.k, scale, w.attention);
        if (w.attention) {
            // A row's largest number, exponentials against it, their sum, and the quotients.
            const auto n = static_cast<std::int64_t>(w.n);
            const engine::Target to{scores_.data(), n, w.m, w.n};
            const engine::Operand from{scores_.data(), n, false};
            const engine::Operand rows{sums_.data(), 1, true};
            simd().row_fold[static_cast<std::size_t>(Fn::Max)](sums_.data(), scores_.data(), n, w.m, w.n,
                                                               false);
            simd().binary[static_cast<std::size_t>(Fn::Sub)][0][1](to, from, rows);
            simd().unary[static_cast<std::size_t>(Fn::Exp)](to, from);
            simd().row_fold[static_cast<std::size_t>(Fn::Add)](sums_.data(), scores_.data(), n, w.m, w.n,
                                                               false);
            simd().binary[static_cast<std::size_t>(Fn::Div)][0][1](to, from, rows);
        }
        product(library, scores_.data(), at(d_, elements(1, w.n, w.h)),
                out_.data() + static_cast<std::size_t>(chain) * elements(1, w.m, w.h), w.m, w.h, w.n, 1,
                false);
    }
}

}  // namespace blockscope::bench
