// The part of a state that a number belongs to; without members, the whole state.
#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/costs/heat.h"
#include "app/document/document.h"
#include "app/document/work.h"
#include "core/graph/graph.h"

namespace blockscope {

struct CostPlace {
    std::optional<NodeId> node;       // an operator, a map with what it holds, an input or output
    std::optional<ValueRef> value;    // an edge
    std::optional<int> line;          // of the listing, from 0, with what stands in it
    std::vector<std::string> arrays;  // by name
    // Operations per second with the predicted or the measured time, as the roofline has them; both times, as
    // the scatter has them.
    enum class Point : std::uint8_t { None, Predicted, Measured, Both } point = Point::None;

    bool whole() const { return !node && !value && !line && arrays.empty(); }  // of the state, as counted
    bool operator==(const CostPlace&) const = default;
};

// What the states of a document cost: counted once for each program and type, the current state first, off
// the interface thread where that takes long.

class Costs : public QObject {
    Q_OBJECT

public:
    explicit Costs(Document& document);
    // The document's own instance, created by the first call.
    static Costs& of(Document& document);

    // In the form that the document shows (Document::shows_safe): one number for one thing. Null while it is
    // being counted.
    StateCostsPtr of(const ProgramPtr& program) const;
    StateCostsPtr of(StateId state) const;
    // The costs of the plain form, whichever form the document shows.
    StateCostsPtr plain(const ProgramPtr& program) const;
    // "safe form"; empty where the program is listed as it is, or safety changes nothing of it.
    QString shown_form() const;

    // The element type of everything; none: as the program declares.
    std::optional<ElemType> type() const { return type_; }
    void set_type(std::optional<ElemType> type);
    // Whether counts are of a processor, whose engine keeps inputs in cpu_type() and all else in float32:
    // then counts, predictions and measurements are of the same bytes.
    bool on_processor() const { return on_processor_; }
    void set_on_processor(bool on);
    // Whether predicted times are of the numerically safe form (StateCosts::built), as they are unless the
    // user has chosen the plain one.
    bool safe() const { return safe_; }
    void set_safe(bool on);

    // The states that tables and charts are about: the initial program, the snapshots of the branch, the
    // current state, the best one and those compared with it, in the order of the branch; or all of the
    // branch.
    std::vector<StateId> rows() const;
    // The states that the best one is sought among: all of the history. Of one that is so large that counting
    // them would take minutes, the initial program, snapshots and the ends of branches.
    std::vector<StateId> candidates() const;
    // The best state, as app/costs/best.h found it; none while it is not known.
    void set_best(std::optional<StateId> state);
    bool all_steps() const { return all_steps_; }
    void set_all_steps(bool on);
    // What others are compared with: the initial program unless set.
    StateId baseline() const;
    void set_baseline(StateId state);

    // What the heat map of the picture and the listing shows, and the timeline's changes are of.
    HeatMetric heat() const { return heat_; }
    void set_heat(HeatMetric metric);

    // Where a number of a state comes from: the costs page opens it. `column` of CostTable.
    struct Asked {
        StateId state = 0;
        int column = 0;
        CostPlace place;
    };
    void ask_for_derivation(StateId state, int column, const CostPlace& place = {}) {
        asked_ = Asked{state, column, place};
        Q_EMIT derivation_asked(state, column, place);
    }
    // Takes the last question about a number's origin, for a page that is created to answer it; none
    // afterwards.
    std::optional<Asked> take_asked() { return std::exchange(asked_, std::nullopt); }

    // Which work of the unfused program the state repeats; null while one of the two is being counted.
    ReplicatedPtr replicated(StateId state) const;

    // All that is wanted is counted, the timeline's steps included; counted_rows(): all that can be seen.
    bool busy() const { return running_ || !later_.empty(); }
    bool counted_rows() const;

    // The progress of counting, for a progress bar; cancel() stops counting.
    Work& work() { return work_; }
    // The user stops counting; it continues after the next step or choice.
    void cancel();
    bool cancelled() const { return cancelled_; }
    // The text in place of a missing number: it is being counted, or the user has stopped counting.
    QString missing() const;

Q_SIGNALS:
    void heat_changed();
    void derivation_asked(blockscope::StateId state, int column, const blockscope::CostPlace& place);
    void counted();          // some counts are new, or of another form
    void rows_changed();     // rows() or baseline()
    void choices_changed();  // type(), on_processor() or safe()

private:
    void count();
    bool goes_on(const std::vector<ProgramPtr>& missing) const;
    void start_counting(std::vector<ProgramPtr> open, std::vector<ProgramPtr> later);
    void end_counting();
    void count_on_threads(std::vector<ProgramPtr> programs, std::size_t together);
    std::vector<ProgramPtr> wanted(std::size_t& at_once) const;
    void forget_unused(const std::vector<ProgramPtr>& wanted);

    using Counted = std::vector<std::pair<ProgramPtr, StateCostsPtr>>;
    void take(const Counted& counted, bool last);

    Document& document_;
    std::optional<ElemType> type_;
    bool on_processor_ = false, safe_ = true;
    HeatMetric heat_ = HeatMetric::None;
    bool all_steps_ = false;
    StateId baseline_ = 0;
    std::optional<StateId> best_;
    std::optional<Asked> asked_;
    std::vector<StateId> shown_rows_;
    std::map<ProgramPtr, StateCostsPtr> counts_;
    mutable std::pair<StateCostsPtr, ReplicatedPtr> replicated_;  // of the state asked for last
    int generation_ = 0;  // the number of the current counting; results of earlier ones are dropped
    bool running_ = false, cancelled_ = false;
    std::set<ProgramPtr> pending_;   // being counted, or waiting for that
    std::vector<ProgramPtr> later_;  // counted after those, because no view waits for them
    QTimer pause_;                   // delays those, so that dragging a slider stays smooth
    Work work_;                      // the last member: its destructor waits for jobs that use the others
};

// The names of all states of a history, computed at once.
class RowNames {
public:
    explicit RowNames(const History& history);
    // "Initial program", "Step 4", "Snapshot 2".
    QString name(StateId state) const;
    // The same in charts: "0", "4", "S2".
    QString label(StateId state) const;
    // In results, whatever the language, as the command line has it: "step 0", "step 4", "snapshot 2".
    std::string recorded(StateId state) const;

private:
    struct Place {
        int depth = 0;
        int snapshots = 0;  // on the way to it, itself included
        bool snapshot = false;
    };
    std::map<StateId, Place> places_;
};

// "Initial program", "Step 4", "Snapshot 2": what a state of the branch is called. RowNames is for many of
// them.
QString row_name(const Content& content, StateId state);
// What a result calls its state (RowNames::recorded), in the user's language.
QString recorded_name_in_words(const std::string& recorded);

}  // namespace blockscope
