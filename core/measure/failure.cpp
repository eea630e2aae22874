#include "core/measure/failure.h"

#include <algorithm>
#include <array>

namespace blockscope::measure {

namespace {

// In the order of FailureClass.
constexpr std::array<const char*, 11> kNames = {"compile",  "launch",    "illegal-address", "mismatch",
                                                "overflow", "timeout",   "out-of-memory",   "lost-worker",
                                                "refused",  "cancelled", "internal"};

}  // namespace

const char* to_string(FailureClass cls) {
    return kNames.at(static_cast<std::size_t>(cls));
}

std::optional<FailureClass> failure_class(const std::string& name) {
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (name == kNames[i]) return static_cast<FailureClass>(i);
    return std::nullopt;
}

std::int64_t Machine::last_level_cache() const {
    std::int64_t largest = 0;
    for (const Cache& cache : caches) largest = std::max(largest, cache.bytes);
    return largest;
}

}  // namespace blockscope::measure
