#include "app/document/document_json.h"

#include <limits>
#include <set>
#include <utility>

#include "core/diagram/arrange.h"
#include "core/json/json_io.h"
#include "core/json/parts.h"

namespace blockscope {

namespace {

using json::Reader;

constexpr int kMaxInt = std::numeric_limits<int>::max();

class DocumentReader {
public:
    DocumentReader(const json::Value& document, const std::string& file, const StepObserver& observer)
        : report_(file), root_(document, report_), observer_(observer) {}

    Result<Content> read();

private:
    std::optional<Content> initial();
    std::optional<Content> from_source(const Reader& lines);
    std::optional<Content> from_program(const Reader& program);
    bool states(History& history);
    bool initial_state(const Reader& reader, History& history);
    bool next_state(const Reader& reader, const json::Dims& dims, History& history);
    std::optional<Step> step(const Reader& reader, const json::Dims& dims, const HistoryState& parent);
    bool marks(const Reader& reader, HistoryState& state);
    bool branches(History& history);
    std::optional<Branch> branch(const Reader& reader, const History& history);
    void view(Content& content);
    void circuit_steps(Content& content);
    void moved(const Reader& list, Shifts& shifts);
    void pinned(const Reader& list, std::map<NodeId, PinnedNote>& notes);
    void groups(const Reader& list, const History& history, std::vector<GroupedSteps>& groups);
    void look(const Reader& reader, SavedView& view);
    std::optional<SavedView::Edge> edge(const Reader& reader);
    std::optional<StateId> state_id(const Reader& reader, const History& history);

