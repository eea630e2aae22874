#include "gpu/codegen/kernels.h"

#include <algorithm>

#include "gpu/codegen/values.h"

namespace blockscope::gpu {

namespace {

// What every thread block of an inner parallel loop may do for itself: to read and compute again costs
// little, and nobody sees it.
bool cheap(const Statement& statement) {
    if (const auto* compute = std::get_if<Compute>(&statement.what)) return compute->op != FunctionalOp::Dot;
    return std::holds_alternative<Load>(statement.what) || std::holds_alternative<Evaluate>(statement.what);
}

const Loop* parallel_loop(const Statement& statement) {
    const auto* loop = std::get_if<LoopPtr>(&statement.what);
    return loop && !(*loop)->serial ? loop->get() : nullptr;
}

// Parallel loops that are all there is in the body of the one around them become further axes of the grid.
Kernel grid_kernel(const Statement& statement) {
    Kernel kernel;
    kernel.node = statement.node;
    const Statement* line = &statement;
    while (true) {
        const Loop* loop = parallel_loop(*line);
        kernel.grid.push_back(loop);
        kernel.loop_lines.push_back(line);
        const Block& body = loop->body;
        const bool nested =
            parallel_loop(body.back()) != nullptr &&
            std::all_of(body.begin(), body.end() - 1, [](const Statement& s) { return cheap(s); });
        if (!nested) {
            for (const Statement& inner : body) kernel.body.push_back(&inner);
            return kernel;
        }
        for (auto inner = body.begin(); inner + 1 != body.end(); ++inner) kernel.before.push_back(&*inner);
        line = &body.back();
    }
}

}  // namespace

std::vector<Kernel> cut_into_kernels(const LoopProgram& program) {
    std::vector<Kernel> kernels;
    bool open = false;  // the last kernel takes more statements
    for (const Statement& statement : program.body) {
        const bool alone = std::holds_alternative<CallMisc>(statement.what);
        if (parallel_loop(statement)) {
            kernels.push_back(grid_kernel(statement));
            open = false;
            continue;
        }
        if (!open || alone) kernels.emplace_back();
        Kernel& kernel = kernels.back();
        if (kernel.body.empty()) kernel.node = statement.node;
        kernel.body.push_back(&statement);
        open = !alone;
    }
    return kernels;
}

Scopes::Scopes(const Kernel& kernel) {
    Path path;
    for (const Statement* statement : kernel.before) visit(statement, path);
    for (const Statement* statement : kernel.body) visit(statement, path);
    settle();
}

void Scopes::visit(const Statement* statement, Path& path) {
    path.push_back(statement);
    for (const TempUse& use : temps_of(*statement)) {
        named(use.temp.id, path);
        if (use.set) set_.insert(use.temp.id);
    }
    if (const auto* loop = std::get_if<LoopPtr>(&statement->what)) {
        for (const Temp temp : accumulators(**loop)) named(temp.id, path);
        for (const Statement& inner : (*loop)->body) visit(&inner, path);
    }
    path.pop_back();
}

void Scopes::named(int temp, const Path& path) {
    used_.insert(temp);
    places_[temp].push_back(path);
}

void Scopes::settle() {
    for (const auto& [temp, paths] : places_) {
        const Path& first = paths.front();
        std::size_t common = first.size() - 1;  // loops that are around all
        for (const Path& path : paths) {
            std::size_t same = 0;
            while (same < std::min(common, path.size() - 1) && path[same] == first[same]) ++same;
            common = std::min(common, same);
        }
        before_[first[common]].push_back(temp);
    }
}

void Scopes::declare_first(const std::set<int>& temps) {
    for (auto& [statement, declared] : before_)
        declared.erase(
            std::remove_if(declared.begin(), declared.end(), [&](int temp) { return temps.count(temp) > 0; }),
            declared.end());
}

const std::vector<int>& Scopes::declared_before(const Statement* statement) const {
    static const std::vector<int> none;
    const auto found = before_.find(statement);
    return found == before_.end() ? none : found->second;
}

std::vector<Temp> accumulators(const Loop& loop) {
    std::vector<Temp> found;
    for (const Statement& statement : loop.body) {
        const auto* add = std::get_if<Accumulate>(&statement.what);
        if (add && std::find(found.begin(), found.end(), add->to) == found.end()) found.push_back(add->to);
    }
    return found;
}

}  // namespace blockscope::gpu
