#include "gpu/driver/card_session.h"

#include <utility>

namespace blockscope::gpu {

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

}  // namespace blockscope::gpu
