#include "app/document/circuit_steps_json.h"

#include <limits>
#include <utility>

#include "app/document/document_json.h"
#include "core/circuit/from_block.h"

namespace blockscope {

namespace {

using circuit::AxisStep;
using circuit::StepTree;
using Kind = circuit::CircuitAction::Kind;
using json::Reader;

constexpr std::int64_t kMaxAxisSize = std::numeric_limits<std::int32_t>::max();

// In the order of CircuitAction::Kind.
const std::vector<std::string>& action_names() {
    static const std::vector<std::string> names = {"rename", "group", "stream", "join"};
    return names;
}

json::Value state_value(int id, const StepTree::State& state) {
    json::Object object = {{"id", id}};
    if (state.parent >= 0) {
        const AxisStep& step = state.step;
        object.push_back({"parent", state.parent});
        object.push_back({"action", action_names().at(static_cast<std::size_t>(step.kind))});
        object.push_back({"axis", step.axis});
        if (step.kind == Kind::Relabel) object.push_back({"name", step.name});
        if (step.size != 0) object.push_back({"size", step.size});
    }
    if (!state.note.empty()) object.push_back({"note", state.note});
    return object;
}

// The step that led to a state: "size" where the action splits an axis, and where a new name comes with one.
bool read_step(const Reader& reader, AxisStep& step) {
    const auto action = reader.member("action").choice(action_names());
    auto axis = reader.member("axis").string(circuit::kMaxAxisName);
    if (!action || !axis) return false;
    step.kind = static_cast<Kind>(*action);
    step.axis = std::move(*axis);
    const bool renames = step.kind == Kind::Relabel;
    const bool splits = step.kind == Kind::Group || step.kind == Kind::Stream;
    if (reader.has("name") != renames) {
        reader.problem(std::string("the key name belongs to the action rename alone; it is ") +
                       (renames ? "missing" : "there"));
        return false;
    }
    if (splits ? !reader.has("size") : !renames && reader.has("size")) {
        reader.problem(std::string("the action ") + action_names().at(static_cast<std::size_t>(*action)) +
                       (splits ? " needs the key size" : " has no key size"));
        return false;
    }
    if (renames) {
        auto name = reader.member("name").string(circuit::kMaxAxisName);
        if (!name) return false;
        step.name = std::move(*name);
    }
    if (!reader.has("size")) return true;
    const auto size = reader.member("size").integer(1, kMaxAxisSize);
    step.size = size.value_or(0);
    return size.has_value();
}

bool read_state(const Reader& reader, int id, StepTree& tree) {
    const bool first = id == 0;
    if (first ? !reader.object({"id", "note?"})
              : !reader.object({"id", "parent", "action", "axis", "name?", "size?", "note?"}))
        return false;
    if (!reader.member("id").integer(id, id)) return false;
    StepTree::State state;
    if (reader.has("note")) {
        auto note = reader.member("note").string(kMaxNoteBytes);
        if (!note) return false;
        state.note = std::move(*note);
    }
    if (first) {
        tree.states[0] = std::move(state);
        return true;
    }
    const auto parent = reader.member("parent").integer(0, id - 1);
    if (!parent || !read_step(reader, state.step)) return false;
    state.parent = static_cast<int>(*parent);
    for (const int sibling : tree.children(state.parent))
        if (tree.state(sibling).step == state.step) {
            reader.problem("state " + std::to_string(sibling) + " is the same step from the same parent");
            return false;
        }
    tree.states.push_back(std::move(state));
    return true;
}

// The state that is shown, and the end of the way that leads through it.
bool read_shown(const Reader& document, StepTree& tree) {
    const Reader tip = document.member("circuit_tip");
    const auto current = document.member("circuit_state").integer(0, tree.count() - 1);
    const auto end = tip.integer(0, tree.count() - 1);
    if (!current || !end) return false;
    tree.current = static_cast<int>(*current);
    tree.tip = static_cast<int>(*end);
    if (!tree.children(tree.tip).empty()) {
        tip.problem("state " + std::to_string(tree.tip) + " is no end: later states come from it");
        return false;
    }
    for (const int id : tree.path(tree.tip))
        if (id == tree.current) return true;
    tip.problem("the way to this state does not lead through the circuit's state, " +
                std::to_string(tree.current));
    return false;
}

}  // namespace

Result<circuit::Flow> circuit_flow(const Content& content) {
    if (content.array) return circuit::separated(circuit::flow_of(*content.array));
    const Result<circuit::Circuit> drawn = circuit::circuit_of(*content.history.state(0).program);
    if (!drawn) return drawn.problems();
    const Result<circuit::Flow> flow = circuit::flow_of(*drawn);
    if (!flow) return flow.problems();
    return circuit::separated(*flow);
}

Content with_possible_steps(Content content) {
    if (!content.circuit) return content;
    const Result<circuit::Flow> flow = circuit_flow(content);
    StepTree fitting = flow ? circuit::possible(*flow, *content.circuit) : StepTree{};
    if (!(fitting == *content.circuit))
        content.circuit = std::make_shared<const StepTree>(std::move(fitting));
    return content;
}

void add_circuit_steps(json::Object& document, const Content& content) {
    if (!content.circuit || content.circuit->empty()) return;
    const StepTree& tree = *content.circuit;
    json::Array states;
    for (int id = 0; id < tree.count(); ++id) states.push_back(state_value(id, tree.state(id)));
    document.push_back({"circuit_state", tree.current});
    document.push_back({"circuit_tip", tree.tip});
    document.push_back({"circuit", std::move(states)});
}

circuit::StepTreePtr read_circuit_steps(const Reader& document, const Content& content) {
    for (const char* key : {"circuit_state", "circuit_tip"})
        if (!document.has(key)) {
            document.problem(std::string("expected the key ") + key + " beside circuit");
            return nullptr;
        }
    const Reader states = document.member("circuit");
    if (!states.array(1, circuit::kMaxCircuitStates)) return nullptr;
    StepTree tree;
    for (int id = 0; id < static_cast<int>(states.size()); ++id)
        if (!read_state(states.at(static_cast<std::size_t>(id)), id, tree)) return nullptr;
    if (!read_shown(document, tree)) return nullptr;
    const Result<circuit::Flow> flow = circuit_flow(content);
    if (!flow) {
        states.problem("the program has no circuit whose axes can be split: " +
                       flow.problems().front().message);
        return nullptr;
    }
    if (const auto wrong = circuit::misstep(*flow, tree)) {
        states.at(static_cast<std::size_t>(wrong->state))
            .problem("this step is not possible: " + wrong->sentence);
        return nullptr;
    }
    return std::make_shared<const StepTree>(std::move(tree));
}

}  // namespace blockscope
