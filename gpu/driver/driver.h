// The functions of CUDA's driver that are used, by their exported names, with the driver's own types. Nothing
// of CUDA is included or linked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
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

// Work on one card: memory, modules, launches and time. One per process and card; all calls from one thread.

class CardSession {
public:
    // Takes the card's primary context and keeps it until the process ends.
    static measure::Outcome<std::shared_ptr<CardSession>> start(const Driver& driver, const Card& card);

    const DriverApi& api() const { return *api_; }
    const Card& card() const { return card_; }
    DriverApi::Handle stream() const { return stream_; }

    // The code of a call as a failure. Codes that end the context are remembered: from then on every call
    // fails, and only another process can use the card again.
    std::optional<measure::Failure> check(int code, const Text& doing);
    bool ended() const { return ended_; }

    // Seconds between two points of the stream, by events; `work` puts things into the stream.
    template <class Work>
    measure::Outcome<double> time(Work&& work) {
        if (auto failure = check(api_->record_event(start_, stream_), Text("an event was recorded")))
            return *failure;
        if (auto failure = work()) return *failure;
        return finish();
    }

    std::optional<measure::Failure> wait(const Text& doing);

private:
    CardSession(std::shared_ptr<const DriverApi> api, Card card)
        : api_(std::move(api)), card_(std::move(card)) {}
    std::optional<measure::Failure> begin();
    measure::Outcome<double> finish();

    std::shared_ptr<const DriverApi> api_;
    Card card_;
    DriverApi::Handle stream_ = nullptr;
    DriverApi::Handle start_ = nullptr;
    DriverApi::Handle stop_ = nullptr;
    bool ended_ = false;
};

// Bytes on the card.
class CardMemory {
public:
    static measure::Outcome<CardMemory> allocate(const std::shared_ptr<CardSession>& session,
                                                 std::int64_t bytes);
    CardMemory(CardMemory&& other) noexcept;
    CardMemory& operator=(CardMemory&& other) noexcept;
    ~CardMemory();

    std::int64_t bytes() const { return bytes_; }
    DevicePointer address() const { return address_; }
    std::optional<measure::Failure> write(std::span<const unsigned char> from);
    std::optional<measure::Failure> read(std::span<unsigned char> to) const;
    // In the order of the stream.
    std::optional<measure::Failure> fill(unsigned char byte);

private:
    CardMemory(std::shared_ptr<CardSession> session, DevicePointer address, std::int64_t bytes);

    std::shared_ptr<CardSession> session_;
    DevicePointer address_ = 0;
    std::int64_t bytes_ = 0;
};

// A CUBIN on the card.
class CardModule {
public:
    static measure::Outcome<CardModule> load(const std::shared_ptr<CardSession>& session,
                                             std::span<const char> cubin);
    CardModule(CardModule&& other) noexcept;
    CardModule& operator=(CardModule&&) = delete;
    ~CardModule();

    measure::Outcome<DriverApi::Handle> function(const std::string& kernel) const;

private:
    CardModule(std::shared_ptr<CardSession> session, DriverApi::Handle module);

    std::shared_ptr<CardSession> session_;
    DriverApi::Handle module_ = nullptr;
};

// What of NVIDIA's software this machine has, where it was looked for, and how to install what is missing.

struct Findings {
    Search driver;
    int driver_version = 0;  // 13000: the newest CUDA that it runs
    std::vector<Card> cards;
    Search compiler;               // NVRTC
    std::string compiler_version;  // "13.0"; empty if there is none
    std::string compiler_report;   // Nvrtc::report()
};

// Opens both libraries, which may take a second or so; nothing is done on a card.
Findings find_cuda();

// "cuda0: NVIDIA H200, sm_90a, 132 processors, 143771 MiB".
std::string card_line(const Card& card);
// Commands, any of which installs the driver. (nvrtc_commands() has those of the compiler.)
std::vector<std::string> driver_commands();

// All of it, for people.
std::string report(const Findings& findings);
std::string diagnostics();  // report(find_cuda())

}  // namespace blockscope::gpu
