#include "app/worker/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "core/measure/protocol.h"

namespace blockscope::worker {
namespace {

using Clock = std::chrono::steady_clock;
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

std::string end_of(int status) {
    if (WIFEXITED(status)) return "exited with code " + std::to_string(WEXITSTATUS(status));
    if (WIFSIGNALED(status))
        return "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
               strsignal(WTERMSIG(status)) + ")";
    return "ended";
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

Process::Sent Process::send(const std::string& line, Clock::time_point until, int wake_fd) {
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
        // Somebody who does not listen, or a slow line.
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
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

Process::Wait Process::read_line(std::string& line, Clock::time_point until, int wake_fd) {
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
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
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
    const auto until = Clock::now() + std::chrono::duration<double>(seconds);
    kill(-pid_, SIGKILL);
    int status = 0;
    while (waitpid(pid_, &status, WNOHANG) == 0) {
        if (Clock::now() >= until) {
            pid_ = -1;
            end_ = "does not end even when killed";
            return false;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (err_ >= 0) drain_errors();
    pid_ = -1;
    end_ = end_of(status);
    return true;
}

}  // namespace blockscope::worker
