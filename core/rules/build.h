// Small maps that rules 4, 5 and 8 put in place.
#pragma once

#include <string>
#include <vector>

#include "core/graph/builder.h"
#include "core/rules/rule.h"

namespace blockscope {

// One input of a map under construction: the value, how the map takes it, and its type outside.
struct MapOperand {
    ValueRef value;
    PortIn mode;
    Type type;
};

// The map over `dim` whose every iteration is op(operands...), collected.
Node map_of(FunctionalOp op, DimId dim, const std::vector<MapOperand>& operands, const DimTable& dims,
            IdSource& ids);

// N-map { K-map { row_sum(b) }; sum over K } for a matmul's right operand b, taken as the matmul takes it.
Node row_sums(DimId dim, DimId contraction, const MapOperand& b, const DimTable& dims, IdSource& ids);

}  // namespace blockscope
