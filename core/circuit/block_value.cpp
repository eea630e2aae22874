#include "core/circuit/block_value.h"

#include <algorithm>

namespace blockscope::circuit {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

void move_places(BlockValue& value, int from, int by) {
    for (std::vector<int>* places : {&value.lists, &value.item})
        for (int& place : *places)
            if (place >= from) place += by;
}

bool item_has(const BlockValue& value, int place) {
    return std::find(value.item.begin(), value.item.end(), place) != value.item.end();
}

}  // namespace

BlockValue list_value(const Type& type, const std::vector<AxisId>& count) {
    BlockValue value;
    value.type.elem = type.elem();
    std::vector<DimId> item;
    if (type.item().kind != ItemKind::Scalar) item.push_back(type.item().rows);
    if (type.item().kind == ItemKind::Block) item.push_back(type.item().cols);
    value.item.assign(item.size(), -1);
    for (int i = 0; i < type.rank(); ++i) {
        const DimId dim = type.dim(i);
        value.lists.push_back(i);
        value.dims.push_back(dim);
        std::size_t merged = 0;
        while (merged < item.size() && (item[merged] != dim || value.item[merged] >= 0)) ++merged;
        value.type.axes.push_back(merged < item.size() ? AxisId{dim.value} : count.at(dim.value));
        if (merged < item.size()) value.item[merged] = i;
    }
    for (std::size_t i = 0; i < item.size(); ++i) {
        if (value.item[i] >= 0) continue;
        value.item[i] = static_cast<int>(value.type.axes.size());
        value.type.axes.push_back({item[i].value});
    }
    return value;
}

BlockValue without_list(BlockValue value, std::size_t list) {
    const int place = value.lists.at(list);
    value.lists.erase(value.lists.begin() + static_cast<std::ptrdiff_t>(list));
    value.dims.erase(value.dims.begin() + static_cast<std::ptrdiff_t>(list));
    ++value.hidden;
    if (item_has(value, place)) return value;
    value.type.axes.erase(value.type.axes.begin() + place);
    move_places(value, place, -1);
    return value;
}

BlockValue element(BlockValue list, AxisId part, Cut& cut) {
    cut.place = list.lists.front();
    list.lists.erase(list.lists.begin());
    list.dims.erase(list.dims.begin());
    if (item_has(list, cut.place)) {
        list.type.axes.at(at(cut.place)) = part;
        return list;
    }
    cut.dropped = true;
    list.type.axes.erase(list.type.axes.begin() + cut.place);
    move_places(list, cut.place, -1);
    return list;
}

BlockValue collected(BlockValue item, DimId dim, AxisId part, AxisId whole, AxisId count, Cut& cut) {
    item.dims.insert(item.dims.begin(), dim);
    const auto found = std::find(item.type.axes.begin(), item.type.axes.end(), part);
    if (found != item.type.axes.end()) {
        cut.place = static_cast<int>(found - item.type.axes.begin());
        *found = whole;
        item.lists.insert(item.lists.begin(), cut.place);
        return item;
    }
    cut = {0, true};
    item.type.axes.insert(item.type.axes.begin(), count);
    move_places(item, 0, 1);
    item.lists.insert(item.lists.begin(), 0);
    return item;
}

Segment item_segment(const BlockValue& value, const std::vector<int>& axes) {
    Segment segment{std::vector<Slot>(value.type.axes.size()), value.type.elem, 1, false, value.name};
    for (std::size_t i = 0; i < value.item.size(); ++i)
        segment.slots.at(at(value.item[i])) = {axes.at(i) < 0, std::max(axes.at(i), 0)};
    return segment;
}

Apply functional_apply(FunctionalOp op, const std::vector<BlockValue>& args) {
    const BlockValue& a = args.at(0);
    Apply apply;
    for (std::size_t i = 0; i < a.item.size(); ++i) apply.weave.push_back(a.axis(i));
    const auto input = [&](std::size_t n, const std::vector<int>& axes) {
        apply.inputs.push_back(item_segment(args.at(n), axes));
    };
    const std::vector<int> same = {0, 1};
    apply.op = {OperatorKind::Elementwise, to_string(op), 1, 0};
    switch (op) {
        case FunctionalOp::Add:
        case FunctionalOp::Mul:
            apply.op.label = op == FunctionalOp::Add ? "+" : "×";
            input(0, same);
            input(1, same);
            break;
        case FunctionalOp::RowShift:
        case FunctionalOp::RowScale:
            input(0, same);
            input(1, {0});
            break;
        case FunctionalOp::ColShift:
        case FunctionalOp::ColScale:
            input(0, same);
            input(1, {1});
            break;
        case FunctionalOp::RowSum:
        case FunctionalOp::RowMax:
            apply.op = {op == FunctionalOp::RowSum ? OperatorKind::Sum : OperatorKind::Max,
                        op == FunctionalOp::RowSum ? "Σ" : "max"};
            apply.own = {apply.weave.back()};
            apply.weave.pop_back();
            input(0, {0, -1});
            break;
        case FunctionalOp::BlockMax:
            apply.op = {OperatorKind::Max, "max"};
            apply.own.swap(apply.weave);
            apply.inputs.push_back(item_segment(a, {-1, -1}));
            for (std::size_t i = 1; i < a.item.size(); ++i)
                apply.inputs[0].slots.at(at(a.item[i])).index = static_cast<int>(i);
            break;
        case FunctionalOp::Dot:
            apply.op = {OperatorKind::Contraction, "·"};
            apply.own = {apply.weave.back()};
            apply.weave.back() = args.at(1).axis(0);
            input(0, {0, -1});
            input(1, {1, -1});
            break;
        case FunctionalOp::Outer:
            apply.op.label = "×";
            apply.weave.push_back(args.at(1).axis(0));
            input(0, {0});
            input(1, {1});
            break;
    }
    return apply;
}

}  // namespace blockscope::circuit
