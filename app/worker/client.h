// A child process that one talks to in lines, and that can always be got rid of.
#pragma once

#include <sys/types.h>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/measure/protocol.h"
#include "core/support/text.h"

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
    const Text& end() const { return end_; }
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
    Text end_;
};

// How to start a worker, here or on another machine.

// The blockscope-cli beside this executable (or in ../bin) with the argument "worker"; the one on PATH if
// there is none.
std::vector<std::string> local_worker();

// `ssh HOST blockscope-cli worker`, without questions: ssh fails rather than asks for a password. `host` is a
// word as ssh takes it; one that begins with '-' (an option) or is empty gives no command.
std::vector<std::string> remote_worker(const std::string& host);

// Talks to a worker process: starts it, asks, waits no longer than the limits allow, kills what does not
// answer and starts it again for the next question. Needs no Qt: the window runs it on a thread of its own.

// Seconds.
struct TimeLimits {
    double hello = 20;      // starting, over ssh as well
    double prepare = 30;    // compiling
    double check = 30;      // the reference and two runs
    double timing = 10;     // without a sign of life while timing, at least; see timing_limit()
    double calibrate = 60;  // without a sign of life
    double cancel = 0.1;    // what a worker has to give up by itself
    double reap = 5;        // for a killed process to be gone
};

// What a worker may need between two signs of life (samples are reported as they are taken): max(10 s, 20
// times the predicted time of a run).
double timing_limit(const TimeLimits& limits, double predicted_seconds);

// One conversation at a time; cancel() alone may be called from any thread.
class Client {
public:
    explicit Client(std::vector<std::string> command, TimeLimits limits = {});
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // Starts the worker if it does not run. What it said is kept until it is started again.
    measure::Outcome<measure::Hello> hello();
    measure::Outcome<measure::PreparedAnswer> prepare(const measure::PrepareRequest& request);
    measure::Outcome<measure::CheckedAnswer> check(const measure::CheckRequest& request);
    measure::Outcome<measure::MeasuredAnswer> measure(const measure::MeasureRequest& request,
                                                      double predicted_seconds);
    measure::Outcome<measure::ComparedAnswer> compare(const measure::CompareRequest& request,
                                                      double predicted_seconds);
    measure::Outcome<measure::RacedAnswer> race(const measure::RaceRequest& request,
                                                double predicted_seconds);
    measure::Outcome<measure::CalmAnswer> calm(const measure::CalmRequest& request);
    measure::Outcome<measure::CalibratedAnswer> calibrate(const measure::CalibrateRequest& request);
    measure::Outcome<measure::CompiledAnswer> compile(const measure::CompileRequest& request);
    // A job that is gone with its worker is released, too.
    void release(const std::string& job);

    // Gives up what is running, within cancel + some milliseconds: the worker is asked first, then killed.
    // Everything asked from now on is answered with Cancelled, until resume().
    void cancel();
    void resume();
    bool cancelled() const { return cancelled_; }

    // Called from within the calls above.
    void on_progress(std::function<void(const measure::ProgressEvent&)> observer) {
        observer_ = std::move(observer);
    }

    // Why nothing is asked any more: the worker could not be killed, or was lost three times without a result
    // in between. Empty if all is well.
    const Text& marked() const { return marked_; }
    void unmark();
    // How often a worker was started; a number that changes whenever jobs are lost.
    int generation() const { return generation_; }
    const std::vector<std::string>& command() const { return command_; }
    pid_t pid() const { return process_ ? process_->pid() : -1; }

private:
    using Answer = measure::AnswerBody;
    std::optional<measure::Failure> start();
    Answer send_and_wait(measure::RequestBody body, double limit, bool signs_of_life, const Text& what);
    std::optional<measure::Failure> say(const measure::Request& request, double limit, const Text& what);
    Answer await(std::int64_t id, double limit, bool signs_of_life, const Text& what);
    Answer give_up(std::int64_t id);
    void retire();
    measure::Failure lose(measure::FailureClass cls, const Text& sentence, const std::string& said);
    template <class T>
    measure::Outcome<T> expect(Answer answer);
    void drain_wake();

    std::vector<std::string> command_;
    TimeLimits limits_;
    std::optional<Process> process_;
    std::optional<measure::Hello> hello_;
    std::function<void(const measure::ProgressEvent&)> observer_;
    std::atomic<bool> cancelled_ = false;
    int wake_ = -1;  // an eventfd: cancel() was called
    std::int64_t last_id_ = 0;
    int generation_ = 0;
    int lost_in_a_row_ = 0;
    Text marked_;
};

}  // namespace blockscope::worker
