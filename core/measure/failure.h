// What can go wrong while a program is prepared, checked and timed: a class that a program can act on and a
// sentence for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/support/text.h"

namespace blockscope::measure {

enum class FailureClass : std::uint8_t {
    Compile,         // the program cannot be lowered or compiled for the device
    Launch,          // it cannot be started there
    IllegalAddress,  // it touched memory that is not its own
    Mismatch,        // its result differs from the reference
    Overflow,        // it differs where the reference has numbers that the type does not hold, and only there
    Timeout,         // it took longer than its limit and was killed
    OutOfMemory,
    LostWorker,  // the worker process died, or wrote something that is no message
    Refused,     // asked for something that is not possible: no such device, a size beyond the limits
    Cancelled,
    Internal,  // a broken invariant of Blockscope itself
};

// "compile", "launch", "illegal-address", "mismatch", "overflow", "timeout", "out-of-memory", "lost-worker",
// "refused", "cancelled", "internal".
const char* to_string(FailureClass cls);
std::optional<FailureClass> failure_class(const std::string& name);

struct Failure {
    FailureClass cls = FailureClass::Internal;
    Text message;     // a full sentence
    std::string log;  // of a compiler, a crash; may be empty

    bool operator==(const Failure&) const = default;
};

// A value, or the failure that kept it from being made.
template <class T>
class Outcome {
public:
    Outcome(T value) : state_(std::move(value)) {}
    Outcome(Failure failure) : state_(std::move(failure)) {}

    explicit operator bool() const { return std::holds_alternative<T>(state_); }
    const T& value() const& { return std::get<T>(state_); }
    T& value() & { return std::get<T>(state_); }
    T&& value() && { return std::get<T>(std::move(state_)); }
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }
    const Failure& failure() const { return std::get<Failure>(state_); }

private:
    std::variant<T, Failure> state_;
};

// The machine that measured, and its load and clock at that time. Both are part of every result.

struct Cache {
    int level = 0;
    std::string type;  // "Data", "Instruction", "Unified"
    std::int64_t bytes = 0;
    bool operator==(const Cache&) const = default;
};

struct Machine {
    std::string host;
    std::string cpu;  // model name
    int cores = 0;    // the logical processors that this process may use
    std::vector<Cache> caches;
    std::vector<std::string>
        isa;  // extensions that matter for speed: "avx2", "fma", "avx512f", "avx512_bf16", ...
    // The first core's frequency governor; empty if the system does not tell (virtual machines).
    std::string governor;
    std::int64_t memory_bytes = 0;
    std::string os;       // "Linux 6.1.0 x86_64"
    std::string program;  // Blockscope's version

    // The largest cache's size; 0 if unknown.
    std::int64_t last_level_cache() const;
    bool operator==(const Machine&) const = default;
};

// The state of the machine just before or just after a measurement. A result that was measured while the
// machine was busy can be told by it.
struct Conditions {
    double load = 0;  // load average over one minute
    // Measured with a chain of dependent additions, which takes one cycle each; 0 where that is not possible.
    double clock_ghz = 0;
    std::int64_t free_bytes = 0;
    // How many processors other processes kept busy, on average: of the conditions after a measurement, since
    // the conditions before it; of those before it, during the last moment. None where this was not measured.
    std::optional<double> others = std::nullopt;
    bool operator==(const Conditions&) const = default;
};

}  // namespace blockscope::measure
