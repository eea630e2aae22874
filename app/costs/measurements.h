// Measured times of a document's states: what the results file holds of them, and new measurements in a
// worker process. Everything shown says when, where and how it was measured.
#pragma once

#include <QObject>
#include <QStringList>
#include <QThread>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/costs/costs.h"
#include "app/document/work.h"
#include "app/worker/card_search.h"
#include "app/worker/session.h"
#include "core/cost/device.h"
#include "core/measure/failure.h"

namespace blockscope {

// ---- The devices that can measure programs: this machine's CPU, its GPUs, and those of other machines that
// ssh reaches. A worker process on each machine lists its devices.

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

    // This machine's CPU first, then the devices that the search has found.
    const std::vector<MeasurePlace>& all() const { return all_; }
    // "This processor", "cuda0: NVIDIA H200", "cuda0: NVIDIA H200 (HOST)".
    static QString title(const MeasurePlace& place);

    const QStringList& hosts() const { return hosts_; }
    void set_hosts(const QStringList& hosts) { hosts_ = hosts; }
    // Adds a machine and searches again; then answered() reports the outcome. A machine that does not answer
    // is not kept. False if this is not the name of a host.
    bool add_host(const QString& host);
    // The known machines that did not answer, in the order of problems(); and a call that forgets one of
    // them.
    const QStringList& silent() const { return silent_; }
    void forget_silent();

    // Asks all machines, on a background thread. The list stays as it is until they have answered.
    void look();
    bool looking() const { return work_ != nullptr && work_->busy(); }
    bool looked() const { return looked_; }  // whether a search has ended
    // A sentence for each machine that did not answer.
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
    QStringList added_, fresh_;  // the machines that the user entered, and those of them that are new
    bool looked_ = false;
    std::vector<std::shared_ptr<worker::Client>> asking_;  // of the search that runs
    std::unique_ptr<Work> work_;
};

// A task for a measuring thread: to measure states, to try block sizes, to compare two states in turns, or to
// calibrate this machine. Needs no Qt; the thread reports through the events.
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
    double wait_seconds = 20;           // the longest wait for the machine to become idle; 0: none
};

// A choice of block sizes: its prediction, and its result after it has run.
struct TunedRow {
    worker::SearchRow row;
    std::optional<double> measured_seconds = {};  // warm, median
    Text failure = {};
    std::string model = {};                      // that predicts its time: of time_models()
    std::optional<measure::Record> record = {};  // once it ran
};

struct PlanEvents {
    // Part `done` of `total` is under way.
    std::function<void(const std::string& name, const measure::ProgressEvent& event, int done, int total)>
        progressed;
    std::function<void(const measure::Record& record, int done, int total)> recorded;
    // Called during a search for block sizes, after every new result.
    std::function<void(const std::vector<TunedRow>& rows)> searched = [](const auto&) {};
};

// Block sizes that were tried for a state.
struct TuneOutcome {
    measure::Record own;                     // at the state's own block sizes
    measure::Record best;                    // the fastest, perhaps the same
    int tried = 0;                           // how many choices have a result
    std::vector<measure::Record> ties = {};  // choices whose times do not differ from the best one's
};

struct PlanOutcome {
    Text problem;  // the last thing that went wrong, as a sentence; empty if nothing did
    std::optional<TuneOutcome> tuned;
    std::optional<measure::Record> compared;  // with `against`
    std::optional<Device> calibrated;
    std::vector<Text> doubts = {};  // why it is unreliable; then an earlier description stays in use
};

// Does a task on the caller's thread, until it is done or the client is cancelled. Appends each record to
// `results_file` as soon as it exists.
PlanOutcome carry_out(const MeasurePlan& plan, worker::Client& client, const std::string& results_file,
                      const PlanEvents& events);

class Forecast;

class Measurements : public QObject {
    Q_OBJECT

public:
    explicit Measurements(Document& document);
    ~Measurements() override;  // ends the worker
    // The document's own instance, created by the first call.
    static Measurements& of(Document& document);

    // How workers are started and where results go; for tests. The defaults: a worker on this machine and the
    // user's results file.
    void set_worker(std::vector<std::string> command, std::string results_file, std::string device = "cpu");
    // Where measurements are made from now on; not while one runs. Results of other places stay known.
    MeasurePlaces& places() { return places_; }
    const MeasurePlace& place() const { return place_; }
    void choose(const MeasurePlace& place);
    // Why the forecasts' times are not those of what is measured: their device is another one, or tf32() is
    // not predicted. Empty if they are.
    QString not_comparable() const;
    // Of a card's code generator: "sm_80"; empty: what suits the card.
    const std::string& target() const { return target_; }
    void set_target(const std::string& target);
    // Products of float32 on cards by tensor cores, operands rounded to 11 bits, if that is chosen and
    // measured_type() is float32. No description has the rate of it: forecasts are then of another
    // arithmetic.
    bool tf32() const;
    void set_tf32(bool on);
    // What runs: the numerically safe form of the state, on a card in 16 bits where it is asked for.
    ProgramPtr measured_program(StateId state) const;
    ElemType measured_type() const;

