// Which state of a document is worth building: of all states of its history, on all branches, the one with
// the least of what the user has chosen as the objective.
//
//     Best by predicted time on NVIDIA H100 SXM5 80 GB: step 74, 25.2 ms; the last state is 34 times slower.
#pragma once

#include <QObject>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/costs/baselines.h"
#include "app/costs/costs.h"
#include "app/costs/forecast.h"
#include "app/document/document.h"
#include "app/document/work.h"
#include "app/worker/predict.h"
#include "core/state/choose.h"

namespace blockscope {

class Settings;

// From this ratio on, texts say "N times" instead of "N % more".
constexpr double kTimesFrom = 1.945;

class Best : public QObject {
    Q_OBJECT

public:
    explicit Best(Document& document);
    // The document's own instance, created by the first call.
    static Best& of(Document& document);

    ObjectiveKind objective() const { return objective_; }
    void set_objective(ObjectiveKind objective);
    // Sets an objective that settings do not keep, for a lesson for example. Holds until set_objective().
    void lend_objective(ObjectiveKind objective);
    bool objective_lent() const { return lent_; }

    // The objective's value for the state; less is better. Seconds are those of the form that runs
    // (StateCosts::built), so that a plain form that can overflow is never the fastest; bytes are those of
    // the listing. None while it is not known, and for states that were not measured.
    std::optional<double> value_of(StateId state) const;
    // The best state, and the one after it. Of equally good ones the one after fewer steps is better. None
    // until all candidates (Costs::candidates()) have a value, or all that were measured.
    std::optional<StateId> state() const;
    std::optional<StateId> runner_up() const { return runner_up_; }
    // If the best state is in its safe form: the value of its plain form, which can overflow. None while it
    // is not known, and for measured times.
    std::optional<double> plain_value() const;
    bool is_best(StateId id) const { return state() == id; }
    // Whether every state of the history is a candidate.
    bool all_states() const;

    QString value_text(double value) const;  // "25.2 ms", "538 MB"
    QString objective_text() const;          // "predicted time on NVIDIA H100 SXM5 80 GB (safe form)"
    QString name(
        StateId state) const;  // "step 74", "the initial program"; with the branch in front if it is another
    // "Best by ...: step 74, 25.2 ms (24.9 ms plain, which can overflow); the last state is 34 times slower."
    // Empty while it is not known.
    QString sentence() const;
    // Whether the best state is worth building beside the kernels of others on the device
    // (Baselines::verdict()): "1.3 times faster than library kernels.", "Do not fuse this: ...". Empty of
    // other objectives than predicted time, and of block programs, which nobody has kernels of. Where it is
    // no, and rules that round values elsewhere were not allowed but save 5%, a sentence says what they give.
    QString verdict() const;
    // Where it loses with the block sizes that it has, others are searched off this thread; the verdict then
    // says what they give.
    bool searching_blocks() const { return blocks_.busy(); }
    // None while they are searched, where that is not needed, and where nothing fits.
    std::optional<SearchedBlocks> other_blocks() const;
    // How a state stands: "Best state", "34 times slower than the best". Empty while it is not known.
    QString standing(StateId of) const;
    // A warning about a step that makes the objective at least 2 % larger: by how much, what it computes or
    // moves again, and when that pays. Empty for other steps.
    QString warning(StateId state) const;
    // The same in short, for the sentence under the picture: "By the prediction it is 12 % slower." And why:
    // "Its kernel: 103 MB from memory take longest; only 32 of 132 processors have a task."
    QString price(StateId state) const;
    QString price_reason(StateId state) const;
    // Where there is no room for the reason: "By the prediction it is 12 % slower: only 32 of 132
    // processors have a task." Empty where nothing so short can be said.
    QString price_with_cause(StateId state) const;

    // Shows the best state, on the branch that is shown if that leads through it.
    void go() const;

Q_SIGNALS:
    void changed();  // objective, device, what is the best, values or warnings

private:
    void choose(ObjectiveKind objective, bool lent);
    void refresh();
    void explain();
    void find_paying_blocks();
    void search_blocks();
    void rate_plain();
    void try_rounding();
    std::optional<double> work_out(StateId state) const;
    std::optional<double> raised_by(StateId state) const;
    QString compared(double share) const;
    QString explained(StateId state) const;

    StateCostsPtr plain_best() const;

    Document& document_;
    Costs& costs_;
    Forecast& forecast_;
    Baselines& baselines_;
    ObjectiveKind objective_ = ObjectiveKind::Time;
    bool lent_ = false;
    std::map<StateId, double> values_;
    std::optional<StateId> best_, runner_up_;
    QString best_by_;  // the objective that they are of
    // What steps repeat, in words: of a step, up to the program in which it has had its effect, in a form.
    struct Effect {
        std::shared_ptr<const Step> step;
        ProgramPtr settled;
        Form form;
        auto operator<=>(const Effect&) const = default;
    };
    // None of a state that is not counted, and of one that no step led to.
    std::optional<Effect> effect_in(StateId state) const;
    using Explained = std::map<Effect, Text>;
    Explained explained_;
    // With which blocks the step that is looked at would pay by predicted times, and what they are of.
    struct PayingBlocks {
        std::optional<Effect> effect = {};
        Device device = {};
        const TimeModel* model = nullptr;
        std::optional<Text> text = {};  // none: not known yet
        bool of(const Effect& other, const Forecast& forecast) const;
    };
    PayingBlocks paying_;
    // Of which states block sizes were searched, or are: the best one, the start and the snapshots on the way
    // to the branch's end.
    struct SearchedStates {
        std::vector<ChosenState> states;
        Device device;
        std::optional<SearchedBlocks> found;
        bool of(const std::vector<ChosenState>& others, const Device& on) const;
    };
    SearchedStates searched_;
    // The predicted time of a plain form, and what it is of.
    struct PlainTime {
        StateCostsPtr costs;
        Device device;
        const TimeModel* model = nullptr;
        std::optional<double> seconds = {};  // none: being predicted, or not finite
        bool of(const StateCostsPtr& other, const Forecast& forecast) const;
    };
    PlainTime plain_;
    // What the rules that round values elsewhere make of the initial program, and what it was asked for.
    struct RoundedTime {
        ProgramPtr initial = {};
        double without = 0;
        Form form = {};
        Device device = {};
        const TimeModel* model = nullptr;
        std::optional<double> seconds = {};  // none: being predicted, or nothing is gained
        bool of(const worker::RoundingQuestion& question) const;
    };
    std::optional<worker::RoundingQuestion> rounding_question() const;
    QString with_rounding() const;
    RoundedTime rounded_;
    QTimer soon_;   // collects changes, so that they are looked at once
    Work explain_;  // the last members: their destructors wait for jobs that use the others
    Work paying_work_;
    Work blocks_;
    Work plain_work_;
    Work rounding_work_;
};

// Device, objective and baseline are settings: what they were when the program ended last, and what they are
// chosen as from now on.
void keep_choices(Document& document, Settings& settings);

}  // namespace blockscope
