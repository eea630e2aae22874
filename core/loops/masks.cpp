#include "core/loops/masks.h"

#include <algorithm>
#include <vector>

#include "core/graph/type.h"
#include "core/loops/loop_program.h"

namespace blockscope {

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
