#include "core/cost/terms.h"

#include <algorithm>
#include <optional>

#include "core/cost/lifetime.h"
#include "core/support/result.h"

namespace blockscope {

std::int64_t value(const Term& term, const DimTable& dims) {
    std::int64_t product = term.coefficient;
    for (const Factor& factor : term.factors) product = saturating_multiply(product, value(factor, dims));
    return product;
}

Polynomial polynomial(const Term& term, const DimTable& dims) {
    return Polynomial(term.coefficient, term.factors, dims);
}

bool is_special(const Call& call) {
    switch (primitive(call.fn).cost) {
        case FnCost::Vector:
            return false;
        case FnCost::Special:
            return true;
        case FnCost::SpecialUnlessSquare: {
            const Number* exponent = std::get_if<Number>(&call.args[1]->value);
            return !exponent || exponent->value != 2;
        }
    }
    throw InternalError("unknown cost of a function");
}

ElementOperations element_operations(const Expr& expr) {
    ElementOperations count;
    const Call* call = std::get_if<Call>(&expr.value);
    if (!call || argument_count(expr) == 0) return count;
    for (const ExprPtr& a : call->args) {
        const ElementOperations part = element_operations(*a);
        count.vector += part.vector;
        count.special += part.special;
    }
    ++(is_special(*call) ? count.special : count.vector);
    return count;
}

namespace {

class Collector {
public:
    Collector(const LoopProgram& program, LoadPlacement placement, const TempExtents& extents)
        : program_(program), placement_(placement), extents_(extents), masks_(program) {}

    std::vector<Term> run() {
        block(program_.body);
        return std::move(terms_);
    }

    void operator()(const Load& s) {
        const std::size_t outside =
            placement_ == LoadPlacement::Hoisted ? hoisted_depth(program_, nest_, s) : nest_.size();
        move(Quantity::LoadItems, Quantity::LoadValues, s.buffer, axes(s.to),
             Nest(nest_.begin(), nest_.begin() + static_cast<std::ptrdiff_t>(outside)));
    }
    void operator()(const Store& s) {
        move(Quantity::StoreItems, Quantity::StoreValues, s.buffer, axes(s.from), nest_);
    }
    void operator()(const Initialise&) {}
    void operator()(const Assign&) {}
    void operator()(const LoopPtr& loop) {
        nest_.push_back(loop.get());
        block(loop->body);
        nest_.pop_back();
    }
    void operator()(const Evaluate& s) { elementwise(*s.expr, axes(s.to)); }
    void operator()(const Compute& s) {
        if (unmasked_)
            elementwise(*call(Fn::Add, arg(0), arg(1)), axes(s.to));
        else
            apply(s.op, s.args);
    }
    void operator()(const Accumulate& s) {
        if (s.functional) apply(s.op, s.args);
        if (!s.functional || s.op != FunctionalOp::Dot) compute(Quantity::Vector, 1, axes(s.to));
    }
    void operator()(const CallMisc& s) {
        for (std::size_t i = 0; i < s.at.size(); ++i) {
            const bool output = i < s.outputs.size();
            value_ = {};
            if (output)
                move_all(Quantity::StoreItems, Quantity::StoreValues, s.outputs[i], s.at[i]);
            else
                move_all(Quantity::LoadItems, Quantity::LoadValues, s.inputs.at(i - s.outputs.size()),
                         s.at[i]);
        }
    }

private:
    const std::vector<Extent>& axes(Temp t) const { return extents_.of(t).axes; }

    void add(Quantity quantity, int buffer, std::int64_t coefficient, std::vector<Factor> factors) {
        if (coefficient == 0) return;
        terms_.push_back({.quantity = quantity,
                          .buffer = buffer,
                          .node = node_,
                          .coefficient = coefficient,
                          .factors = std::move(factors),
                          .line = line_,
                          .value = buffer < 0 ? std::optional<ValueRef>{} : value_});
    }

    void move(Quantity items, Quantity values, int buffer, const std::vector<Extent>& extents,
              const Nest& nest) {
        add(items, buffer, 1, sum_over(nest, {}));
        add(values, buffer, 1, sum_over(nest, extents));
    }

    void compute(Quantity unit, int each, const std::vector<Extent>& extents) {
        add(unit, -1, each, sum_over(nest_, extents));
    }

