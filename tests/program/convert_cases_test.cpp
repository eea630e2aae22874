// Every operator with 0, 1 and 2 batch dimensions, a group, repeated axes and ragged sizes.
#include <gtest/gtest.h>

#include "core/graph/verify.h"
#include "core/program/convert.h"
#include "tests/program/operator_cases.h"
#include "tests/program/sketch.h"

namespace blockscope::test {
namespace {

std::string text(const CaseDims& dims) {
    return "batch '" + dims.batch + "', axes " + dims.rows + dims.cols + dims.inner;
}

TEST(ConvertCases, HaveTheMapsOfTheTable) {
    for (const CaseDims& dims : all_case_dims()) {
        for (const OperatorCase& c : operator_cases(dims, Use::Plain)) {
            const BlockProgram program = to_block_program(c.program).program;
            EXPECT_EQ(top_level_operators(program), c.maps) << c.name << ", " << text(dims);
        }
    }
}

TEST(ConvertCases, AreValidInEveryForm) {
    int cases = 0;
    for (const CaseDims& dims : all_case_dims()) {
        for (Use use : {Use::Plain, Use::TransposedOnly, Use::BothWays}) {
            for (const OperatorCase& c : operator_cases(dims, use)) {
                const Conversion conversion = to_block_program(c.program);
                for (const Violation& violation : verify(conversion.program)) {
                    ADD_FAILURE() << c.name << ", " << text(dims) << ": " << violation.sentence;
                }
                ++cases;
            }
        }
    }
    EXPECT_GT(cases, 2000);
}

// The last top-level node gives each output its declared type.
TEST(ConvertCases, GiveOutputsTheirDeclaredTypes) {
    for (const CaseDims& dims : all_case_dims()) {
        for (Use use : {Use::Plain, Use::TransposedOnly, Use::BothWays}) {
            for (const OperatorCase& c : operator_cases(dims, use)) {
                const BlockProgram program = to_block_program(c.program).program;
                const std::vector<NodePtr> outputs = program.graph->outputs();
                ASSERT_EQ(outputs.size(), c.program.outputs.size());
                for (std::size_t i = 0; i < outputs.size(); ++i) {
                    const ArrayOp& op = c.program.ops.at(static_cast<std::size_t>(c.program.outputs[i].op));
                    const ValueRef ref = outputs[i]->inputs.at(0);
                    const Type type = program.graph->find(ref.node)->outputs.at(ref.port);
                    std::vector<DimId> list = op.shape.batch;
                    list.insert(list.end(), op.shape.axes.begin(), op.shape.axes.end());
                    std::vector<DimId> found;
                    found.reserve(list.size());
                    for (int k = 0; k < type.rank(); ++k) found.push_back(type.dim(k));
                    EXPECT_EQ(found, list) << c.name << ", " << text(dims);
                    EXPECT_EQ(type.elem(), c.name == "cast" ? ElemType::BF16 : ElemType::F32);
                }
            }
        }
    }
}

}  // namespace
}  // namespace blockscope::test
