#include "app/shell/timeline_model.h"

#include <QElapsedTimer>
#include <algorithm>
#include <map>
#include <utility>

#include "app/document/work.h"
#include "app/shell/step_look.h"

namespace blockscope {

namespace {

constexpr int kCountingTime = 8;    // milliseconds of counting on the interface thread
constexpr std::size_t kBatch = 64;  // counts that come back together

}  // namespace

EdgeCounts::EdgeCounts(Document& document) : QObject(&document), document_(document) {
    connect(&document, &Document::content_changed, this, &EdgeCounts::count);
    connect(&document, &Document::opened, this, [this] {
        counts_.clear();
        given_up_ = false;
    });
    count();
}

EdgeCounts& EdgeCounts::of(Document& document) {
    if (auto* found = document.findChild<EdgeCounts*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new EdgeCounts(document);
}

std::optional<int> EdgeCounts::of(const ProgramPtr& program) const {
    const auto found = counts_.find(program);
    if (found == counts_.end()) return std::nullopt;
    return found->second;
}

void EdgeCounts::count() {
    work_.cancel();
    if (document_.empty()) return;
    const Content& content = document_.content();
    std::vector<ProgramPtr> open{content.program()};  // the first to be asked for
    for (const auto& [id, state] : content.history.states()) open.push_back(state->program);
    std::erase_if(open, [this](const ProgramPtr& program) { return counts_.count(program) > 0; });
    QElapsedTimer clock;
    clock.start();
    std::size_t done = 0;
    for (; done < open.size() && clock.elapsed() < kCountingTime; ++done)
        counts_.emplace(open[done], buffered_edges(*open[done]));
    if (done == open.size()) given_up_ = false;
    if (done > 0) Q_EMIT counted();
    if (done == open.size() || given_up_) return;
    open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(done));
    work_.start(tr("Counting buffered edges"),
                [this, open = std::move(open)](const Stop& stop) { return count_all(open, stop); });
}

// Off the interface thread.
Work::Finish EdgeCounts::count_all(const std::vector<ProgramPtr>& programs, const Stop& stop) {
    lower_priority();
    Counts batch;
    const auto give = [this, &batch] {
        QMetaObject::invokeMethod(
            this, [this, counts = std::exchange(batch, {})] { take(counts); }, Qt::QueuedConnection);
    };
    for (std::size_t i = 0; i < programs.size() && !stop; ++i) {
        batch.emplace_back(programs[i], buffered_edges(*programs[i]));
        stop.done(i + 1, programs.size());
        if (batch.size() == kBatch) give();
    }
    give();
    return {};
}

void EdgeCounts::cancel() {
    given_up_ = true;
    work_.cancel();
    Q_EMIT counted();
}

void EdgeCounts::count_again() {
    given_up_ = false;
    count();
    Q_EMIT counted();
}

void EdgeCounts::take(const Counts& counts) {
    counts_.insert(counts.begin(), counts.end());
    Q_EMIT counted();
}

namespace {

// Finding them takes longer than all else that is made for a step.
using RuleNames = std::map<RuleId, QString>;

StepCell make_cell(const std::shared_ptr<const HistoryState>& state, RuleNames& names) {
    StepCell cell;
    cell.id = state->id;
    cell.state = state;
    if (!state->step) return cell;
    const Match& match = state->step->match;
    cell.rule = rule_text(match.rule);
    QString& name = names[match.rule];
    if (name.isEmpty()) name = short_rule_name(match.rule);
    cell.name = state->name.empty() ? name : QString::fromStdString(state->name);
    cell.place = place_text(*state->step->before, match.path);
    return cell;
}

// How many states come directly after each one.
std::map<StateId, int> child_counts(const History& history) {
    std::map<StateId, int> counts;
    for (const auto& [id, state] : history.states()) ++counts[state->parent];
    return counts;
}

}  // namespace

TimelineModel::TimelineModel(Document& document, QObject* parent)
    : QObject(parent), document_(document), edges_(EdgeCounts::of(document)) {
    connect(&document, &Document::content_changed, this, &TimelineModel::refresh);
    connect(&edges_, &EdgeCounts::counted, this, [this] {
        count();
        Q_EMIT cells_changed();
    });
    refresh();
}

void TimelineModel::refresh() {
    std::vector<StepCell> old = std::move(cells_);
    cells_.clear();
    const int shown = std::exchange(current_, -1);
    if (document_.empty()) return Q_EMIT cells_changed();
    const Content& content = document_.content();
    const std::map<StateId, int> children = child_counts(content.history);
    RuleNames names;
    bool same = true;
    for (const StateId id : content.history.path(content.history.branch(content.branch).tip)) {
        const auto& state = content.history.states().at(id);
        const std::size_t at = cells_.size();
        const bool known = at < old.size() && old[at].state == state;
        cells_.push_back(known ? std::move(old[at]) : make_cell(state, names));
        const auto found = children.find(id);
        const bool branch_point = found != children.end() && found->second > 1;
        same = same && known && cells_.back().branch_point == branch_point;
        cells_.back().branch_point = branch_point;
        if (id == content.current) current_ = static_cast<int>(at);
    }
    if (!same || cells_.size() != old.size()) {
        count();
        Q_EMIT cells_changed();
    }
    if (current_ != shown) Q_EMIT current_changed();
}

void TimelineModel::count() {
    most_edges_ = 1;
    std::optional<int> before;
    for (StepCell& cell : cells_) {
        cell.before = before;
        cell.after = edges_.of(cell.program());
        before = cell.after;
        most_edges_ = std::max(most_edges_, cell.after.value_or(0));
    }
}

Player::Player(Document& document, QObject* parent) : QObject(parent), document_(document) {
    timer_.setInterval(1000);
    connect(&timer_, &QTimer::timeout, this, &Player::step);
    connect(&document_, &Document::opened, this, [this] { set_playing(false); });
    connect(&document_, &Document::cancelled, this, [this] { set_playing(false); });
}

void Player::set_playing(bool playing) {
    if (playing == timer_.isActive()) return;
    if (playing) {
        if (document_.empty()) return Q_EMIT playing_changed(false);
        if (!document_.can_forward()) document_.home();
        timer_.start();
    } else {
        timer_.stop();
    }
    Q_EMIT playing_changed(playing);
}

void Player::step() {
    if (document_.is_busy()) return;  // the step before is still being made
    const StateId before = document_.content().current;
    document_.forward();
    if (document_.is_busy()) return;
    if (document_.content().current == before || !document_.can_forward()) set_playing(false);
}

}  // namespace blockscope
