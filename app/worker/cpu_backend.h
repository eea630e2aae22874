// Empties the caches of processors that cannot drop single lines: writes a buffer larger than all of them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/measure/backend.h"

namespace blockscope::worker {

class CacheFlush {
public:
    // Four times the largest cache, but no more than a quarter of the memory that is free and no more than
    // 512 MiB: what a virtual machine says of its caches may be the whole host's.
    explicit CacheFlush(std::int64_t last_level_cache, std::int64_t free_bytes);
    void operator()();
    std::int64_t bytes() const { return bytes_; }

private:
    std::int64_t bytes_;
    std::vector<std::uint64_t> buffer_;  // made by the first flush
    std::uint64_t value_ = 0;
};

// This machine's processor, through the CPU engine.

std::unique_ptr<measure::Backend> cpu_backend();

}  // namespace blockscope::worker
