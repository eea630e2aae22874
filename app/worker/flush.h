// Empties the caches: writes a buffer larger than all of them.
#pragma once

#include <cstdint>
#include <vector>

namespace blockscope::worker {

class CacheFlush {
public:
    // More than four times the largest cache, but no more than a quarter of the memory that is free.
    explicit CacheFlush(std::int64_t last_level_cache, std::int64_t free_bytes);
    void operator()();
    std::int64_t bytes() const { return bytes_; }

private:
    std::int64_t bytes_;
    std::vector<std::uint64_t> buffer_;  // made by the first flush
    std::uint64_t value_ = 0;
};

}  // namespace blockscope::worker
