#include "gpu/driver/driver.h"

#include <dlfcn.h>

#include <cstdlib>
#include <utility>

#include "gpu/library_search.h"
#include "gpu/nvrtc/nvrtc.h"

namespace blockscope::gpu {

namespace {

template <class F>
const char* resolve(void* library, const char* name, F& function) {
    function = reinterpret_cast<F>(dlsym(library, name));
    return function ? nullptr : name;
}

constexpr std::pair<int, const char*> kErrors[] = {
    {1, "INVALID_VALUE"},
    {2, "OUT_OF_MEMORY"},
    {3, "NOT_INITIALIZED"},
    {4, "DEINITIALIZED"},
    {34, "STUB_LIBRARY"},
    {46, "DEVICE_UNAVAILABLE"},
    {100, "NO_DEVICE"},
    {101, "INVALID_DEVICE"},
    {200, "INVALID_IMAGE"},
    {201, "INVALID_CONTEXT"},
    {209, "NO_BINARY_FOR_GPU"},
    {214, "ECC_UNCORRECTABLE"},
    {218, "INVALID_PTX"},
    {222, "UNSUPPORTED_PTX_VERSION"},
    {300, "INVALID_SOURCE"},
    {400, "INVALID_HANDLE"},
    {500, "NOT_FOUND"},
    {700, "ILLEGAL_ADDRESS"},
    {701, "LAUNCH_OUT_OF_RESOURCES"},
    {702, "LAUNCH_TIMEOUT"},
    {710, "ASSERT"},
    {714, "HARDWARE_STACK_ERROR"},
    {715, "ILLEGAL_INSTRUCTION"},
    {716, "MISALIGNED_ADDRESS"},
    {717, "INVALID_ADDRESS_SPACE"},
    {718, "INVALID_PC"},
    {719, "LAUNCH_FAILED"},
    {803, "SYSTEM_DRIVER_MISMATCH"},
    {999, "UNKNOWN"},
};

}  // namespace

// CUDA 13 renames some functions in its headers; the exported names stay.
std::string DriverApi::load(void* library) {
    resolve(library, "cuTensorMapEncodeTiled", encode_tensor_map);
    for (const char* missing : {
             resolve(library, "cuInit", init),
             resolve(library, "cuDriverGetVersion", version),
             resolve(library, "cuDeviceGetCount", device_count),
             resolve(library, "cuDeviceGet", device),
             resolve(library, "cuDeviceGetName", device_name),
             resolve(library, "cuDeviceGetAttribute", device_attribute),
             resolve(library, "cuDeviceTotalMem_v2", device_memory),
             resolve(library, "cuDevicePrimaryCtxRetain", retain_context),
             resolve(library, "cuCtxSetCurrent", use_context),
             resolve(library, "cuModuleLoadDataEx", load_module),
             resolve(library, "cuModuleUnload", unload_module),
             resolve(library, "cuModuleGetFunction", function),
             resolve(library, "cuFuncSetAttribute", set_function_attribute),
             resolve(library, "cuFuncGetAttribute", function_attribute),
             resolve(library, "cuOccupancyMaxActiveBlocksPerMultiprocessor", occupancy),
             resolve(library, "cuMemAlloc_v2", allocate),
             resolve(library, "cuMemFree_v2", release),
             resolve(library, "cuMemcpyHtoD_v2", to_device),
             resolve(library, "cuMemcpyDtoH_v2", to_host),
             resolve(library, "cuMemsetD8Async", fill_bytes),
             resolve(library, "cuStreamCreate", create_stream),
             resolve(library, "cuStreamSynchronize", wait_for_stream),
             resolve(library, "cuEventCreate", create_event),
             resolve(library, "cuEventRecord", record_event),
             resolve(library, "cuEventSynchronize", wait_for_event),
             resolve(library, "cuEventElapsedTime", elapsed),
             resolve(library, "cuLaunchKernel", launch),
         })
        if (missing) return missing;
    return "";
}

std::string error_name(int code) {
    for (const auto& [known, name] : kErrors)
        if (known == code) return std::string("CUDA_ERROR_") + name + " (" + std::to_string(code) + ")";
    return "CUDA error " + std::to_string(code);
}

namespace {

using measure::Failure;
using measure::FailureClass;

// Never CUDA's stub library, which answers every call with an error: it lies in the toolkit's folders alone.
std::vector<std::string> driver_candidates() {
    if (const char* own = std::getenv("BLOCKSCOPE_CUDA_DRIVER"); own && *own) return {own};
    return {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"};
}

Card describe(const DriverApi& api, int index, int device) {
    const auto attribute = [&](DeviceAttribute which) {
        int value = 0;
        return api.device_attribute(&value, static_cast<int>(which), device) == 0 ? value : 0;
    };
    Card card;
    card.index = index;
    char name[256] = {};
    if (api.device_name(name, sizeof name - 1, device) == 0) card.name = name;
    std::size_t memory = 0;
    if (api.device_memory(&memory, device) == 0) card.memory_bytes = static_cast<std::int64_t>(memory);
    card.major = attribute(DeviceAttribute::Major);
    card.minor = attribute(DeviceAttribute::Minor);
    card.processors = attribute(DeviceAttribute::Processors);
    card.l2_bytes = attribute(DeviceAttribute::L2Bytes);
    card.clock_hz = attribute(DeviceAttribute::ClockKilohertz) * std::int64_t{1000};
    card.memory_clock_hz = attribute(DeviceAttribute::MemoryClockKilohertz) * std::int64_t{1000};
    card.memory_bus_bits = attribute(DeviceAttribute::MemoryBusBits);
    card.shared_bytes_per_block = attribute(DeviceAttribute::SharedBytesPerBlockOptIn);
    card.shared_bytes_per_processor = attribute(DeviceAttribute::SharedBytesPerProcessor);
    card.threads_per_processor = attribute(DeviceAttribute::ThreadsPerProcessor);
    return card;
}

}  // namespace

std::string Card::architecture() const {
    const std::string number = "sm_" + std::to_string(major) + std::to_string(minor);
    return major == 9 && minor == 0 ? number + "a" : number;
}

Driver Driver::open() {
    Driver driver;
    for (const std::string& path : driver_candidates()) {
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        const std::string trouble = library ? driver.start(library) : linker_words(path);
        driver.search_.attempts.push_back({path, trouble.empty() ? "opened" : trouble});
        if (!trouble.empty()) continue;
        driver.search_.found = path;
        break;
    }
    return driver;
}

int Driver::installed_version() {
    for (const std::string& path : driver_candidates()) {
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) continue;
        const auto version = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDriverGetVersion"));
        int number = 0;
        if (version && version(&number) == 0) return number;
    }
    return 0;
}

// The library stays open: the driver keeps threads of its own.
std::string Driver::start(void* library) {
    auto api = std::make_shared<DriverApi>();
    if (const std::string missing = api->load(library); !missing.empty()) return "lacks " + missing;
    if (const int code = api->init(0); code != 0) return "opened, but cuInit gave " + error_name(code);
    api->version(&version_);
    int count = 0;
    if (const int code = api->device_count(&count); code != 0 || count == 0)
        return "opened, but it has no card" + (code == 0 ? std::string() : ": " + error_name(code));
    for (int index = 0; index < count; ++index) {
        int device = 0;
        if (api->device(&device, index) == 0) cards_.push_back(describe(*api, index, device));
    }
    api_ = std::move(api);
    return "";
}

Failure driver_failure(int code, const Text& doing) {
    const Text sentence("The card failed while %1: %2.", doing, error_name(code));
    if (code == 2) return {FailureClass::OutOfMemory, sentence, {}};
    if (code == 702) return {FailureClass::Timeout, sentence, {}};
    if (ends_context(code)) return {FailureClass::IllegalAddress, sentence, {}};
    return {FailureClass::Launch, sentence, {}};
}

bool ends_context(int code) {
    return code == 214 || (code >= 700 && code <= 719 && code != 701);
}

using measure::Failure;
using measure::FailureClass;
using measure::Outcome;

Outcome<std::shared_ptr<CardSession>> CardSession::start(const Driver& driver, const Card& card) {
    std::shared_ptr<CardSession> session(new CardSession(driver.api(), card));
    if (const auto failure = session->begin()) return *failure;
    return session;
}

std::optional<Failure> CardSession::begin() {
    int device = 0;
    DriverApi::Handle context = nullptr;
    constexpr unsigned kOwnOrder = 1;  // CU_STREAM_NON_BLOCKING
    if (auto failure = check(api_->device(&device, card_.index), Text("it was chosen"))) return failure;
    if (auto failure = check(api_->retain_context(&context, device), Text("its context was made")))
        return failure;
    if (auto failure = check(api_->use_context(context), Text("its context was taken"))) return failure;
    if (auto failure = check(api_->create_stream(&stream_, kOwnOrder), Text("a stream was made")))
        return failure;
    for (DriverApi::Handle* event : {&start_, &stop_})
        if (auto failure = check(api_->create_event(event, 0), Text("an event was made"))) return failure;
    return std::nullopt;
}

std::optional<Failure> CardSession::check(int code, const Text& doing) {
    if (code == 0) return std::nullopt;
    ended_ = ended_ || ends_context(code);
    return driver_failure(code, doing);
}

std::optional<Failure> CardSession::wait(const Text& doing) {
    return check(api_->wait_for_stream(stream_), doing);
}

Outcome<double> CardSession::finish() {
    if (auto failure = check(api_->record_event(stop_, stream_), Text("an event was recorded")))
        return *failure;
    if (auto failure = check(api_->wait_for_event(stop_), Text("kernels ran"))) return *failure;
    float milliseconds = 0;
    if (auto failure = check(api_->elapsed(&milliseconds, start_, stop_), Text("time was taken")))
        return *failure;
    return static_cast<double>(milliseconds) * 1e-3;
}

// ---- Memory.

Outcome<CardMemory> CardMemory::allocate(const std::shared_ptr<CardSession>& session, std::int64_t bytes) {
    DevicePointer address = 0;
    const int code =
        session->api().allocate(&address, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 16)));
    if (const auto failure = session->check(code, Text("%1 bytes were allocated", bytes))) return *failure;
    return CardMemory(session, address, bytes);
}

