#include "gpu/driver/card_clock.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "gpu/codegen/kernel_set.h"

namespace blockscope::gpu {

using measure::Failure;
using measure::Outcome;

namespace {

constexpr int kThreads = 32;
constexpr int kEmptyRuns = 25;

// The counter of nanoseconds moves in steps, of a microsecond on some cards: both ends are at such a step.
constexpr const char* kKernels = R"(
#ifndef BLOCKSCOPE_EMULATED
DEVICE unsigned long long cycle_count() { return (unsigned long long)clock64(); }
DEVICE unsigned long long nanosecond_count() {
    unsigned long long count;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(count));
    return count;
}
#endif

KERNEL clock_nothing() {}

KERNEL clock_count(unsigned long long* to) {
    if (thread_index() == 0) {
        const unsigned long long before = nanosecond_count();
        unsigned long long begin = before, end;
        while (begin == before) begin = nanosecond_count();
        const unsigned long long cycles = cycle_count();
        do end = nanosecond_count();
        while (end - begin < 20000);
        global_write(to, cycle_count() - cycles);
        global_write(to + 1, end - begin);
    }
}
)";

std::optional<Failure> start(const CardModule& module, CardSession& session, const char* kernel,
                             void** parameters) {
    const Outcome<DriverApi::Handle> function = module.function(kernel);
    if (!function) return function.failure();
    const int code = session.api().launch(*function, 1, 1, 1, static_cast<unsigned>(kThreads), 1, 1, 0,
                                          session.stream(), parameters, nullptr);
    return session.check(code, "its clock was read");
}

}  // namespace

std::string clock_source() {
    KernelSet settings;
    settings.threads = kThreads;
    settings.panel_bytes = 1024;
    return prelude(settings) + kKernels;
}

Outcome<CardClock> CardClock::load(const std::shared_ptr<CardSession>& session, const Compiled& compiled) {
    Outcome<CardModule> module = CardModule::load(session, compiled.cubin);
    if (!module) return module.failure();
    Outcome<CardMemory> counts = CardMemory::allocate(session, 2 * sizeof(std::uint64_t));
    if (!counts) return counts.failure();
    return CardClock(session, std::move(module).value(), std::move(counts).value());
}

Outcome<measure::Clock> CardClock::read() {
    DevicePointer to = counts_.address();
    std::array<void*, 1> parameters{&to};
    if (auto failure = start(module_, *session_, "clock_count", parameters.data())) return *failure;
    if (auto failure = session_->wait("its clock was read")) return *failure;
    std::array<unsigned char, 2 * sizeof(std::uint64_t)> bytes{};
    if (auto failure = counts_.read(bytes)) return *failure;
    std::array<std::uint64_t, 2> counts{};
    std::memcpy(counts.data(), bytes.data(), bytes.size());
    const double hertz =
        counts[1] == 0 ? 0 : static_cast<double>(counts[0]) / static_cast<double>(counts[1]) * 1e9;
    best_ = std::max(best_, hertz);
    return measure::Clock{hertz, best_};
}

Outcome<double> CardClock::empty_seconds() {
    std::array<double, kEmptyRuns> found{};
    if (empty_ > 0) return empty_;
    for (double& seconds : found) {
        const Outcome<double> one =
            session_->time([&] { return start(module_, *session_, "clock_nothing", nullptr); });
        if (!one) return one.failure();
        seconds = *one;
    }
    std::nth_element(found.begin(), found.begin() + kEmptyRuns / 2, found.end());
    return empty_ = found[kEmptyRuns / 2];
}

}  // namespace blockscope::gpu
