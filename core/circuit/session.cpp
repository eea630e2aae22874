#include "core/circuit/session.h"

#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

std::string parts_text(const CircuitAction& action) {
    return " in parts of " + std::to_string(action.size);
}

std::string title_of(const CircuitAction& action, const std::string& axis) {
    switch (action.kind) {
        case CircuitAction::Kind::Relabel:
            return "call " + axis + " " + action.name +
                   (action.size > 0 ? ", of size " + std::to_string(action.size) : "");
        case CircuitAction::Kind::Group:
            return "group " + axis + parts_text(action);
        case CircuitAction::Kind::Stream:
            return "stream " + axis + parts_text(action);
        case CircuitAction::Kind::Join:
            return "put " + axis + " together again";
    }
    throw InternalError("unknown action");
}

double value_of(const CircuitState& state, const Formula& formula) {
    return formula.value(sizes(state.analysis.circuit.axes));
}

}  // namespace

CircuitSession::CircuitSession(Flow flow) {
    CircuitState first;
    first.title = "nothing is split";
    first.flow = std::make_shared<const Flow>(std::move(flow));
    first.analysis = analyse(*first.flow, {});
    states_.push_back(std::make_shared<const CircuitState>(std::move(first)));
}

Result<CircuitSession> CircuitSession::of(Flow flow, const StepTree& tree, const CircuitSession* known) {
    CircuitSession made = known ? CircuitSession() : CircuitSession(std::move(flow));
    if (known) made.states_ = {known->states_.at(0)};
    for (int id = 1; id < tree.count(); ++id) {
        const StepTree::State& state = tree.state(id);
        const CircuitStatePtr from = made.states_.at(static_cast<std::size_t>(state.parent));
        const bool same = known && id < known->count() && known->tree_.state(id).step == state.step &&
                          known->tree_.state(id).parent == state.parent &&
                          known->shared(state.parent) == from;
        if (same) {
            made.states_.push_back(known->shared(id));
            continue;
        }
        const Result<CircuitAction> action = action_of(*from->flow, state.step);
        if (!action) return action.problems();
        Result<CircuitState> next = made.after(*from, *action);
        if (!next) return next.problems();
        made.states_.push_back(std::make_shared<const CircuitState>(std::move(next).value()));
    }
    made.tree_ = tree;
    return made;
}

bool CircuitSession::has_all(const StepTree& tree) const {
    if (tree.count() > count()) return false;
    for (int id = 1; id < tree.count(); ++id)
        if (tree.state(id).parent != tree_.state(id).parent || tree.state(id).step != tree_.state(id).step)
            return false;
    return true;
}

CircuitSession CircuitSession::shown_as(const StepTree& tree) const {
    CircuitSession made = *this;
    made.states_.resize(tree.states.size());
    made.tree_ = tree;
    return made;
}

CircuitStatePtr CircuitSession::shared(int id) const {
    if (id < 0 || id >= count()) throw InternalError("no state " + std::to_string(id));
    return states_[static_cast<std::size_t>(id)];
}

Result<CircuitState> CircuitSession::after(const CircuitState& from, const CircuitAction& action) const {
    Result<Splits> next = stepped({from.flow, from.analysis.plan}, action);
    if (!next) return next.problems();
    CircuitState made;
    made.id = static_cast<int>(states_.size());
    made.parent = from.id;
    made.depth = from.depth + 1;
    made.action = action;
    made.title = title_of(action, axis_of(from.flow->axes, action.axis).name);
    made.flow = next->flow;
    made.analysis = analyse(*made.flow, next->plan);
    if (action.kind == CircuitAction::Kind::Stream)
        for (const AxisVerdict& verdict : axis_verdicts(*made.flow))
            if (verdict.axis == action.axis) made.steps = theorem_steps(*made.flow, verdict);
    return made;
}

Result<int> CircuitSession::act(const CircuitAction& action) {
    const bool known_axis =
        action.axis.value >= 0 && action.axis.value < static_cast<int>(current().flow->axes.size());
    const AxisStep step = known_axis ? step_of(*current().flow, action) : AxisStep{};
    for (const int child : children(tree_.current))
        if (known_axis && tree_.state(child).step == step) {
            go_to(child);
            return child;
        }
    if (count() >= kMaxCircuitStates)
        return Problem{{}, "a circuit has at most " + std::to_string(kMaxCircuitStates) + " states"};
    Result<CircuitState> made = after(current(), action);
    if (!made) return made.problems();
    if (action.kind != CircuitAction::Kind::Relabel && made->analysis.plan == current().analysis.plan)
        return Problem{{},
                       step.axis +
                           (action.kind == CircuitAction::Kind::Group ? " is grouped" : " is streamed") +
                           " in parts of " + std::to_string(action.size) + " already"};
    states_.push_back(std::make_shared<const CircuitState>(std::move(made).value()));
    return tree_.add(step);
}

void CircuitSession::back() {
    if (can_go_back()) tree_.go_to(current().parent);
}

void CircuitSession::on() {
    if (const auto next = tree_.next()) tree_.go_to(*next);
}

std::vector<int> CircuitSession::tips() const {
    std::vector<int> found;
    for (int i = 0; i < count(); ++i)
        if (children(i).empty()) found.push_back(i);
    return found;
}

void CircuitSession::set_note(int id, std::string note) {
    tree_.state(id);
    tree_.states[static_cast<std::size_t>(id)].note = std::move(note);
}

CircuitNumbers CircuitSession::numbers(int id) const {
    const CircuitState& now = state(id);
    const CircuitState& before = now.parent >= 0 ? state(now.parent) : now;
    CircuitNumbers made;
    const auto add = [&](const char* name, const Formula& formula, const Formula& old) {
        made.numbers.push_back({name, formula, old, value_of(now, formula), value_of(before, old)});
    };
    const Resources& costs = now.analysis.resources;
    const Resources& old = before.analysis.resources;
    add("N_g", costs.groups, old.groups);
    add("H_g", costs.per_group, old.per_group);
    add("H", costs.transferred, old.transferred);
    add("M", costs.widest(1), old.widest(1));
    return made;
}

}  // namespace blockscope::circuit
