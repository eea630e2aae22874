#include <limits>
#include <set>
#include <utility>

#include "app/document/circuit_steps_json.h"
#include "app/document/document_json.h"
#include "app/document/read_any.h"
#include "core/json/block_json.h"
#include "core/json/match_json.h"

namespace blockscope {
namespace {

using json::Reader;

constexpr int kMaxInt = std::numeric_limits<int>::max();
constexpr std::size_t kMaxSentenceBytes = 65'536;

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
    void look(const Reader& reader, SavedView& view);
    std::optional<SavedView::Edge> edge(const Reader& reader);
    std::optional<StateId> state_id(const Reader& reader, const History& history);

    json::Report report_;
    Reader root_;
    const StepObserver& observer_;
    int next_state_ = 0, next_branch_ = 0;
    StateId last_ = 0;  // the highest id so far
    std::set<StateId> tips_;
    std::set<int> branch_ids_;
};

Result<Content> DocumentReader::read() {
    if (!json::check_header(root_, kDocumentFormat) ||
        !root_.object({"format", "version", "name", "source?", "program?", "current", "branch", "folds",
                       "compared", "baseline?", "view?", "next_state", "next_branch", "branches", "states",
                       "circuit?", "circuit_state?", "circuit_tip?"}))
        return report_.problems();
    std::optional<Content> content = initial();
    if (!content) return report_.problems();
    content->name = root_.member("name").string(kMaxTitleBytes).value_or("");
    next_state_ = static_cast<int>(root_.member("next_state").integer(1, kMaxInt).value_or(0));
    next_branch_ = static_cast<int>(root_.member("next_branch").integer(2, kMaxInt).value_or(0));
    if (!report_.clean() || !states(content->history) || !branches(content->history))
        return report_.problems();
    view(*content);
    circuit_steps(*content);
    if (!report_.clean()) return report_.problems();
    return std::move(*content);
}

std::optional<Content> DocumentReader::initial() {
    if (root_.has("source") == root_.has("program")) {
        root_.problem(
            "expected one of the keys source (a program in the text language) and program (a block program), "
            "found " +
            std::string(root_.has("source") ? "both" : "neither"));
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
            reader.problem("found a line break within a line; expected one string for each line");
            return {};
        }
        source += (i == 0 ? "" : "\n") + *line;
    }
    Result<Content> content = content_of_source(source, report_.file());
    if (content) return std::move(content).value();
    for (const Problem& problem : content.problems()) {
        const int line = std::max(problem.place.line, 1);
        report_.add(lines.pointer() + "/" + std::to_string(line - 1),
                    "column " + std::to_string(problem.place.column) + ": " + problem.message);
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

bool DocumentReader::initial_state(const Reader& reader, History& history) {
    HistoryState state = history.state(0);
    if (!reader.object({"id", "snapshot?", "tidy?", "note?"}) || !reader.member("id").integer(0, 0) ||
        !marks(reader, state))
        return false;
    history.restore_initial(std::move(state));
    return true;
}

bool DocumentReader::next_state(const Reader& reader, const json::Dims& dims, History& history) {
    if (!reader.object({"id", "parent", "rule", "path", "dim?", "roles", "snapshot?", "tidy?", "note?"}))
        return false;
    HistoryState state;
    if (last_ + 1 >= next_state_) {
        reader.member("id").problem("every id must be below next_state, " + std::to_string(next_state_));
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
            reader.problem("state " + std::to_string(sibling) + " is the same step from the same parent");
            return false;
        }
    state.program = made->after;
    state.step = std::make_shared<const Step>(std::move(*made));
    history.restore(std::move(state));
    if (history.weight() > kMaxHistoryWeight) {
        reader.problem("the states up to here have more than " + std::to_string(kMaxHistoryWeight) +
                       " nodes together; expected fewer steps or a smaller program");
        return false;
    }
    if (!observer_ || observer_(*history.state(last_).step)) return true;
    reader.problem("the reading was cancelled here");
    return false;
}

std::optional<Step> DocumentReader::step(const Reader& reader, const json::Dims& dims,
                                         const HistoryState& parent) {
    const auto match = json::read_match(reader, dims);
    if (!match || !json::check_match(reader, *parent.program, *match)) return {};
    try {
        Step made = checked_apply(parent.program, *match);
        if (made.after->next_id <= json::kMaxId) return made;
        reader.problem("this step would need node ids above " + std::to_string(json::kMaxId));
    } catch (const InternalError& error) {
        reader.problem("this step cannot be repeated: " + json::printable(error.what(), 300));
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
    reader.problem("there is no state " + std::to_string(*id) + " up to here");
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
        list.problem("no branch ends at state " + std::to_string(id) +
                     "; every state without later ones is the tip of a branch");
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
    auto stopped = reader.member("stopped").string(kMaxSentenceBytes);
    if (!id || !name || !tip || !stopped) return {};
    if (!branch_ids_.insert(static_cast<int>(*id)).second) {
        reader.member("id").problem("branch " + std::to_string(*id) + " is there twice");
        return {};
    }
    if (!history.children(*tip).empty()) {
        reader.member("tip").problem("state " + std::to_string(*tip) +
                                     " is no end of a branch: later states come from it");
        return {};
    }
    if (!tips_.insert(*tip).second) {
        reader.member("tip").problem("two branches end at state " + std::to_string(*tip));
        return {};
    }
    return Branch{static_cast<int>(*id), std::move(*name), *tip, std::move(*stopped)};
}

// ---- What is shown

void DocumentReader::view(Content& content) {
    const History& history = content.history;
    const auto current = state_id(root_.member("current"), history);
    const Reader branch = root_.member("branch");
    const auto shown = branch.integer(1, kMaxInt);
    if (!current || !shown) return;
    if (branch_ids_.count(static_cast<int>(*shown)) == 0)
        branch.problem("there is no branch " + std::to_string(*shown));
    else if (history.branch_through(*current, static_cast<int>(*shown)) != *shown)
        branch.problem("this branch does not lead through the current state, " + std::to_string(*current));
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
    if (root_.has("view")) look(root_.member("view"), content.view);
}

void DocumentReader::circuit_steps(Content& content) {
    if (root_.has("circuit")) {
        content.circuit = read_circuit_steps(root_, content);
        return;
    }
    for (const char* key : {"circuit_state", "circuit_tip"})
        if (root_.has(key)) root_.problem(std::string("found the key ") + key + " without circuit");
}

void DocumentReader::look(const Reader& reader, SavedView& view) {
    if (!reader.object({"camera?", "selection?", "edge?", "edge_labels?"})) return;
    if (reader.has("camera")) {
        const Reader camera = reader.member("camera");
        if (!camera.object({"x", "y", "scale"})) return;
        const auto x = camera.member("x").number(), y = camera.member("y").number();
        const auto scale = camera.member("scale").number();
        if (!x || !y || !scale) return;
        if (!(*scale > 0)) return camera.member("scale").problem("expected a scale above 0");
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

}  // namespace blockscope
