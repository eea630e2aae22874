#include "core/loops/loop_program.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/graph/type.h"
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

namespace {

// Finds temporaries that hold blocks of masks, each made by one load.
class Finder {
public:
    explicit Finder(const LoopProgram& program) : program_(program), made_(lowering::makers(program)) {}

    std::map<int, MaskBlock> run() {
        block(program_.body);
        return std::move(found_);
    }

private:
    void block(const Block& lines) {
        for (const Statement& line : lines) {
            if (const auto* load = std::get_if<Load>(&line.what)) add(*load);
            const Loop* loop = lowering::loop_of(line);
            if (!loop) continue;
            around_.push_back(loop);
            block(loop->body);
            around_.pop_back();
        }
    }

    // The loop of the variable, if it runs over all blocks or over those that this mask leaves.
    const Loop* loop_over(const LoopVar& var, const CausalBounds* bounds) const {
        for (const Loop* loop : around_) {
            if (!(loop->var == var)) continue;
            const bool whole = loop->start == 0 && !loop->bounds;
            return whole || (bounds && loop->bounds == *bounds) ? loop : nullptr;
        }
        return nullptr;
    }

    void add(const Load& load) {
        const Buffer& buffer = program_.buffers.at(static_cast<std::size_t>(load.buffer));
        if (buffer.source != InputSource::CausalMask || load.at.size() != 2) return;
        if (made_.at(static_cast<std::size_t>(load.to.id)) != 1) return;
        const std::size_t rows = buffer.transposed ? 1 : 0;
        const Index& row = load.at[rows];
        const Index& column = load.at[1 - rows];
        CausalBounds bounds{row.var, row.zero, buffer.window};
        if (row.zero) bounds.row = {buffer.dims.at(rows), 1};
        if (row.zero && program_.dims.at(bounds.row.dim.value).blocks() != 1) return;
        if (!row.zero && !loop_over(row.var, nullptr)) return;
        MaskBlock found{bounds, column.var, column.zero};
        if (column.zero) found.column = {buffer.dims.at(1 - rows), 1};
        if (column.zero && program_.dims.at(found.column.dim.value).blocks() != 1) return;
        const Loop* columns = column.zero ? nullptr : loop_over(column.var, &bounds);
        const bool others = std::any_of(around_.begin(), around_.end(),
                                        [&](const Loop* loop) { return loop != columns && loop->bounds; });
        if ((columns || column.zero) && !others) found_[load.to.id] = found;
    }

    const LoopProgram& program_;
    std::vector<int> made_;
    std::vector<const Loop*> around_;
    std::map<int, MaskBlock> found_;
};

bool is_zero(const Expr& expr) {
    const auto* number = std::get_if<Number>(&expr.value);
    return number && number->value == 0;
}

// The expression with an argument that is 0, without the sums that add it.
ExprPtr without(const ExprPtr& expr, int zero) {
    if (const auto* argument = std::get_if<Arg>(&expr->value))
        return argument->index == zero ? number(0) : expr;
    const auto* inner = std::get_if<Call>(&expr->value);
    if (!inner) return expr;
    ExprPtr a = without(inner->args.front(), zero);
    if (inner->args.size() == 1) return call(inner->fn, a);
    ExprPtr b = without(inner->args.back(), zero);
    if (inner->fn == Fn::Add && is_zero(*a)) return b;
    if ((inner->fn == Fn::Add || inner->fn == Fn::Sub) && is_zero(*b)) return a;
    return call(inner->fn, a, b);
}

}  // namespace

MaskBlocks::MaskBlocks(const LoopProgram& program) {
    if (program.zeros_left_out) blocks_ = Finder(program).run();
}

std::optional<Unmasked> MaskBlocks::unmasked(const Statement& line) const {
    if (blocks_.empty()) return {};
    const auto* compute = std::get_if<Compute>(&line.what);
    const auto* evaluate = std::get_if<Evaluate>(&line.what);
    if (compute ? compute->op != FunctionalOp::Add : !evaluate) return {};
    const std::vector<Temp>& args = compute ? compute->args : evaluate->args;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const auto mask = blocks_.find(args[i].id);
        if (mask == blocks_.end()) continue;
        const ExprPtr expr = compute ? call(Fn::Add, arg(0), arg(1)) : evaluate->expr;
        ExprPtr left = without(expr, static_cast<int>(i));
        if (left->size < expr->size && argument_count(*left) > 0)
            return Unmasked{mask->second, args[i], std::move(left)};
    }
    return {};
}

bool is_clear(const MaskBlock& mask, const DimTable& dims, std::int64_t row, std::int64_t column) {
    const BlockRange clear = clear_blocks(dims.at(mask.bounds.row.dim.value), dims.at(mask.column.dim.value),
                                          mask.bounds.window, row);
    return clear.begin <= column && column < clear.end;
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
