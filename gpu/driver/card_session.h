// Work on one card: memory, modules, launches and time. One per process and card; all calls from one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/driver/driver.h"

namespace blockscope::gpu {

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

}  // namespace blockscope::gpu
