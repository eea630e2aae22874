#include "app/document/content.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <regex>
#include <utility>

#include "app/document/document_json.h"
#include "core/json/json_io.h"
#include "core/json/value.h"
#include "core/program/array_program.h"
#include "core/tilings/workloads.h"

namespace blockscope {

namespace {

using json::Reader;
using tilings::Rules;

constexpr std::size_t kMostMeasured = 4'000'000;  // of a run: as many as a space has candidates
constexpr std::size_t kMostNameBytes = 1024;      // of machines, devices and candidates
constexpr int kMostSeed = std::numeric_limits<int>::max();

// In the order of the enumerators; the command line calls them so, too.
const std::vector<std::string>& same_names() {
    static const std::vector<std::string> names = {"gridorder", "subtiling"};
    return names;
}
const std::vector<std::string>& padding_names() {
    static const std::vector<std::string> names = {"exact", "5%"};
    return names;
}
const std::vector<std::string>& shared_names() {
    static const std::vector<std::string> names = {"ABCDE", "ABD"};
    return names;
}
const std::vector<std::string>& counts_names() {
    static const std::vector<std::string> names = {"block", "paper"};
    return names;
}

template <class Choice>
const std::string& name_of(const std::vector<std::string>& names, Choice choice) {
    return names.at(static_cast<std::size_t>(choice));
}

// ---- Writing.

void add_choices(json::Object& object, const TilingChoices& choices) {
    object.push_back({"same", name_of(same_names(), choices.rules.same)});
    object.push_back({"padding", name_of(padding_names(), choices.rules.padding)});
    object.push_back({"shared", name_of(shared_names(), choices.rules.tiles)});
    object.push_back({"flat", json::Value(choices.rules.flat)});
    object.push_back({"counts", name_of(counts_names(), choices.counts)});
    object.push_back({"seed", choices.seed});
    object.push_back({"population", choices.population});
    object.push_back({"top", choices.top});
    object.push_back({"epsilon", choices.epsilon});
}

json::Value run_value(const TilingsRun& run) {
    json::Object object;
    if (!run.workload.empty()) object.push_back({"workload", run.workload});
    object.push_back({"machine", run.machine});
    if (run.search) {
        json::Object search = {{"device", run.search->device}, {"rounds", run.search->rounds}};
        add_choices(search, run.search->choices);
        object.push_back({"search", std::move(search)});
    }
    json::Array measured;
    for (const auto& [candidate, seconds] : run.measured)
        measured.push_back(json::Object{{"candidate", candidate},
                                        {"seconds", seconds ? json::Value(*seconds) : json::Value()}});
    object.push_back({"measured", std::move(measured)});
    return object;
}

// ---- Reading.

std::optional<std::string> workload_name(const Reader& reader) {
    auto name = reader.plain_text(kMostNameBytes);
    if (!name) return {};
    if (const tilings::Workload* known = tilings::find_workload(*name)) return known->name;
    reader.problem(Text("there is no workload of this name; there are G1 to G12 and S1 to S9"));
    return {};
}

// Whether all of them are right.
bool read_choices(const Reader& reader, TilingChoices& choices) {
    const auto same = reader.member("same").choice(same_names());
    const auto padding = reader.member("padding").choice(padding_names());
    const auto shared = reader.member("shared").choice(shared_names());
    const auto flat = reader.member("flat").boolean();
    const auto counts = reader.member("counts").choice(counts_names());
    const auto seed = reader.member("seed").integer(0, kMostSeed);
    const auto population = reader.member("population").integer(1, kMostTilingsPopulation);
    const auto top = reader.member("top").integer(1, kMostTilingsPopulation);
    const Reader share = reader.member("epsilon");
    const auto epsilon = share.number();
    if (epsilon && !(*epsilon >= 0 && *epsilon <= 1)) {
        share.problem(Text("expected a number from 0 to 1"));
        return false;
    }
    if (!same || !padding || !shared || !flat || !counts || !seed || !population || !top || !epsilon)
        return false;
    choices.rules = {.same = static_cast<tilings::SameBlock>(*same),
                     .padding = static_cast<tilings::Padding>(*padding),
                     .tiles = static_cast<tilings::SharedTiles>(*shared),
                     .flat = *flat};
    choices.counts = static_cast<tilings::TripCounts>(*counts);
    choices.seed = static_cast<int>(*seed);
    choices.population = static_cast<int>(*population);
    choices.top = static_cast<int>(*top);
    choices.epsilon = *epsilon;
    return true;
}

// The expressions and tile sizes of a chain: what a candidate is looked up in. Nothing is pruned.
std::optional<tilings::Space> known_space(const Reader& run, const std::string& workload,
                                          const ArrayProgram* array) {
    if (workload.empty() && !array) {
        run.problem(Text("a block program has no tilings; expected the key workload"));
        return {};
    }
    Result<tilings::Chain> chain = tilings::read_chain(
        workload.empty() ? *array : tilings::workload_program(*tilings::find_workload(workload)));
    if (!chain) {
        run.problem(Text("the program has no tilings: %1", chain.problems().front().message));
        return {};
    }
    tilings::Space space{.chain = std::move(chain).value()};
    for (const tilings::Loop& loop : space.chain.loops) {
        if (loop.size > tilings::kMostLoopSize) {
            run.problem(Text("the program has no tilings: the loop %1 is too long", loop.name));
            return {};
        }
        space.sizes.push_back(tilings::tile_sizes(loop.size, tilings::Padding::Five));
    }
    for (tilings::Expression& expression : tilings::expressions_of(space.chain))
        space.expressions.push_back({.expression = std::move(expression)});
    return space;
}

bool read_measured(const Reader& list, const tilings::Space& space, MeasuredTilings& measured) {
    if (!list.array(0, kMostMeasured)) return false;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Reader one = list.at(i);
        if (!one.object({"candidate", "seconds"})) return false;
        const Reader name = one.member("candidate"), time = one.member("seconds");
        const auto text = name.plain_text(kMostNameBytes);
        if (!text) return false;
        const Result<tilings::Candidate> candidate = tilings::parse_candidate(space, *text);
        if (!candidate) {
            name.problem(candidate.problems().front().message);
            return false;
        }
        std::optional<double> seconds;
        if (!time.is(json::Value())) {
            seconds = time.number();
            if (!seconds) return false;
            if (!(*seconds > 0)) {
                time.problem(Text("expected seconds above 0, or null for what cannot run"));
                return false;
            }
        }
        if (!measured.emplace(tilings::to_string(space, *candidate), seconds).second) {
            name.problem(Text("this candidate is there twice"));
            return false;
        }
    }
    return true;
}

std::optional<KeptSearch> read_search(const Reader& reader, const std::string& workload) {
    if (!reader.object({"device", "rounds", "same", "padding", "shared", "flat", "counts", "seed",
                        "population", "top", "epsilon"}))
        return {};
    KeptSearch search;
    auto device = reader.member("device").plain_text(kMostNameBytes);
    const auto rounds = reader.member("rounds").integer(1, tilings::SearchOptions{}.most_rounds);
    if (!device || !rounds || !read_choices(reader, search.choices)) return {};
    search.choices.workload = workload;
    search.device = std::move(*device);
    search.rounds = static_cast<int>(*rounds);
    return search;
}

bool read_run(const Reader& reader, const ArrayProgram* array, TilingsWork& work) {
    if (!reader.object({"workload?", "machine", "search?", "measured"})) return false;
    TilingsRun run;
    if (reader.has("workload")) {
        auto name = workload_name(reader.member("workload"));
        if (!name) return false;
        run.workload = std::move(*name);
    }
    auto machine = reader.member("machine").plain_text(kMostNameBytes);
    if (!machine) return false;
    run.machine = std::move(*machine);
    if (work.run(run.workload, run.machine)) {
        reader.problem(Text("an earlier run is of the same chain and machine"));
        return false;
    }
    const auto space = known_space(reader, run.workload, array);
    if (!space || !read_measured(reader.member("measured"), *space, run.measured)) return false;
    if (reader.has("search")) {
        run.search = read_search(reader.member("search"), run.workload);
        if (!run.search) return false;
    }
    work.runs.push_back(std::move(run));
    return true;
}

}  // namespace