    // Whether measurements wait for a machine that others use (20 s at most).
    bool waiting() const { return waiting_; }
    void set_waiting(bool on) { waiting_ = on; }
    void set_calibration_file(std::filesystem::path file) { calibration_ = std::move(file); }

    // Newest result of the state as it is now (program, sizes, type); else the newest times that are stale,
    // and why: of the same state at other sizes or with another type, or, once the program was edited, of
    // what was the same snapshot or step of the program of this name before.
    struct Result {
        measure::Record record;
        QString stale;  // empty: it is of exactly this
    };
    std::optional<Result> of(StateId state) const;
    // Seconds of its top-level operators in the newest result of exactly this; none of cards, which are timed
    // as a whole.
    std::vector<double> kernels_of(StateId state) const;

    // Measures these states one after the other, warm and cold, each checked first. What is being measured
    // already is done first.
    void measure(const std::vector<StateId>& states);
    // Measures the state at its own block sizes and at those that the model likes; tuned() then has the best.
    void tune(StateId state);
    // Runs both in turn, warm; compared() then has the ratio of their times.
    void compare(StateId a, StateId b);
    // Measures what the device is able to do, for predictions; they are for it afterwards.
    void calibrate();
    void cancel();  // what runs and what waits; results that are there stay

    bool busy() const { return running_; }
    bool cancelled() const { return cancelled_; }  // what ran last, or runs
    // What is being done, and how much: for a bar. Seconds that are left are guessed from what is done.
    struct Progress {
        QString what;
        int done = 0, total = 0;  // states
        double share = 0;         // of all, 0 .. 1
        std::optional<double> seconds_left = {};
    };
    const Progress& progress() const { return progress_; }

    // What the last tuning, comparison or calibration found, what went wrong last, or what became of a
    // machine that was added, as a text that says when, where and how; and the dimensions with the block
    // sizes that were fastest, if they are others than the document's.
    struct Finding {
        QString text;
        QString how;
        DimTable dims;  // empty: nothing to use
    };
    const std::optional<Finding>& finding() const { return finding_; }
    void forget_finding();
    // Told where findings are, until the next measurement or until it is dismissed.
    void tell(const QString& text, const QString& how = {});

    // Block sizes of the tuning that runs, or ran last.
    const std::vector<TunedRow>& search() const { return search_; }

Q_SIGNALS:
    void searched();  // search() knows more
    void found();     // finding() is another one
    void measured();  // results are new, or are about other states now
    void chosen();    // place() or target() is another
    void progressed();
    void finished(const QString& problem);  // empty: all went well or was cancelled

private:
    MeasurePlan plan_of(MeasurePlan::Kind kind, const std::vector<StateId>& states) const;
    void start(MeasurePlan plan);
    worker::Task task_of(StateId state) const;
    std::string key_of(const ProgramPtr& program) const;
    // All that is known of the state at any sizes, newest last; null: nothing.
    const std::vector<measure::Record>* records_of(StateId state) const;
    // The newest times of the state in an earlier program of this name; null: none.
    const measure::Record* earlier_of(StateId state) const;
    void load_results();
    void keep(const measure::Record& record);
    void run(const MeasurePlan& plan);
    void arrived(const measure::Record& record, int done, int total);
    void show_progress(const QString& what, const measure::ProgressEvent& event, int done, int total);
    void done(const PlanOutcome& outcome);
    void show_tuned(const TuneOutcome& tuned);
    void show_compared(const measure::Record& record);
    void show_calibrated(const Device& device, const std::vector<Text>& doubts);
    void welcome(const QString& host, const QString& problem);
    // The description that predictions for a place have.
    std::string description_of(const MeasurePlace& place) const;

    Document& document_;
    Costs& costs_;
    Forecast& forecast_;
    MeasurePlaces places_;
    MeasurePlace place_;
    std::string target_;
    bool tf32_ = false;
    bool waiting_ = true;
    std::string file_;
    std::filesystem::path calibration_;
    std::unique_ptr<worker::Client> client_;  // asked from the thread alone, but for cancel()
    std::unique_ptr<QThread> thread_;
    bool running_ = false;
    bool cancelled_ = false;
    Progress progress_;
    std::optional<Finding> finding_;
    std::vector<TunedRow> search_;
    qint64 started_ = 0;  // milliseconds
    // The newest record by program and state, whatever the sizes, newest last.
    std::map<std::pair<std::string, std::string>, std::vector<measure::Record>> records_;
    // The newest with times by names of program and state, one for each program of that name, newest last.
    std::map<std::pair<std::string, std::string>, std::vector<measure::Record>> named_;
    mutable std::map<ProgramPtr, std::string> keys_;
    mutable std::pair<ProgramPtr, ElemType> declared_;
    mutable std::map<ProgramPtr, State> safe_;  // numerically safe forms, held so that they are made once
};

// "1.23 ms warm (95 %: 1.20 ms to 1.25 ms, 312 samples), ...": when, where and how.
QString record_text(const measure::Record& record);
// What differs between what was measured and what is shown: "The program has changed."
QString stale_text(const measure::Subject& measured, const measure::Subject& now);
// "M = 512 / 64, N = 512 / 128": sizes and block sizes.
QString dims_text(const DimTable& dims);

}  // namespace blockscope