CardMemory::CardMemory(std::shared_ptr<CardSession> session, DevicePointer address, std::int64_t bytes)
    : session_(std::move(session)), address_(address), bytes_(bytes) {}

CardMemory::CardMemory(CardMemory&& other) noexcept
    : session_(std::move(other.session_)), address_(std::exchange(other.address_, 0)), bytes_(other.bytes_) {}

CardMemory& CardMemory::operator=(CardMemory&& other) noexcept {
    std::swap(session_, other.session_);
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

CardMemory::~CardMemory() {
    if (address_) session_->api().release(address_);
}

std::optional<Failure> CardMemory::write(std::span<const unsigned char> from) {
    return session_->check(session_->api().to_device(address_, from.data(), from.size()),
                           Text("inputs were copied to it"));
}

std::optional<Failure> CardMemory::read(std::span<unsigned char> to) const {
    return session_->check(session_->api().to_host(to.data(), address_, to.size()),
                           Text("results were copied from it"));
}

std::optional<Failure> CardMemory::fill(unsigned char byte) {
    return session_->check(
        session_->api().fill_bytes(address_, byte, static_cast<std::size_t>(bytes_), session_->stream()),
        Text("memory was filled"));
}

// ---- Modules.

Outcome<CardModule> CardModule::load(const std::shared_ptr<CardSession>& session,
                                     std::span<const char> cubin) {
    DriverApi::Handle module = nullptr;
    const int code = session->api().load_module(&module, cubin.data(), 0, nullptr, nullptr);
    if (const auto failure = session->check(code, Text("the compiled kernels were loaded"))) return *failure;
    return CardModule(session, module);
}

CardModule::CardModule(std::shared_ptr<CardSession> session, DriverApi::Handle module)
    : session_(std::move(session)), module_(module) {}

CardModule::CardModule(CardModule&& other) noexcept
    : session_(std::move(other.session_)), module_(std::exchange(other.module_, nullptr)) {}

CardModule::~CardModule() {
    if (module_) session_->api().unload_module(module_);
}

Outcome<DriverApi::Handle> CardModule::function(const std::string& kernel) const {
    DriverApi::Handle function = nullptr;
    const int code = session_->api().function(&function, module_, kernel.c_str());
    if (const auto failure = session_->check(code, Text("the kernel %1 was looked up", kernel)))
        return *failure;
    return function;
}

Findings find_cuda() {
    const Driver driver = Driver::open();
    const Nvrtc nvrtc = Nvrtc::open(driver.version());
    return {.driver = driver.search(),
            .driver_version = driver.version(),
            .cards = driver.cards(),
            .compiler = nvrtc.search(),
            .compiler_version = nvrtc ? nvrtc.version() : std::string(),
            .compiler_report = nvrtc.report()};
}

std::string card_line(const Card& card) {
    return "cuda" + std::to_string(card.index) + ": " + card.name + ", " + card.architecture() + ", " +
           std::to_string(card.processors) + " processors, " + std::to_string(card.memory_bytes / (1 << 20)) +
           " MiB";
}

std::vector<std::string> driver_commands() {
    return {"apt-get install nvidia-driver"};
}

std::string report(const Findings& findings) {
    std::string text;
    if (findings.cards.empty()) {
        text = "NVIDIA's driver was not found, or has no card. Looked for:\n" + findings.driver.lines() +
               "It comes with the card's driver package:\n";
        for (const std::string& command : driver_commands()) text += "  " + command + "\n";
    } else {
        text = "NVIDIA's driver is " + findings.driver.found + ", for CUDA up to " +
               cuda_version(findings.driver_version) + ".\n";
        for (const Card& card : findings.cards) text += "  " + card_line(card) + "\n";
    }
    return text + findings.compiler_report;
}

std::string diagnostics() {
    return report(find_cuda());
}

}  // namespace blockscope::gpu