tilings::SearchOptions TilingChoices::search_options() const {
    return {.population = population,
            .top = top,
            .epsilon = epsilon,
            .seed = static_cast<std::uint64_t>(seed),
            .counts = counts};
}

const TilingsRun* TilingsWork::run(const std::string& workload, const std::string& machine) const {
    for (const TilingsRun& one : runs)
        if (one.workload == workload && one.machine == machine) return &one;
    return nullptr;
}

TilingsRun& TilingsWork::run_of(const std::string& workload, const std::string& machine) {
    for (TilingsRun& one : runs)
        if (one.workload == workload && one.machine == machine) return one;
    runs.push_back({.workload = workload, .machine = machine});
    return runs.back();
}

bool same_tilings(const TilingsWorkPtr& a, const TilingsWorkPtr& b) {
    static const TilingsWork none;
    return a == b || (a ? *a : none) == (b ? *b : none);
}

TilingsWorkPtr without_own_runs(const TilingsWorkPtr& work) {
    const auto own = [](const TilingsRun& run) { return run.workload.empty(); };
    if (!work || std::none_of(work->runs.begin(), work->runs.end(), own)) return work;
    TilingsWork left = *work;
    std::erase_if(left.runs, own);
    return std::make_shared<const TilingsWork>(std::move(left));
}

