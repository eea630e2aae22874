#include "core/engine/kernel_bodies.h"

namespace blockscope::engine {

const KernelTable& avx2_kernels() {
    static const KernelTable table = make_table("avx2");
    return table;
}

}  // namespace blockscope::engine
