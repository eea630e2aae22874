#include "core/rules/build.h"

#include "core/graph/verify.h"
#include "core/support/result.h"

namespace blockscope {

namespace {

Type inner_type(const MapOperand& operand) {
    return operand.mode == PortIn::Iterated ? operand.type.element() : operand.type;
}

Node collected_map(DimId dim, const std::vector<MapOperand>& operands, GraphPtr body, const DimTable& dims,
                   IdSource& ids) {
    Map map;
    map.dim = dim;
    map.outputs = {MapOutput{}};
    map.body = std::move(body);
    Node node;
    node.id = ids.fresh();
    std::vector<Type> types;
    for (const MapOperand& operand : operands) {
        node.inputs.push_back(operand.value);
        map.inputs.push_back({operand.mode});
        types.push_back(operand.type);
    }
    node.kind = std::move(map);
    TypeCheck check = check_types(node.kind, types, dims);
    if (!check.error.empty()) throw InternalError(check.error);
    node.outputs = std::move(check.outputs);
    return node;
}

}  // namespace

Node map_of(FunctionalOp op, DimId dim, const std::vector<MapOperand>& operands, const DimTable& dims,
            IdSource& ids) {
    Builder body(dims, ids);
    std::vector<ValueRef> args;
    args.reserve(operands.size());
    for (const MapOperand& operand : operands) args.push_back(body.input(inner_type(operand)));
    body.output(body.functional(op, args));
    return collected_map(dim, operands, body.finish(), dims, ids);
}

Node row_sums(DimId dim, DimId contraction, const MapOperand& b, const DimTable& dims, IdSource& ids) {
    Builder body(dims, ids);
    const Type row = inner_type(b);
    const ValueRef in = body.input(row);
    Node sums = map_of(FunctionalOp::RowSum, contraction, {{in, PortIn::Iterated, row}}, dims, ids);
    const NodeId id = sums.id;
    body.keep(std::make_shared<const Node>(std::move(sums)));
    body.output(body.reduce(ReduceOp::Sum, contraction, {id}));
    return collected_map(dim, {b}, body.finish(), dims, ids);
}

}  // namespace blockscope
