#include "gpu/codegen/values.h"

#include <numeric>

namespace blockscope::gpu {

namespace {

struct Uses {
    std::vector<TempUse> operator()(const Load& s) const { return {{s.to, true}}; }
    std::vector<TempUse> operator()(const Store& s) const { return {{s.from}}; }
    std::vector<TempUse> operator()(const Compute& s) const {
        return made(s.to, s.args, s.op == FunctionalOp::Dot);
    }
    std::vector<TempUse> operator()(const Evaluate& s) const { return made(s.to, s.args, false); }
    std::vector<TempUse> operator()(const Accumulate& s) const {
        return made(s.to, s.args, s.functional && s.op == FunctionalOp::Dot);
    }
    std::vector<TempUse> operator()(const Initialise& s) const { return {{s.to, true}}; }
    std::vector<TempUse> operator()(const Assign& s) const { return made(s.to, {s.from}, false); }
    std::vector<TempUse> operator()(const CallMisc&) const { return {}; }
    std::vector<TempUse> operator()(const LoopPtr&) const { return {}; }

private:
    static std::vector<TempUse> made(Temp to, const std::vector<Temp>& args, bool operands) {
        std::vector<TempUse> uses;
        for (const Temp temp : args)
            if (temp.id > 0) uses.push_back({temp, false, operands});
        uses.push_back({to, true});
        return uses;
    }
};

// Vectors that have to lie alike are one group. A group lies along columns if columns want it, rows do not,
// and nothing makes it along rows.
class VectorLayout {
public:
    explicit VectorLayout(int temps) : parent_(static_cast<std::size_t>(temps) + 1), votes_(parent_.size()) {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    void join(Temp a, Temp b) {
        const std::size_t from = group(a.id);
        const std::size_t to = group(b.id);
        if (from == to) return;
        parent_[from] = static_cast<int>(to);
        votes_[to].rows = votes_[to].rows || votes_[from].rows;
        votes_[to].cols = votes_[to].cols || votes_[from].cols;
    }
    void wants_rows(Temp t) { votes_[group(t.id)].rows = true; }
    void wants_cols(Temp t) { votes_[group(t.id)].cols = true; }
    bool lies_along_cols(int id) {
        const Votes& votes = votes_[group(id)];
        return votes.cols && !votes.rows;
    }

private:
    struct Votes {
        bool rows = false;
        bool cols = false;
    };

    std::size_t group(int id) {
        while (parent_[static_cast<std::size_t>(id)] != id) id = parent_[static_cast<std::size_t>(id)];
        return static_cast<std::size_t>(id);
    }

    std::vector<int> parent_;
    std::vector<Votes> votes_;
};

void vote(FunctionalOp op, Temp to, const std::vector<Temp>& args, VectorLayout& layout) {
    switch (op) {
        case FunctionalOp::Add:
        case FunctionalOp::Mul:
            layout.join(args.at(0), to);
            layout.join(args.at(1), to);
            return;
        case FunctionalOp::RowShift:
        case FunctionalOp::RowScale:
            return layout.wants_rows(args.at(1));
        case FunctionalOp::ColShift:
        case FunctionalOp::ColScale:
            return layout.wants_cols(args.at(1));
        case FunctionalOp::RowSum:
        case FunctionalOp::RowMax:
            return layout.wants_rows(to);
        case FunctionalOp::Outer:
            layout.wants_rows(args.at(0));
            return layout.wants_cols(args.at(1));
        case FunctionalOp::BlockMax:
        case FunctionalOp::Dot:
            return;
    }
}

void vote(const Statement& statement, const TempExtents& extents, VectorLayout& layout) {
    const auto vector = [&](Temp t) { return t.id > 0 && extents.of(t).axes.size() == 1; };
    const auto join_all = [&](Temp to, const std::vector<Temp>& args) {
        for (const Temp arg : args)
            if (vector(arg) && vector(to)) layout.join(arg, to);
    };
    if (const auto* s = std::get_if<Compute>(&statement.what)) vote(s->op, s->to, s->args, layout);
    if (const auto* s = std::get_if<Evaluate>(&statement.what)) join_all(s->to, s->args);
    if (const auto* s = std::get_if<Assign>(&statement.what)) join_all(s->to, {s->from});
    if (const auto* s = std::get_if<Accumulate>(&statement.what)) {
        if (s->functional) return vote(s->op, s->to, s->args, layout);
        join_all(s->to, s->args);
    }
}

Value::Kind kind_of(const ItemExtents& extents, bool along_cols) {
    if (!extents.known) return Value::Kind::Unknown;
    if (extents.axes.empty()) return Value::Kind::Scalar;
    if (extents.axes.size() == 2) return Value::Kind::Block;
    return along_cols ? Value::Kind::Cols : Value::Kind::Rows;
}

}  // namespace

std::vector<TempUse> temps_of(const Statement& statement) {
    return std::visit(Uses{}, statement.what);
}

void for_each_statement(const Block& block, const std::function<void(const Statement&)>& visit) {
    for (const Statement& statement : block) {
        visit(statement);
        if (const auto* loop = std::get_if<LoopPtr>(&statement.what))
            for_each_statement((*loop)->body, visit);
    }
}

Values::Values(const LoopProgram& program) : values_(static_cast<std::size_t>(program.temps) + 1) {
    const TempExtents extents(program);
    VectorLayout layout(program.temps);
    std::vector<int> sets(values_.size(), 0);
    std::vector<bool> loaded(values_.size(), false);
    std::vector<bool> operand(values_.size(), false);
    for_each_statement(program.body, [&](const Statement& statement) {
        vote(statement, extents, layout);
        for (const TempUse& use : temps_of(statement)) {
            const auto id = static_cast<std::size_t>(use.temp.id);
            if (use.set) ++sets[id];
            if (use.set && std::holds_alternative<Load>(statement.what)) loaded[id] = true;
            if (use.operand) operand[id] = true;
            if (!use.set && !use.operand) values_[id].in_registers = true;
        }
    });
    for (std::size_t id = 1; id < values_.size(); ++id) {
        Value& value = values_[id];
        value.extents = extents.of({static_cast<int>(id)});
        value.kind = kind_of(value.extents, layout.lies_along_cols(static_cast<int>(id)));
        value.as_view = value.kind == Value::Kind::Block && operand[id] && loaded[id] && sets[id] == 1;
        if (!value.as_view) value.in_registers = true;
    }
}

}  // namespace blockscope::gpu