int measured_only_in(const TilingsWorkPtr& a, const TilingsWorkPtr& b) {
    if (!a || a == b) return 0;
    int count = 0;
    for (const TilingsRun& run : a->runs) {
        const TilingsRun* other = b ? b->run(run.workload, run.machine) : nullptr;
        for (const auto& [candidate, seconds] : run.measured) {
            const auto found = other ? other->measured.find(candidate) : run.measured.end();
            const bool there = other && found != other->measured.end() && found->second == seconds;
            count += there ? 0 : 1;
        }
    }
    return count;
}

void add_tilings(json::Object& document, const TilingsWorkPtr& work) {
    if (!work) return;
    json::Object object;
    if (!work->choices.workload.empty()) object.push_back({"workload", work->choices.workload});
    add_choices(object, work->choices);
    json::Array runs;
    for (const TilingsRun& run : work->runs) runs.push_back(run_value(run));
    if (!runs.empty()) object.push_back({"runs", std::move(runs)});
    document.push_back({"tilings", std::move(object)});
}

TilingsWorkPtr read_tilings(const Reader& reader, const ArrayProgram* array) {
    if (!reader.object({"workload?", "same", "padding", "shared", "flat", "counts", "seed", "population",
                        "top", "epsilon", "runs?"}))
        return nullptr;
    TilingsWork work;
    if (reader.has("workload")) {
        auto name = workload_name(reader.member("workload"));
        if (!name) return nullptr;
        work.choices.workload = std::move(*name);
    }
    if (!read_choices(reader, work.choices)) return nullptr;
    if (reader.has("runs")) {
        const Reader runs = reader.member("runs");
        if (!runs.array(1, kMostTilingsRuns)) return nullptr;
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (!read_run(runs.at(i), array, work)) return nullptr;
    }
    return std::make_shared<const TilingsWork>(std::move(work));
}

