#include "core/engine/kernel_bodies.h"

namespace blockscope::engine {

const KernelTable& avx512_kernels() {
    static const KernelTable table = make_table("avx512");
    return table;
}

}  // namespace blockscope::engine