    // Where its mask is all zeros, the line computes less.
    void elementwise(const Expr& expr, const std::vector<Extent>& extents) {
        const ElementOperations each = element_operations(expr);
        const ElementOperations clear = unmasked_ ? element_operations(*unmasked_->expr) : each;
        compute(Quantity::Vector, clear.vector, extents);
        compute(Quantity::Special, clear.special, extents);
        if (!unmasked_) return;
        const std::vector<Factor> hides = sum_where_masked(nest_, extents, unmasked_->mask);
        add(Quantity::Vector, -1, each.vector - clear.vector, hides);
        add(Quantity::Special, -1, each.special - clear.special, hides);
    }

    void apply(FunctionalOp op, const std::vector<Temp>& args) {
        std::vector<Extent> extents = axes(args.at(0));
        const bool dot = op == FunctionalOp::Dot;
        const bool outer = form_of(op) == FunctionalForm::Outer;
        if (outer) extents.resize(1);
        if (dot || outer) extents.push_back(axes(args.at(1)).at(0));
        compute(dot ? Quantity::Matrix : Quantity::Vector, dot ? 2 : 1, extents);
    }

    // All that the leading indices `at` select of an array: what its other indices and the axes of its
    // items span, in every iteration of the loops around.
    void move_all(Quantity items, Quantity values, int index, const std::vector<Index>& at) {
        const Buffer& buffer = program_.buffers.at(static_cast<std::size_t>(index));
        const std::vector<DimId> axes = item_axes(buffer.type.item());
        const std::vector<int> split = axis_positions(buffer);
        std::vector<Extent> extents;
        std::vector<Factor> counted;
        std::vector<Factor> spanned;
        for (std::size_t i = at.size(); i < buffer.dims.size(); ++i) {
            counted.push_back({.kind = Factor::Kind::Count, .dim = buffer.dims[i]});
            const bool axis = std::find(split.begin(), split.end(), static_cast<int>(i)) != split.end();
            spanned.push_back(
                {.kind = axis ? Factor::Kind::Size : Factor::Kind::Count, .dim = buffer.dims[i]});
        }
        for (std::size_t axis = 0; axis < axes.size(); ++axis)
            if (split[axis] < static_cast<int>(at.size()))
                extents.push_back(extent_at(axes[axis], at, split[axis]));
        add(items, index, 1, product(sum_over(nest_, {}), counted));
        add(values, index, 1, product(sum_over(nest_, extents), spanned));
    }

    static std::vector<Factor> product(std::vector<Factor> a, const std::vector<Factor>& b) {
        a.insert(a.end(), b.begin(), b.end());
        std::sort(a.begin(), a.end());
        return a;
    }

    void block(const Block& statements) {
        for (const Statement& statement : statements) {
            node_ = statement.node;
            value_ = statement.value;
            unmasked_ = masks_.unmasked(statement);
            ++line_;
            std::visit(*this, statement.what);
        }
    }