namespace {

// Adds the steps of `trace`, whose initial program is that of `from`; returns the last state.
StateId add_trace(History& history, StateId from, const Trace& trace) {
    const auto snapshot = [&](std::size_t steps) {
        return std::binary_search(trace.snapshots.begin(), trace.snapshots.end(), static_cast<int>(steps));
    };
    StateId at = from;
    if (snapshot(0)) history.set_snapshot(at);
    for (std::size_t i = 0; i < trace.steps.size(); ++i)
        at = history.add(at, trace.steps[i], snapshot(i + 1));
    return at;
}

Content make_content(std::string name, ProgramPtr initial) {
    return Content{.name = std::move(name), .history = History(std::move(initial))};
}

bool same_dim(const Dim& a, const Dim& b) {
    return a.name == b.name && a.kind == b.kind;
}

// `source` with the sizes and block sizes of its dim, batch and group statements replaced.
std::string source_with_dims(std::string source, const DimTable& dims) {
    for (const Dim& dim : dims) {
        const std::regex statement("(^|\\n)([ \\t]*(?:dim|batch|group)[ \\t]+" + dim.name +
                                   "[ \\t]*=[ \\t]*)([0-9_]+)([ \\t]*/[ \\t]*[0-9_]+)?");
        const bool one_block = dim.kind != DimKind::Blocked || dim.block == dim.size;
        std::smatch found;
        if (!std::regex_search(source, found, statement)) continue;
        const std::string block = one_block && !found[4].matched ? "" : " / " + std::to_string(dim.block);
        source = found.prefix().str() + found[1].str() + found[2].str() + std::to_string(dim.size) + block +
                 found.suffix().str();
    }
    return source;
}

Result<Content> rebased(Content content, const ProgramPtr& initial, const std::string& file,
                        const StepObserver& observer) {
    std::optional<History> history = content.history.rebased(initial, observer);
    if (!history) return Problem{{file, 0, 0, {}}, Text("The change was cancelled.")};
    content.history = std::move(*history);
    return with_possible_steps(std::move(content));
}

}  // namespace

Result<Content> content_of_source(const std::string& source, const std::string& file) {
    Result<ArrayProgram> array = parse_program(source, file);
    if (!array) return array.problems();
    Conversion conversion = to_block_program(*array);
    Content content =
        make_content(content_name(file), std::make_shared<const BlockProgram>(std::move(conversion.program)));
    content.source = source;
    content.array = std::make_shared<const ArrayProgram>(std::move(array).value());
    content.origins = std::move(conversion.origins);
    return content;
}

Content content_of_blocks(const BlockProgram& program, const std::string& name) {
    return make_content(name, std::make_shared<const BlockProgram>(program));
}

Content content_of_trace(const Trace& trace, const std::string& name) {
    Content content = make_content(name, trace.initial);
    content.history = History(trace.initial, trace.rules);
    const StateId tip = add_trace(content.history, 0, trace);
    content.history.set_stopped(content.history.extend(tip, content.branch), trace.stopped);
    return content;
}

std::vector<StepGroup> groups_of_branch(const Content& content) {
    const History& history = content.history;
    std::vector<StepGroup> groups;
    const std::vector<StateId> way = history.path(history.branch(content.branch).tip);
    for (const GroupedSteps& group : content.groups) {
        if (!history.has(group.first) || !history.has(group.last)) continue;
        const int first = history.depth(group.first);
        const int last = history.depth(history.common_ancestor(group.last, way.back()));
        if (first < static_cast<int>(way.size()) && way[static_cast<std::size_t>(first)] == group.first)
            groups.push_back({first, last, group.name});
    }
    return groups;
}

void drop_lost_groups(Content& content) {
    std::erase_if(content.groups, [&](const GroupedSteps& group) {
        return !content.history.has(group.first) || !content.history.has(group.last);
    });
}