    json::Report report_;
    Reader root_;
    const StepObserver& observer_;
    int next_state_ = 0, next_branch_ = 0;
    StateId last_ = 0;  // the highest id so far
    Endings endings_{kPaperRules};
    Stepper stepper_;
    std::set<StateId> tips_;
    std::set<int> branch_ids_;
};

Result<Content> DocumentReader::read() {
    if (!json::check_header(root_, kDocumentFormat) ||
        !root_.object({"format",  "version",  "name",           "rules?",       "source?",     "program?",
                       "current", "branch",   "folds",          "compared",     "baseline?",   "moved?",
                       "pinned?", "groups?",  "view?",          "next_state",   "next_branch", "branches",
                       "states",  "circuit?", "circuit_state?", "circuit_tip?", "tilings?"}))
        return report_.problems();
    std::optional<Content> content = initial();
    const auto rules = json::read_rule_set(root_);
    if (!content || !rules) return report_.problems();
    content->history.set_rules(*rules);
    endings_ = Endings(*rules);
    content->name = root_.member("name").string(kMaxTitleBytes).value_or("");
    next_state_ = static_cast<int>(root_.member("next_state").integer(1, kMaxInt).value_or(0));
    next_branch_ = static_cast<int>(root_.member("next_branch").integer(2, kMaxInt).value_or(0));
    if (!report_.clean() || !states(content->history) || !branches(content->history))
        return report_.problems();
    view(*content);
    circuit_steps(*content);
    if (root_.has("tilings")) {
        const Reader tilings = root_.member("tilings");
        content->tilings = read_tilings(tilings, content->array.get());
    }
    if (!report_.clean()) return report_.problems();
    return std::move(*content);
}

std::optional<Content> DocumentReader::initial() {
    if (root_.has("source") == root_.has("program")) {
        root_.problem(root_.has("source") ? Text("expected one of the keys source (a program in the text "
                                                 "language) and program (a block program), found both")
                                          : Text("expected one of the keys source (a program in the text "
                                                 "language) and program (a block program), found neither"));
        return {};
    }
    return root_.has("source") ? from_source(root_.member("source")) : from_program(root_.member("program"));
}

std::optional<Content> DocumentReader::from_source(const Reader& lines) {
    if (!lines.array(1, json::kMaxValues)) return {};
    std::string source;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Reader reader = lines.at(i);
        const auto line = reader.string(json::kMaxBytes);
        if (!line) return {};
        if (line->find('\n') != std::string::npos) {
            reader.problem(Text("found a line break within a line; expected one string for each line"));
            return {};
        }
        source += (i == 0 ? "" : "\n") + *line;
    }
    Result<Content> content = content_of_source(source, report_.file());
    if (content) return std::move(content).value();
    for (const Problem& problem : content.problems()) {
        const int line = std::max(problem.place.line, 1);
        report_.add(lines.pointer() + "/" + std::to_string(line - 1),
                    Text("column %1: %2", problem.place.column, problem.message));
    }
    return {};
}

std::optional<Content> DocumentReader::from_program(const Reader& program) {
    if (!program.object({"dims", "next_id", "graph"})) return {};
    const ProgramPtr read = json::read_block_program(program);
    if (!read) return {};
    return content_of_blocks(*read, "");
}

// ---- States. Each depends on those before it, so the first wrong one ends the reading.

bool DocumentReader::states(History& history) {
    const Reader list = root_.member("states");
    if (!list.array(1, kMaxStates)) return false;
    if (!initial_state(list.at(0), history)) return false;
    const json::Dims dims(history.state(0).program->dims);
    for (std::size_t i = 1; i < list.size(); ++i)
        if (!next_state(list.at(i), dims, history)) return false;
    return true;
}

// Whether there is no problem; else it is reported.
bool bears(const Reader& reader, const Text& problem) {
    if (problem.empty()) return true;
    reader.problem(problem);
    return false;
}

bool DocumentReader::initial_state(const Reader& reader, History& history) {
    HistoryState state = history.state(0);
    if (!reader.object({"id", "snapshot?", "tidy?", "name?", "note?"}) ||
        !reader.member("id").integer(0, 0) || !marks(reader, state))
        return false;
    if (state.snapshot && !bears(reader.member("snapshot"), endings_.snapshot_problem(*state.program)))
        return false;
    history.restore_initial(std::move(state));
    return true;
}

bool DocumentReader::next_state(const Reader& reader, const json::Dims& dims, History& history) {
    if (!reader.object(
            {"id", "parent", "rule", "path", "dim?", "roles", "snapshot?", "tidy?", "name?", "note?"}))
        return false;
    HistoryState state;
    if (last_ + 1 >= next_state_) {
        reader.member("id").problem(Text("every id must be below next_state, %1", next_state_));
        return false;
    }
    const auto id = reader.member("id").integer(last_ + 1, next_state_ - 1);
    const auto parent = id ? state_id(reader.member("parent"), history) : std::nullopt;
    if (!parent || !marks(reader, state)) return false;
    state.id = last_ = static_cast<StateId>(*id);
    state.parent = *parent;
    std::optional<Step> made = step(reader, dims, history.state(*parent));
    if (!made) return false;
    for (const StateId sibling : history.children(*parent))
        if (history.state(sibling).step->match == made->match) {
            reader.problem(Text("state %1 is the same step from the same parent", sibling));
            return false;
        }
    if (state.snapshot && !bears(reader.member("snapshot"), endings_.snapshot_problem(*made->after)))
        return false;
    state.program = made->after;
    state.step = std::make_shared<const Step>(std::move(*made));
    history.restore(std::move(state));
    if (history.weight() > kMaxHistoryWeight) {
        reader.problem(
            Text("the states up to here have more than %1 nodes together; expected fewer steps or a smaller "
                 "program",
                 kMaxHistoryWeight));
        return false;
    }
    if (!observer_ || observer_(*history.state(last_).step)) return true;
    reader.problem(Text("the reading was cancelled here"));
    return false;
}

std::optional<Step> DocumentReader::step(const Reader& reader, const json::Dims& dims,
                                         const HistoryState& parent) {
    const auto match = json::read_match(reader, dims);
    if (!match ||
        !json::check_match(reader, parent.program->dims, stepper_.level(parent.program, match->path), *match))
        return {};
    try {
        Step made = stepper_.apply(parent.program, *match);
        if (made.after->next_id <= json::kMaxId) return made;
        reader.problem(Text("this step would need node ids above %1", json::kMaxId));
    } catch (const InternalError& error) {
        reader.problem(Text("this step cannot be repeated: %1", json::printable(error.what(), 300)));
    }
    return {};
}

bool DocumentReader::marks(const Reader& reader, HistoryState& state) {
    if (reader.has("snapshot")) {
        const auto snapshot = reader.member("snapshot").boolean();
        if (!snapshot) return false;
        state.snapshot = *snapshot;
    }
    if (reader.has("tidy")) {
        const auto tidy = reader.member("tidy").boolean();
        if (!tidy) return false;
        state.tidy = *tidy;
    }
    if (reader.has("name")) {
        auto name = reader.member("name").string(kMaxTitleBytes);
        if (!name) return false;
        state.name = std::move(*name);
    }
    if (reader.has("note")) {
        auto note = reader.member("note").string(kMaxNoteBytes);
        if (!note) return false;
        state.note = std::move(*note);
    }
    return true;
}

std::optional<StateId> DocumentReader::state_id(const Reader& reader, const History& history) {
    const auto id = reader.integer(0, kMaxInt);
    if (!id) return {};
    if (history.has(static_cast<StateId>(*id))) return static_cast<StateId>(*id);
    reader.problem(Text("there is no state %1 up to here", *id));
    return {};
}

// ---- Branches

bool DocumentReader::branches(History& history) {
    const Reader list = root_.member("branches");
    if (!list.array(1, kMaxStates)) return false;
    std::vector<Branch> read;
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::optional<Branch> next = branch(list.at(i), history);
        if (!next) return false;
        read.push_back(std::move(*next));
    }
    for (const auto& [id, state] : history.states()) {
        if (!history.children(id).empty() || tips_.count(id) > 0) continue;
        list.problem(
            Text("no branch ends at state %1; every state without later ones is the tip of a branch", id));
        return false;
    }
    history.restore(std::move(read), next_state_, next_branch_);
    return true;
}

