// What a measuring thread does: states measured, block sizes tried, two states in turn, this machine
// calibrated. No Qt; everything it hears goes through the events.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/worker/card_search.h"
#include "app/worker/session.h"
#include "core/cost/device.h"

namespace blockscope {

struct MeasurePlan {
    enum class Kind : std::uint8_t {
        MeasureStates,  // every job, one after the other
        TuneBlocks,     // the first job at its own block sizes and at those that the model likes
        ComparePair,    // the first two jobs in turn, warm: the first one's time over the second's
        CalibrateDevice,
    };
    struct Job {
        std::string name;  // for people
        worker::Task task;
    };
    Kind kind = Kind::MeasureStates;
    std::vector<Job> jobs;
    measure::Machine machine;           // that block sizes are chosen for
    std::string device = "cpu";         // of the worker
    std::string host;                   // of the worker; empty: this machine
    std::string architecture;           // of a card; empty: a processor
    std::optional<Device> card;         // its description, to rank block sizes by
    std::filesystem::path calibration;  // where CalibrateDevice writes its description
};

// A choice of block sizes: what was known of it before it ran, and what became of it.
struct TunedRow {
    worker::SearchRow row;
    std::optional<double> measured_seconds;  // warm, median
    std::string failure;
    std::string model = {};  // that predicts its time: of time_models(), or "block search"
    std::optional<measure::Record> record = {};  // once it ran
};

struct PlanEvents {
    // Part `done` of `total` is under way.
    std::function<void(const std::string& name, const measure::ProgressEvent& event, int done, int total)>
        progressed;
    std::function<void(const measure::Record& record, int done, int total)> recorded;
    // While block sizes are searched, whenever something is known anew.
    std::function<void(const std::vector<TunedRow>& rows)> searched = [](const auto&) {};
};

// Block sizes that were tried for a state.
struct TuneOutcome {
    measure::Record own;   // at the state's own block sizes
    measure::Record best;  // the fastest, perhaps the same
    int tried = 0;         // with a result
};

struct PlanOutcome {
    std::string problem;  // the last thing that went wrong, as a sentence; empty if nothing did
    std::optional<TuneOutcome> tuned;
    std::optional<measure::Record> compared;  // with `against`
    std::optional<Device> calibrated;
};

// Everything on the caller's thread, until all is done or the client is cancelled. Records go to
// `results_file` as they come.
PlanOutcome carry_out(const MeasurePlan& plan, worker::Client& client, const std::string& results_file,
                      const PlanEvents& events);

}  // namespace blockscope
