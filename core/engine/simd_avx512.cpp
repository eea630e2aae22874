#include "core/engine/simd_bodies.h"

namespace blockscope::engine {

const SimdTable& avx512_simd() {
    static const SimdTable table = make_table("avx512");
    return table;
}

}  // namespace blockscope::engine
