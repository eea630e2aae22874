// Operators of a block program as operators of a diagram.
#include <utility>

#include "core/circuit/block_drawer.h"

namespace blockscope::circuit {

void BlockDrawer::finish(Sheet& sheet, const Node& node, Apply apply, std::vector<int> inputs) {
    BlockValue made;
    made.type = {apply.weave, node.outputs[0].elem(), 1, false};
    Segment segment{{}, made.type.elem, 1, false, ""};
    for (int i = 0; i < static_cast<int>(apply.weave.size()); ++i) {
        made.item.push_back(i);
        segment.slots.push_back({false, i});
    }
    apply.outputs = {segment};
    apply.origin.node = node.id;
    const int to = sheet.add(std::move(made));
    sheet.of[{node.id, 0}] = to;
    sheet.steps.push_back({circuit::apply(std::move(apply)), std::move(inputs), {to}});
}

std::vector<int> BlockDrawer::items(Sheet& sheet, const Node& node) {
    std::vector<int> arrays;
    for (const ValueRef& ref : node.inputs) arrays.push_back(item(sheet, ref));
    return arrays;
}

void BlockDrawer::functional(Sheet& sheet, const Node& node, FunctionalOp op) {
    const std::vector<int> arrays = items(sheet, node);
    std::vector<BlockValue> args;
    for (const int array : arrays) args.push_back(sheet.value(array));
    finish(sheet, node, functional_apply(op, args), arrays);
}

void BlockDrawer::elementwise(Sheet& sheet, const Node& node, const Elementwise& op) {
    const std::vector<int> arrays = items(sheet, node);
    Apply apply;
    for (const int array : arrays) {
        const BlockValue& value = sheet.value(array);
        if (!apply.weave.empty()) break;
        for (std::size_t i = 0; i < value.item.size(); ++i) apply.weave.push_back(value.axis(i));
    }
    const auto [vector, special] = expression_work(*op.expr);
    apply.op = {OperatorKind::Elementwise, expression_label(*op.expr, program_.dims), vector, special};
    for (const int array : arrays) apply.inputs.push_back(item_segment(sheet.value(array), {0, 1}));
    finish(sheet, node, std::move(apply), arrays);
}

// An array operator on whole arrays in global memory: each operand comes down once, each result goes up once.
void BlockDrawer::misc(Sheet& sheet, const Node& node, const Misc& op) {
    Apply apply;
    apply.op = {OperatorKind::Custom, op.name};
    apply.origin.node = node.id;
    const auto own = [&](const BlockValue& value) {
        Segment segment{{}, value.type.elem, 1, false, value.name};
        for (const AxisId axis : value.type.axes) {
            segment.slots.push_back({true, static_cast<int>(apply.own.size())});
            apply.own.push_back(axis);
        }
        return segment;
    };
    std::vector<int> arrays;
    for (const ValueRef& ref : node.inputs) {
        const int array = array_of(sheet, ref);
        const bool stored = sheet.value(array).type.level == 0;
        arrays.push_back(load(sheet, stored ? array : save(sheet, array, node.id), node.id));
        apply.inputs.push_back(own(sheet.value(arrays.back())));
    }
    std::vector<int> made;
    for (const Type& type : node.outputs) {
        BlockValue value = list_of(type);
        value.type.level = 1;
        apply.outputs.push_back(own(value));
        made.push_back(sheet.add(std::move(value)));
    }
    sheet.steps.push_back({circuit::apply(std::move(apply)), arrays, made});
    for (std::size_t port = 0; port < made.size(); ++port)
        sheet.of[{node.id, static_cast<int>(port)}] = save(sheet, made[port], node.id);
}

}  // namespace blockscope::circuit
