#include "core/lesson/learner.h"

#include <algorithm>

#include "core/cost/models/model.h"
#include "core/json/device_files.h"
#include "core/json/json_io.h"
#include "core/lesson/facts.h"
#include "core/print/print.h"
#include "core/program/convert.h"
#include "core/program/names.h"
#include "core/rules/conditions.h"
#include "core/state/choose.h"

namespace blockscope::lesson {
namespace {

using Visit = std::function<void(const Node&)>;

void each_node(const Graph& graph, const Visit& visit) {
    for (const NodePtr& node : graph.nodes()) {
        visit(*node);
        if (const Map* map = node->as<Map>()) each_node(*map->body, visit);
    }
}

// What a lesson may call a node besides its id: its label, that without its arguments, "M-map".
std::vector<std::string> words_for(const Node& node, const DimTable& dims) {
    std::vector<std::string> words{label(node, dims)};
    const std::size_t bracket = words.front().find('(');
    if (bracket != std::string::npos && bracket > 0) words.push_back(words.front().substr(0, bracket));
    if (const Map* map = node.as<Map>()) words.push_back(dims.at(map->dim.value).name + "-map");
    return words;
}

bool is_matched(const Match& match, NodeId id) {
    return std::any_of(match.roles.begin(), match.roles.end(),
                       [&](const Role& role) { return role.node == id; });
}

Problem at(const Place& place, const std::string& message) {
    return {place, message};
}

std::string no_match(const RuleId rule, const Action& action, std::size_t found) {
    const std::string where = action.at.empty() ? "" : " at " + action.at;
    if (found == 0) return "rule " + to_string(rule) + " does not apply" + where + " in this state";
    return "rule " + to_string(rule) + " has only " + std::to_string(found) +
           (found == 1 ? " match" : " matches") + where + " in this state";
}

Result<Learner> applied(Learner learner, const Action& action) {
    const Result<Match> match = match_of(learner, action);
    if (!match) return match.problems();
    learner.trace = branch(learner.trace, learner.step, *match);
    ++learner.step;
    return learner;
}

Result<Learner> opened(Learner learner, const std::string& file, Programs& programs, const Place& place) {
    const Result<const Reference*> reference = programs.find(file);
    if (!reference) {
        const Problem& first = reference.problems().front();
        return at(place, "the program " + file + " cannot be opened: " + first.message.str());
    }
    learner.program = file;
    learner.trace = (*reference)->run;
    learner.step = 0;
    return learner;
}

// "M = 4096 / 64", or without a block size.
Result<Dim> dimension_in(const std::string& text, const DimTable& dims, const Place& place) {
    std::string name, size, block;
    std::string* part = &name;
    for (const char c : text) {
        if (c == '=')
            part = &size;
        else if (c == '/')
            part = &block;
        else if (c != ' ')
            *part += c;
    }
    std::vector<std::string_view> names;
    for (const Dim& dim : dims) names.push_back(dim.name);
    const auto known =
        std::find_if(dims.begin(), dims.end(), [&](const Dim& dim) { return dim.name == name; });
    if (known == dims.end())
        return at(place, "there is no dimension '" + name + "'" + suggestion(name, names).str());
    Dim dim = *known;
    const auto read = [](const std::string& digits) {
        return digits.empty() || digits.size() > 9 ||
                       digits.find_first_not_of("0123456789") != std::string::npos
                   ? 0
                   : std::stoll(digits);
    };
    dim.size = read(size);
    dim.block = block.empty() ? std::min(dim.block, dim.size) : read(block);
    if (dim.size < 1 || dim.block < 1 || dim.block > dim.size)
        return at(place, "expected a size and a block size, as in 'M = 4096 / 64'");
    return dim;
}

// The same steps at another size.
Result<Learner> sized(Learner learner, const Action& action) {
    BlockProgram initial = *learner.trace.initial;
    Result<DimTable> dims = sizes_after(initial.dims, action.words.front(), action.place);
    if (!dims) return dims.problems();
    const BlockNeeds needs = block_needs(initial);
    for (std::size_t i = 0; i < dims->size(); ++i)
        if (const Dim& dim = (*dims)[i]; !meets(dim, need_of(needs, i)))
            return at(action.place, "expected " + dim.name + " in " + described(need_of(needs, i)));
    initial.dims = std::move(dims).value();
    Trace trace{.initial = std::make_shared<const BlockProgram>(std::move(initial)),
                .steps = {},
                .snapshots = learner.trace.snapshots,
                .stopped = learner.trace.stopped,
                .rules = learner.trace.rules};
    for (const Step& step : learner.trace.steps)
        trace.steps.push_back(checked_apply(trace.last(), step.match));
    learner.trace = std::move(trace);
    return learner;
}

Result<Learner> pointed(Learner learner, const Action& action) {
    Result<Pointed> found = find_pointed(*learner.trace.state(learner.step), action);
    if (!found) return found.problems();
    if (action.kind != ActionKind::Select) return learner;
    auto [nodes, value] = std::move(found).value();
    learner.selected = std::move(nodes);
    learner.value = value;
    return learner;
}

void run_on(Learner& learner) {
    Trace trace = learner.trace;
    trace.steps.resize(static_cast<std::size_t>(learner.step));
    std::erase_if(trace.snapshots, [&](int snapshot) { return snapshot > learner.step; });
    learner.trace = fuse_on(std::move(trace));
    learner.step = static_cast<int>(learner.trace.steps.size());
}

Result<Learner> gone(Learner learner, const Action& action, Programs& programs) {
    const Result<const Reference*> reference = programs.find(learner.program);
    if (!reference) return reference.problems();
    const Result<int> step = step_named(action.words.front(), **reference, learner, programs, action.place);
    if (!step) return step.problems();
    const bool other_sizes = learner.trace.initial->dims != (*reference)->initial->dims;
    if (!other_sizes) learner.trace = (*reference)->run;
    learner.step = std::min(*step, static_cast<int>(learner.trace.steps.size()));
    return learner;
}

Result<Learner> with_device(Learner learner, const Action& action, const Programs& programs) {
    const std::string& name = action.words.front();
    std::vector<std::string_view> names;
    for (const Device& device : builtin_devices()) names.push_back(device.name);
    if (!programs.device(name))
        return at(action.place, "there is no device '" + name + "'" + suggestion(name, names).str());
    learner.device = name;
    return learner;
}

Result<Learner> measured(Learner learner, const Action& action, Programs& programs) {
    const Device* device = programs.device(learner.device);
    if (device == nullptr) return at(action.place, "there is no device '" + learner.device + "'");
    learner.measured_seconds = programs.seconds(learner.state(), *device);
    return learner;
}

// What changes with the state that is shown.
Result<Learner> at_new_state(Result<Learner> learner) {
    if (!learner) return learner;
    Learner changed = std::move(learner).value();
    changed.measured_seconds.reset();
    changed.selected.clear();
    changed.value.reset();
    return changed;
}

}  // namespace

Result<ProgramPtr> program_of(const std::string& text, const std::string& file) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool json = first != std::string::npos && text[first] == '{';
    if (json && text.find("\"blockscope block program\"") != std::string::npos) {
        Result<BlockProgram> blocks = read_block_program(text, file);
        if (!blocks) return blocks.problems();
        return std::make_shared<const BlockProgram>(std::move(blocks).value());
    }
    const Result<ArrayProgram> array = json ? read_array_program(text, file) : parse_program(text, file);
    if (!array) return array.problems();
    return std::make_shared<const BlockProgram>(to_block_program(*array).program);
}

