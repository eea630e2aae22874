// What the page Tilings is about: the space of a chain on the window's device, what Algorithm 1 finds in it,
// and what this machine measures of it. Found and measured off the interface thread; choices and times are
// the document's.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/costs/forecast.h"
#include "app/document/document.h"
#include "app/document/work.h"
#include "core/tilings/search.h"
#include "core/tilings/states.h"

namespace blockscope {

// A space with its candidates ranked. Values alone: it may be read on any thread.
struct RankedSpace {
    std::string workload = {};  // empty: the document's program
    ArrayProgram program = {};
    Device device = {};
    tilings::TripCounts counts = tilings::TripCounts::Block;
    tilings::Space space = {};
    std::unique_ptr<const tilings::Searcher> searcher = {};  // of `space`, which stays where it is
    std::vector<int> order = {};                             // candidates, the best estimate first
    std::vector<int> place = {};                             // by candidate: in `order`, from 0
    std::map<std::string, int> expressions = {};             // by text

    const std::vector<double>& estimates() const { return searcher->estimates(); }
    std::string text_of(int candidate) const;
    // The candidate of this text, as to_string() writes it; none: the rules drop it.
    std::optional<int> find(const std::string& text) const;
};
using RankedSpacePtr = std::shared_ptr<const RankedSpace>;

// By expression: the state of the fusion algorithm that has its loops, else the block program that is built.
struct ExpressionStates {
    std::vector<std::optional<tilings::MatchedState>> matched = {};
    std::vector<std::optional<tilings::BuiltProgram>> built = {};  // empty: they are being built
};
using ExpressionStatesPtr = std::shared_ptr<const ExpressionStates>;

// Seconds of a candidate; nothing: it cannot run.
using MeasureTiling =
    std::function<std::optional<double>(const tilings::Space& space, const tilings::Candidate& candidate)>;

// A chain is measured if none of its candidates does more.
constexpr double kMostMeasuredFlops = 1e12;
constexpr double kMostMeasuredBytes = 2e9;  // of inputs and results

class TilingsStudy : public QObject {
    Q_OBJECT

public:
    explicit TilingsStudy(Document& document);
    ~TilingsStudy() override;

    TilingChoices choices() const;
    // Another choice is another space, or another search.
    void set_choices(const TilingChoices& choices);

    void use_device(const std::string& name) { forecast_.set_device(name); }
    // Of the choices, the program and the device as they are now; null until it is found.
    RankedSpacePtr found() const { return found_; }
    QString why_not() const { return why_not_; }  // why there is no space; empty: there is, or will be
    // Null while they are being looked for.
    ExpressionStatesPtr states() const { return states_; }
    // Looks whether anything is another one now. Whoever shows the space asks for it.
    void look();
    bool busy() const { return work_.busy(); }  // finding the space
    bool given_up() const { return given_up_; }
    void find();    // again, after cancel()
    void cancel();  // whatever runs

    // ---- What was measured of the chain that is shown: on this machine, else on another one.
    const TilingsRun* run() const;
    QString machine() const { return machine_; }  // this one
    // That others used this machine meanwhile, or that a result was wrong, in the last job; empty: neither.
    QString doubts() const { return doubts_; }
    std::vector<std::optional<double>> times() const;  // by candidate; nothing too where it cannot run
    int measured() const;                              // of the candidates of the space
    // Why it cannot be measured here; empty: it can.
    QString cannot_measure() const { return cannot_measure_; }
    void measure_all();
    void measure(const std::vector<int>& candidates);
    bool measuring() const { return measuring_.busy(); }
    const Work& work() const { return measuring_.busy() ? measuring_ : work_; }

    // ---- Algorithm 1 with the choices that are shown; null: none was begun.
    const tilings::Search* search() const { return search_ ? &*search_ : nullptr; }
    // A kept search with other choices, or on another device; null: none.
    const KeptSearch* other_search() const;
    void next_round();
    void run_search();
    void forget_search();

    // For tests: times that are known, of a machine of that name.
    void measure_by(MeasureTiling measure, const QString& machine);

Q_SIGNALS:
    void changed();  // busy(), found(), why_not() or choices
    void states_changed();
    void measured_changed();  // times, the search, or measuring()
    void progressed(int permille);
    void failed(const QString& what);

private:
    struct Told;  // by the job that measures

    ArrayProgram program_of(const std::string& workload) const;
    std::string key() const;
    QString measuring_problem() const;
    std::vector<std::pair<int, std::optional<double>>> known(const TilingsRun* run) const;
    void take(RankedSpacePtr found);
    void find_states();
    void build_programs();
    void take_told();
    void replay();
    void keep(const std::function<void(TilingsRun&)>& change, const QString& label, const QString& merge);
    void search_on(int rounds);
    void start_measuring(const QString& title, std::function<void(const Stop&, Told&)> job);
    void stop_measuring();

    Document& document_;
    Forecast& forecast_;
    QString machine_;
    MeasureTiling measure_;
    RankedSpacePtr found_;
    ExpressionStatesPtr states_;
    QString why_not_, cannot_measure_, doubts_;
    std::string looked_at_;
    bool given_up_ = false;
    std::optional<tilings::Search> search_;
    std::optional<KeptSearch> replayed_;  // what search_ is
    TilingsWorkPtr seen_;                 // the document's
    std::shared_ptr<Told> told_;          // of the job that runs
    int jobs_ = 0;                        // each is one entry of undo
    QTimer telling_;
    Work stating_, measuring_, work_;  // the last member: its destructor waits for jobs that use the others
};

}  // namespace blockscope
