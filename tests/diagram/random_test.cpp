// Random array programs: diagrams hold together, their natural partitions too, and the diagrams of all states
// of fusion move and compute what is counted (blocks that divide their dimensions: formulas know no ragged
// ones).
#include <algorithm>
#include <set>

#include "core/diagram/arrange.h"
#include "core/diagram/place.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "tests/diagram/counted.h"
#include "tests/support/random_program.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

ArrayProgram even_program(std::uint64_t seed) {
    ArrayProgram program = random_array_program(seed);
    for (Dim& dim : program.dims) dim.size = dim.blocks() * dim.block;
    return program;
}

// An array that is output twice is a copy in the drawing, which is free; a program stores it twice.
bool outputs_twice(const ArrayProgram& program) {
    std::set<int> seen;
    return std::any_of(program.outputs.begin(), program.outputs.end(),
                       [&](const ArrayOutput& output) { return !seen.insert(output.op).second; });
}

TEST(RandomDiagrams, HoldTogether) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const ArrayProgram program = even_program(seed);
        const Flow flow = flow_of(program);
        ASSERT_THAT(verify(circuit_of(flow)), testing::IsEmpty());
        const Flow apart = separated(flow);
        const Result<Circuit> one = fused(apart, natural_plan(apart, program.dims, 1));
        ASSERT_TRUE(one) << one.problems().front().message;
        ASSERT_THAT(verify(*one), testing::IsEmpty()) << to_string(*one);
    }
}

TEST(RandomDiagrams, MoveWhatIsCounted) {
    int checked = 0;
    for (std::uint64_t seed = 50; seed < 130; ++seed) {
        const ArrayProgram arrays = even_program(seed);
        if (outputs_twice(arrays)) continue;
        ++checked;
        const auto program = std::make_shared<const BlockProgram>(to_block_program(arrays).program);
        const Trace trace = fuse(program);
        for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
            SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(step));
            expect_counted(*trace.state(step), Held::AtMost);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    EXPECT_GT(checked, 40);
}

}  // namespace
}  // namespace blockscope::test
