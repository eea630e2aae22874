#include "core/diagram/step_tree.h"

#include <algorithm>

#include "core/support/result.h"

namespace blockscope::circuit {

namespace {

Problem refused(Text sentence) {
    return Problem{{}, std::move(sentence)};
}

Result<Flow> relabelled(const Flow& flow, const CircuitAction& action) {
    if (action.name.empty() || action.name.find_first_of(" ·+*/^") != std::string::npos)
        return refused(Text("found the name '%1'; expected one without blanks and operators", action.name));
    if (action.name.size() > kMaxAxisName)
        return refused(Text("the name of an axis has at most %1 bytes", kMaxAxisName));
    Flow made = flow;
    for (int i = 0; i < static_cast<int>(made.axes.size()); ++i) {
        Axis& axis = made.axes[static_cast<std::size_t>(i)];
        if (AxisId{i} != action.axis) {
            if (axis.name == action.name) return refused(Text("there is an axis %1 already", action.name));
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

// Takes the steps of a tree again on a flow. A state whose steps are not possible there is null.
class Retracing {
public:
    Retracing(const Flow& flow, const StepTree& tree) : tree_(tree) {
        splits_.push_back(std::make_shared<const Splits>(Splits{std::make_shared<const Flow>(flow), {}}));
    }

    // Of the next state, whose parent has to be possible; none if it is not, with the reason in `why`.
    bool retrace(int id, Text& why) {
        splits_.push_back(nullptr);
        const StepTree::State& state = tree_.state(id);
        const auto from = splits_.at(static_cast<std::size_t>(state.parent));
        if (!from) return false;
        const Result<CircuitAction> action = action_of(*from->flow, state.step);
        Result<Splits> made = action ? stepped(*from, *action) : Result<Splits>(action.problems());
        if (made)
            splits_.back() = std::make_shared<const Splits>(std::move(made).value());
        else
            why = made.problems().front().message;
        return splits_.back() != nullptr;
    }

private:
    const StepTree& tree_;
    std::vector<std::shared_ptr<const Splits>> splits_;
};

}  // namespace

const StepTree::State& StepTree::state(int id) const {
    if (id < 0 || id >= count()) throw InternalError("no state " + std::to_string(id));
    return states[static_cast<std::size_t>(id)];
}

std::vector<int> StepTree::children(int id) const {
    std::vector<int> found;
    for (int i = 0; i < count(); ++i)
        if (states[static_cast<std::size_t>(i)].parent == id) found.push_back(i);
    return found;
}

std::vector<int> StepTree::path(int id) const {
    std::vector<int> way;
    for (int at = id; at >= 0; at = state(at).parent) way.push_back(at);
    std::reverse(way.begin(), way.end());
    return way;
}

std::optional<int> StepTree::next() const {
    for (int at = tip; at > 0; at = state(at).parent)
        if (state(at).parent == current) return at;
    return std::nullopt;
}

int StepTree::add(const AxisStep& step) {
    for (const int child : children(current))
        if (state(child).step == step) {
            go_to(child);
            return child;
        }
    states.push_back({current, step, {}});
    go_to(count() - 1);
    return current;
}

// A state on the way that is shown leaves the tip where it is. From any other the way goes on to the newest
// of its descendants, which becomes the tip.
void StepTree::go_to(int id) {
    state(id);
    current = id;
    const std::vector<int> way = path(tip);
    if (std::find(way.begin(), way.end(), id) != way.end()) return;
    tip = id;
    for (std::vector<int> next = children(tip); !next.empty(); next = children(tip)) tip = next.back();
}

Result<Splits> stepped(const Splits& from, const CircuitAction& action) {
    if (action.axis.value < 0 || action.axis.value >= static_cast<int>(from.flow->axes.size()))
        return refused(Text("there is no such axis"));
    Splits made = from;
    if (action.kind == CircuitAction::Kind::Relabel) {
        Result<Flow> flow = relabelled(*from.flow, action);
        if (!flow) return flow.problems();
        made.flow = std::make_shared<const Flow>(std::move(flow).value());
    } else if (action.kind == CircuitAction::Kind::Join) {
        const std::size_t before = made.plan.size();
        std::erase_if(made.plan, [&](const Part& part) { return part.axis == action.axis; });
        if (made.plan.size() == before)
            return refused(Text("%1 is not split", axis_of(from.flow->axes, action.axis).name));
    } else {
        const bool group = action.kind == CircuitAction::Kind::Group;
        made.plan = with(std::move(made.plan),
                         {action.axis, group ? PartitionKind::Group : PartitionKind::Stream, action.size});
    }
    if (Problems problems = impossible(*made.flow, made.plan); !problems.empty()) return problems;
    return made;
}

AxisStep step_of(const Flow& flow, const CircuitAction& action) {
    // Joining has no size, even if one is typed in the panel; the reader of documents refuses a join that has
    // one.
    const std::int64_t size = action.kind == CircuitAction::Kind::Join ? 0 : action.size;
    return {action.kind, axis_of(flow.axes, action.axis).name, size, action.name};
}

Result<CircuitAction> action_of(const Flow& flow, const AxisStep& step) {
    for (int i = 0; i < static_cast<int>(flow.axes.size()); ++i)
        if (flow.axes[static_cast<std::size_t>(i)].name == step.axis)
            return CircuitAction{step.kind, AxisId{i}, step.size, step.name};
    std::string names;
    for (const Axis& axis : flow.axes) names += (names.empty() ? "" : ", ") + axis.name;
    return refused(Text("there is no axis %1; there are %2", step.axis, names));
}

std::optional<Misstep> misstep(const Flow& flow, const StepTree& tree) {
    Retracing retracing(flow, tree);
    for (int id = 1; id < tree.count(); ++id)
        if (Text why; !retracing.retrace(id, why)) return Misstep{id, why};
    return std::nullopt;
}

StepTree possible(const Flow& flow, const StepTree& tree) {
    Retracing retracing(flow, tree);
    StepTree made;
    made.states[0].note = tree.states[0].note;
    std::vector<int> became(tree.states.size(), -1);
    became[0] = 0;
    for (int id = 1; id < tree.count(); ++id) {
        StepTree::State state = tree.state(id);
        if (Text why; !retracing.retrace(id, why)) continue;
        state.parent = became.at(static_cast<std::size_t>(state.parent));
        became[static_cast<std::size_t>(id)] = made.count();
        made.states.push_back(std::move(state));
    }
    const auto nearest = [&](int id) {
        while (became.at(static_cast<std::size_t>(id)) < 0) id = tree.state(id).parent;
        return became[static_cast<std::size_t>(id)];
    };
    made.go_to(nearest(tree.tip));  // also makes the newest descendant the tip
    made.go_to(nearest(tree.current));
    return made;
}

}  // namespace blockscope::circuit