Programs::Programs(Sources sources, std::shared_ptr<const Lesson> lesson)
    : sources_(std::move(sources)), lesson_(std::move(lesson)) {}

Result<const Reference*> Programs::find(const std::string& file) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto known = known_.find(file); known != known_.end()) return &known->second;
    const auto& inner = lesson_->programs;
    const auto own = std::find_if(inner.begin(), inner.end(),
                                  [&](const InnerProgram& program) { return program.name == file; });
    if (own == inner.end() && !sources_.program) return Problem{{}, std::string("there is no such program")};
    Result<ProgramPtr> program = own != inner.end() ? program_of(own->text, file) : sources_.program(file);
    if (!program) return program.problems();
    Reference reference{.initial = *program, .run = fuse(*program), .states = {}};
    for (int step = 0; step <= static_cast<int>(reference.run.steps.size()); ++step)
        reference.states.emplace_back(reference.run.state(step));
    return &known_.emplace(file, std::move(reference)).first->second;
}

double Programs::seconds(const State& state, const Device& device) const {
    if (sources_.seconds) return sources_.seconds(state, device);
    return predict(*find_time_model(kUsualModel), state.work(), device).seconds;
}

namespace {

// "dot 2" is the second "dot".
struct Numbered {
    std::string word;
    std::size_t number = 0;  // 0: all of them
};

Numbered numbered(const std::string& word) {
    const std::size_t space = word.rfind(' ');
    const std::string last = space == std::string::npos ? "" : word.substr(space + 1);
    const bool number = !last.empty() && last.size() < 4 && last[0] != '0' &&
                        last.find_first_not_of("0123456789") == std::string::npos;
    return number ? Numbered{word.substr(0, space), std::stoul(last)} : Numbered{word, 0};
}

}  // namespace

