#include "app/costs/best.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "app/charts/chart.h"
#include "app/costs/cost_table.h"
#include "app/costs/measurements.h"
#include "app/shell/settings.h"
#include "app/words/words.h"
#include "app/worker/predict.h"
#include "core/state/step_effect.h"

namespace blockscope {

namespace {

constexpr double kRaises = 1.02;  // what a step multiplies the objective by at least to be warned of

const QString kDeviceKey = QStringLiteral("costs/device");
const QString kObjectiveKey = QStringLiteral("costs/objective");
const QString kBaselineKey = QStringLiteral("costs/baseline");

QString percent_more(double share) {
    const double percent = 100 * (share - 1);
    return QLocale().toString(percent, 'f', percent < 9.95 ? 1 : 0);
}

// The kernel that takes longest of those that `before` does not have; null if there is none.
const KernelTime* slowest_new_kernel(const Prediction& before, const Prediction& after) {
    const KernelTime* found = nullptr;
    for (const KernelTime& kernel : after.kernels) {
        const bool old = std::any_of(before.kernels.begin(), before.kernels.end(),
                                     [&](const KernelTime& other) { return other.node == kernel.node; });
        if (!old && (!found || kernel.seconds > found->seconds)) found = &kernel;
    }
    return found;
}

}  // namespace

Best::Best(Document& document)
    : QObject(&document),
      document_(document),
      costs_(Costs::of(document)),
      forecast_(Forecast::of(document)),
      baselines_(Baselines::of(document)) {
    soon_.setSingleShot(true);
    connect(&soon_, &QTimer::timeout, this, &Best::refresh);
    const auto look = [this] { soon_.start(); };
    connect(&costs_, &Costs::counted, this, look);
    connect(&costs_, &Costs::choices_changed, this, look);
    // Values of the device before would stand beside the name of the one now.
    connect(&forecast_, &Forecast::changed, this,
            [this, look] { best_by_ != objective_text() ? refresh() : look(); });
    connect(&baselines_, &Baselines::changed, this, look);
    connect(&document, &Document::content_changed, this, look);
    connect(&document, &Document::opened, this, [this] {
        explain_.cancel();
        paying_work_.cancel();
        paying_ = {};
        blocks_.cancel();
        plain_work_.cancel();
        rounding_work_.cancel();
        searched_ = {};
        plain_ = {};
        rounded_ = {};
        explained_.clear();
        values_.clear();
        best_ = runner_up_ = std::nullopt;
        Q_EMIT changed();
    });
    soon_.start();
}

Best& Best::of(Document& document) {
    if (auto* found = document.findChild<Best*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new Best(document);
}

void Best::set_objective(ObjectiveKind objective) {
    choose(objective, false);
}

void Best::lend_objective(ObjectiveKind objective) {
    choose(objective, true);
}

void Best::choose(ObjectiveKind objective, bool lent) {
    lent_ = lent;
    if (std::exchange(objective_, objective) == objective) return;
    if (objective == ObjectiveKind::Measured)
        connect(&Measurements::of(document_), &Measurements::measured, &soon_, qOverload<>(&QTimer::start),
                Qt::UniqueConnection);
    refresh();
}

std::optional<StateId> Best::state() const {
    const bool there = best_ && !document_.empty() && document_.content().history.has(*best_);
    return there ? best_ : std::nullopt;
}

std::optional<double> Best::value_of(StateId state) const {
    const auto found = values_.find(state);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
}

bool Best::all_states() const {
    return document_.empty() || costs_.candidates().size() == document_.content().history.states().size();
}

std::optional<double> Best::work_out(StateId state) const {
    const StateCostsPtr counted = costs_.of(state);
    if (!counted) return {};
    switch (objective_) {
        case ObjectiveKind::Traffic:
            return moved_bytes(counted->state);  // of the listing, as everywhere
        case ObjectiveKind::Measured: {
            const auto result = Measurements::of(document_).of(state);
            if (!result || !result->stale.isEmpty() || !result->record.warm) return {};
            return result->record.warm->summary.median;
        }
        case ObjectiveKind::Time:
            break;
    }
    const PredictionPtr prediction = forecast_.of(counted);
    return prediction && std::isfinite(prediction->seconds) ? std::optional(prediction->seconds)
                                                            : std::nullopt;
}

void Best::refresh() {
    soon_.stop();
    values_.clear();
    std::vector<StateId> ranked;
    bool complete = true;
    for (const StateId id : costs_.candidates()) {
        if (const auto value = work_out(id)) {
            values_[id] = *value;
            ranked.push_back(id);
        } else {
            // What has no finite time is not waited for, nor what was not measured.
            const bool known = objective_ != ObjectiveKind::Time ? objective_ == ObjectiveKind::Measured
                                                                 : forecast_.of(id) != nullptr;
            complete = complete && known;
        }
    }
    if (complete && !ranked.empty()) {
        const History& history = document_.content().history;
        const auto better = [&](StateId a, StateId b) {
            const double of_a = values_.at(a), of_b = values_.at(b);
            return of_a != of_b ? of_a < of_b : history.depth(a) < history.depth(b);
        };
        std::stable_sort(ranked.begin(), ranked.end(), better);
        best_ = ranked[0];
        runner_up_ = ranked.size() > 1 ? std::optional(ranked[1]) : std::nullopt;
    } else if (best_by_ != objective_text() || !best_ || values_.count(*best_) == 0) {
        best_ = runner_up_ = std::nullopt;  // else it stays while new states are being counted
    }
    best_by_ = objective_text();
    if (best_) costs_.set_best(best_);
    explain();
    find_paying_blocks();
    search_blocks();
    rate_plain();
    try_rounding();
    Q_EMIT changed();
}

// By how much the step that led to the state multiplies the objective, if that is worth a warning.
std::optional<double> Best::raised_by(StateId state) const {
    const StateId parent = document_.content().history.state(state).parent;
    if (parent < 0) return {};
    const auto before = value_of(parent);
    const auto after = value_of(state);
    if (!before || !after || *before <= 0 || *after < kRaises * *before) return {};
    return *after / *before;
}

// As settled_after() has it of a trace, on the branch that was begun first. None: the state is not counted.
std::optional<Best::Effect> Best::effect_in(StateId state) const {
    const StateCostsPtr counted = costs_.of(state);
    if (!counted) return std::nullopt;
    const History& history = document_.content().history;
    if (!history.state(state).step) return std::nullopt;
    Effect effect{history.state(state).step, history.state(state).step->after, counted->built.form()};
    if (!is_extension(*effect.step)) return effect;
    for (std::vector<StateId> next = history.children(state); !next.empty();
         next = history.children(next.front())) {
        const Step& step = *history.state(next.front()).step;
        if (is_extension(step)) break;
        effect.settled = step.after;
    }
    return effect;
}

// Off the interface thread: a step's effect is counted at several block sizes.
void Best::explain() {
    if (document_.empty() || explain_.busy()) return;
    std::set<Effect> wanted;
    for (const auto& [id, value] : values_)
        if (raised_by(id)) wanted.insert(*effect_in(id));
    std::erase_if(explained_, [&](const auto& known) { return wanted.count(known.first) == 0; });
    std::erase_if(wanted, [&](const auto& key) { return explained_.count(key) > 0; });
    if (wanted.empty()) return;
    explain_.start(tr("Explaining what steps repeat"), [this, wanted](const Stop& stop) -> Work::Finish {
        lower_priority();
        Explained found;
        for (const auto& key : wanted) {
            if (stop) return {};
            found[key] = warning_of(effect_of(*key.step, key.form, key.settled), key.step->before->dims);
        }
        return [this, found = std::move(found)]() mutable {
            explained_.merge(found);
            soon_.start();  // there may be others by now
        };
    });
}

bool Best::PayingBlocks::of(const Effect& other, const Forecast& forecast) const {
    return effect == other && device == forecast.device() && model == &forecast.model();
}

// Of the step that is looked at alone, and off the interface thread: kernels are generated for it.
void Best::find_paying_blocks() {
    const StateId current = document_.empty() ? StateId(0) : document_.content().current;
    const bool slower = !document_.empty() && objective_ == ObjectiveKind::Time && raised_by(current);
    const std::optional<Effect> effect = slower ? effect_in(current) : std::nullopt;
    if (!effect) {
        paying_ = {};
        return paying_work_.cancel();
    }
    if (paying_.of(*effect, forecast_)) return;
    paying_ = {.effect = effect, .device = forecast_.device(), .model = &forecast_.model()};
    paying_work_.start(tr("Finding blocks with which the step pays"),
                       [this, asked = paying_](const Stop& stop) -> Work::Finish {
                           lower_priority();
                           const StopSign sign = stop.sign();
                           const TimeCondition found = time_condition_of(
                               *asked.effect->step, asked.effect->settled, asked.effect->form,
                               worker::paying_seconds(*asked.model, asked.device, {}, sign));
                           return [this, text = condition_text(found, asked.effect->step->before->dims)] {
                               paying_.text = text;
                               Q_EMIT changed();
                           };
                       });
}

bool Best::PlainTime::of(const StateCostsPtr& other, const Forecast& forecast) const {
    return costs == other && device == forecast.device() && model == &forecast.model();
}

StateCostsPtr Best::plain_best() const {
    return state() ? costs_.plain(document_.content().history.state(*best_).program) : nullptr;
}

// Off the interface thread: on a card kernels are generated for it.
void Best::rate_plain() {
    const StateCostsPtr counted = objective_ == ObjectiveKind::Time ? plain_best() : nullptr;
    if (!counted || counted->built == counted->state) {
        plain_ = {};
        return plain_work_.cancel();
    }
    if (plain_.of(counted, forecast_)) return;
    plain_ = {counted, forecast_.device(), &forecast_.model()};
    plain_work_.start(
        tr("Predicting the plain form"), [this, asked = plain_](const Stop& stop) -> Work::Finish {
            lower_priority();
            const double seconds =
                worker::predict_as_built(*asked.model, asked.costs->state, asked.device, {}, stop.sign())
                    .seconds;
            return [this, seconds] {
                if (std::isfinite(seconds)) plain_.seconds = seconds;
                Q_EMIT changed();
            };
        });
}

std::optional<double> Best::plain_value() const {
    const StateCostsPtr counted = plain_best();
    if (!counted || counted->built == counted->state) return std::nullopt;
    const bool known = objective_ == ObjectiveKind::Time && plain_.of(counted, forecast_);
    return known ? plain_.seconds : std::nullopt;
}

bool Best::RoundedTime::of(const worker::RoundingQuestion& question) const {
    return initial == question.initial && without == question.without && form == question.form &&
           device == question.device && model == question.model;
}

// None where the best state is worth building, and where the rules were chosen: by the paper, or all.
std::optional<worker::RoundingQuestion> Best::rounding_question() const {
    if (!state() || objective_ != ObjectiveKind::Time) return std::nullopt;
    const History& history = document_.content().history;
    const double seconds = values_.at(*best_);
    const StateCostsPtr counted = costs_.of(*best_);
    if (history.rules() != RuleSet{} || !counted || !baselines_.beat(seconds)) return std::nullopt;
    const Device& device = forecast_.device();
    return worker::RoundingQuestion{.initial = history.state(0).program,
                                    .without = seconds,
                                    .form = worker::built_form(device, counted->state.form()),
                                    .device = device,
                                    .model = &forecast_.model()};
}

// Off the interface thread: the algorithm is run twice.
void Best::try_rounding() {
    const auto question = rounding_question();
    if (!question) {
        rounded_ = {};
        return rounding_work_.cancel();
    }
    if (rounded_.of(*question)) return;
    rounded_ = {question->initial, question->without, question->form, question->device, question->model};
    rounding_work_.start(
        tr("Trying rules with rounding"), [this, asked = *question](const Stop& stop) -> Work::Finish {
            lower_priority();
            const std::optional<double> seconds = worker::best_with_rounding(asked, stop.sign());
            return [this, seconds] {
                rounded_.seconds = seconds;
                Q_EMIT changed();
            };
        });
}

QString Best::with_rounding() const {
    const auto question = rounding_question();
    if (!question || !rounded_.of(*question) || !rounded_.seconds) return {};
    const double seconds = *rounded_.seconds;
    return tr("With \"Rules: with rounding\" (menu Step), after which values are rounded elsewhere, the best "
              "state is predicted to take %1: %2.")
        .arg(value_text(seconds), baselines_.compared(seconds, question->without));
}

bool Best::SearchedStates::of(const std::vector<ChosenState>& others, const Device& on) const {
    const auto same = [](const ChosenState& a, const ChosenState& b) {
        return a.state.source() == b.state.source() && a.state.form() == b.state.form();
    };
    return device == on && std::equal(states.begin(), states.end(), others.begin(), others.end(), same);
}

void Best::search_blocks() {
    if (!state() || objective_ != ObjectiveKind::Time || !baselines_.beat(values_.at(*best_))) {
        if (blocks_.busy()) searched_ = {};
        return blocks_.cancel();
    }
    const Content& content = document_.content();
    std::vector<ChosenState> states;
    std::vector<StateId> way = content.history.path(content.history.branch(content.branch).tip);
    if (std::find(way.begin(), way.end(), *best_) == way.end()) way.push_back(*best_);
    for (const StateId id : way) {
        const bool asked = id == 0 || id == *best_ || content.history.state(id).snapshot;
        if (const StateCostsPtr counted = asked ? costs_.of(id) : nullptr)
            states.push_back({counted->built, content.history.depth(id), name(id).toStdString()});
    }
    const Device& device = forecast_.device();
    if (searched_.of(states, device)) return;
    searched_ = {states, device, std::nullopt};
    blocks_.start(tr("Searching block sizes"), [this, states, device](const Stop& stop) -> Work::Finish {
        lower_priority();
        const auto found = worker::other_blocks(states, device, stop.sign());
        return [this, found] {
            searched_.found = found;
            Q_EMIT changed();
        };
    });
}

std::optional<SearchedBlocks> Best::other_blocks() const {
    const bool needed = state() && objective_ == ObjectiveKind::Time && baselines_.beat(values_.at(*state()));
    return needed && !blocks_.busy() && searched_.device == forecast_.device() ? searched_.found
                                                                               : std::nullopt;
}

QString Best::value_text(double value) const {
    return objective_ == ObjectiveKind::Traffic ? with_unit(value, QStringLiteral("B")) : time_text(value);
}

QString Best::objective_text() const {
    switch (objective_) {
        case ObjectiveKind::Traffic:
            return costs_.shown_form().isEmpty() ? tr("bytes moved")
                                                 : tr("bytes moved (%1)").arg(costs_.shown_form());
        case ObjectiveKind::Measured:
            return tr("measured time on %1").arg(MeasurePlaces::title(Measurements::of(document_).place()));
        case ObjectiveKind::Time:
            break;
    }
    return tr("predicted time on %1 (%2)")
        .arg(QString::fromStdString(forecast_.device().title), forecast_.form_text());
}

QString Best::name(StateId state) const {
    const Content& content = document_.content();
    QString name = state == 0 ? tr("the initial program") : tr("step %1").arg(content.history.depth(state));
    const int branch = content.history.branch_through(state, content.branch);
    if (branch == content.branch) return name;
    return tr("%1 of \"%2\"").arg(name, QString::fromStdString(content.history.branch(branch).name));
}

QString Best::verdict() const {
    if (!state() || objective_ != ObjectiveKind::Time) return {};
    const QString said = baselines_.verdict(values_.at(*state()), other_blocks());
    if (said.isEmpty()) return {};
    QStringList text{said};
    if (blocks_.busy()) text << tr("Others are being searched.");
    if (const QString rounding = with_rounding(); !rounding.isEmpty()) text << rounding;
    if (!not_calibrated(forecast_.device()).empty())
        text << tr("%1 is not calibrated: these times are by its description alone. \"Calibrate\" measures "
                   "this machine's processor.")
                    .arg(QString::fromStdString(forecast_.device().title));
    return text.join(QLatin1Char(' '));
}

// "34 times slower", "12 % slower"; of bytes "8 times as many bytes".
QString Best::compared(double share) const {
    const bool traffic = objective_ == ObjectiveKind::Traffic;
    if (share >= kTimesFrom) {
        const QString times = QString::fromStdString(times_text(share));
        return traffic ? tr("moves %1 times as many bytes").arg(times) : tr("is %1 times slower").arg(times);
    }
    const QString more = percent_more(share);
    return traffic ? tr("moves %1 % more bytes").arg(more) : tr("is %1 % slower").arg(more);
}

QString Best::sentence() const {
    const std::optional<StateId> found = state();
    if (!found) return {};
    const Content& content = document_.content();
    const double least = values_.at(*found);
    QString best = tr("Best by %1: %2, %3").arg(objective_text(), name(*found), value_text(least));
    const auto plain = plain_value();
    if (plain && value_text(*plain) != value_text(least))
        best += tr(" (%1 plain, which can overflow)").arg(value_text(*plain));
    QString text = best + QLatin1Char('.');
    const StateId last = content.history.branch(content.branch).tip;
    const auto at_last = value_of(last);
    const auto at_start = value_of(0);
    if (at_last && least > 0 && *at_last > least)
        text = tr("%1; the last state %2.").arg(best, compared(*at_last / least));
    else if (at_start && least > 0 && *at_start > least)
        text = tr("%1; the initial program %2.").arg(best, compared(*at_start / least));
    if (!all_states()) text += tr(" Of so large a history only snapshots and ends of branches are compared.");
    return text;
}

QString Best::standing(StateId of) const {
    const std::optional<StateId> found = state();
    if (!found) return {};
    if (of == *found) return tr("Best state");
    const auto value = value_of(of);
    const double least = values_.at(*found);
    if (!value || least <= 0) return {};
    if (*value == least) return tr("As good as the best");
    const double share = *value / least;
    const bool traffic = objective_ == ObjectiveKind::Traffic;
    if (share >= kTimesFrom) {
        const QString times = QString::fromStdString(times_text(share));
        return traffic ? tr("%1 times the bytes of the best").arg(times)
                       : tr("%1 times slower than the best").arg(times);
    }
    const QString more = percent_more(share);
    return traffic ? tr("%1 % more bytes than the best").arg(more)
                   : tr("%1 % slower than the best").arg(more);
}

// What the step that led to the state computes or moves again; empty until that is known, and of others.
QString Best::explained(StateId state) const {
    const std::optional<Effect> effect = effect_in(state);
    if (!effect) return {};
    const auto known = explained_.find(*effect);
    return known == explained_.end() ? QString() : translated(known->second);
}

QString Best::warning(StateId state) const {
    if (document_.empty() || !document_.content().history.has(state) || !raised_by(state)) return {};
    const StateId parent = document_.content().history.state(state).parent;
    const QString before = value_text(values_.at(parent));
    const QString after = value_text(values_.at(state));
    QStringList text{objective_ == ObjectiveKind::Traffic
                         ? tr("This step makes it move more: %1 instead of %2.").arg(after, before)
                         : tr("This step makes it slower: %1 instead of %2.").arg(after, before)};
    if (const QString why = explained(state); !why.isEmpty()) text << why;
    const bool time = objective_ == ObjectiveKind::Time;
    const PredictionPtr was = time ? forecast_.of(parent) : nullptr,
                        is = time ? forecast_.of(state) : nullptr;
    if (const Text terms = was && is ? slower_by_terms(*was, *is) : Text(); !terms.empty())
        text << translated(terms);
    if (const auto effect = effect_in(state); effect && time && paying_.of(*effect, forecast_))
        if (paying_.text && !paying_.text->empty()) text << translated(*paying_.text);
    return text.join(QLatin1Char(' '));
}

QString Best::price(StateId state) const {
    if (document_.empty() || !document_.content().history.has(state)) return {};
    const std::optional<double> share = raised_by(state);
    if (!share) return {};
    const QString worse = compared(*share);
    if (objective_ == ObjectiveKind::Traffic) return tr("It %1.").arg(worse);
    return objective_ == ObjectiveKind::Time ? tr("By the prediction it %1.").arg(worse)
                                             : tr("By the measurement it %1.").arg(worse);
}

QString Best::price_reason(StateId state) const {
    if (price(state).isEmpty()) return {};
    if (QString why = explained(state); !why.isEmpty()) return why;
    const PredictionPtr was = forecast_.of(document_.content().history.state(state).parent);
    const PredictionPtr is = forecast_.of(state);
    if (objective_ != ObjectiveKind::Time || !was || !is) return {};
    const KernelTime* slowest = slowest_new_kernel(*was, *is);
    return slowest ? tr("Its kernel: %1").arg(translated(slowest->sentence)) : QString();
}

QString Best::price_with_cause(StateId state) const {
    const QString cost = price(state);
    if (cost.isEmpty() || objective_ != ObjectiveKind::Time) return {};
    const PredictionPtr was = forecast_.of(document_.content().history.state(state).parent);
    const PredictionPtr is = forecast_.of(state);
    if (!was || !is) return {};
    const KernelTime* slowest = slowest_new_kernel(*was, *is);
    if (!slowest || slowest->shortage.empty()) return {};
    const auto kept = [&](const KernelTime& old) {
        return std::any_of(is->kernels.begin(), is->kernels.end(),
                           [&](const KernelTime& one) { return one.node == old.node; });
    };
    const bool as_before = std::all_of(was->kernels.begin(), was->kernels.end(), [&](const KernelTime& old) {
        return kept(old) || old.shortage == slowest->shortage;
    });
    return as_before ? QString() : tr("%1: %2.").arg(cost.chopped(1), translated(slowest->shortage));
}

void Best::go() const {
    const std::optional<StateId> found = state();
    if (!found) return;
    const Content& content = document_.content();
    document_.go(*found, content.history.branch_through(*found, content.branch));
}

void keep_choices(Document& document, Settings& settings) {
    Best& best = Best::of(document);
    Forecast& forecast = Forecast::of(document);
    Baselines& baselines = Baselines::of(document);
    forecast.set_device(settings.value(kDeviceKey).toString().toStdString());
    const std::string kept = settings.value(kObjectiveKey).toString().toStdString();
    for (const ObjectiveRow& row : objectives())
        if (row.name == kept) best.set_objective(row.kind);
    const auto baseline = baseline_named(settings.value(kBaselineKey).toString().toStdString());
    if (baseline) baselines.choose(*baseline);
    const auto keep = [&, device = forecast.device().name, objective = best.objective(),
                       against = baselines.chosen()]() mutable {
        const auto set = [&settings](const QString& key, const std::string& value) {
            settings.set_value(key, QString::fromStdString(value));
        };
        if (std::exchange(device, forecast.device().name) != device) set(kDeviceKey, device);
        if (!best.objective_lent() && std::exchange(objective, best.objective()) != objective)
            set(kObjectiveKey, objective_row(objective).name);
        if (std::exchange(against, baselines.chosen()) != against) set(kBaselineKey, to_string(against));
    };
    QObject::connect(&best, &Best::changed, &settings, keep);
}

}  // namespace blockscope
