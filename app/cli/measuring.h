// The parts that the commands run, bench and tune share: their options, a program's states as tasks for a
// worker, progress, exit codes, and the output of measurements. Also `tune --predict`, which measures
// nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/best.h"
#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/terminal.h"
#include "app/worker/card_search.h"
#include "app/worker/session.h"
#include "core/measure/record.h"
#include "core/measure/sampling.h"
#include "core/state/choose.h"

#include "core/rules/rule.h"
#include "core/state/state.h"

namespace blockscope::cli {

constexpr double kWait = 20;

// Which states are measured if none is asked for.
enum class StatesByDefault { All, UnfusedAndBest, Best };

// The arguments of run, bench and tune.
struct MeasureArguments {
    std::string file;
    std::string on = "cpu";  // the device
    std::string host;        // another machine, through ssh; empty: this one
    StatesByDefault by_default = StatesByDefault::All;
    std::string snapshot;            // "all", a number, or "last"; 0 is the initial program; empty: not asked
    std::string state;               // words of --state
    std::string objective;           // of which the best state has least; empty: predicted time
    std::optional<int> step;         // instead of snapshots
    std::string baseline = "0";      // bench: the snapshot that others are compared with
    std::vector<std::string> sizes;  // NAME=SIZE[/BLOCK]
    RuleChoice rules;
    LoopForm loops = LoopForm::Built;
    std::string type = "f32";  // of the inputs
    std::string target;        // of the GPU code generator; empty: the one that suits the GPU
    int threads = 0;           // 0: all
    int block_threads = 0;     // of a GPU's thread blocks; 0: what suits the program
    int stages = 0;            // how many tiles a GPU copies ahead; 0: what suits the program
    int top = 8;               // tune: how many block sizes are measured
    double wait = kWait;       // the longest wait for the machine to become idle, in seconds; 0: none
    std::string device;        // tune --predict: a described device, or a description's file
    std::uint64_t seed = 1;
    double range = 1;  // the random inputs lie in [-range, range]
    measure::SamplingPlan plan;
    std::string results;   // file; empty: the user's
    bool unsafe = false;   // runs the plain forms of states instead of their numerically safe forms
    bool predict = false;  // tune: only predicts times on `device`, measures nothing
    bool no_cold = false;
    bool no_results = false;
    bool csv = false;
    bool json = false;
};
// FILE and all options, except those that choose states.
std::vector<Option> measure_options(MeasureArguments& arguments);
// --snapshot and --step. `snapshots` is the text that says which snapshots are the default.
std::vector<Option> measured_states(MeasureArguments& arguments, const std::string& snapshots);
Option no_cold_option(MeasureArguments& arguments);
// --wait.
Option wait_option(double& seconds);
// --on and --host.
std::vector<Option> machine_options(std::string& on, std::string& host);
std::vector<Option> table_options(bool& csv, bool& json, const std::string& csv_help);

// A worker, a session with it, and the tasks that the arguments ask for.
class Measuring {
public:
    // Throws UsageError, BadInput, or NoDevice.
    explicit Measuring(const MeasureArguments& arguments);

    const std::vector<worker::Task>& tasks() const { return tasks_; }
    // The state of a run at a snapshot (0: the initial program), whether or not it is among the tasks.
    worker::Task snapshot(const std::string& number) const;
    // "best of 18 states by ...", if the best one was looked for.
    const std::optional<std::string>& best_sentence() const { return best_sentence_; }
    const std::optional<Json>& best_json() const { return best_json_; }
    // Why no task has a predicted time; empty if they have one.
    const std::string& unpredicted() const { return unpredicted_; }
    const std::string& file_name() const { return loaded_.name; }
    const measure::Machine& machine() const { return machine_; }
    // The block sizes to measure for a task. On a GPU a search finds them and writes what it knows of each
    // into `rows`. Throws the failure of the search.
    std::vector<worker::Task> candidates(const worker::Task& task, std::vector<worker::SearchRow>& rows);
    const measure::BackendInfo& device() const { return device_; }
    Form form() const;  // that states are measured in
    const std::string& results_file() const { return results_; }
    bool kept() const { return !results_.empty() && !session_->file_problem(); }

    // ---- Measuring. The first call waits until the machine is idle.
    measure::Record run(const worker::Task& task, const std::string& what);
    worker::Session::Raced race(const std::vector<worker::Task>& tasks);
    worker::Session::Pair compare(const worker::Task& a, const worker::Task& b, const std::string& what);

    // Call at the end: prints to stderr what went wrong, and returns the exit code.
    int finish(const std::vector<measure::Record>& records) const;

private:
    Form rated_form() const;  // form() with the element types of the device and the loops of the arguments
    ElemType input_type() const;
    int threads(const Device& processor) const;  // how many threads work, at most the CPU's cores
    bool looks_for_best() const;
    Stakes stakes() const;
    std::vector<ChosenState> states();
    worker::Task task(const ChosenState& chosen) const;
    void watch(const std::string& what);
    void wait_for_calm();
    void open_device();
    void refuse_what_does_not_apply() const;
    Device card_description() const;
    void predict();

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
    std::optional<std::string> best_sentence_;
    std::optional<Json> best_json_;
    std::string unpredicted_;
    bool waited_ = false;
};

// The command that starts a worker here or on `host`. Throws UsageError if `host` is no host.
std::vector<std::string> worker_for(const std::string& host);

// ---- Measurements as tables, CSV and JSON.

std::string time_text(double seconds);  // "950 ns", "1.23 ms", "12.0 s"

// A row per record, right-aligned but for the first column; columns that no row fills are left out.
void print_records(const std::vector<measure::Record>& records);
// Where, how and with what conditions, below a table.
void print_circumstances(const Measuring& measuring, const std::vector<measure::Record>& records);

// Why this state: "best of 18 states by ...", below a table; nothing if it was asked for.
void print_best(const Measuring& measuring);

// Prints notes that help to read the times: work that a state repeats, operators that are not Blockscope's. A
// line each.
void print_notes(const Measuring& measuring);

void print_csv(const std::vector<measure::Record>& records);

// Prints to stderr what went wrong. A failure that several records share appears once.
void say_failures(const std::vector<measure::Record>& records);

// {"blockscope": command, ..., "file", "machine", "results", "measurements": [...]}
Json measurements_json(const std::string& command, const Measuring& measuring,
                       const std::vector<measure::Record>& records);

// tune --predict: block sizes for a device that needs only a description and may be absent.

struct PredictArguments {
    std::string file;
    std::string device;  // a name or a description's file
    std::optional<int> step;
    std::string snapshot;            // "all": step 0 and all snapshots; no name: the best state
    std::string state;               // words of --state
    bool safe = true;                // safe or plain forms
    std::vector<std::string> sizes;  // NAME=SIZE[/BLOCK]
    RuleSet rules;
    LoopForm loops = LoopForm::Built;
    int top = 8;
    bool json = false;
};

int predict_tune(const PredictArguments& arguments);

}  // namespace blockscope::cli
