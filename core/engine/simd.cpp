#include "core/engine/simd.h"

#include "core/engine/simd_bodies.h"

namespace blockscope::engine {

const SimdTable& baseline_simd() {
    static const SimdTable table = make_table("baseline");
    return table;
}

int available_simd(const SimdTable* tables[3]) {
    int count = 0;
#ifdef BLOCKSCOPE_X86_SIMD
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        tables[count++] = &avx512_simd();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) tables[count++] = &avx2_simd();
#endif
    tables[count++] = &baseline_simd();
    return count;
}

const SimdTable& simd() {
    static const SimdTable& best = []() -> const SimdTable& {
        const SimdTable* tables[3] = {};
        available_simd(tables);
        return *tables[0];
    }();
    return best;
}

}  // namespace blockscope::engine
