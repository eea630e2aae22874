#include "core/loops/loop_program.h"

#include <utility>

namespace blockscope {

namespace {

struct UsesOfStatement {
    StatementUses operator()(const Load& s) const { return {{}, s.to}; }
    StatementUses operator()(const Store& s) const { return made({s.from}, {}); }
    StatementUses operator()(const Compute& s) const { return made(s.args, s.to); }
    StatementUses operator()(const Evaluate& s) const { return made(s.args, s.to); }
    StatementUses operator()(const Accumulate& s) const {
        StatementUses uses = made(s.args, s.to);
        uses.adds = true;
        return uses;
    }
    StatementUses operator()(const Initialise& s) const { return {{}, s.to}; }
    StatementUses operator()(const Assign& s) const { return made({s.from}, s.to); }
    StatementUses operator()(const CallMisc&) const { return {}; }
    StatementUses operator()(const LoopPtr&) const { return {}; }

private:
    static StatementUses made(std::vector<Temp> args, Temp to) {
        std::erase_if(args, [](Temp temp) { return temp.id == 0; });
        return {std::move(args), to};
    }
};

}  // namespace

StatementUses uses_of(const Statement& statement) {
    return std::visit(UsesOfStatement{}, statement.what);
}

std::vector<int> stored_buffers(const Statement& statement) {
    if (const auto* store = std::get_if<Store>(&statement.what)) return {store->buffer};
    if (const auto* misc = std::get_if<CallMisc>(&statement.what)) return misc->outputs;
    return {};
}

void for_each_statement(const Block& block, const std::function<void(const Statement&)>& visit) {
    for (const Statement& statement : block) {
        visit(statement);
        if (const auto* loop = std::get_if<LoopPtr>(&statement.what))
            for_each_statement((*loop)->body, visit);
    }
}

}  // namespace blockscope