std::optional<Branch> DocumentReader::branch(const Reader& reader, const History& history) {
    if (!reader.object({"id", "name", "tip", "stopped"})) return {};
    const auto id = reader.member("id").integer(1, next_branch_ - 1);
    auto name = reader.member("name").string(kMaxTitleBytes);
    const auto tip = state_id(reader.member("tip"), history);
    if (!id || !name || !tip) return {};
    if (!branch_ids_.insert(static_cast<int>(*id)).second) {
        reader.member("id").problem(Text("branch %1 is there twice", *id));
        return {};
    }
    if (!history.children(*tip).empty()) {
        reader.member("tip").problem(Text("state %1 is no end of a branch: later states come from it", *tip));
        return {};
    }
    if (!tips_.insert(*tip).second) {
        reader.member("tip").problem(Text("two branches end at state %1", *tip));
        return {};
    }
    const HistoryState& last = history.state(*tip);
    auto why = json::read_stop_reason(reader.member("stopped"), endings_, *last.program, *tip != 0);
    if (!why) return {};
    if (*why == Text(kNothingMatches) && !last.snapshot &&
        !bears(reader.member("stopped"), Text("state %1 is no snapshot, as ends are", *tip)))
        return {};
    return Branch{static_cast<int>(*id), std::move(*name), *tip, *std::move(why)};
}

// ---- What is shown

void DocumentReader::view(Content& content) {
    const History& history = content.history;
    const auto current = state_id(root_.member("current"), history);
    const Reader branch = root_.member("branch");
    const auto shown = branch.integer(1, kMaxInt);
    if (!current || !shown) return;
    if (branch_ids_.count(static_cast<int>(*shown)) == 0)
        branch.problem(Text("there is no branch %1", *shown));
    else if (history.branch_through(*current, static_cast<int>(*shown)) != *shown)
        branch.problem(Text("this branch does not lead through the current state, %1", *current));
    content.current = *current;
    content.branch = static_cast<int>(*shown);

    const Reader folds = root_.member("folds");
    if (!folds.array(0, json::kMaxNodes)) return;
    for (std::size_t i = 0; i < folds.size(); ++i)
        if (const auto id = folds.at(i).integer(1, json::kMaxId))
            content.folds.insert(NodeId{static_cast<std::uint32_t>(*id)});
    const Reader compared = root_.member("compared");
    if (!compared.array(0, kMaxCompared)) return;
    for (std::size_t i = 0; i < compared.size(); ++i)
        if (const auto id = state_id(compared.at(i), history)) content.compared.push_back(*id);
    if (root_.has("baseline")) content.baseline = state_id(root_.member("baseline"), history);
    if (root_.has("moved")) moved(root_.member("moved"), content.moved);
    if (root_.has("pinned")) pinned(root_.member("pinned"), content.pinned);
    if (root_.has("groups")) groups(root_.member("groups"), history, content.groups);
    if (root_.has("view")) look(root_.member("view"), content.view);
}

