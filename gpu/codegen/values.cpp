#include "gpu/codegen/values.h"

#include <numeric>

#include "gpu/codegen/products.h"

namespace blockscope::gpu {

namespace {

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
    switch (form_of(op)) {
        case FunctionalForm::ByElement:
            layout.join(args.at(0), to);
            layout.join(args.at(1), to);
            return;
        case FunctionalForm::WithRows:
            return layout.wants_rows(args.at(1));
        case FunctionalForm::WithCols:
            return layout.wants_cols(args.at(1));
        case FunctionalForm::FoldRows:
            return layout.wants_rows(to);
        case FunctionalForm::Outer:
            layout.wants_rows(args.at(0));
            return layout.wants_cols(args.at(1));
        case FunctionalForm::FoldAll:
        case FunctionalForm::Contract:
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

Value::Kind value_kind(const ItemExtents& extents, bool along_cols) {
    if (!extents.known) return Value::Kind::Unknown;
    if (extents.axes.empty()) return Value::Kind::Scalar;
    if (extents.axes.size() == 2) return Value::Kind::Block;
    return along_cols ? Value::Kind::Cols : Value::Kind::Rows;
}

}  // namespace

std::vector<TempUse> temps_of(const Statement& statement) {
    const StatementUses uses = uses_of(statement);
    const bool operands = operands_of(statement).has_value();
    std::vector<TempUse> temps;
    for (const Temp temp : uses.reads) temps.push_back({temp, false, operands});
    if (uses.makes.id > 0) temps.push_back({uses.makes, true});
    return temps;
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
        value.kind = value_kind(value.extents, layout.lies_along_cols(static_cast<int>(id)));
        value.as_view = value.kind == Value::Kind::Block && operand[id] && loaded[id] && sets[id] == 1;
        if (!value.as_view) value.in_registers = true;
    }
}

}  // namespace blockscope::gpu
