#include "core/cost/terms.h"

#include <algorithm>

#include "core/cost/extents.h"
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
        : program_(program), placement_(placement), extents_(extents) {}

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
    void operator()(const Evaluate& s) {
        const ElementOperations each = element_operations(*s.expr);
        compute(Quantity::Vector, each.vector, axes(s.to));
        compute(Quantity::Special, each.special, axes(s.to));
    }
    void operator()(const Compute& s) { apply(s.op, s.args); }
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
        terms_.push_back({quantity, buffer, node_, coefficient, std::move(factors), line_,
                          buffer < 0 ? std::optional<ValueRef>{} : value_});
    }

    void move(Quantity items, Quantity values, int buffer, const std::vector<Extent>& extents,
              const Nest& nest) {
        add(items, buffer, 1, sum_over(nest, {}));
        add(values, buffer, 1, sum_over(nest, extents));
    }

    void compute(Quantity unit, int each, const std::vector<Extent>& extents) {
        add(unit, -1, each, sum_over(nest_, extents));
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
            counted.push_back({Factor::Kind::Count, buffer.dims[i]});
            const bool axis = std::find(split.begin(), split.end(), static_cast<int>(i)) != split.end();
            spanned.push_back({axis ? Factor::Kind::Size : Factor::Kind::Count, buffer.dims[i]});
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
            ++line_;
            std::visit(*this, statement.what);
        }
    }

    const LoopProgram& program_;
    LoadPlacement placement_;
    const TempExtents& extents_;
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

}  // namespace blockscope
