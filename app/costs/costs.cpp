#include "app/costs/costs.h"

#include <QElapsedTimer>
#include <QThread>
#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <set>
#include <utility>

#include "app/document/work.h"

namespace blockscope {

namespace {

constexpr int kCountingTime = 8;    // milliseconds of counting on the interface thread
constexpr int kPause = 120;         // milliseconds before what nobody waits for is counted, if it stays so
constexpr std::size_t kBatch = 16;  // of those come back together
constexpr int kAllSteps = 400'000;  // nodes in all states of a branch or history for all to be counted

// Programs that threads count one after the other, and hand over so many together.
struct Counting {
    std::vector<ProgramPtr> open;
    std::optional<ElemType> type;
    bool on_processor = false, safe = true;
    std::size_t together = 1;

    template <class HandOver>
    void work(const Stop& stop, const HandOver& hand_over) {
        for (std::size_t i = next++; i < open.size() && !stop; i = next++) {
            StateCostsPtr costs = state_costs(open[i], type, on_processor, safe);
            const std::lock_guard lock(mutex);
            batch.emplace_back(open[i], std::move(costs));
            const bool last = ++finished == open.size();
            stop.done(finished, open.size());
            if (last || batch.size() >= together) hand_over(std::exchange(batch, {}), last);
        }
    }

private:
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::size_t finished = 0;
    std::vector<std::pair<ProgramPtr, StateCostsPtr>> batch;
};

std::vector<StateId> branch_path(const Content& content) {
    return content.history.path(content.history.branch(content.branch).tip);
}

bool all_are_counted(std::size_t states, const History& history) {
    return static_cast<std::int64_t>(states) * node_count(*history.state(0).program) < kAllSteps;
}

}  // namespace

Costs::Costs(Document& document) : QObject(&document), document_(document) {
    pause_.setSingleShot(true);
    pause_.setInterval(kPause);
    connect(&pause_, &QTimer::timeout, this, [this] { count_on_threads(std::exchange(later_, {}), kBatch); });
    connect(&document, &Document::opened, this, [this] {
        end_counting();
        baseline_ = 0;
        best_.reset();
        asked_.reset();
        destroy_elsewhere(std::exchange(counts_, {}));
    });
    connect(&document, &Document::content_changed, this, &Costs::count);
    connect(&document, &Document::safe_changed, this, &Costs::counted);
    count();
}

Costs& Costs::of(Document& document) {
    if (auto* found = document.findChild<Costs*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new Costs(document);
}

StateCostsPtr Costs::of(const ProgramPtr& program) const {
    const StateCostsPtr counted = plain(program);
    return counted && counted->safe && document_.shows_safe() ? counted->safe : counted;
}

StateCostsPtr Costs::plain(const ProgramPtr& program) const {
    const auto found = counts_.find(program);
    return found == counts_.end() ? nullptr : found->second;
}

QString Costs::shown_form() const {
    const StateCostsPtr unfused = of(StateId{0});
    return unfused && unfused->state.exponentials() > 0 ? tr("safe form") : QString();
}

StateCostsPtr Costs::of(StateId state) const {
    if (document_.empty() || !document_.content().history.has(state)) return nullptr;
    return of(document_.content().history.state(state).program);
}

ReplicatedPtr Costs::replicated(StateId state) const {
    const StateCostsPtr now = of(state);
    const StateCostsPtr unfused = of(StateId{0});
    if (!now || !unfused) return nullptr;
    if (replicated_.first != now)
        replicated_ = {
            now, std::make_shared<const Replicated>(*now, *unfused, document_.content().history, state)};
    return replicated_.second;
}

void Costs::set_type(std::optional<ElemType> type) {
    if (type == type_) return;
    type_ = type;
    end_counting();
    destroy_elsewhere(std::exchange(counts_, {}));
    Q_EMIT choices_changed();
    count();
}

void Costs::set_on_processor(bool on) {
    if (std::exchange(on_processor_, on) == on) return;
    if (on && type_ && cpu_type(type_) != *type_) type_.reset();  // that only cards have
    end_counting();
    destroy_elsewhere(std::exchange(counts_, {}));
    Q_EMIT choices_changed();
    count();
}

void Costs::set_safe(bool on) {
    if (std::exchange(safe_, on) == on) return;
    end_counting();
    destroy_elsewhere(std::exchange(counts_, {}));
    Q_EMIT choices_changed();
    count();
}

void Costs::set_best(std::optional<StateId> state) {
    if (std::exchange(best_, state) != state) count();
}

void Costs::set_heat(HeatMetric metric) {
    if (std::exchange(heat_, metric) != metric) Q_EMIT heat_changed();
}

void Costs::set_all_steps(bool on) {
    if (on == all_steps_) return;
    all_steps_ = on;
    count();
}

StateId Costs::baseline() const {
    const bool there = !document_.empty() && document_.content().history.has(baseline_);
    return there ? baseline_ : 0;
}

void Costs::set_baseline(StateId state) {
    if (state == baseline_) return;
    baseline_ = state;
    count();
    Q_EMIT rows_changed();
}

std::vector<StateId> Costs::rows() const {
    if (document_.empty()) return {};
    const Content& content = document_.content();
    const std::vector<StateId> path = branch_path(content);
    const std::set<StateId> chosen = [&] {
        std::set<StateId> states(content.compared.begin(), content.compared.end());
        states.insert({content.current, baseline()});
        if (best_) states.insert(*best_);
        return states;
    }();
    std::vector<StateId> rows;
    for (const StateId id : path)
        if (all_steps_ || id == 0 || content.history.state(id).snapshot || chosen.count(id) > 0)
            rows.push_back(id);
    for (const StateId id : chosen)
        if (content.history.has(id) && std::find(path.begin(), path.end(), id) == path.end())
            rows.push_back(id);
    return rows;
}

std::vector<StateId> Costs::candidates() const {
    if (document_.empty()) return {};
    const History& history = document_.content().history;
    const bool all = all_are_counted(history.states().size(), history);
    std::vector<StateId> states;
    for (const auto& [id, state] : history.states())
        if (all || id == 0 || state->snapshot || history.children(id).empty()) states.push_back(id);
    return states;
}

// The current state and its parent first and the rows, `at_once` programs; then (of programs that are not too
// large) all of the branch for the timeline, and the candidates for the best state.
std::vector<ProgramPtr> Costs::wanted(std::size_t& at_once) const {
    const Content& content = document_.content();
    const History& history = content.history;
    std::vector<StateId> order{content.current};
    const std::vector<StateId> path = branch_path(content);
    if (const StateId parent = history.state(content.current).parent; parent >= 0) order.push_back(parent);
    const std::vector<StateId> shown = rows();
    order.insert(order.end(), shown.begin(), shown.end());
    at_once = std::set<StateId>(order.begin(), order.end()).size();
    if (all_are_counted(path.size(), history)) order.insert(order.end(), path.begin(), path.end());
    const std::vector<StateId> sought = candidates();
    order.insert(order.end(), sought.begin(), sought.end());
    std::vector<ProgramPtr> programs;
    std::set<StateId> seen;
    for (const StateId id : order)
        if (seen.insert(id).second) programs.push_back(history.state(id).program);
    return programs;
}

void Costs::forget_unused(const std::vector<ProgramPtr>& wanted) {
    const std::set<ProgramPtr> used(wanted.begin(), wanted.end());
    erase_elsewhere(counts_, [&](const auto& entry) { return used.count(entry.first) == 0; });
}

bool Costs::counted_rows() const {
    return std::all_of(shown_rows_.begin(), shown_rows_.end(),
                       [this](StateId id) { return of(id) != nullptr; });
}

void Costs::count() {
    cancelled_ = false;
    std::vector<StateId> now = rows();
    const bool moved = now != shown_rows_;
    shown_rows_ = std::move(now);
    std::vector<ProgramPtr> open, later;  // what can be seen, and the rest
    if (!document_.empty()) {
        std::size_t at_once = 0;
        open = wanted(at_once);
        forget_unused(open);
        later.assign(open.begin() + static_cast<std::ptrdiff_t>(at_once), open.end());
        open.resize(at_once);
        const auto known = [&](const ProgramPtr& program) { return counts_.count(program) > 0; };
        std::erase_if(open, known);
        std::erase_if(later, known);
    }
    QElapsedTimer clock;
    clock.start();
    std::size_t done = 0;
    for (; done < open.size() && clock.elapsed() < kCountingTime; ++done) {
        if (node_count(*open[done]) > 2000) break;
        counts_.emplace(open[done], state_costs(open[done], type_, on_processor_, safe_));
    }
    open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(done));
    if (!open.empty() || !goes_on(later)) start_counting(std::move(open), std::move(later));
    if (moved) Q_EMIT rows_changed();
    if (done > 0) Q_EMIT counted();
}

// A step leaves what waits to be counted, or is being counted, as it is: that begins anew neither with its
// pause nor with its first program.
bool Costs::goes_on(const std::vector<ProgramPtr>& missing) const {
    const auto pending = [this](const ProgramPtr& program) { return pending_.count(program) > 0; };
    const bool under_way = running_ ? work_.busy() : pause_.isActive();
    return under_way && !missing.empty() && std::all_of(missing.begin(), missing.end(), pending);
}

void Costs::start_counting(std::vector<ProgramPtr> open, std::vector<ProgramPtr> later) {
    end_counting();
    pending_.insert(open.begin(), open.end());
    pending_.insert(later.begin(), later.end());
    later_ = std::move(later);
    if (!open.empty())
        count_on_threads(std::move(open), SIZE_MAX);
    else if (!later_.empty())
        pause_.start();
}

void Costs::end_counting() {
    ++generation_;
    running_ = false;
    pending_.clear();
    later_.clear();
    pause_.stop();
    work_.cancel();
}

void Costs::cancel() {
    end_counting();
    cancelled_ = true;
    Q_EMIT counted();
}

QString Costs::missing() const {
    return cancelled_ ? tr("Not counted: that was cancelled. It goes on with the next step or choice.")
                      : tr("The states are being counted.");
}

// On two threads where there are as many processors.
void Costs::count_on_threads(std::vector<ProgramPtr> programs, std::size_t together) {
    const auto counting = std::make_shared<Counting>();
    counting->open = std::move(programs);
    counting->type = type_;
    counting->on_processor = on_processor_;
    counting->safe = safe_;
    counting->together = together;
    running_ = true;
    work_.start(tr("Counting what the states cost"),
                [this, counting, generation = generation_](const Stop& stop) {
                    const auto hand_over = [&](Counted counted, bool last) {
                        const auto take_over = [this, generation, last, counted = std::move(counted)] {
                            if (generation == generation_) take(counted, last);
                        };
                        QMetaObject::invokeMethod(this, take_over, Qt::QueuedConnection);
                    };
                    std::future<void> other;
                    if (QThread::idealThreadCount() > 1 && counting->open.size() > 1)
                        other = std::async(std::launch::async, [&] {
                            lower_priority(Priority::Panel);
                            counting->work(stop, hand_over);
                        });
                    counting->work(stop, hand_over);
                    if (other.valid()) other.get();
                    return Work::Finish();
                });
}

void Costs::take(const Counted& counted, bool last) {
    counts_.insert(counted.begin(), counted.end());
    if (last) running_ = false;
    if (last && !later_.empty()) pause_.start();
    Q_EMIT this->counted();
}

// Parents have smaller ids than what came from them.
RowNames::RowNames(const History& history) {
    for (const auto& [id, state] : history.states()) {
        const int before = state->parent < 0 ? 0 : places_.at(state->parent).snapshots;
        places_[id] = {state->depth, before + (state->snapshot ? 1 : 0), state->snapshot};
    }
}

QString RowNames::name(StateId state) const {
    if (state == 0) return Costs::tr("Initial program");
    const Place& place = places_.at(state);
    if (!place.snapshot) return Costs::tr("Step %1").arg(place.depth);
    return Costs::tr("Snapshot %1 · step %2").arg(place.snapshots).arg(place.depth);
}

QString RowNames::label(StateId state) const {
    const Place& place = places_.at(state);
    return place.snapshot && state != 0 ? QStringLiteral("S%1").arg(place.snapshots)
                                        : QString::number(place.depth);
}

std::string RowNames::recorded(StateId state) const {
    const Place& place = places_.at(state);
    return place.snapshot && state != 0 ? "snapshot " + std::to_string(place.snapshots)
                                        : "step " + std::to_string(place.depth);
}

QString recorded_name_in_words(const std::string& recorded) {
    if (recorded == "step 0") return Costs::tr("Initial program");
    QString name = QString::fromStdString(recorded);
    const QString number = name.section(QLatin1Char(' '), 1);
    bool whole = false;
    number.toInt(&whole);
    if (whole && name.startsWith(QLatin1String("step "))) return Costs::tr("Step %1").arg(number);
    if (whole && name.startsWith(QLatin1String("snapshot "))) return Costs::tr("Snapshot %1").arg(number);
    return name;
}

QString row_name(const Content& content, StateId state) {
    return RowNames(content.history).name(state);
}

}  // namespace blockscope
