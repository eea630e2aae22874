#include "app/worker/client.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace blockscope::worker {

using measure::Failure;
using measure::FailureClass;
using measure::Outcome;

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kMostLost = 3;      // workers in a row
constexpr int kMostBanners = 64;  // lines that a login may print before the worker speaks

Clock::time_point after(double seconds) {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

Failure cancelled_failure() {
    return {FailureClass::Cancelled, "The measurement was cancelled.", {}};
}

std::string seconds_text(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g s", seconds);
    return text;
}

// Whether a device has shown with this that it works.
bool is_result(const measure::AnswerBody& body) {
    return std::holds_alternative<measure::MeasuredAnswer>(body) ||
           std::holds_alternative<measure::ComparedAnswer>(body) ||
           std::holds_alternative<measure::CalibratedAnswer>(body);
}

std::string start_of(const std::string& line) {
    return json::printable(line, 120);
}

}  // namespace

double timing_limit(const TimeLimits& limits, double predicted_seconds) {
    return std::max(limits.timing, 20 * predicted_seconds);
}

Client::Client(std::vector<std::string> command, TimeLimits limits)
    : command_(std::move(command)), limits_(limits), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Client::~Client() {
    process_.reset();
    if (wake_ >= 0) close(wake_);
}

void Client::cancel() {
    cancelled_ = true;
    const std::uint64_t one = 1;
    // It can only fail if it is full, and then somebody is woken anyway.
    [[maybe_unused]] const auto written = write(wake_, &one, sizeof one);
}

void Client::resume() {
    cancelled_ = false;
    drain_wake();
}

void Client::drain_wake() {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto taken = read(wake_, &count, sizeof count);
}

void Client::unmark() {
    marked_.clear();
    lost_in_a_row_ = 0;
}

// Ends the worker; the failure says how it ended.
Failure Client::lose(FailureClass cls, const std::string& sentence, const std::string& said) {
    hello_.reset();
    std::string log = said;
    std::string end;
    if (process_) {
        const bool gone = process_->kill_and_reap(limits_.reap);
        end = process_->end();
        if (!process_->errors().empty()) log += (log.empty() ? "" : "\n") + process_->errors();
        if (!gone) marked_ = "The worker cannot be ended; the device does not respond.";
        process_.reset();
    }
    if (cls != FailureClass::Cancelled && ++lost_in_a_row_ >= kMostLost && marked_.empty())
        marked_ =
            "The worker was lost " + std::to_string(kMostLost) + " times in a row; nothing more is tried.";
    std::string message = sentence;
    if (cls == FailureClass::LostWorker && !end.empty()) message += " It " + end + ".";
    if (!marked_.empty()) message += " " + marked_;
    return {cls, message, log};
}

std::optional<Failure> Client::start() {
    if (cancelled_) return cancelled_failure();
    if (!marked_.empty()) return Failure{FailureClass::LostWorker, marked_, {}};
    if (process_) return std::nullopt;
    if (command_.empty())
        return Failure{FailureClass::Refused, "There is no command that starts a worker.", {}};
    std::string error;
    process_ = Process::start(command_, error);
    if (!process_) return lose(FailureClass::LostWorker, "The worker cannot be started: " + error + ".", {});
    ++generation_;
    const std::int64_t id = ++last_id_;
    if (const auto failure = say({id, measure::HelloRequest{}}, limits_.hello, "starting")) return failure;
    Answer answer = await(id, limits_.hello, false, "starting");
    if (auto* failure = std::get_if<Failure>(&answer)) {
        if (process_) return lose(failure->cls, failure->message, failure->log);
        return *failure;
    }
    const auto* hello = std::get_if<measure::Hello>(&answer);
    if (!hello || hello->version != measure::kProtocolVersion)
        return lose(FailureClass::LostWorker, "The worker speaks another version of the protocol.", {});
    hello_ = *hello;
    return std::nullopt;
}

// A worker that does not listen must not stop us either: what cannot be said in time ends it.
std::optional<Failure> Client::say(const measure::Request& request, double limit, const char* what) {
    const Clock::time_point until = after(limit);
    switch (process_->send(measure::write_message(request), until, wake_)) {
        case Process::Sent::All:
            return std::nullopt;
        case Process::Sent::Ended:
            return lose(FailureClass::LostWorker, std::string("The worker ended while ") + what + ".", {});
        case Process::Sent::Woken:
            return lose(FailureClass::Cancelled, cancelled_failure().message, {});
        case Process::Sent::TimedOut:
            break;
    }
    return lose(FailureClass::Timeout,
                std::string("The time limit of ") + seconds_text(limit) + " for " + what +
                    " was exceeded: the worker does not listen, and was ended.",
                {});
}

