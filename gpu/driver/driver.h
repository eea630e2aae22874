// The functions of CUDA's driver that are used, by their exported names, with the driver's own types. Nothing
// of CUDA is included or linked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/measure/failure.h"
#include "gpu/library_search.h"

namespace blockscope::gpu {

using DevicePointer = unsigned long long;

// Calls return 0, or a code that error_name() knows.
struct DriverApi {
    using Handle = void*;

    int (*init)(unsigned) = nullptr;
    int (*version)(int*) = nullptr;
    int (*device_count)(int*) = nullptr;
    int (*device)(int*, int) = nullptr;
    int (*device_name)(char*, int, int) = nullptr;
    int (*device_attribute)(int*, int, int) = nullptr;
    int (*device_memory)(std::size_t*, int) = nullptr;
    int (*retain_context)(Handle*, int) = nullptr;
    int (*use_context)(Handle) = nullptr;
    int (*load_module)(Handle*, const void*, unsigned, int*, void**) = nullptr;
    int (*unload_module)(Handle) = nullptr;
    int (*function)(Handle*, Handle, const char*) = nullptr;
    int (*set_function_attribute)(Handle, int, int) = nullptr;
    int (*function_attribute)(int*, int, Handle) = nullptr;
    int (*occupancy)(int*, Handle, int, std::size_t) = nullptr;
    int (*allocate)(DevicePointer*, std::size_t) = nullptr;
    int (*release)(DevicePointer) = nullptr;
    int (*to_device)(DevicePointer, const void*, std::size_t) = nullptr;
    int (*to_host)(void*, DevicePointer, std::size_t) = nullptr;
    int (*fill_bytes)(DevicePointer, unsigned char, std::size_t, Handle) = nullptr;
    int (*create_stream)(Handle*, unsigned) = nullptr;
    int (*wait_for_stream)(Handle) = nullptr;
    int (*create_event)(Handle*, unsigned) = nullptr;
    int (*record_event)(Handle, Handle) = nullptr;
    int (*wait_for_event)(Handle) = nullptr;
    int (*elapsed)(float*, Handle, Handle) = nullptr;
    // Of tensor maps; null where the driver is older than CUDA 12.
    int (*encode_tensor_map)(void*, int, unsigned, void*, const unsigned long long*,
                             const unsigned long long*, const unsigned*, const unsigned*, int, int, int,
                             int) = nullptr;
    int (*launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle,
                  void**, void**) = nullptr;

    // The name that the library lacks; empty if it has all.
    std::string load(void* library);
};

// Numbers of the driver's interface.
enum class DeviceAttribute : int {
    MaxThreadsPerBlock = 1,
    ClockKilohertz = 13,
    Processors = 16,
    MemoryClockKilohertz = 36,
    MemoryBusBits = 37,
    L2Bytes = 38,
    ThreadsPerProcessor = 39,
    Major = 75,
    Minor = 76,
    SharedBytesPerProcessor = 81,
    SharedBytesPerBlockOptIn = 97,
};
enum class FunctionAttribute : int {
    SharedBytes = 1,
    LocalBytes = 3,
    Registers = 4,
    MaxDynamicSharedBytes = 8
};

// "CUDA_ERROR_ILLEGAL_ADDRESS (700)". Own words: a driver that is not there cannot be asked.
std::string error_name(int code);

// CUDA's driver, opened when it is first wanted and never linked; its cards, and memory and kernels on them.

// What a card says of itself.
struct Card {
    int index = 0;  // the driver's
    std::string name;
    int major = 0;  // compute capability
    int minor = 0;
    int processors = 0;
    std::int64_t memory_bytes = 0;
    std::int64_t l2_bytes = 0;
    std::int64_t clock_hz = 0;
    std::int64_t memory_clock_hz = 0;
    int memory_bus_bits = 0;
    int shared_bytes_per_block = 0;  // the most that a kernel may ask for
    int shared_bytes_per_processor = 0;
    int threads_per_processor = 0;

    // What NVRTC compiles for: "sm_80"; "sm_90a" for 9.0, with its own instructions.
    std::string architecture() const;
};

class Driver {
public:
    // Looks in the usual places: libcuda.so.1, Windows' Linux folder; only at $BLOCKSCOPE_CUDA_DRIVER if it
    // is set. The search is kept, whether it succeeds or not.
    static Driver open();

    // The newest CUDA that the driver here runs, as version(); without starting it. 0: there is none.
    static int installed_version();

    // Open, and there is at least one card.
    explicit operator bool() const { return !cards_.empty(); }
    const Search& search() const { return search_; }
    const std::vector<Card>& cards() const { return cards_; }
    int version() const { return version_; }  // 13000: the newest CUDA that it runs
    const std::shared_ptr<const DriverApi>& api() const { return api_; }

private:
    std::string start(void* library);

    std::shared_ptr<const DriverApi> api_;
    Search search_;
    std::vector<Card> cards_;
    int version_ = 0;
};

// A failed call as a failure: `doing` completes "The card failed while ...".
measure::Failure driver_failure(int code, const Text& doing);

// Whether nothing more can be done in this process after that code, whatever is tried.
bool ends_context(int code);

}  // namespace blockscope::gpu
