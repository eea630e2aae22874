#include "app/worker/flush.h"

#include <algorithm>

namespace blockscope::worker {
namespace {

constexpr std::int64_t kLeast = std::int64_t{64} << 20;
constexpr std::int64_t kMost = std::int64_t{512} << 20;

std::int64_t flush_bytes(std::int64_t last_level_cache, std::int64_t free_bytes) {
    const std::int64_t wanted = std::clamp(4 * last_level_cache, kLeast, kMost);
    return free_bytes > 0 ? std::min(wanted, std::max(kLeast, free_bytes / 4)) : wanted;
}

}  // namespace

CacheFlush::CacheFlush(std::int64_t last_level_cache, std::int64_t free_bytes)
    : bytes_(flush_bytes(last_level_cache, free_bytes)) {}

void CacheFlush::operator()() {
    buffer_.resize(static_cast<std::size_t>(bytes_) / sizeof(std::uint64_t));
    ++value_;  // another value each time, so that no write can be left out
    std::uint64_t* data = buffer_.data();
    for (std::size_t i = 0; i < buffer_.size(); i += 8) {  // one write per line of 64 bytes
        data[i] = value_;
        asm volatile("" : : "r"(data + i) : "memory");
    }
}

}  // namespace blockscope::worker
