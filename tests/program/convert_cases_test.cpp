// Every operator with 0, 1 and 2 batch dimensions, a group, repeated axes and ragged sizes.
#include <gtest/gtest.h>

#include "core/graph/verify.h"
#include "core/program/convert.h"
#include "tests/program/operator_cases.h"
#include "tests/program/sketch.h"

namespace blockscope::test {
namespace {

TEST(ConvertCases, HaveTheMapsOfTheTable) {
    for (const CaseDims& dims : all_case_dims())
        for (const OperatorCase& c : operator_cases(dims, Use::Plain)) {
            const BlockProgram program = to_block_program(c.program).program;
            EXPECT_EQ(top_level_operators(program), c.maps) << c.name << " on " << dims.batch << dims.rows;
        }
}

// The last top-level node gives each output its declared type.
void expect_declared_types(const ArrayProgram& array, const BlockProgram& program, ElemType elem) {
    const std::vector<NodePtr> outputs = program.graph->outputs();
    ASSERT_EQ(outputs.size(), array.outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const ArrayOp& op = array.ops.at(static_cast<std::size_t>(array.outputs[i].op));
        const ValueRef ref = outputs[i]->inputs.at(0);
        const Type type = program.graph->find(ref.node)->outputs.at(ref.port);
        std::vector<DimId> list = op.shape.batch;
        list.insert(list.end(), op.shape.axes.begin(), op.shape.axes.end());
        std::vector<DimId> found;
        for (int k = 0; k < type.rank(); ++k) found.push_back(type.dim(k));
        EXPECT_EQ(found, list);
        EXPECT_EQ(type.elem(), elem);
    }
}

TEST(ConvertCases, AreValidAndOfTheirDeclaredTypesInEveryForm) {
    const std::vector<OperatorCase> cases = every_operator_case();
    EXPECT_GT(cases.size(), 2000U);
    for (const OperatorCase& c : cases) {
        SCOPED_TRACE(c.name);
        const BlockProgram program = to_block_program(c.program).program;
        for (const Violation& violation : verify(program)) ADD_FAILURE() << violation.sentence;
        const bool cast = c.name.rfind("cast,", 0) == 0;
        expect_declared_types(c.program, program, cast ? ElemType::BF16 : ElemType::F32);
    }
}

}  // namespace
}  // namespace blockscope::test