    const LoopProgram& program_;
    LoadPlacement placement_;
    const TempExtents& extents_;
    MaskBlocks masks_;
    std::optional<Unmasked> unmasked_;  // of the line that is counted
    Nest nest_;
    NodeId node_;
    std::optional<ValueRef> value_;
    int line_ = -1;
    std::vector<Term> terms_;
};

}  // namespace

std::vector<Term> cost_terms(const LoopProgram& program, LoadPlacement placement) {
    return Collector(program, placement, TempExtents(program)).run();
}

std::vector<Term> cost_terms(const LoopProgram& program, const TempExtents& extents) {
    return Collector(program, LoadPlacement::AsListed, extents).run();
}

std::string formula(const std::vector<Term>& terms, Quantity quantity, int buffer, const DimTable& dims) {
    Polynomial sum;
    for (const Term& term : terms)
        if (term.quantity == quantity && (buffer < 0 || term.buffer == buffer))
            sum.add(polynomial(term, dims));
    return sum.text(dims);
}

namespace {

// The sum of (block size)^axes over the iterations of a loop.
Factor factor_of(const Loop& loop, std::ptrdiff_t axes) {
    const bool later = loop.start > 0;
    switch (axes) {
        case 0:
            return {.kind = later ? Factor::Kind::LaterCount : Factor::Kind::Count, .dim = loop.var.dim};
        case 1:
            return {.kind = later ? Factor::Kind::LaterSize : Factor::Kind::Size, .dim = loop.var.dim};
        case 2:
            return {.kind = later ? Factor::Kind::LaterSquares : Factor::Kind::Squares, .dim = loop.var.dim};
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

namespace {

// With a mask, over the iterations in which it hides something.
std::vector<Factor> sum_over(const Nest& nest, const std::vector<Extent>& extents, const MaskBlock* mask) {
    std::vector<Factor> factors;
    for (const Extent& extent : extents) {
        const bool of_nest =
            std::any_of(nest.begin(), nest.end(), [&](const Loop* loop) { return loop->var == extent.var; });
        if (extent.fixed || !of_nest) factors.push_back({.kind = Factor::Kind::First, .dim = extent.dim});
    }
    const auto axes = [&](const LoopVar& var) {
        return std::count_if(extents.begin(), extents.end(),
                             [&](const Extent& extent) { return !extent.fixed && extent.var == var; });
    };
    for (const Loop* loop : nest) {
        const bool masked = mask && !mask->bounds.one_block && mask->bounds.row == loop->var;
        const bool rows =
            masked || std::any_of(nest.begin(), nest.end(), [&](const Loop* inner) {
                return inner->bounds && !inner->bounds->one_block && inner->bounds->row == loop->var;
            });
        if (rows) continue;  // in the factor of the pair
        const bool columns = mask && !mask->one_column && mask->column == loop->var;
        if (!loop->bounds && !columns) {
            factors.push_back(factor_of(*loop, axes(loop->var)));
            continue;
        }
        const CausalBounds& bounds = columns ? mask->bounds : *loop->bounds;
        const LoopVar& row = bounds.row;
        const Factor::Kind pairs = !columns       ? Factor::Kind::Visible
                                   : loop->bounds ? Factor::Kind::Crossed
                                                  : Factor::Kind::Masked;
        factors.push_back({.kind = pairs,
                           .dim = row.dim,
                           .columns = loop->var.dim,
                           .window = bounds.window,
                           .row_axes = static_cast<std::uint8_t>(axes(row)),
                           .column_axes = static_cast<std::uint8_t>(axes(loop->var))});
    }
    if (mask && mask->one_column) {
        const CausalBounds& bounds = mask->bounds;
        const auto rows = static_cast<std::uint8_t>(bounds.one_block ? 0 : axes(bounds.row));
        factors.push_back({.kind = Factor::Kind::Masked,
                           .dim = bounds.row.dim,
                           .columns = mask->column.dim,
                           .window = bounds.window,
                           .row_axes = rows});
    }
    std::sort(factors.begin(), factors.end());
    return factors;
}

}  // namespace

std::vector<Factor> sum_over(const Nest& nest, const std::vector<Extent>& extents) {
    return sum_over(nest, extents, nullptr);
}

std::vector<Factor> sum_where_masked(const Nest& nest, const std::vector<Extent>& extents,
                                     const MaskBlock& mask) {
    return sum_over(nest, extents, &mask);
}

double average_trips(const Loop& loop, const DimTable& dims) {
    const Dim& dim = dims.at(loop.var.dim.value);
    if (!loop.bounds) return static_cast<double>(dim.blocks() - loop.start);
    const DimId rows = loop.bounds->row.dim;
    const Factor pairs{
        .kind = Factor::Kind::Visible, .dim = rows, .columns = loop.var.dim, .window = loop.bounds->window};
    return static_cast<double>(value(pairs, dims)) / static_cast<double>(dims.at(rows.value).blocks());
}

std::vector<Factor> largest_size(const std::vector<Extent>& extents, const DimTable& dims) {
    std::vector<Factor> factors;
    factors.reserve(extents.size());
    for (const Extent& extent : extents) {
        const Dim& dim = dims.at(extent.dim.value);
        const bool last = extent.later && dim.blocks() == 2;
        factors.push_back({.kind = last ? Factor::Kind::LaterSize : Factor::Kind::First, .dim = extent.dim});
    }
    std::sort(factors.begin(), factors.end());
    return factors;
}

std::vector<Factor> full_size(const std::vector<Extent>& extents) {
    std::vector<Factor> factors;
    factors.reserve(extents.size());
    for (const Extent& extent : extents) factors.push_back({.kind = Factor::Kind::First, .dim = extent.dim});
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
    void operator()(const Evaluate& evaluate) {
        ItemExtents made = widest(evaluate.args);
        if (evaluate.cast) made.elem = *evaluate.cast;
        learn(evaluate.to, made);
    }
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
            case FunctionalForm::Rotate:
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
