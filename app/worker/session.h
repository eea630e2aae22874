// Whole measurements: prepare, check, time, record. What the command line and the window ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/worker/client.h"
#include "core/cost/device.h"
#include "core/measure/record.h"

namespace blockscope::worker {

struct Task {
    std::string program;                // its name, for people
    std::string state;                  // "snapshot 2"
    ProgramPtr initial;                 // the unfused program
    std::optional<ArrayProgram> array;  // what it was made from, if that is known: the better reference
    ProgramPtr blocks;                  // what runs, at the sizes and block sizes to measure
    std::string device = "cpu";
    measure::PrepareOptions options;
    std::uint64_t seed = 1;
    measure::SamplingPlan plan;
    bool warm = true;
    bool cold = true;
    double predicted_seconds = 0;  // 0: not known
    std::string model;
    // Of cards: what the model predicts for, once the worker has compiled the kernels and their registers,
    // shared memory and reductions in parts are known. Until then predicted_seconds is without them.
    std::optional<Device> card = {};
};

// What a result of this task would be of, on this machine.
measure::Subject subject_of(const Task& task, const measure::Machine& machine);

// Each appends its records to `results_file` (unless that is empty) before it returns them; a record without
// times has a failure. A problem of the file itself is in `file_problem`.
class Session {
public:
    Session(Client& client, std::string results_file) : client_(client), file_(std::move(results_file)) {}

    measure::Record run(const Task& task);
    // Only prepares and checks: nothing is recorded.
    std::optional<measure::Failure> check_only(const Task& task);

    struct Pair {
        measure::Record a, b;  // with warm times of the interleaved runs; a.against is b
    };
    Pair compare(const Task& a, const Task& b);

    const std::optional<Problem>& file_problem() const { return file_problem_; }

private:
    struct Ready {
        std::string job;
        double run_seconds = 0;
    };
    measure::Record begin(const Task& task);
    std::optional<measure::Failure> make_ready(const Task& task, measure::Record& record, Ready& ready);
    // `instead` is what the worker names for the case that this is wrong.
    std::optional<measure::Failure> attempt(const Task& task, measure::Record& record, Ready& ready,
                                            std::string& instead);
    void keep(const measure::Record& record);

    Client& client_;
    std::string file_;
    std::optional<Problem> file_problem_;
};

// Block sizes to measure: what `tune` and the window try.

// The task with its own block sizes first, then the `top` choices that are predicted to be fastest on
// `machine`: by the time model if it was calibrated, else by the block search alone.
std::vector<Task> tuning_candidates(const Task& task, const measure::Machine& machine, int top);

// The record with the least warm median; null if none has a time.
const measure::Record* fastest(const std::vector<measure::Record>& records);

}  // namespace blockscope::worker
