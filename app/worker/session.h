// Whole measurements: prepare, check, time, record. What the command line and the window ask for.
#pragma once

#include <functional>
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

    // Candidates for one place, timed in turns (core/measure/sampling.h): what is measured of one is measured
    // of all at the same time.
    struct Raced {
        std::vector<measure::Record> records;  // by task; those that are not the best have it in `against`
        std::optional<std::size_t> best;       // none has a time: nothing
        std::vector<std::size_t> ties;         // not different from the best
        bool in_turns = true;                  // false: a program broke the worker, so each was timed alone
    };
    // Those that do not fit the memory beside the others are timed against the best of these. `preparing` is
    // told which task is prepared and checked next. Each task has at least one.
    Raced race(const std::vector<Task>& tasks, const std::function<void(std::size_t)>& preparing = {});

    // Waits until others leave the machine alone, no longer than so many seconds (0: only looks).
    measure::Outcome<measure::Calm> wait_for_calm(const std::string& device, double seconds);

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

    // A race while it is on.
    struct Racing {
        const std::vector<Task>& tasks;
        const std::function<void(std::size_t)>& preparing;
        std::vector<Ready> ready;  // by task; no job: not prepared
        Raced raced;
    };
    std::vector<std::size_t> prepare_heat(Racing& racing, std::vector<std::size_t>& waiting);
    bool run_heat(Racing& racing, const std::vector<std::size_t>& heat);
    void run_alone(Racing& racing, const std::vector<std::size_t>& tasks);
    void release_all(Racing& racing);

    Client& client_;
    std::string file_;
    std::optional<Problem> file_problem_;
};

// Block sizes to measure: what `tune` and the window try.

// The task with its own block sizes first, then the `top` choices that search_predicted() finds to be fastest
// on `machine`. If it was not calibrated, the search takes kUsualProcessor with this one's cores and
// caches, and the tasks have no prediction.
std::vector<Task> tuning_candidates(const Task& task, const measure::Machine& machine, int top);

}  // namespace blockscope::worker
