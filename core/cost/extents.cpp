#include "core/cost/extents.h"

#include <algorithm>
#include <optional>

#include "core/support/result.h"

namespace blockscope {

namespace {

// The sum of (block size)^axes over the iterations of a loop.
Factor factor_of(const Loop& loop, std::ptrdiff_t axes) {
    const bool later = loop.start > 0;
    switch (axes) {
        case 0:
            return {later ? Factor::Kind::LaterCount : Factor::Kind::Count, loop.var.dim};
        case 1:
            return {later ? Factor::Kind::LaterSize : Factor::Kind::Size, loop.var.dim};
        case 2:
            return {later ? Factor::Kind::LaterSquares : Factor::Kind::Squares, loop.var.dim};
        default:
            throw InternalError("an operator has three axes along one loop variable");
    }
}

}  // namespace

std::vector<DimId> item_axes(const Item& item) {
    std::vector<DimId> axes;
    if (item.kind != ItemKind::Scalar) axes.push_back(item.rows);
    if (item.kind == ItemKind::Block) axes.push_back(item.cols);
    return axes;
}

std::vector<int> axis_positions(const Buffer& buffer) {
    const std::vector<DimId> axes = item_axes(buffer.type.item());
    std::vector<int> found(axes.size(), -1);
    int left = static_cast<int>(buffer.dims.size());
    for (std::size_t axis = axes.size(); axis-- > 0;)
        if (left > 0 && buffer.dims[static_cast<std::size_t>(left) - 1] == axes[axis]) found[axis] = --left;
    return found;
}

Extent extent_at(DimId dim, const std::vector<Index>& at, int position) {
    if (position < 0 || at[static_cast<std::size_t>(position)].zero) return {dim, true, {}};
    return {dim, false, at[static_cast<std::size_t>(position)].var};
}

std::vector<Factor> sum_over(const Nest& nest, const std::vector<Extent>& extents) {
    std::vector<Factor> factors;
    for (const Extent& extent : extents) {
        const bool of_nest =
            std::any_of(nest.begin(), nest.end(), [&](const Loop* loop) { return loop->var == extent.var; });
        if (extent.fixed || !of_nest) factors.push_back({Factor::Kind::First, extent.dim});
    }
    for (const Loop* loop : nest) {
        const auto along = [&](const Extent& extent) { return !extent.fixed && extent.var == loop->var; };
        factors.push_back(factor_of(*loop, std::count_if(extents.begin(), extents.end(), along)));
    }
    std::sort(factors.begin(), factors.end());
    return factors;
}

std::vector<Factor> largest_size(const std::vector<Extent>& extents, const DimTable& dims) {
    std::vector<Factor> factors;
    factors.reserve(extents.size());
    for (const Extent& extent : extents) {
        const Dim& dim = dims.at(extent.dim.value);
        const bool last = extent.later && dim.blocks() == 2;
        factors.push_back({last ? Factor::Kind::LaterSize : Factor::Kind::First, extent.dim});
    }
    std::sort(factors.begin(), factors.end());
    return factors;
}

std::vector<Factor> full_size(const std::vector<Extent>& extents) {
    std::vector<Factor> factors;
    factors.reserve(extents.size());
    for (const Extent& extent : extents) factors.push_back({Factor::Kind::First, extent.dim});
    std::sort(factors.begin(), factors.end());
    return factors;
}

std::int64_t full_size(const std::vector<Extent>& extents, const DimTable& dims) {
    std::int64_t product = 1;
    for (const Extent& extent : extents)
        product = saturating_multiply(product, dims.at(extent.dim.value).block_size(0));
    return product;
}

// Extents of temporaries, statement by statement. A value that a loop carries is read before the
// statement that shows its shape, so the pass is repeated until nothing new is learnt.

class ExtentPass {
public:
    ExtentPass(const LoopProgram& program, std::vector<ItemExtents>& temps)
        : program_(program), temps_(temps), stored_(program.buffers.size()) {}

    // One pass; true if something new was learnt. With `guess` a result is as wide as those of its arguments
    // that are known.
    bool run(bool guess) {
        changed_ = false;
        guess_ = guess;
        block(program_.body);
        return changed_;
    }

    void operator()(const Load& load) { learn(load.to, loaded(load)); }
    void operator()(const Compute& compute) { learn(compute.to, result(compute.op, compute.args)); }
    void operator()(const Evaluate& evaluate) { learn(evaluate.to, widest(evaluate.args)); }
    void operator()(const Assign& assign) { learn(assign.to, temp(assign.from)); }
    void operator()(const Initialise&) {}
    void operator()(const CallMisc& call) {
        for (const int output : call.outputs)
            stored_[static_cast<std::size_t>(output)] =
                axis_positions(program_.buffers[static_cast<std::size_t>(output)]);
    }
    void operator()(const LoopPtr& loop) {
        nest_.push_back(loop.get());
        block(loop->body);
        nest_.pop_back();
    }
    void operator()(const Accumulate& add) {
        learn(add.to, add.functional ? result(add.op, add.args) : temp(add.args.at(0)));
    }

