// CUDA's driver, opened when it is first wanted and never linked; its cards, and memory and kernels on them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/measure/failure.h"
#include "gpu/driver/api.h"
#include "gpu/library_search.h"

namespace blockscope::gpu {

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
measure::Failure driver_failure(int code, const std::string& doing);

// Whether nothing more can be done in this process after that code, whatever is tried.
bool ends_context(int code);

}  // namespace blockscope::gpu