Client::Answer Client::ask(measure::RequestBody body, double limit, bool signs_of_life, const char* what) {
    if (const auto failure = start()) return *failure;
    const std::int64_t id = ++last_id_;
    if (const auto failure = say({id, std::move(body)}, limit, what)) return *failure;
    Answer answer = await(id, limit, signs_of_life, what);
    const auto* failure = std::get_if<Failure>(&answer);
    if (failure && failure->cls == FailureClass::IllegalAddress) retire();
    return answer;
}

// Nothing more can be done on a card in a process that touched what is not its own: the next question goes to
// another process.
void Client::retire() {
    if (process_) process_->kill_and_reap(limits_.reap);
    process_.reset();
}

// With `signs_of_life` the limit begins anew at each progress event.
Client::Answer Client::await(std::int64_t id, double limit, bool signs_of_life, const char* what) {
    Clock::time_point until = after(limit);
    std::string line;
    int banners = hello_ ? kMostBanners : 0;
    for (;;) {
        if (cancelled_) return give_up(id);
        switch (process_->read_line(line, until, wake_)) {
            case Process::Wait::Line:
                break;
            case Process::Wait::Woken:
                drain_wake();
                continue;
            case Process::Wait::TimedOut:
                return lose(FailureClass::Timeout,
                            std::string("The time limit of ") + seconds_text(limit) + " for " + what +
                                " was exceeded; the worker was ended.",
                            {});
            case Process::Wait::TooLong:
                return lose(FailureClass::LostWorker, "The worker wrote a message without an end.", {});
            case Process::Wait::Ended:
                return lose(FailureClass::LostWorker, std::string("The worker ended while ") + what + ".",
                            start_of(line));
        }
        const Result<measure::Answer> answer = measure::read_answer(line);
        if (!answer) {
            if (banners++ < kMostBanners) continue;  // before hello a login may print things
            return lose(FailureClass::LostWorker, "The worker wrote something that is no message.",
                        start_of(line));
        }
        if (answer->id != id) continue;  // of a request that was given up
        const auto* progress = std::get_if<measure::ProgressEvent>(&answer->body);
        if (!progress) {
            if (is_result(answer->body)) lost_in_a_row_ = 0;
            return answer->body;
        }
        if (signs_of_life) until = after(limit);
        if (observer_) observer_(*progress);
    }
}

// Asks the worker to stop, and stops it if it does not.
Client::Answer Client::give_up(std::int64_t id) {
    const Clock::time_point until = after(limits_.cancel);
    process_->send(measure::write_message(measure::Request{++last_id_, measure::CancelRequest{id}}), until,
                   -1);
    std::string line;
    while (process_->read_line(line, until, -1) == Process::Wait::Line) {
        const Result<measure::Answer> answer = measure::read_answer(line);
        if (answer && answer->id == id && !std::holds_alternative<measure::ProgressEvent>(answer->body))
            return cancelled_failure();
    }
    return lose(FailureClass::Cancelled, cancelled_failure().message, {});
}

template <class T>
Outcome<T> Client::expect(Answer answer) {
    if (auto* value = std::get_if<T>(&answer)) return std::move(*value);
    if (const auto* failure = std::get_if<Failure>(&answer)) return *failure;
    return lose(FailureClass::LostWorker, "The worker gave an answer to another question.", {});
}

Outcome<measure::Hello> Client::hello() {
    if (const auto failure = start()) return *failure;
    return *hello_;
}

Outcome<measure::PreparedAnswer> Client::prepare(const measure::PrepareRequest& request) {
    return expect<measure::PreparedAnswer>(ask(request, limits_.prepare, false, "preparing the program"));
}

Outcome<measure::CheckedAnswer> Client::check(const measure::CheckRequest& request) {
    return expect<measure::CheckedAnswer>(ask(request, limits_.check, false, "checking the result"));
}

Outcome<measure::MeasuredAnswer> Client::measure(const measure::MeasureRequest& request,
                                                 double predicted_seconds) {
    return expect<measure::MeasuredAnswer>(
        ask(request, timing_limit(limits_, predicted_seconds), true, "timing the program"));
}

Outcome<measure::ComparedAnswer> Client::compare(const measure::CompareRequest& request,
                                                 double predicted_seconds) {
    return expect<measure::ComparedAnswer>(
        ask(request, timing_limit(limits_, predicted_seconds), true, "comparing two programs"));
}

Outcome<measure::CalibratedAnswer> Client::calibrate(const measure::CalibrateRequest& request) {
    return expect<measure::CalibratedAnswer>(ask(request, limits_.calibrate, true, "calibrating the device"));
}

Outcome<measure::CompiledAnswer> Client::compile(const measure::CompileRequest& request) {
    return expect<measure::CompiledAnswer>(ask(request, limits_.prepare, false, "compiling"));
}

void Client::release(const std::string& job) {
    if (process_ && !cancelled_)
        ask(measure::ReleaseRequest{job}, limits_.prepare, false, "releasing a program");
}

}  // namespace blockscope::worker
