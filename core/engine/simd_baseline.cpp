#include "core/engine/simd_bodies.h"

namespace blockscope::engine {

const SimdTable& baseline_simd() {
    static const SimdTable table = make_table("baseline");
    return table;
}

}  // namespace blockscope::engine
