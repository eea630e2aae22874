#include "core/circuit/session.h"

#include <algorithm>

#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

Problem refused(std::string sentence) {
    return Problem{{}, std::move(sentence)};
}

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

Result<Flow> relabelled(const Flow& flow, const CircuitAction& action) {
    if (action.name.empty() || action.name.find_first_of(" ·+*/^") != std::string::npos)
        return refused("found the name '" + action.name + "'; expected one without blanks and operators");
    Flow made = flow;
    for (int i = 0; i < static_cast<int>(made.axes.size()); ++i) {
        Axis& axis = made.axes[static_cast<std::size_t>(i)];
        if (AxisId{i} != action.axis) {
            if (axis.name == action.name) return refused("there is an axis " + action.name + " already");
            continue;
        }
        axis.name = action.name;
        axis.symbol.clear();
        if (action.size > 0) axis.size = action.size;
    }
    return made;
}

// Groups stand outside of streams.
Plan with(Plan plan, const Part& part) {
    std::erase_if(plan, [&](const Part& one) { return one.axis == part.axis; });
    const auto streams = std::find_if(plan.begin(), plan.end(),
                                      [](const Part& one) { return one.kind == PartitionKind::Stream; });
    plan.insert(part.kind == PartitionKind::Group ? streams : plan.end(), part);
    return plan;
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

const CircuitState& CircuitSession::state(int id) const {
    if (id < 0 || id >= count()) throw InternalError("no state " + std::to_string(id));
    return *states_[static_cast<std::size_t>(id)];
}

Result<CircuitState> CircuitSession::after(const CircuitState& from, const CircuitAction& action) const {
    if (action.axis.value < 0 || action.axis.value >= static_cast<int>(from.flow->axes.size()))
        return refused("there is no such axis");
    const std::string name = axis_of(from.flow->axes, action.axis).name;
    CircuitState made;
    made.id = count();
    made.parent = from.id;
    made.depth = from.depth + 1;
    made.action = action;
    made.title = title_of(action, name);
    made.flow = from.flow;
    Plan plan = from.analysis.plan;
    if (action.kind == CircuitAction::Kind::Relabel) {
        Result<Flow> flow = relabelled(*from.flow, action);
        if (!flow) return flow.problems();
        made.flow = std::make_shared<const Flow>(std::move(flow).value());
    } else if (action.kind == CircuitAction::Kind::Join) {
        const std::size_t before = plan.size();
        std::erase_if(plan, [&](const Part& part) { return part.axis == action.axis; });
        if (plan.size() == before) return refused(name + " is not split");
    } else {
        const bool group = action.kind == CircuitAction::Kind::Group;
        plan = with(plan, {action.axis, group ? PartitionKind::Group : PartitionKind::Stream, action.size});
    }
    if (const Result<Circuit> possible = fused(*made.flow, plan); !possible) return possible.problems();
    made.analysis = analyse(*made.flow, plan);
    if (action.kind == CircuitAction::Kind::Stream)
        for (const AxisVerdict& verdict : axis_verdicts(*made.flow))
            if (verdict.axis == action.axis) made.steps = theorem_steps(*made.flow, verdict);
    return made;
}

Result<int> CircuitSession::act(const CircuitAction& action) {
    for (const int child : children(current_))
        if (state(child).action == action) {
            go_to(child);
            return child;
        }
    Result<CircuitState> made = after(current(), action);
    if (!made) return made.problems();
    const int id = made->id;
    states_.push_back(std::make_shared<const CircuitState>(std::move(made).value()));
    go_to(id);
    return id;
}

void CircuitSession::undo() {
    if (can_undo()) current_ = current().parent;
}

void CircuitSession::redo() {
    if (can_redo()) current_ = next_.at(current_);
}

void CircuitSession::go_to(int id) {
    for (int at = id; state(at).parent >= 0; at = state(at).parent) next_[state(at).parent] = at;
    current_ = id;
}

std::vector<int> CircuitSession::children(int id) const {
    std::vector<int> found;
    for (int i = 0; i < count(); ++i)
        if (state(i).parent == id) found.push_back(i);
    return found;
}

std::vector<int> CircuitSession::path(int id) const {
    std::vector<int> way;
    for (int at = id; at >= 0; at = state(at).parent) way.insert(way.begin(), at);
    return way;
}

std::vector<int> CircuitSession::tips() const {
    std::vector<int> found;
    for (int i = 0; i < count(); ++i)
        if (children(i).empty()) found.push_back(i);
    return found;
}

void CircuitSession::set_note(int id, std::string note) {
    CircuitState changed = state(id);
    changed.note = std::move(note);
    states_[static_cast<std::size_t>(id)] = std::make_shared<const CircuitState>(std::move(changed));
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

CircuitSession replayed(const CircuitSession& old, Flow flow) {
    CircuitSession made(std::move(flow));
    made.set_note(0, old.state(0).note);
    std::vector<int> became{0};  // by state of `old`; -1: not possible
    for (int id = 1; id < old.count(); ++id) {
        const CircuitState& state = old.state(id);
        const int parent = became[static_cast<std::size_t>(state.parent)];
        became.push_back(-1);
        if (parent < 0) continue;
        made.go_to(parent);
        const Result<int> done = made.act(*state.action);
        if (!done) continue;
        became.back() = *done;
        made.set_note(*done, state.note);
    }
    int current = old.current().id;
    while (became[static_cast<std::size_t>(current)] < 0) current = old.state(current).parent;
    made.go_to(became[static_cast<std::size_t>(current)]);
    return made;
}

}  // namespace blockscope::circuit
