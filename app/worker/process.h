// A child process that one talks to in lines, and that can always be got rid of.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace blockscope::worker {

// In a process group of its own, so that ssh and whatever it started go together, and Ctrl-C is for us alone.
class Process {
public:
    // Starts `command` (found on PATH); null, with the reason in `error`, if that fails.
    static std::optional<Process> start(const std::vector<std::string>& command, std::string& error);
    Process(Process&& other) noexcept;
    Process& operator=(Process&& other) noexcept;
    ~Process();  // kills and reaps

    // Writes a line. Ended: nobody reads it any more; TimedOut: nobody took it in time, or Woken: `wake_fd`
    // became readable meanwhile: it may then be written in part, and nothing more can be said to this
    // process.
    enum class Sent { All, Ended, Woken, TimedOut };
    Sent send(const std::string& line, std::chrono::steady_clock::time_point until, int wake_fd);

    enum class Wait { Line, Ended, Woken, TimedOut, TooLong };
    // Waits for a whole line, without its newline. Woken: `wake_fd` became readable. Ended: the process
    // closed its output; what it wrote after its last newline is in `line`.
    Wait read_line(std::string& line, std::chrono::steady_clock::time_point until, int wake_fd);

    // Kills the process group and waits for the process to be gone; false if it is not after `seconds` (it is
    // then stuck in the kernel, and left alone).
    bool kill_and_reap(double seconds);
    // "exited with code 3", "was ended by signal 9 (Killed)"; what is known once it was reaped.
    const std::string& end() const { return end_; }
    // The last of what it wrote to stderr.
    const std::string& errors() const { return errors_; }
    pid_t pid() const { return pid_; }

private:
    Process() = default;
    void drain_errors();
    void close_all();
    void take(Process& other);

    pid_t pid_ = -1;  // -1 once reaped
    int in_ = -1;     // a socket: its stdin
    int out_ = -1;
    int err_ = -1;
    std::string buffer_;
    std::size_t searched_ = 0;  // of buffer_, that has no newline
    std::string errors_;
    std::string end_;
};

}  // namespace blockscope::worker
