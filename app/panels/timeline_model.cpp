#include "app/panels/timeline_model.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/panels/step_look.h"

namespace blockscope {

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
    if (name.isEmpty()) name = rule_name(match.rule);
    cell.name = name;
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

}  // namespace blockscope