void DocumentReader::pinned(const Reader& list, std::map<NodeId, PinnedNote>& notes) {
    if (!list.array(1, json::kMaxNodes)) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Reader pin = list.at(i);
        if (!pin.object({"node", "text", "color?"})) return;
        const auto node = pin.member("node").integer(1, json::kMaxId);
        auto text = pin.member("text").string(kMaxNoteBytes);
        const auto color =
            pin.has("color") ? pin.member("color").choice({kNoteColors.begin(), kNoteColors.end()}) : 0;
        if (!node || !text || !color) return;
        notes[NodeId{static_cast<std::uint32_t>(*node)}] = {std::move(*text), static_cast<NoteColor>(*color)};
    }
}

// No step is in two groups: what a file has wrong there is said at the later one.
void DocumentReader::groups(const Reader& list, const History& history, std::vector<GroupedSteps>& groups) {
    if (!list.array(1, json::kMaxNodes)) return;
    std::set<StateId> grouped;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Reader group = list.at(i);
        if (!group.object({"first", "last", "name"})) return;
        const auto first = state_id(group.member("first"), history);
        const auto last = state_id(group.member("last"), history);
        auto name = group.member("name").string(kMaxTitleBytes);
        if (!first || !last || !name) return;
        const std::vector<StateId> way = history.path(*last);
        const auto begin = std::find(way.begin(), way.end(), *first);
        if (*first == 0 || begin == way.end() || name->empty())
            return group.problem(Text("a group has a name, and goes from a step to one after it"));
        for (auto state = begin; state != way.end(); ++state)
            if (!grouped.insert(*state).second)
                return group.problem(Text("the step of state %1 is in another group already", *state));
        groups.push_back({*first, *last, std::move(*name)});
    }
}

void DocumentReader::moved(const Reader& list, Shifts& shifts) {
    if (!list.array(1, json::kMaxNodes)) return;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Reader block = list.at(i);
        if (!block.object({"node", "x", "y"})) return;
        const auto node = block.member("node").integer(1, json::kMaxId);
        const auto x = block.member("x").integer(-kFarthestShift, kFarthestShift);
        const auto y = block.member("y").integer(-kFarthestShift, kFarthestShift);
        if (!node || !x || !y) return;
        shifts[NodeId{static_cast<std::uint32_t>(*node)}] = {static_cast<int>(*x), static_cast<int>(*y)};
    }
}

void DocumentReader::circuit_steps(Content& content) {
    if (root_.has("circuit")) {
        content.circuit = read_circuit_steps(root_, content);
        return;
    }
    for (const char* key : {"circuit_state", "circuit_tip"})
        if (root_.has(key)) root_.problem(Text("found the key %1 without circuit", std::string(key)));
}

void DocumentReader::look(const Reader& reader, SavedView& view) {
    if (!reader.object({"camera?", "selection?", "edge?", "edge_labels?"})) return;
    if (reader.has("camera")) {
        const Reader camera = reader.member("camera");
        if (!camera.object({"x", "y", "scale"})) return;
        const auto x = camera.member("x").number(), y = camera.member("y").number();
        const auto scale = camera.member("scale").number();
        if (!x || !y || !scale) return;
        if (!(*scale > 0)) return camera.member("scale").problem(Text("expected a scale above 0"));
        view.camera = SavedView::Camera{*x, *y, *scale};
    }
    if (reader.has("selection")) {
        const Reader nodes = reader.member("selection");
        if (!nodes.array(1, json::kMaxNodes)) return;
        std::int64_t last = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const auto id = nodes.at(i).integer(last + 1, json::kMaxId);
            if (!id) return;
            last = *id;
            view.selection.push_back(NodeId{static_cast<std::uint32_t>(*id)});
        }
    }
    if (reader.has("edge")) view.edge = edge(reader.member("edge"));
    if (reader.has("edge_labels")) view.edge_labels = reader.member("edge_labels").boolean();
}

