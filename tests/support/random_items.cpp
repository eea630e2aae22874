#include "tests/support/random_items.h"

#include <algorithm>

namespace blockscope {

std::optional<ValueRef> choose_value(Random& random, const Builder& b, const Values& values,
                                     const Condition& fits) {
    Values fitting;
    for (const ValueRef& value : values)
        if (fits(b.type(value))) fitting.push_back(value);
    if (fitting.empty()) return {};
    const int count = static_cast<int>(fitting.size());
    const int at = random.chance(50) ? count - 1 - random.below(std::min(count, 2)) : random.below(count);
    return fitting[static_cast<std::size_t>(at)];
}

ExprPtr random_unary(Random& random) {
    switch (random.below(6)) {
        case 0:
            return call(Fn::Exp, arg(0));
        case 1:
            return call(Fn::Mul, arg(0), number(0.5));
        case 2:
            return call(Fn::Add, arg(0), number(1));
        case 3:
            return call(Fn::Pow, arg(0), number(2));
        case 4:
            return call(Fn::Tanh, arg(0));
        default:
            return call(Fn::Div, number(1), arg(0));
    }
}

ExprPtr random_binary(Random& random) {
    switch (random.below(3)) {
        case 0:
            return call(Fn::Sub, arg(0), arg(1));
        case 1:
            return call(Fn::Max, arg(1), arg(0));
        default:
            return call(Fn::Add, arg(1), call(Fn::Mul, arg(0), number(3)));
    }
}

namespace {

std::optional<ValueRef> fitting_item(Random& random, const Builder& b, const Values& values,
                                     const std::function<bool(const Item&)>& fits) {
    return choose_value(random, b, values,
                        [&](const Type& type) { return is_item(type) && fits(type.item()); });
}

// An operator that only blocks have; none if no fitting second operand is there.
std::optional<ValueRef> block_operator(Random& random, Builder& b, const Values& values, ValueRef a) {
    const Item item = b.type(a).item();
    const int which = random.below(6);
    const bool first = random.chance(50);
    if (which == 0) return b.functional(FunctionalOp::RowSum, {a});
    const Dim& cols = b.dims()[item.cols.value];
    if (which == 1 && !first && meets(cols, BlockNeed::Whole))
        return b.functional(FunctionalOp::RotateHalf, {a});
    if (which == 1 && !first && meets(cols, BlockNeed::Even))
        return b.functional(FunctionalOp::RotatePairs, {a});
    if (which == 1) return b.functional(first ? FunctionalOp::RowMax : FunctionalOp::RowSum, {a});
    const auto second = fitting_item(random, b, values, [&](const Item& other) {
        if (which < 4) return other == Item::vector(item.rows);
        if (which == 4) return other == Item::vector(item.cols);
        return other.kind == ItemKind::Block && other.cols == item.cols;
    });
    if (!second) return {};
    if (which < 4) return b.functional(first ? FunctionalOp::RowScale : FunctionalOp::RowShift, {a, *second});
    if (which == 4)
        return b.functional(first ? FunctionalOp::ColScale : FunctionalOp::ColShift, {a, *second});
    return b.functional(FunctionalOp::Dot, {a, *second});
}

}  // namespace

ValueRef random_item_operator(Random& random, Builder& b, const Values& values, ValueRef a) {
    const Item item = b.type(a).item();
    if (item.kind == ItemKind::Block && random.chance(60))
        if (const auto result = block_operator(random, b, values, a)) return *result;
    if (item.kind == ItemKind::Vector && random.chance(20)) {
        const auto c =
            fitting_item(random, b, values, [](const Item& other) { return other.kind == ItemKind::Vector; });
        if (c) return b.functional(FunctionalOp::Outer, {a, *c});
    }
    const auto same = fitting_item(random, b, values, [&](const Item& other) { return other == item; });
    if (same && random.chance(30))
        return b.functional(random.chance(50) ? FunctionalOp::Add : FunctionalOp::Mul, {a, *same});
    if (same && random.chance(20)) return b.elementwise(random_binary(random), {a, *same});
    return b.elementwise(random_unary(random), {a});
}

}  // namespace blockscope