namespace {

// As fuse_on does: the algorithm ended a run that led to `to` by hand.
void mark_passes_by_hand(History& history, StateId to) {
    Endings endings(history.rules());
    const std::vector<StateId> way = history.path(to);
    for (std::size_t i = 1; i < way.size(); ++i)
        if (!history.state(way[i - 1]).snapshot && endings.ends_pass(*history.state(way[i]).step))
            history.set_snapshot(way[i - 1]);
}

}  // namespace

Content run_algorithm(Content content, StateId from, const StepObserver& observer) {
    bool stopped = false;
    std::int64_t weight = content.history.weight();
    const StepObserver watch = [&](const Step& step) {
        weight += step_weight(step);
        stopped = observer && !observer(step);
        return !stopped && weight <= kMaxHistoryWeight;
    };
    const Trace trace = fuse(content.history.state(from).program, watch, content.history.rules());
    const StateId tip = add_trace(content.history, from, trace);
    content.branch = content.history.extend(tip, content.branch);
    if (stopped || content.history.branch(content.branch).tip != tip) return content;
    content.history.set_stopped(content.branch,
                                weight <= kMaxHistoryWeight ? trace.stopped : Text(kHistoryFull));
    if (trace.stopped == Text(kNothingMatches)) mark_passes_by_hand(content.history, from);
    return content;
}

Content prepared(Content content, const StepObserver& observer) {
    if (content.history.states().size() > 1) return content;
    return run_algorithm(std::move(content), 0, observer);
}

Content with_parts_folded(Content content) {
    constexpr int kLarge = 200;  // nodes
    const BlockProgram& initial = *content.history.state(0).program;
    if (!content.folds.empty() || content.current != 0 || node_count(initial) < kLarge) return content;
    for (const NodePtr& node : initial.graph->nodes())
        if (node->is<Map>()) content.folds.insert(node->id);
    return content;
}

namespace {

// Whether a step made this map of folded ones alone.
bool comes_folded(const Step& step, const Lineage& line, const Folds& folds) {
    const GraphPtr before = graph_at(*step.before, step.match.path);
    int maps = 0;
    for (const NodeId from : line.from) {
        const Node* node = before->find(from);
        if (!node || !node->is<Map>()) continue;
        if (folds.count(from) == 0) return false;
        ++maps;
    }
    return maps > 0;
}

}  // namespace

Folds carried_folds(const History& history, Folds folds, StateId from, StateId to) {
    if (folds.empty() || from == to) return folds;
    const int shared = history.depth(history.common_ancestor(from, to));
    for (const StateId id : history.path(to)) {
        const HistoryState& state = history.state(id);
        if (!state.step || state.depth < shared) continue;
        for (const Lineage& line : state.step->made) {
            if (id == to)
                folds.erase(line.made);
            else if (comes_folded(*state.step, line, folds))
                folds.insert(line.made);
        }
    }
    return folds;
}

Content with_rules(const Content& content, RuleSet rules, const StepObserver& observer) {
    Content fresh = make_content(content.name, content.history.state(0).program);
    fresh.history.set_rules(rules);
    fresh.source = content.source;
    fresh.array = content.array;
    fresh.origins = content.origins;
    fresh.circuit = content.circuit;
    fresh.tilings = content.tilings;
    return prepared(std::move(fresh), observer);
}

Content next_step(Content content) {
    const StateId from = content.current;
    content = run_algorithm(std::move(content), from, [](const Step&) { return false; });
    if (const auto next = content.history.next(content.current, content.branch)) content.current = *next;
    return content;
}

Content apply_match(Content content, const Match& match) {
    const StateId made = content.history.add(content.current, checked_apply(content.program(), match), false);
    content.branch = content.history.extend(made, content.branch);
    content.current = made;
    return content;
}

bool same_but_sizes(const BlockProgram& a, const BlockProgram& b) {
    return std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(), same_dim) &&
           identical(*a.graph, *b.graph);
}

