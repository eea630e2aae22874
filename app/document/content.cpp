#include "app/document/content.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <utility>

#include "app/document/document_json.h"
#include "core/json/json_io.h"
#include "core/json/value.h"
#include "core/program/array_program.h"

namespace blockscope {

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
    return Content{std::move(name), {}, {}, {}, History(std::move(initial)), 0, 1, {}, {}, {}};
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
