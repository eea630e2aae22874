#include "app/document/history.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/support/result.h"

namespace blockscope {

namespace {

std::shared_ptr<const HistoryState> shared(HistoryState state) {
    return std::make_shared<const HistoryState>(std::move(state));
}

}  // namespace

History::History(ProgramPtr initial) {
    HistoryState state;
    state.program = std::move(initial);
    states_.emplace(0, shared(std::move(state)));
    branches_.push_back({next_branch_++, "Algorithm", 0, {}});
}

const HistoryState& History::state(StateId id) const {
    const auto it = states_.find(id);
    if (it == states_.end()) throw InternalError("the history has no state " + std::to_string(id));
    return *it->second;
}

const Branch& History::branch(int id) const {
    for (const Branch& branch : branches_)
        if (branch.id == id) return branch;
    throw InternalError("the history has no branch " + std::to_string(id));
}

std::vector<StateId> History::path(StateId id) const {
    std::vector<StateId> path;
    for (StateId at = id; at >= 0; at = state(at).parent) path.push_back(at);
    std::reverse(path.begin(), path.end());
    return path;
}

int History::depth(StateId id) const {
    int depth = 0;
    for (StateId at = state(id).parent; at >= 0; at = state(at).parent) ++depth;
    return depth;
}

std::vector<StateId> History::children(StateId id) const {
    std::vector<StateId> children;
    for (const auto& [other, state] : states_)
        if (state->parent == id) children.push_back(other);
    return children;
}

std::optional<StateId> History::next(StateId id, int branch_id) const {
    for (StateId at = branch(branch_id).tip; at >= 0; at = state(at).parent)
        if (state(at).parent == id) return at;
    return {};
}

StateId History::common_ancestor(StateId a, StateId b) const {
    const std::vector<StateId> first = path(a);
    const std::vector<StateId> second = path(b);
    const auto [end, unused] = std::mismatch(first.begin(), first.end(), second.begin(), second.end());
    return *(end - 1);
}

int History::branch_through(StateId id, int preferred) const {
    const auto leads = [&](const Branch& branch) {
        const std::vector<StateId> way = path(branch.tip);
        return std::find(way.begin(), way.end(), id) != way.end();
    };
    for (const Branch& branch : branches_)
        if (branch.id == preferred && leads(branch)) return preferred;
    for (const Branch& branch : branches_)
        if (leads(branch)) return branch.id;
    throw InternalError("no branch leads through state " + std::to_string(id));
}

StateId History::add(StateId parent, Step step, bool snapshot) {
    for (const StateId child : children(parent)) {
        if (!(state(child).step->match == step.match)) continue;
        if (snapshot) set_snapshot(child);
        return child;
    }
    HistoryState made;
    made.id = next_state_++;
    made.parent = parent;
    made.program = step.after;
    made.step = std::make_shared<const Step>(std::move(step));
    made.snapshot = snapshot;
    const StateId id = made.id;
    states_.emplace(id, shared(std::move(made)));
    return id;
}

int History::extend(StateId tip) {
    const std::vector<StateId> way = path(tip);
    const std::set<StateId> on_the_way(way.begin(), way.end());
    for (Branch& branch : branches_) {
        if (on_the_way.count(branch.tip) == 0) continue;
        if (branch.tip != tip) branch.stopped.clear();
        branch.tip = tip;
        return branch.id;
    }
    for (const Branch& branch : branches_) {
        const std::vector<StateId> other = path(branch.tip);
        if (std::find(other.begin(), other.end(), tip) != other.end()) return branch.id;
    }
    const int id = next_branch_++;
    branches_.push_back({id, "Branch " + std::to_string(id), tip, {}});
    return id;
}

void History::replace(HistoryState state) {
    const StateId id = state.id;
    states_[id] = shared(std::move(state));
}

void History::rename(int id, std::string name) {
    for (Branch& branch : branches_)
        if (branch.id == id) branch.name = std::move(name);
}

void History::set_note(StateId id, std::string note) {
    HistoryState changed = state(id);
    changed.note = std::move(note);
    replace(std::move(changed));
}

void History::set_tidy(StateId id, bool tidy) {
    HistoryState changed = state(id);
    changed.tidy = tidy;
    replace(std::move(changed));
}

void History::set_snapshot(StateId id) {
    HistoryState changed = state(id);
    changed.snapshot = true;
    replace(std::move(changed));
}

void History::set_stopped(int id, std::string why) {
    for (Branch& branch : branches_)
        if (branch.id == id) branch.stopped = std::move(why);
}

bool History::remove(int id) {
    if (branches_.size() < 2) return false;
    const auto removed =
        std::find_if(branches_.begin(), branches_.end(), [&](const Branch& b) { return b.id == id; });
    if (removed == branches_.end()) return false;
    branches_.erase(removed);
    std::set<StateId> kept;
    for (const Branch& branch : branches_)
        for (const StateId state : path(branch.tip)) kept.insert(state);
    std::erase_if(states_, [&](const auto& entry) { return kept.count(entry.first) == 0; });
    return true;
}

History History::rebased(ProgramPtr initial) const {
    History made = *this;
    for (const auto& [id, old] : states_) {  // parents come first: ids grow along every branch
        HistoryState state = *old;
        if (old->step) {
            state.step = std::make_shared<const Step>(
                checked_apply(made.state(old->parent).program, old->step->match));
            state.program = state.step->after;
        } else {
            state.program = initial;
        }
        made.replace(std::move(state));
    }
    return made;
}

Trace History::trace(StateId id) const {
    Trace trace;
    trace.initial = state(0).program;
    for (const StateId at : path(id)) {
        const HistoryState& here = state(at);
        if (here.step) trace.steps.push_back(*here.step);
        if (here.snapshot) trace.snapshots.push_back(static_cast<int>(trace.steps.size()));
    }
    for (const Branch& branch : branches_)
        if (branch.tip == id) trace.stopped = branch.stopped;
    return trace;
}

}  // namespace blockscope
