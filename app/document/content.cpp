#include "app/document/content.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <utility>

#include "core/support/result.h"

namespace blockscope {

namespace {

std::string stem(const std::string& file) {
    return std::filesystem::path(file).stem().string();
}

// Adds the steps of `trace` from `old_steps` on after `from`; returns the last state.
StateId add_trace(History& history, StateId from, const Trace& trace, std::size_t old_steps) {
    StateId at = from;
    for (std::size_t i = old_steps; i <= trace.steps.size(); ++i) {
        const bool snapshot = std::find(trace.snapshots.begin(), trace.snapshots.end(),
                                        static_cast<int>(i)) != trace.snapshots.end();
        if (i > old_steps)
            at = history.add(at, trace.steps[i - 1], snapshot);
        else if (snapshot)
            history.set_snapshot(at);
    }
    return at;
}

Content make_content(std::string name, ProgramPtr initial) {
    return Content{std::move(name), {}, {}, {}, History(std::move(initial)), 0, 1, {}, {}, {}};
}

bool same_but_sizes(const BlockProgram& a, const BlockProgram& b) {
    const auto same_dim = [](const Dim& x, const Dim& y) { return x.name == y.name && x.kind == y.kind; };
    return std::equal(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end(), same_dim) &&
           identical(*a.graph, *b.graph);
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

}  // namespace

Result<Content> content_of_source(const std::string& source, const std::string& file) {
    Result<ArrayProgram> array = parse_program(source, file);
    if (!array) return array.problems();
    Conversion conversion = to_block_program(*array);
    Content content =
        make_content(stem(file), std::make_shared<const BlockProgram>(std::move(conversion.program)));
    content.source = source;
    content.array = std::move(array).value();
    content.origins = std::move(conversion.origins);
    return content;
}

Content content_of_blocks(const BlockProgram& program, const std::string& name) {
    return make_content(name, std::make_shared<const BlockProgram>(program));
}

Content run_algorithm(Content content, StateId from, const StepObserver& observer) {
    Trace trace = content.history.trace(from);
    const std::size_t old_steps = trace.steps.size();
    bool stopped = false;
    const StepObserver watch = [&](const Step& step) {
        stopped = observer && !observer(step);
        return !stopped;
    };
    trace = fuse_on(std::move(trace), watch);
    const StateId tip = add_trace(content.history, from, trace, old_steps);
    const int branch = content.history.extend(tip);
    if (!stopped && content.history.branch(branch).tip == tip)
        content.history.set_stopped(branch, trace.stopped);
    content.branch = branch;
    return content;
}

Content apply_match(Content content, const Match& match) {
    const StateId made = content.history.add(content.current, checked_apply(content.program(), match), false);
    content.branch = content.history.extend(made);
    content.current = made;
    return content;
}

Result<Content> with_source(const Content& content, const std::string& source, const std::string& file) {
    Result<Content> made = content_of_source(source, file);
    if (!made) return made;
    const Content& fresh = *made;
    if (!same_but_sizes(*content.history.state(0).program, *fresh.program())) return made;
    Content result = content;
    result.source = fresh.source;
    result.array = fresh.array;
    result.origins = fresh.origins;
    result.history = content.history.rebased(fresh.program());
    return result;
}

Result<Content> with_dims(const Content& content, const DimTable& dims) {
    if (content.array) return with_source(content, source_with_dims(content.source, dims), content.name);
    for (const Dim& dim : dims)
        if (dim.size < 1 || dim.block < 1 || dim.block > dim.size)
            return Problem{{content.name, 0, 0, {}},
                           "The block size of " + dim.name + " must be between 1 and its size."};
    Content result = content;
    BlockProgram program = *content.history.state(0).program;
    program.dims = dims;
    result.history = content.history.rebased(std::make_shared<const BlockProgram>(std::move(program)));
    return result;
}

}  // namespace blockscope