Result<std::vector<NodeId>> find_nodes(const BlockProgram& program, const std::string& word,
                                       const Place& place) {
    std::vector<std::string> known;
    const auto called = [&](const std::string& name) {
        std::vector<NodeId> found;
        known.clear();
        each_node(*program.graph, [&](const Node& node) {
            const std::vector<std::string> words = words_for(node, program.dims);
            known.insert(known.end(), words.begin(), words.end());
            if (to_string(node.id) == name || std::find(words.begin(), words.end(), name) != words.end())
                found.push_back(node.id);
        });
        return found;
    };
    if (std::vector<NodeId> found = called(word); !found.empty()) return found;
    const Numbered asked = numbered(word);
    if (const std::vector<NodeId> found = called(asked.word); !found.empty() && asked.number <= found.size())
        return std::vector{found[asked.number - 1]};
    else if (!found.empty())
        return at(place, "of '" + asked.word + "' this state has only " + std::to_string(found.size()));
    const std::vector<std::string_view> candidates(known.begin(), known.end());
    return at(place, "no operator is called '" + asked.word + "' in this state" +
                         suggestion(asked.word, candidates).str());
}

std::optional<std::string> value_word(const std::string& word) {
    constexpr std::string_view kValue = "value ";
    if (word.rfind(kValue, 0) != 0) return std::nullopt;
    return word.substr(kValue.size());
}

Result<std::vector<NodeId>> find_makers(const BlockProgram& program, const std::string& maker,
                                        const Place& place) {
    Result<std::vector<NodeId>> found = find_nodes(program, maker, place);
    if (!found) return found;
    bool map = false;
    each_node(*program.graph,
              [&](const Node& node) { map = map || (node.id == found->front() && node.is<Map>()); });
    if (map)
        return at(place,
                  "an arrow is called by the operator that makes its value, and '" + maker + "' is a map");
    return found;
}

Result<Pointed> find_pointed(const BlockProgram& program, const Action& action) {
    Pointed pointed;
    for (const std::string& word : action.words) {
        if (word == "all") continue;
        const std::optional<std::string> maker = value_word(word);
        const Result<std::vector<NodeId>> found =
            maker ? find_makers(program, *maker, action.place) : find_nodes(program, word, action.place);
        if (!found) return found.problems();
        if (!maker) {
            pointed.nodes.insert(pointed.nodes.end(), found->begin(), found->end());
            continue;
        }
        if (action.kind != ActionKind::Select)
            return at(action.place, "'" + word + "' is an arrow, which can be selected only");
        if (pointed.value)
            return at(action.place, "one arrow can be selected, and '" + word + "' is another");
        pointed.value = ValueRef{found->front(), 0};
    }
    return pointed;
}

std::vector<Arrow> vanishing_arrows(const Step& step) {
    if (buffered_edges(*step.after) >= buffered_edges(*step.before)) return {};  // it only prepares others
    const GraphPtr graph = graph_at(*step.before, step.match.path);
    const GraphIndex index(*graph);
    std::vector<Arrow> between, into;
    for (const NodePtr& node : graph->nodes()) {
        if (!is_matched(step.match, node->id)) continue;
        for (std::size_t port = 0; port < node->inputs.size(); ++port) {
            const NodeId from = node->inputs[port].node;
            const Arrow arrow{from, node->id};
            std::vector<Arrow>& kind = is_matched(step.match, from) ? between : into;
            const bool buffered =
                is_buffered(*index.find(from), *node, static_cast<int>(port), step.match.path.empty());
            if (buffered && std::find(kind.begin(), kind.end(), arrow) == kind.end()) kind.push_back(arrow);
        }
    }
    if (!between.empty()) return between;
    std::erase_if(into, [&](const Arrow& arrow) {
        return std::count_if(into.begin(), into.end(),
                             [&](const Arrow& other) { return other.from == arrow.from; }) < 2;
    });
    return into;
}

std::string place_name(const BlockProgram& program, const std::vector<NodeId>& path) {
    std::string text;
    for (const std::string& name : path_dims(program, path)) text += (text.empty() ? "" : "/") + name;
    return text.empty() ? "top" : text;
}

