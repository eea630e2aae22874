// Measured times of a document's states: what the results file holds of them, and new measurements in a
// worker process. Everything shown says when, where and how it was measured.
#pragma once

#include <QObject>
#include <QThread>
#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "app/costs/costs.h"
#include "app/costs/measure_places.h"

namespace blockscope {

class Forecast;

class Measurements : public QObject {
    Q_OBJECT

public:
    explicit Measurements(Document& document);
    ~Measurements() override;  // ends the worker
    // The one of this document, made when first asked for.
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
    // What runs: on a card the numerically safe form of the state, in 16 bits where it is asked for.
    ProgramPtr measured_program(StateId state) const;
    ElemType measured_type() const;

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
        std::optional<double> seconds_left;
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
    void show_calibrated(const Device& device);
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
