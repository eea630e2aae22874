// Where programs can be measured: this machine's processor, its graphics cards, and those of other machines
// that ssh reaches. What there is, a worker on each machine says.
#pragma once

#include <QObject>
#include <QStringList>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/work.h"
#include "app/worker/card_search.h"
#include "app/worker/session.h"
#include "core/cost/device.h"
#include "core/measure/failure.h"

namespace blockscope {

namespace worker {
class Client;
}

struct MeasurePlace {
    std::string host;            // ssh's name for it; empty: this machine
    std::string device = "cpu";  // the worker's
    std::string model;           // "NVIDIA H200"
    std::string architecture;    // of a card: "sm_90a"; empty for processors
    measure::Machine machine;    // as its worker describes it

    bool is_card() const { return !architecture.empty(); }
    bool operator==(const MeasurePlace& other) const { return host == other.host && device == other.device; }
};

class MeasurePlaces : public QObject {
    Q_OBJECT

public:
    explicit MeasurePlaces(QObject* parent = nullptr);
    ~MeasurePlaces() override;  // ends the search

    // How a worker of this machine is started; for tests.
    void set_worker(std::vector<std::string> command) { local_ = std::move(command); }
    std::vector<std::string> command_for(const std::string& host) const;

    // This machine's processor first, then what was found.
    const std::vector<MeasurePlace>& all() const { return all_; }
    // "This processor", "cuda0: NVIDIA H200", "cuda0: NVIDIA H200 (HOST)".
    static QString title(const MeasurePlace& place);

    const QStringList& hosts() const { return hosts_; }
    void set_hosts(const QStringList& hosts) { hosts_ = hosts; }
    // Adds a machine and looks again; answered() then says what became of it. One that gives no answer is not
    // kept. False if it is no name of a host.
    bool add_host(const QString& host);
    // Known machines that gave no answer, in the order of problems(); and looks for them no longer.
    const QStringList& silent() const { return silent_; }
    void forget_silent();

    // Asks all machines, on a thread of its own. What is there stays until they have answered.
    void look();
    bool looking() const { return work_ != nullptr && work_->busy(); }
    bool looked() const { return looked_; }  // at least once, to the end
    // Of machines that gave no answer, a sentence each.
    const QStringList& problems() const { return problems_; }

Q_SIGNALS:
    void changed();  // all(), looking() or problems()
    // A machine that was added: its places are among all(), or `problem` says as a sentence why not.
    void answered(const QString& host, const QString& problem);

private:
    struct Found {
        std::vector<MeasurePlace> places;
        QStringList silent, problems;
    };
    void take(const Found& found);
    void stop_asking();

    std::vector<std::string> local_;
    QStringList hosts_;
    std::vector<MeasurePlace> all_;
    QStringList silent_, problems_;
    QStringList added_, fresh_;  // that were entered; of them those that were not known before
    bool looked_ = false;
    std::vector<std::shared_ptr<worker::Client>> asking_;  // of the search that runs
    std::unique_ptr<Work> work_;
};

// What a measuring thread does: states measured, block sizes tried, two states in turn, this machine
// calibrated. No Qt; everything it hears goes through the events.

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
    Text failure;
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
    Text problem;  // the last thing that went wrong, as a sentence; empty if nothing did
    std::optional<TuneOutcome> tuned;
    std::optional<measure::Record> compared;  // with `against`
    std::optional<Device> calibrated;
};

// Everything on the caller's thread, until all is done or the client is cancelled. Records go to
// `results_file` as they come.
PlanOutcome carry_out(const MeasurePlan& plan, worker::Client& client, const std::string& results_file,
                      const PlanEvents& events);

}  // namespace blockscope