Result<Content> with_source(const Content& content, const std::string& source, const std::string& file,
                            const StepObserver& observer) {
    Result<Content> made = content_of_source(source, file);
    if (!made) return made;
    Content fresh = std::move(made).value();
    fresh.name = content.name;
    fresh.history.set_rules(content.history.rules());
    const bool same = content.array && print_program(*content.array) == print_program(*fresh.array);
    fresh.tilings = same ? content.tilings : without_own_runs(content.tilings);
    if (!same_but_sizes(*content.history.state(0).program, *fresh.program())) return fresh;
    Content result = content;
    result.source = fresh.source;
    result.array = fresh.array;
    result.origins = fresh.origins;
    result.tilings = fresh.tilings;
    return rebased(std::move(result), fresh.program(), file, observer);
}

Result<Content> with_dims(const Content& content, const DimTable& dims, const StepObserver& observer) {
    const BlockProgram& program = *content.history.state(0).program;
    if (!std::equal(dims.begin(), dims.end(), program.dims.begin(), program.dims.end(), same_dim))
        return Problem{{content.name, 0, 0, {}},
                       Text("The program has other dimensions; sizes can be given to those that it has.")};
    BlockProgram changed = program;
    changed.dims = dims;
    if (!content.array) {
        // Reading asks everything: ranges, extents of arrays.
        const Result<BlockProgram> read = read_block_program(write_json(changed), content.name);
        if (!read) return read.problems();
        return rebased(content, std::make_shared<const BlockProgram>(std::move(changed)), content.name,
                       observer);
    }
    const std::string source = source_with_dims(content.source, dims);
    Result<Content> made = with_source(content, source, content.name, observer);
    if (made && made->history.state(0).program->dims != dims)
        return Problem{{content.name, 0, 0, {}},
                       Text("The text does not declare its dimensions one a line, so that their sizes cannot "
                            "be replaced; change them in the text.")};
    return made;
}

// ---- Whatever a file holds.

namespace {

bool is_json(const std::string& text) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    return start != std::string::npos && text[start] == '{';
}

std::string format_of(const json::Value& document) {
    const auto* object = std::get_if<json::Object>(&document.data);
    if (!object) return {};
    for (const json::Member& member : *object) {
        const auto* name = std::get_if<std::string>(&member.value.data);
        if (member.key == "format" && name) return *name;
    }
    return {};
}

Result<Content> of_array(const std::string& text, const std::string& file) {
    const Result<ArrayProgram> program = read_array_program(text, file);
    if (!program) return program.problems();
    return content_of_source(print_program(*program), file);
}

Result<Content> of_blocks(const std::string& text, const std::string& file) {
    const Result<BlockProgram> program = read_block_program(text, file);
    if (!program) return program.problems();
    return content_of_blocks(*program, content_name(file));
}

Result<Content> of_trace(const std::string& text, const std::string& file) {
    const Result<Trace> trace = read_trace(text, file);
    if (!trace) return trace.problems();
    return content_of_trace(*trace, content_name(file));
}

}  // namespace

std::string content_name(const std::string& file) {
    const std::string stem = std::filesystem::path(file).stem().string();
    return stem.empty() ? "untitled" : stem;
}

Result<Content> read_any(const std::string& text, const std::string& file, const StepObserver& observer) {
    if (!is_json(text)) return content_of_source(text, file);
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    const std::string format = format_of(*document);
    if (format == kDocumentFormat) return read_document(*document, file, observer);
    if (format == json::kArrayFormat) return of_array(text, file);
    if (format == json::kBlockFormat) return of_blocks(text, file);
    if (format == json::kTraceFormat) return of_trace(text, file);
    return Problem{{file, 0, 0, "/format"},
                   Text("expected \"%1\", \"%2\", \"%3\" or \"%4\"", std::string(kDocumentFormat),
                        std::string(json::kArrayFormat), std::string(json::kBlockFormat),
                        std::string(json::kTraceFormat))};
}

}  // namespace blockscope
