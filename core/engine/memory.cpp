#include "core/engine/memory.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

#ifdef __linux__
#include <sys/mman.h>
#endif
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace blockscope::engine {

namespace {

constexpr std::int64_t kCacheLine = 64;
constexpr std::int64_t kLargePage = std::int64_t{1} << 21;

}  // namespace

Memory::Memory(std::int64_t bytes) {
    const std::int64_t unit = bytes >= kLargePage ? kLargePage : kCacheLine;
    bytes_ = (bytes + unit) / unit * unit;
    void* data = std::aligned_alloc(static_cast<std::size_t>(unit), static_cast<std::size_t>(bytes_));
    if (!data) throw std::bad_alloc();
    data_.reset(data, std::free);
#ifdef __linux__
    if (unit == kLargePage) madvise(data, static_cast<std::size_t>(bytes_), MADV_HUGEPAGE);
#endif
    std::memset(data, 0, static_cast<std::size_t>(bytes_));
}

bool drop_from_caches(const Memory& memory) {
#if defined(__x86_64__)
    const char* data = reinterpret_cast<const char*>(memory.floats());
    for (std::int64_t at = 0; at < memory.bytes(); at += kCacheLine) _mm_clflush(data + at);
    _mm_mfence();
    return true;
#else
    (void)memory;
    return false;
#endif
}

std::int64_t available_memory() {
    std::ifstream file("/proc/meminfo");
    std::string word;
    while (file >> word) {
        if (word != "MemAvailable:") continue;
        std::int64_t kilobytes = 0;
        if (file >> kilobytes) return kilobytes * 1024;
    }
    return std::int64_t{1} << 32;
}

}  // namespace blockscope::engine
