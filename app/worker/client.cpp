#include "app/worker/client.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "core/measure/protocol.h"

namespace blockscope::worker {

namespace {

using ProcessClock = std::chrono::steady_clock;
constexpr std::size_t kKeptErrors = 4096;

// The child's ends of the three channels.
struct Ends {
    int in = -1, out = -1, err = -1;
};

int spawn(const std::vector<std::string>& command, const Ends& ends, pid_t& pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, ends.in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends.out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends.err, STDERR_FILENO);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    sigset_t defaults;
    sigemptyset(&defaults);
    posix_spawnattr_setsigmask(&attributes, &defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const int error = posix_spawnp(&pid, words[0], &actions, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

void close_if_open(int& fd) {
    if (fd >= 0) close(fd);
    fd = -1;
}

Text end_of(int status) {
    if (WIFEXITED(status)) return Text("exited with code %1", WEXITSTATUS(status));
    if (WIFSIGNALED(status))
        return Text("was ended by signal %1 (%2)", WTERMSIG(status),
                    std::string(strsignal(WTERMSIG(status))));
    return Text("ended");
}

}  // namespace

std::optional<Process> Process::start(const std::vector<std::string>& command, std::string& error) {
    int in[2] = {-1, -1};
    int out[2] = {-1, -1};
    int err[2] = {-1, -1};
    // A socket rather than a pipe: writing to one that nobody reads is an error, not a signal.
    const bool open = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0 &&
                      pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0;
    Process process;
    const int failed = open ? spawn(command, {in[1], out[1], err[1]}, process.pid_) : errno;
    close_if_open(in[1]);
    close_if_open(out[1]);
    close_if_open(err[1]);
    process.in_ = in[0];
    process.out_ = out[0];
    process.err_ = err[0];
    if (failed != 0) {
        process.pid_ = -1;
        error = command[0] + " cannot be started: " + std::strerror(failed);
        return std::nullopt;
    }
    fcntl(process.out_, F_SETFL, O_NONBLOCK);
    fcntl(process.err_, F_SETFL, O_NONBLOCK);
    return process;
}

void Process::take(Process& other) {
    pid_ = std::exchange(other.pid_, -1);
    in_ = std::exchange(other.in_, -1);
    out_ = std::exchange(other.out_, -1);
    err_ = std::exchange(other.err_, -1);
    buffer_ = std::move(other.buffer_);
    searched_ = std::exchange(other.searched_, 0);
    errors_ = std::move(other.errors_);
    end_ = std::move(other.end_);
}

Process::Process(Process&& other) noexcept {
    take(other);
}

Process& Process::operator=(Process&& other) noexcept {
    if (this == &other) return *this;
    kill_and_reap(1);
    close_all();
    take(other);
    return *this;
}

Process::~Process() {
    kill_and_reap(1);
    close_all();
}

void Process::close_all() {
    close_if_open(in_);
    close_if_open(out_);
    close_if_open(err_);
}

Process::Sent Process::send(const std::string& line, ProcessClock::time_point until, int wake_fd) {
    const std::string text = line + "\n";
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count =
            ::send(in_, text.data() + done, text.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count > 0) {
            done += static_cast<std::size_t>(count);
            continue;
        }
        if (count == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) return Sent::Ended;
        // The worker does not read, or the line is slow: wait for room.
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - ProcessClock::now()).count();
        if (left <= 0) return Sent::TimedOut;
        pollfd fds[2] = {{in_, POLLOUT, 0}, {wake_fd, POLLIN, 0}};
        const int ready = poll(fds, 2, static_cast<int>(std::min<long>(left, 60'000)));
        if (ready > 0 && fds[1].revents != 0) return Sent::Woken;
    }
    return Sent::All;
}

void Process::drain_errors() {
    char chunk[4096];
    ssize_t count = 0;
    while ((count = read(err_, chunk, sizeof chunk)) > 0) {
        errors_.append(chunk, static_cast<std::size_t>(count));
        if (errors_.size() > kKeptErrors) errors_.erase(0, errors_.size() - kKeptErrors);
    }
    if (count == 0) close_if_open(err_);
}

Process::Wait Process::read_line(std::string& line, ProcessClock::time_point until, int wake_fd) {
    for (;;) {
        const std::size_t newline = buffer_.find('\n', searched_);
        if (newline != std::string::npos) {
            line.assign(buffer_, 0, newline);
            buffer_.erase(0, newline + 1);
            searched_ = 0;
            return Wait::Line;
        }
        searched_ = buffer_.size();
        if (buffer_.size() > measure::kMaxLine) return Wait::TooLong;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - ProcessClock::now()).count();
        if (left <= 0) return Wait::TimedOut;
        pollfd fds[3] = {{out_, POLLIN, 0}, {wake_fd, POLLIN, 0}, {err_, POLLIN, 0}};
        const int ready = poll(fds, 3, static_cast<int>(std::min<long>(left, 60'000)));
        if (ready < 0 && errno != EINTR) return Wait::Ended;
        if (ready <= 0) continue;
        if (fds[2].revents != 0) drain_errors();
        if (fds[1].revents != 0) return Wait::Woken;
        if (fds[0].revents == 0) continue;
        char chunk[65536];
        const ssize_t count = read(out_, chunk, sizeof chunk);
        if (count > 0) {
            buffer_.append(chunk, static_cast<std::size_t>(count));
        } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
            line = std::exchange(buffer_, {});
            if (err_ >= 0) drain_errors();
            return Wait::Ended;
        }
    }
}

bool Process::kill_and_reap(double seconds) {
    if (pid_ < 0) return true;
    const auto until = ProcessClock::now() + std::chrono::duration<double>(seconds);
    kill(-pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, WNOHANG) == 0) {
        if (ProcessClock::now() >= until) {
            pid_ = -1;
            end_ = Text("does not end even when killed");
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (err_ >= 0) drain_errors();
    pid_ = -1;
    end_ = end_of(status);
    return true;
}

std::vector<std::string> local_worker() {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    // In the build folder the command line lies beside the window's folder.
    for (const fs::path& place : {here, here / "../bin", here / "../cli"}) {
        const fs::path program = place / "blockscope-cli";
        if (fs::exists(program, error)) return {program.string(), "worker"};
    }
    return {"blockscope-cli", "worker"};
}

std::vector<std::string> remote_worker(const std::string& host) {
    if (host.empty() || host[0] == '-') return {};
    return {"ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", host, "blockscope-cli", "worker"};
}

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
    return {FailureClass::Cancelled, Text("The measurement was cancelled."), {}};
}

std::string seconds_text(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g s", seconds);
    return text;
}

// Whether this answer shows that the device works.
bool is_result(const measure::AnswerBody& body) {
    return std::holds_alternative<measure::MeasuredAnswer>(body) ||
           std::holds_alternative<measure::ComparedAnswer>(body) ||
           std::holds_alternative<measure::RacedAnswer>(body) ||
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
    // The write can only fail if the counter is full, and then the waiting thread is woken anyway.
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
    marked_ = {};
    lost_in_a_row_ = 0;
}

// Ends the worker; the failure says how it ended.
Failure Client::lose(FailureClass cls, const Text& sentence, const std::string& said) {
    hello_.reset();
    std::string log = said;
    Text end;
    if (process_) {
        const bool gone = process_->kill_and_reap(limits_.reap);
        end = process_->end();
        if (!process_->errors().empty()) log += (log.empty() ? "" : "\n") + process_->errors();
        if (!gone) marked_ = Text("The worker cannot be ended; the device does not respond.");
        process_.reset();
    }
    if (cls != FailureClass::Cancelled && ++lost_in_a_row_ >= kMostLost && marked_.empty())
        marked_ = Text("The worker was lost %1 times in a row; nothing more is tried.", kMostLost);
    Text message = sentence;
    if (cls == FailureClass::LostWorker && !end.empty()) message = Text("%1 It %2.", message, end);
    if (!marked_.empty()) message = Text("%1 %2", message, marked_);
    return {cls, message, log};
}

std::optional<Failure> Client::start() {
    if (cancelled_) return cancelled_failure();
    if (!marked_.empty()) return Failure{FailureClass::LostWorker, marked_, {}};
    if (process_) return std::nullopt;
    if (command_.empty())
        return Failure{FailureClass::Refused, Text("There is no command that starts a worker."), {}};
    std::string error;
    process_ = Process::start(command_, error);
    if (!process_)
        return lose(FailureClass::LostWorker, Text("The worker cannot be started: %1.", error), {});
    ++generation_;
    const std::int64_t id = ++last_id_;
    if (auto failure = say({id, measure::HelloRequest{}}, limits_.hello, Text("starting"))) return failure;
    Answer answer = await(id, limits_.hello, false, Text("starting"));
    if (auto* failure = std::get_if<Failure>(&answer)) {
        if (process_) return lose(failure->cls, failure->message, failure->log);
        return *failure;
    }
    const auto* hello = std::get_if<measure::Hello>(&answer);
    if (!hello || hello->version != measure::kProtocolVersion)
        return lose(FailureClass::LostWorker, Text("The worker speaks another version of the protocol."), {});
    hello_ = *hello;
    return std::nullopt;
}

// Sends a request. A worker that does not take it in time is ended, so that it cannot block its client.
std::optional<Failure> Client::say(const measure::Request& request, double limit, const Text& what) {
    const Clock::time_point until = after(limit);
    switch (process_->send(measure::write_message(request), until, wake_)) {
        case Process::Sent::All:
            return std::nullopt;
        case Process::Sent::Ended:
            return lose(FailureClass::LostWorker, Text("The worker ended while %1.", what), {});
        case Process::Sent::Woken:
            return lose(FailureClass::Cancelled, cancelled_failure().message, {});
        case Process::Sent::TimedOut:
            break;
    }
    return lose(FailureClass::Timeout,
                Text("The time limit of %1 for %2 was exceeded: the worker does not listen, and was ended.",
                     seconds_text(limit), what),
                {});
}

Client::Answer Client::send_and_wait(measure::RequestBody body, double limit, bool signs_of_life,
                                     const Text& what) {
    if (const auto failure = start()) return *failure;
    const std::int64_t id = ++last_id_;
    if (const auto failure = say({id, std::move(body)}, limit, what)) return *failure;
    Answer answer = await(id, limit, signs_of_life, what);
    const auto* failure = std::get_if<Failure>(&answer);
    if (failure && failure->cls == FailureClass::IllegalAddress) retire();
    return answer;
}

// Ends the worker's process. After an illegal access a process can do nothing more on a card, so the next
// question goes to a new one.
void Client::retire() {
    if (process_) process_->kill_and_reap(limits_.reap);
    process_.reset();
}

// With `signs_of_life` the limit begins anew at each progress event.
Client::Answer Client::await(std::int64_t id, double limit, bool signs_of_life, const Text& what) {
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
                            Text("The time limit of %1 for %2 was exceeded; the worker was ended.",
                                 seconds_text(limit), what),
                            {});
            case Process::Wait::TooLong:
                return lose(FailureClass::LostWorker, Text("The worker wrote a message without an end."), {});
            case Process::Wait::Ended:
                return lose(FailureClass::LostWorker, Text("The worker ended while %1.", what),
                            start_of(line));
        }
        const Result<measure::Answer> answer = measure::read_answer(line);
        if (!answer) {
            if (banners++ < kMostBanners) continue;  // before hello a login may print things
            return lose(FailureClass::LostWorker, Text("The worker wrote something that is no message."),
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
    return lose(FailureClass::LostWorker, Text("The worker gave an answer to another question."), {});
}

Outcome<measure::Hello> Client::hello() {
    if (const auto failure = start()) return *failure;
    return *hello_;
}

Outcome<measure::PreparedAnswer> Client::prepare(const measure::PrepareRequest& request) {
    return expect<measure::PreparedAnswer>(
        send_and_wait(request, limits_.prepare, false, Text("preparing the program")));
}

Outcome<measure::CheckedAnswer> Client::check(const measure::CheckRequest& request) {
    return expect<measure::CheckedAnswer>(
        send_and_wait(request, limits_.check, false, Text("checking the result")));
}

Outcome<measure::MeasuredAnswer> Client::measure(const measure::MeasureRequest& request,
                                                 double predicted_seconds) {
    return expect<measure::MeasuredAnswer>(
        send_and_wait(request, timing_limit(limits_, predicted_seconds), true, Text("timing the program")));
}

Outcome<measure::ComparedAnswer> Client::compare(const measure::CompareRequest& request,
                                                 double predicted_seconds) {
    return expect<measure::ComparedAnswer>(send_and_wait(request, timing_limit(limits_, predicted_seconds),
                                                         true, Text("comparing two programs")));
}

Outcome<measure::RacedAnswer> Client::race(const measure::RaceRequest& request, double predicted_seconds) {
    return expect<measure::RacedAnswer>(send_and_wait(request, timing_limit(limits_, predicted_seconds), true,
                                                      Text("comparing several programs")));
}

Outcome<measure::CalmAnswer> Client::calm(const measure::CalmRequest& request) {
    return expect<measure::CalmAnswer>(
        send_and_wait(request, limits_.timing, true, Text("waiting for a calm machine")));
}

Outcome<measure::CalibratedAnswer> Client::calibrate(const measure::CalibrateRequest& request) {
    return expect<measure::CalibratedAnswer>(
        send_and_wait(request, limits_.calibrate, true, Text("calibrating the device")));
}

Outcome<measure::CompiledAnswer> Client::compile(const measure::CompileRequest& request) {
    return expect<measure::CompiledAnswer>(send_and_wait(request, limits_.prepare, false, Text("compiling")));
}

void Client::release(const std::string& job) {
    if (process_ && !cancelled_)
        send_and_wait(measure::ReleaseRequest{job}, limits_.prepare, false, Text("releasing a program"));
}

}  // namespace blockscope::worker
