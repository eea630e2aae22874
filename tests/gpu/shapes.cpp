#include "tests/gpu/shapes.h"

#include <gtest/gtest.h>

#include "core/measure/reference.h"
#include "tests/support/samples.h"

namespace blockscope::test {

DimTable shaped(const BlockProgram& program, const Shapes& shapes) {
    DimTable dims = program.dims;
    std::size_t next = 0;
    for (Dim& dim : dims) {
        const Shape shape = dim.kind == DimKind::Blocked ? shapes.at(next++ % shapes.size()) : Shape{2, 1};
        dim.size = shape.size;
        dim.block = shape.block;
    }
    return fitted(std::move(dims), program);
}

double tolerance_of(ElemType elem, const BlockProgram& state) {
    return elem == ElemType::F32 ? measure::kTf32Tolerance : measure::tolerance(elem, state);
}

ArrayProgram in_type(ArrayProgram program, ElemType elem) {
    for (ArrayOp& op : program.ops)
        if (op.elem == ElemType::F32) op.elem = elem;
    EXPECT_TRUE(check_program(program).empty());
    return program;
}

}  // namespace blockscope::test
