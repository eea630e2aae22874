#include "app/worker/serve.h"

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "app/worker/backends.h"
#include "app/worker/probe.h"

namespace blockscope::worker {

namespace {

using measure::Answer;
using measure::Failure;
using measure::FailureClass;
using measure::Request;
using ServeClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kProgressInterval{50};
constexpr std::size_t kMostWaiting = 1024;  // requests

// Whole lines to a descriptor, from several threads.
class Output {
public:
    explicit Output(int fd) : fd_(fd) {}
    void write(const Answer& answer) {
        const std::string line = measure::write_message(answer) + "\n";
        const std::lock_guard guard(mutex_);
        std::size_t done = 0;
        while (done < line.size()) {
            const ssize_t count = ::write(fd_, line.data() + done, line.size() - done);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) _exit(0);  // nobody listens any more
            done += static_cast<std::size_t>(count);
        }
    }

private:
    int fd_;
    std::mutex mutex_;
};

// Requests between the thread that reads and the one that works.
class Queue {
public:
    bool push(Request request) {
        const std::lock_guard guard(mutex_);
        if (waiting_.size() >= kMostWaiting) return false;
        waiting_.push_back(std::move(request));
        wake_.notify_one();
        return true;
    }
    Request pop() {
        std::unique_lock guard(mutex_);
        wake_.wait(guard, [this] { return !waiting_.empty(); });
        Request request = std::move(waiting_.front());
        waiting_.pop_front();
        current_ = request.id;
        return request;
    }
    void finished(std::int64_t id) {
        const std::lock_guard guard(mutex_);
        current_ = 0;
        cancelled_.erase(id);
    }
    // Whether there is such a request.
    bool cancel(std::int64_t id) {
        const std::lock_guard guard(mutex_);
        const bool known = id == current_ || std::any_of(waiting_.begin(), waiting_.end(),
                                                         [id](const Request& r) { return r.id == id; });
        if (known) cancelled_.insert(id);
        return known;
    }
    bool is_cancelled(std::int64_t id) {
        const std::lock_guard guard(mutex_);
        return cancelled_.count(id) != 0;
    }

private:
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Request> waiting_;
    std::set<std::int64_t> cancelled_;
    std::int64_t current_ = 0;
};

Failure refused_request(const Text& sentence) {
    return {FailureClass::Refused, sentence, {}};
}

// Does the work, for ever.
void work(Queue& queue, Output& output, Backends backends) {
    Jobs jobs(std::move(backends));
    for (;;) {
        const Request request = queue.pop();
        ServeClock::time_point next = ServeClock::now();
        std::string phase;
        const auto progress = [&](const std::string& now, int done, int total) {
            if (queue.is_cancelled(request.id)) return false;
            if (now == phase && ServeClock::now() < next) return true;
            phase = now;
            next = ServeClock::now() + kProgressInterval;
            output.write({request.id, measure::ProgressEvent{now, done, total}});
            return true;
        };
        measure::AnswerBody body = Failure{FailureClass::Cancelled, Text("The request was cancelled."), {}};
        if (!queue.is_cancelled(request.id)) body = jobs.answer(request.body, progress);
        queue.finished(request.id);
        output.write({request.id, std::move(body)});
    }
}

std::vector<measure::BackendInfo> infos(const Backends& backends) {
    std::vector<measure::BackendInfo> result;
    for (const auto& each : backends) result.push_back(each->info());
    return result;
}

// One line of input. Hello is answered at once, whatever is being done.
void receive(const std::string& line, Queue& queue, Output& output, const measure::Hello& hello) {
    Result<Request> request = measure::read_request(line);
    if (!request) {
        std::string sentences;
        for (const Problem& problem : request.problems())
            sentences += (sentences.empty() ? "" : "\n") + to_string(problem);
        output.write({measure::message_id(line),
                      refused_request(Text("The message is not understood: %1", sentences))});
        return;
    }
    const std::int64_t id = request->id;
    if (std::holds_alternative<measure::QuitRequest>(request->body)) {
        output.write({id, measure::DoneAnswer{}});
        _exit(0);
    }
    if (std::holds_alternative<measure::HelloRequest>(request->body)) {
        measure::Hello now = hello;
        now.now = current_conditions();
        output.write({id, std::move(now)});
        return;
    }
    if (const auto* cancel = std::get_if<measure::CancelRequest>(&request->body)) {
        if (queue.cancel(cancel->target))
            output.write({id, measure::DoneAnswer{}});
        else
            output.write({id, refused_request(Text("There is no request %1 to cancel.", cancel->target))});
        return;
    }
    if (!queue.push(std::move(request).value()))
        output.write({id, refused_request(Text("There are too many requests waiting."))});
}

}  // namespace

void serve(int in, int out, Backends backends) {
    Output output(out);
    Queue queue;
    const measure::Hello hello{measure::kProtocolVersion, this_machine(), {}, infos(backends)};
    std::thread worker([&] { work(queue, output, std::move(backends)); });
    std::string line;
    bool too_long = false;
    std::string chunk(std::size_t{1} << 16U, '\0');
    for (;;) {
        const ssize_t count = read(in, chunk.data(), chunk.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) _exit(0);
        for (ssize_t i = 0; i < count; ++i) {
            const char c = chunk[static_cast<std::size_t>(i)];
            if (c != '\n') {
                too_long = too_long || line.size() >= measure::kMaxLine;
                if (!too_long) line += c;
                continue;
            }
            if (too_long)
                output.write({0, refused_request(Text("The message is longer than 64 MiB."))});
            else if (!line.empty())
                receive(line, queue, output, hello);
            line.clear();
            too_long = false;
        }
    }
}

void worker_main() {
    std::signal(SIGPIPE, SIG_IGN);
    const int out = dup(STDOUT_FILENO);
    // Whatever a library prints must not come between the messages.
    dup2(STDERR_FILENO, STDOUT_FILENO);
    serve(STDIN_FILENO, out, local_backends(out));
}

Backends local_backends(int out) {
    Backends backends;
    backends.push_back(cpu_backend());
    for (auto& card : gpu_backends()) backends.push_back(std::move(card));
    if (const char* spec = std::getenv("BLOCKSCOPE_FAKE_DEVICE")) backends.push_back(fake_backend(spec, out));
    return backends;
}

}  // namespace blockscope::worker
