#include "core/loops/loop_program.h"

#include <algorithm>
#include <utility>

#include "core/support/cases.h"

namespace blockscope {

namespace {

struct UsesOfStatement {
    StatementUses operator()(const Load& s) const { return {{}, s.to}; }
    StatementUses operator()(const Store& s) const { return {one(s.from)}; }
    StatementUses operator()(const Compute& s) const { return {TempsRead(s.args), s.to}; }
    StatementUses operator()(const Evaluate& s) const { return {TempsRead(s.args), s.to}; }
    StatementUses operator()(const Accumulate& s) const { return {TempsRead(s.args), s.to, true}; }
    StatementUses operator()(const Initialise& s) const { return {{}, s.to}; }
    StatementUses operator()(const Assign& s) const { return {one(s.from), s.to}; }
    StatementUses operator()(const CallMisc&) const { return {}; }
    StatementUses operator()(const LoopPtr&) const { return {}; }

private:
    static TempsRead one(const Temp& temp) { return TempsRead({&temp, 1}); }
};

}  // namespace

StatementUses uses_of(const Statement& statement) {
    return std::visit(UsesOfStatement{}, statement.what);
}

std::span<const int> stored_buffers(const Statement& statement) {
    if (const auto* store = std::get_if<Store>(&statement.what)) return {&store->buffer, 1};
    if (const auto* misc = std::get_if<CallMisc>(&statement.what)) return misc->outputs;
    return {};
}

namespace {

// What every thread block of an inner parallel loop may do for itself: to read and compute again costs
// little, and nobody sees it.
bool cheap(const Statement& statement) {
    if (const auto* compute = std::get_if<Compute>(&statement.what)) return compute->op != FunctionalOp::Dot;
    return std::holds_alternative<Load>(statement.what) || std::holds_alternative<Evaluate>(statement.what) ||
           std::holds_alternative<Initialise>(statement.what) ||
           std::holds_alternative<Assign>(statement.what);
}

const Loop* parallel_loop(const Statement& statement) {
    const auto* loop = std::get_if<LoopPtr>(&statement.what);
    return loop && !(*loop)->serial ? loop->get() : nullptr;
}

// Whether the body ends with a further axis.
bool goes_on(const Block& body) {
    return !body.empty() && parallel_loop(body.back()) && std::all_of(body.begin(), body.end() - 1, cheap);
}

}  // namespace

Grid grid_of(const Statement& launch) {
    Grid grid;
    if (!parallel_loop(launch)) {
        grid.body.push_back(&launch);
        return grid;
    }
    const Statement* line = &launch;
    while (true) {
        const Block& body = parallel_loop(*line)->body;
        grid.loops.push_back(parallel_loop(*line));
        grid.loop_lines.push_back(line);
        const bool inner = goes_on(body);
        const auto end = inner ? body.end() - 1 : body.end();
        for (auto statement = body.begin(); statement != end; ++statement)
            (inner ? grid.before : grid.body).push_back(&*statement);
        if (!inner) return grid;
        line = &body.back();
    }
}

}  // namespace blockscope

namespace blockscope::lowering {

namespace {

Temp renamed(Temp temp, const std::map<int, Temp>& names) {
    const auto found = names.find(temp.id);
    return found == names.end() ? temp : found->second;
}

}  // namespace

Statement renamed(Statement statement, const std::map<int, Temp>& names) {
    const auto take = [&](Temp& temp) { temp = renamed(temp, names); };
    const auto all = [&](auto& s) {
        take(s.to);
        for (Temp& temp : s.args) take(temp);
    };
    std::visit(Cases{[&](Load& s) { take(s.to); }, [&](Store& s) { take(s.from); },
                     [&](Compute& s) { all(s); }, [&](Evaluate& s) { all(s); },
                     [&](Accumulate& s) { all(s); }, [&](Initialise& s) { take(s.to); },
                     [&](Assign& s) { take(s.to), take(s.from); }, [](CallMisc&) {},
                     [&](LoopPtr& loop) {
                         Block body;
                         for (const Statement& inner : loop->body) body.push_back(renamed(inner, names));
                         Loop made = *loop;
                         made.body = std::move(body);
                         loop = std::make_shared<const Loop>(std::move(made));
                     }},
               statement.what);
    return statement;
}

Statement with_body(const Statement& statement, Block body) {
    Loop made = *loop_of(statement);
    made.body = std::move(body);
    Statement result = statement;
    result.what = std::make_shared<const Loop>(std::move(made));
    return result;
}

const Loop* loop_of(const Statement& statement) {
    const auto* loop = std::get_if<LoopPtr>(&statement.what);
    return loop ? loop->get() : nullptr;
}

std::vector<int> makers(const LoopProgram& program) {
    std::vector<int> count(static_cast<std::size_t>(program.temps) + 1);
    for_each_statement(program.body, [&](const Statement& statement) {
        ++count[static_cast<std::size_t>(uses_of(statement).makes.id)];
    });
    return count;
}

bool stores_to(const Block& block, int buffer) {
    return std::any_of(block.begin(), block.end(), [&](const Statement& statement) {
        if (const Loop* loop = loop_of(statement)) return stores_to(loop->body, buffer);
        const std::span<const int> stored = stored_buffers(statement);
        return std::find(stored.begin(), stored.end(), buffer) != stored.end();
    });
}

}  // namespace blockscope::lowering
