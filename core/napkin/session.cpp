#include "core/napkin/session.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/diagram/arrange.h"
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
        return Problem{{}, Text("a circuit has at most %1 states", kMaxCircuitStates)};
    Result<CircuitState> made = after(current(), action);
    if (!made) return made.problems();
    if (action.kind != CircuitAction::Kind::Relabel && made->analysis.plan == current().analysis.plan)
        return Problem{{},
                       action.kind == CircuitAction::Kind::Group
                           ? Text("%1 is grouped in parts of %2 already", step.axis, action.size)
                           : Text("%1 is streamed in parts of %2 already", step.axis, action.size)};
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
        made.numbers.push_back({.name = name,
                                .formula = formula,
                                .formula_before = old,
                                .value = value_of(now, formula),
                                .before = value_of(before, old)});
    };
    const Resources& costs = now.analysis.resources;
    const Resources& old = before.analysis.resources;
    add("N_g", costs.groups, old.groups);
    add("H_g", costs.per_group, old.per_group);
    add("H", costs.transferred, old.transferred);
    add("M", costs.widest(1), old.widest(1));
    return made;
}

namespace {

bool has_axis(const std::vector<AxisId>& axes, AxisId axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// Without some of the axes that it is weaved over.
Apply without(const Apply& apply, const std::vector<AxisId>& missing) {
    Apply made = apply;
    made.weave.clear();
    std::vector<int> place;  // of each weaved axis among those that stay, -1 if it goes
    for (const AxisId axis : apply.weave) {
        const bool stays = !has_axis(missing, axis);
        place.push_back(stays ? static_cast<int>(made.weave.size()) : -1);
        if (stays) made.weave.push_back(axis);
    }
    for (std::vector<Segment>* segments : {&made.inputs, &made.outputs})
        for (Segment& segment : *segments) {
            std::vector<Slot> slots;
            for (const Slot& slot : segment.slots) {
                if (slot.own) slots.push_back(slot);
                if (!slot.own && place.at(static_cast<std::size_t>(slot.index)) >= 0)
                    slots.push_back({false, place[static_cast<std::size_t>(slot.index)]});
            }
            segment.slots = std::move(slots);
        }
    return made;
}

class PartOf {
public:
    PartOf(const Flow& flow, const std::vector<int>& ops, const std::vector<AxisId>& missing)
        : flow_(flow), ops_(ops.begin(), ops.end()), missing_(missing) {
        part_.axes = flow.axes;
    }

    Flow run() {
        std::set<int> made;
        for (const int i : ops_) {
            const FlowOp& op = flow_.ops.at(static_cast<std::size_t>(i));
            made.insert(op.outputs.begin(), op.outputs.end());
        }
        for (const int i : ops_) add(flow_.ops[static_cast<std::size_t>(i)], made);
        for (const int array : made)
            if (needed(array)) {
                part_.outputs.push_back(numbers_.at(array));
                part_.output_names.push_back(flow_.arrays.at(static_cast<std::size_t>(array)).name);
            }
        return std::move(part_);
    }

private:
    int number(int array) {
        const auto [place, fresh] = numbers_.try_emplace(array, static_cast<int>(part_.arrays.size()));
        if (!fresh) return place->second;
        FlowArray copy = flow_.arrays.at(static_cast<std::size_t>(array));
        std::erase_if(copy.type.axes, [&](AxisId axis) { return has_axis(missing_, axis); });
        part_.arrays.push_back(std::move(copy));
        return place->second;
    }

    void add(const FlowOp& op, const std::set<int>& made) {
        FlowOp copy{without(op.apply, missing_), {}, {}, op.expr};
        for (const int input : op.inputs) {
            const bool fresh = numbers_.count(input) == 0;
            copy.inputs.push_back(number(input));
            if (fresh && made.count(input) == 0) part_.inputs.push_back(copy.inputs.back());
        }
        for (const int output : op.outputs) copy.outputs.push_back(number(output));
        part_.ops.push_back(std::move(copy));
    }

    bool needed(int array) const {
        if (std::find(flow_.outputs.begin(), flow_.outputs.end(), array) != flow_.outputs.end()) return true;
        for (std::size_t i = 0; i < flow_.ops.size(); ++i) {
            const std::vector<int>& inputs = flow_.ops[i].inputs;
            if (ops_.count(static_cast<int>(i)) == 0 &&
                std::find(inputs.begin(), inputs.end(), array) != inputs.end())
                return true;
        }
        return false;
    }

    const Flow& flow_;
    std::set<int> ops_;
    const std::vector<AxisId>& missing_;
    Flow part_;
    std::map<int, int> numbers_;  // array of the flow -> of the part
};

}  // namespace

Flow part_of(const Flow& flow, const std::vector<int>& ops, const std::vector<AxisId>& missing) {
    return PartOf(flow, ops, missing).run();
}

std::vector<TheoremStep> theorem_steps(const Flow& flow, const AxisVerdict& verdict) {
    std::vector<TheoremStep> steps;
    if (!verdict.stream) return steps;
    std::set<int> ops(verdict.accumulators.begin(), verdict.accumulators.end());
    std::set<AxisId> weaves;
    for (const int i : verdict.accumulators)
        for (const AxisId axis : flow.ops.at(static_cast<std::size_t>(i)).apply.weave)
            if (axis != verdict.axis) weaves.insert(axis);
    std::vector<AxisId> missing(weaves.begin(), weaves.end());
    for (const Reason& reason : verdict.stream_reasons) {
        if (reason.op >= 0) ops.insert(reason.op);
        if (reason.theorem == "Theorem 1, weaving") missing.clear();
        const std::vector<int> covered(ops.begin(), ops.end());
        steps.push_back({reason, covered, circuit_of(part_of(flow, covered, missing))});
    }
    return steps;
}

}  // namespace blockscope::circuit
