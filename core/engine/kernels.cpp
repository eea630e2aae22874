#include "core/engine/kernels.h"

namespace blockscope::engine {

int available_kernels(const KernelTable* tables[3]) {
    int count = 0;
#ifdef BLOCKSCOPE_X86_KERNELS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        tables[count++] = &avx512_kernels();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) tables[count++] = &avx2_kernels();
#endif
    tables[count++] = &baseline_kernels();
    return count;
}

const KernelTable& kernels() {
    static const KernelTable& best = []() -> const KernelTable& {
        const KernelTable* tables[3] = {};
        available_kernels(tables);
        return *tables[0];
    }();
    return best;
}

}  // namespace blockscope::engine
