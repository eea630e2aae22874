#include "core/engine/kernel_bodies.h"

namespace blockscope::engine {

const KernelTable& baseline_kernels() {
    static const KernelTable table = make_table("baseline");
    return table;
}

}  // namespace blockscope::engine