const Device* Programs::device(const std::string& name) const {
    const Device* own = sources_.device ? sources_.device(name) : nullptr;
    return own != nullptr ? own : find_device(builtin_devices(), name);
}

Result<Match> match_of(const Learner& learner, const Action& action) {
    const Result<RuleId> rule = rule_named(action.words.front(), action.place);
    if (!rule) return rule.problems();
    const BlockProgram& program = *learner.trace.state(learner.step);
    std::vector<Match> found;
    for (Match& match : all_matches(program, {.rule = *rule, .dim = {}, .path = {}}))
        if (action.at.empty() || place_name(program, match.path) == action.at)
            found.push_back(std::move(match));
    if (static_cast<int>(found.size()) < action.number)
        return at(action.place, no_match(*rule, action, found.size()));
    return found[static_cast<std::size_t>(action.number - 1)];
}

Result<DimTable> sizes_after(DimTable dims, const std::string& text, const Place& place) {
    const Result<Dim> dim = dimension_in(text, dims, place);
    if (!dim) return dim.problems();
    for (Dim& old : dims)
        if (old.name == dim->name) old = *dim;
    return dims;
}

Result<Learner> after(Learner learner, const Action& action, Programs& programs) {
    if (action.kind == ActionKind::Open)
        return at_new_state(opened(std::move(learner), action.words.front(), programs, action.place));
    if (action.kind == ActionKind::Device) return with_device(std::move(learner), action, programs);
    if (!learner.open()) return at(action.place, "no program is open; begin with 'open FILE'");
    switch (action.kind) {
        case ActionKind::Go:
            return at_new_state(gone(std::move(learner), action, programs));
        case ActionKind::Apply:
            return at_new_state(applied(std::move(learner), action));
        case ActionKind::Size:
            return at_new_state(sized(std::move(learner), action));
        case ActionKind::Run:
            run_on(learner);
            return at_new_state(std::move(learner));
        case ActionKind::Select:
        case ActionKind::Highlight:
        case ActionKind::Look:
            return pointed(std::move(learner), action);
        case ActionKind::Safe:
            learner.safe = action.words.front() == "on";
            return learner;
        case ActionKind::Objective:
            learner.objective = action.words.front();
            return learner;
        case ActionKind::Measure:
            return measured(std::move(learner), action, programs);
        case ActionKind::View:
        case ActionKind::Open:
        case ActionKind::Device:
            return learner;
    }
    throw InternalError("unknown action of a lesson");
}

Result<Learner> after(Learner learner, const std::vector<Action>& actions, Programs& programs) {
    for (const Action& action : actions) {
        Result<Learner> next = after(std::move(learner), action, programs);
        if (!next) return next;
        learner = std::move(next).value();
    }
    return learner;
}

namespace {

// What a state's words mean: those of StateChoice, as everywhere, and two of its "best". Of a lesson's `best`
// the objective is always traffic, which no device changes; of `fastest` it is the time on the learner's.
struct NamedState {
    StateChoice choice;
    ObjectiveKind objective = ObjectiveKind::Traffic;
};

std::optional<NamedState> named_state(const std::string& words) {
    if (words == "fastest") return NamedState{StateChoice::best(), ObjectiveKind::Time};
    const Result<StateChoice> choice = parse_state_choice(words);
    return choice ? std::optional(NamedState{*choice}) : std::nullopt;
}

Result<Objective> objective_for(ObjectiveKind kind, const Learner& learner, const Programs& programs,
                                const Place& place) {
    if (kind != ObjectiveKind::Time) return least_bytes();
    const Device* device = programs.device(learner.device);
    if (device == nullptr) return at(place, "there is no device '" + learner.device + "'");
    return Objective([&programs, device](const State& state) { return programs.seconds(state, *device); });
}

}  // namespace

Result<int> step_named(const std::string& words, const Reference& reference, const Learner& learner,
                       Programs& programs, const Place& place) {
    const std::optional<NamedState> named = named_state(words);
    if (!named)
        return at(place, "there is no state '" + words + "'" +
                             suggestion(words, {"now", "last", "best", "fastest", "step", "snapshot"}).str() +
                             ". States are: now, step 7, last, snapshot 1, last snapshot, best, fastest");
    const Result<Objective> objective = objective_for(named->objective, learner, programs, place);
    if (!objective) return objective.problems();
    const Result<ChosenState> chosen = choose_state(states_of(reference.run), named->choice, {}, *objective);
    if (!chosen) return at(place, chosen.problems().front().message.str());
    return chosen->step;
}

}  // namespace blockscope::lesson
