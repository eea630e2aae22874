// What run, bench and tune have in common: a program's states as tasks for a worker, progress, exit codes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/cli/load.h"
#include "app/cli/measure_commands.h"
#include "app/cli/terminal.h"
#include "app/worker/card_search.h"
#include "app/worker/session.h"
#include "core/fusion/trace.h"

namespace blockscope::cli {

// A worker, a session with it, and the tasks that the arguments ask for.
class Measuring {
public:
    // Throws UsageError, BadInput, or NoDevice.
    explicit Measuring(const MeasureArguments& arguments);

    const std::vector<worker::Task>& tasks() const { return tasks_; }
    // The state of a run at a snapshot (0: the initial program), whether or not it is among the tasks.
    worker::Task snapshot(const std::string& number) const;
    const std::string& file_name() const { return loaded_.name; }
    const measure::Machine& machine() const { return machine_; }
    // The block sizes to measure for a task: of a card, those that its search has found, with what is known
    // of them in `rows`. Throws what the search fails with.
    std::vector<worker::Task> candidates(const worker::Task& task, std::vector<worker::SearchRow>& rows);
    const measure::BackendInfo& device() const { return device_; }
    const std::string& results_file() const { return results_; }
    bool kept() const { return !results_.empty() && !session_->file_problem(); }

    measure::Record run(const worker::Task& task, const std::string& what);
    worker::Session::Pair compare(const worker::Task& a, const worker::Task& b, const std::string& what);

    // After everything: says on stderr what went wrong, and which exit code that is.
    int finish(const std::vector<measure::Record>& records) const;

private:
    worker::Task task(int step, std::string name) const;
    void watch(const std::string& what);
    void open_device();
    void refuse_what_does_not_apply() const;
    Device card_description() const;
    void predict();
    int snapshot_step(const std::string& number) const;

    const MeasureArguments& arguments_;
    Loaded loaded_;
    ProgramPtr initial_;
    Trace trace_;
    std::string results_;
    std::unique_ptr<worker::Client> client_;
    std::unique_ptr<worker::Session> session_;
    measure::Machine machine_;
    measure::BackendInfo device_;
    std::vector<worker::Task> tasks_;
    std::unique_ptr<StatusLine> status_;
};

// The command that starts a worker here or on `host`. Throws UsageError if `host` is no host.
std::vector<std::string> worker_for(const std::string& host);

}  // namespace blockscope::cli
