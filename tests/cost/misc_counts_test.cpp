// Miscellaneous operators inside loops: random programs hardly have them.
#include <gtest/gtest.h>

#include "tests/cost/executed.h"
#include "tests/loops/hand_made.h"

namespace blockscope::test {
namespace {

using Values = std::vector<ValueRef>;

TEST(MiscCounts, InsideALoopWhatTheIndicesSelect) {
    HandMade made;
    const ValueRef x = made.input("X", "MN:N");
    const ValueRef z = made.map(made.top, 'M', {{x, kEach}}, {kList}, [&](Builder& b, const Values& in) {
        return b.misc("sort", {in[0]}, {made.type("N:N")});
    })[0];
    made.output(z, "Z");
    const BothLoops program(made.program());
    EXPECT_EQ(count_difference(program), "");
    EXPECT_EQ(derivation_difference(program, program), "");
}

// What no index selects is read again in every iteration.
TEST(MiscCounts, InsideALoopWholeInputsEachTime) {
    HandMade made;
    const ValueRef x = made.input("X", "MN:N");
    const ValueRef y = made.input("Y", "N:N");
    const ValueRef z =
        made.map(made.top, 'M', {{x, kEach}, {y, kWhole}}, {kList}, [&](Builder& b, const Values& in) {
            return b.misc("tilt", {in[0], in[1]}, {made.type("N:N")});
        })[0];
    made.output(z, "Z");
    const BlockProgram program = made.program();
    EXPECT_EQ(count_difference(BothLoops(program)), "");
    const std::int64_t iterations = program.dims.at(0).blocks();
    ASSERT_GT(iterations, 1);
    const Counts counts = count(lower(program));
    EXPECT_EQ(counts.buffers.at(1).loads.items, iterations * program.dims.at(1).blocks());
}

}  // namespace
}  // namespace blockscope::test