    // Where the axes of an intermediate's items are among its indices, from what is stored there.
    void operator()(const Store& store) {
        const ItemExtents& item = temp(store.from);
        std::vector<int>& axes = stored_[static_cast<std::size_t>(store.buffer)];
        axes.resize(item.axes.size(), -1);
        for (std::size_t axis = 0; axis < item.axes.size(); ++axis)
            for (std::size_t i = 0; i < store.at.size() && !item.axes[axis].fixed; ++i)
                if (!store.at[i].zero && store.at[i].var == item.axes[axis].var)
                    axes[axis] = static_cast<int>(i);
    }

private:
    void block(const Block& statements) {
        for (const Statement& statement : statements) std::visit(*this, statement.what);
    }

    const ItemExtents& temp(Temp t) const { return temps_.at(static_cast<std::size_t>(t.id)); }

    void learn(Temp t, const ItemExtents& item) {
        ItemExtents& known = temps_.at(static_cast<std::size_t>(t.id));
        if (!item.known || known.known) return;
        known = item;
        changed_ = true;
    }

    // Of intermediates, those that the stores showed.
    std::vector<int> positions(const Buffer& buffer, const std::vector<DimId>& axes, int index) const {
        if (buffer.kind == Buffer::Kind::Intermediate) {
            std::vector<int> known = stored_[static_cast<std::size_t>(index)];
            known.resize(axes.size(), -1);
            return known;
        }
        return axis_positions(buffer);
    }

    ItemExtents loaded(const Load& load) const {
        const Buffer& buffer = program_.buffers.at(static_cast<std::size_t>(load.buffer));
        const std::vector<DimId> axes = item_axes(buffer.type.item());
        const std::vector<int> where = positions(buffer, axes, load.buffer);
        ItemExtents result{true, {}, buffer.type.elem()};
        for (std::size_t axis = 0; axis < axes.size(); ++axis)
            result.axes.push_back(in_nest(extent_at(axes[axis], load.at, where[axis])));
        return result;
    }

    Extent in_nest(Extent extent) const {
        for (const Loop* loop : nest_)
            if (!extent.fixed && loop->var == extent.var) extent.later = loop->start > 0;
        return extent;
    }

    // The shape of an elementwise result: that of any argument that is no scalar. A carried value may be
    // unknown as yet and no scalar, so scalars alone tell nothing.
    ItemExtents widest(const std::vector<Temp>& args) const {
        ItemExtents best;
        bool all_known = true;
        for (const Temp t : args) {
            if (t.id == 0) continue;
            all_known = all_known && temp(t).known;
            if (!temp(t).known) continue;
            if (!best.known || temp(t).axes.size() > best.axes.size()) best = temp(t);
        }
        return guess_ || all_known || !best.axes.empty() ? best : ItemExtents{};
    }

    ItemExtents with_axes(ItemExtents item, std::vector<Extent> axes) const {
        item.axes = std::move(axes);
        return item;
    }

    ItemExtents result(FunctionalOp op, const std::vector<Temp>& args) const {
        const ItemExtents& a = temp(args.at(0));
        const ItemExtents& b = temp(args.back());
        switch (form_of(op)) {
            case FunctionalForm::ByElement:
                return a.known ? a : b;
            case FunctionalForm::WithRows:
            case FunctionalForm::WithCols:
                return a;
            case FunctionalForm::FoldRows:
                return a.known ? with_axes(a, {a.axes.at(0)}) : a;
            case FunctionalForm::FoldAll:
                return a.known ? with_axes(a, {}) : a;
            case FunctionalForm::Contract:
            case FunctionalForm::Outer:
                return a.known && b.known ? with_axes(a, {a.axes.at(0), b.axes.at(0)}) : ItemExtents{};
        }
        throw InternalError("unknown form of a functional operator");
    }

    const LoopProgram& program_;
    std::vector<ItemExtents>& temps_;
    Nest nest_;
    bool guess_ = false;
    std::vector<std::vector<int>> stored_;  // by buffer: index position of each axis of its items
    bool changed_ = false;
};

TempExtents::TempExtents(const LoopProgram& program) : temps_(static_cast<std::size_t>(program.temps) + 1) {
    ExtentPass pass(program, temps_);
    while (pass.run(false) || pass.run(true)) {
    }
}

}  // namespace blockscope
