#include "core/engine/simd_bodies.h"

namespace blockscope::engine {

const SimdTable& avx2_simd() {
    static const SimdTable table = make_table("avx2");
    return table;
}

}  // namespace blockscope::engine
