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

}  // namespace blockscope::gpu
