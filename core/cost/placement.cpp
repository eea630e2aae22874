#include "core/cost/placement.h"

#include <algorithm>

namespace blockscope {

namespace {

bool stores_to(const Block& block, int buffer);

bool stores_to(const Statement& statement, int buffer) {
    if (const Store* store = std::get_if<Store>(&statement.what)) return store->buffer == buffer;
    if (const CallMisc* call = std::get_if<CallMisc>(&statement.what))
        return std::find(call->outputs.begin(), call->outputs.end(), buffer) != call->outputs.end();
    if (const LoopPtr* loop = std::get_if<LoopPtr>(&statement.what)) return stores_to((*loop)->body, buffer);
    return false;
}

bool stores_to(const Block& block, int buffer) {
    return std::any_of(block.begin(), block.end(),
                       [&](const Statement& statement) { return stores_to(statement, buffer); });
}

}  // namespace

std::size_t hoisted_depth(const LoopProgram& program, const Nest& nest, const Load& load) {
    std::size_t depth = nest.size();
    for (; depth > 0; --depth) {
        const Loop& loop = *nest[depth - 1];
        if (stores_to(loop.body, load.buffer)) break;
        if (program.dims.at(loop.var.dim.value).blocks() == 1) continue;
        const bool indexed = std::any_of(load.at.begin(), load.at.end(), [&](const Index& index) {
            return !index.zero && index.var == loop.var;
        });
        if (indexed || !loop.serial) break;
    }
    return depth;
}

}  // namespace blockscope
