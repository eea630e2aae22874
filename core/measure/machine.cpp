#include "core/measure/machine.h"

#include <algorithm>

namespace blockscope::measure {

std::int64_t Machine::last_level_cache() const {
    std::int64_t largest = 0;
    for (const Cache& cache : caches) largest = std::max(largest, cache.bytes);
    return largest;
}

}  // namespace blockscope::measure