std::optional<SavedView::Edge> DocumentReader::edge(const Reader& reader) {
    if (!reader.object({"node", "port", "first?", "consumer"})) return {};
    constexpr std::int64_t kMostPort = std::numeric_limits<std::uint16_t>::max();
    const auto node = reader.member("node").integer(1, json::kMaxId);
    const auto port = reader.member("port").integer(0, kMostPort);
    const auto first = reader.has("first") ? reader.member("first").integer(1, kMostPort) : 0;
    const auto consumer = reader.member("consumer").integer(1, json::kMaxId);
    if (!node || !port || !first || !consumer) return {};
    return SavedView::Edge{{NodeId{static_cast<std::uint32_t>(*node)}, static_cast<std::uint16_t>(*port),
                            static_cast<std::uint16_t>(*first)},
                           NodeId{static_cast<std::uint32_t>(*consumer)}};
}

}  // namespace

Result<Content> read_document(const json::Value& document, const std::string& file,
                              const StepObserver& observer) {
    return DocumentReader(document, file, observer).read();
}

Result<Content> read_document(const std::string& text, const std::string& file,
                              const StepObserver& observer) {
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    return read_document(*document, file, observer);
}

namespace {

// One line each; a text that ends in a newline has an empty last one.
json::Array lines_of(const std::string& text) {
    json::Array lines;
    std::size_t start = 0;
    for (std::size_t end = 0; end != std::string::npos; start = end + 1) {
        end = text.find('\n', start);
        lines.push_back(text.substr(start, end - start));
    }
    return lines;
}

json::Value branch_value(const Branch& branch) {
    return json::Object{
        {"id", branch.id}, {"name", branch.name}, {"tip", branch.tip}, {"stopped", branch.stopped.str()}};
}

json::Value state_value(const HistoryState& state) {
    json::Object object = {{"id", state.id}};
    if (state.step) {
        object.push_back({"parent", state.parent});
        json::add_match(object, state.step->match, state.program->dims);
    }
    if (state.snapshot) object.push_back({"snapshot", json::Value(true)});
    if (state.tidy) object.push_back({"tidy", json::Value(true)});
    if (!state.name.empty()) object.push_back({"name", state.name});
    if (!state.note.empty()) object.push_back({"note", state.note});
    return object;
}

json::Object view_value(const SavedView& view) {
    json::Object object;
    if (view.camera)
        object.push_back(
            {"camera",
             json::Object{{"x", view.camera->x}, {"y", view.camera->y}, {"scale", view.camera->scale}}});
    if (!view.selection.empty()) object.push_back({"selection", json::id_values(view.selection)});
    if (view.edge) {
        json::Object edge = {{"node", view.edge->value.node.value}, {"port", view.edge->value.port}};
        if (view.edge->value.first > 0) edge.push_back({"first", view.edge->value.first});
        edge.push_back({"consumer", view.edge->consumer.value});
        object.push_back({"edge", std::move(edge)});
    }
    if (view.edge_labels) object.push_back({"edge_labels", json::Value(*view.edge_labels)});
    return object;
}

json::Value program_value(const BlockProgram& program) {
    json::Object object;
    json::add_block_program(object, program);
    return object;
}

}  // namespace

std::string write_document(const Content& content) {
    const History& history = content.history;
    json::Array branches;
    for (const Branch& branch : history.branches()) branches.push_back(branch_value(branch));
    json::Array states;
    for (const auto& [id, state] : history.states()) states.push_back(state_value(*state));
    json::Array compared;
    for (const StateId id : content.compared) compared.push_back(id);

    json::Object document = {{"format", kDocumentFormat}, {"version", 1}, {"name", content.name}};
    json::add_rule_set(document, history.rules());
    if (content.array)
        document.push_back({"source", lines_of(content.source)});
    else
        document.push_back({"program", program_value(*history.state(0).program)});
    document.push_back({"current", content.current});
    document.push_back({"branch", content.branch});
    document.push_back({"folds", json::id_values({content.folds.begin(), content.folds.end()})});
    document.push_back({"compared", std::move(compared)});
    if (content.baseline) document.push_back({"baseline", *content.baseline});
    if (!content.moved.empty()) {
        json::Array moved;
        for (const auto& [node, shift] : content.moved)
            moved.push_back(
                json::Object{{"node", static_cast<int>(node.value)}, {"x", shift.x}, {"y", shift.y}});
        document.push_back({"moved", std::move(moved)});
    }
    if (!content.pinned.empty()) {
        json::Array pinned;
        for (const auto& [node, note] : content.pinned) {
            json::Object pin{{"node", static_cast<int>(node.value)}, {"text", note.text}};
            if (note.color != NoteColor::Yellow)
                pin.push_back({"color", kNoteColors.at(static_cast<std::size_t>(note.color))});
            pinned.push_back(std::move(pin));
        }
        document.push_back({"pinned", std::move(pinned)});
    }
    json::Array groups;
    for (const GroupedSteps& group : content.groups)
        groups.push_back(json::Object{{"first", group.first}, {"last", group.last}, {"name", group.name}});
    if (!groups.empty()) document.push_back({"groups", std::move(groups)});
    if (!(content.view == SavedView())) document.push_back({"view", view_value(content.view)});
    document.push_back({"next_state", history.next_state()});
    document.push_back({"next_branch", history.next_branch()});
    document.push_back({"branches", std::move(branches)});
    document.push_back({"states", std::move(states)});
    add_circuit_steps(document, content);
    add_tilings(document, content.tilings);
    return json::print_rows(document, {"source", "branches", "states", "circuit"});
}

namespace {

using circuit::AxisStep;
using circuit::StepTree;
using ActionKind = circuit::CircuitAction::Kind;
using json::Reader;

constexpr std::int64_t kMaxAxisSize = std::numeric_limits<std::int32_t>::max();

// In the order of CircuitAction::Kind.
const std::vector<std::string>& action_names() {
    static const std::vector<std::string> names = {"rename", "group", "stream", "join"};
    return names;
}

json::Value step_state_value(int id, const StepTree::State& state) {
    json::Object object = {{"id", id}};
    if (state.parent >= 0) {
        const AxisStep& step = state.step;
        object.push_back({"parent", state.parent});
        object.push_back({"action", action_names().at(static_cast<std::size_t>(step.kind))});
        object.push_back({"axis", step.axis});
        if (step.kind == ActionKind::Relabel) object.push_back({"name", step.name});
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
    step.kind = static_cast<ActionKind>(*action);
    step.axis = std::move(*axis);
    const bool renames = step.kind == ActionKind::Relabel;
    const bool splits = step.kind == ActionKind::Group || step.kind == ActionKind::Stream;
    if (reader.has("name") != renames) {
        reader.problem(renames ? Text("the key name belongs to the action rename alone; it is missing")
                               : Text("the key name belongs to the action rename alone; it is there"));
        return false;
    }
    if (splits ? !reader.has("size") : !renames && reader.has("size")) {
        const std::string& name = action_names().at(static_cast<std::size_t>(*action));
        reader.problem(splits ? Text("the action %1 needs the key size", name)
                              : Text("the action %1 has no key size", name));
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
            reader.problem(Text("state %1 is the same step from the same parent", sibling));
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
        tip.problem(Text("state %1 is no end: later states come from it", tree.tip));
        return false;
    }
    for (const int id : tree.path(tree.tip))
        if (id == tree.current) return true;
    tip.problem(Text("the way to this state does not lead through the circuit's state, %1", tree.current));
    return false;
}

}  // namespace

Result<circuit::Flow> circuit_flow(const Content& content) {
    if (content.array) return circuit::separated(circuit::flow_of(*content.array));
    const Result<circuit::Circuit> diagram = circuit::circuit_of(*content.history.state(0).program);
    if (!diagram) return diagram.problems();
    const Result<circuit::Flow> flow = circuit::flow_of(*diagram);
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
    for (int id = 0; id < tree.count(); ++id) states.push_back(step_state_value(id, tree.state(id)));
    document.push_back({"circuit_state", tree.current});
    document.push_back({"circuit_tip", tree.tip});
    document.push_back({"circuit", std::move(states)});
}

circuit::StepTreePtr read_circuit_steps(const Reader& document, const Content& content) {
    for (const char* key : {"circuit_state", "circuit_tip"})
        if (!document.has(key)) {
            document.problem(Text("expected the key %1 beside circuit", std::string(key)));
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
        states.problem(
            Text("the program has no circuit whose axes can be split: %1", flow.problems().front().message));
        return nullptr;
    }
    if (const auto wrong = circuit::misstep(*flow, tree)) {
        states.at(static_cast<std::size_t>(wrong->state))
            .problem(Text("this step is not possible: %1", wrong->sentence));
        return nullptr;
    }
    return std::make_shared<const StepTree>(std::move(tree));
}

}  // namespace blockscope
