// Tilings are timed where their results are right.
#include "app/worker/tiling_timer.h"

#include <gmock/gmock.h>

#include "core/json/device_files.h"
#include "core/tilings/workloads.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using worker::TilingTimer;

tilings::Space small_space() {
    const ArrayProgram program = parse_program(
                                     "dim M = 48\ndim N = 32\ndim K = 32\ndim H = 32\n"
                                     "input A[M,K], B[K,N], D[N,H] : f32\nC = A @ B\noutput E = C @ D\n",
                                     "small.bp")
                                     .value();
    const Device device = *find_device(builtin_devices(), "xeon-8480");
    return tilings::make_space(tilings::read_chain(program).value(),
                               tilings::target_device(device, ElemType::F32).value())
        .value();
}

TEST(TilingTimer, GivesTimesOfRightResults) {
    const tilings::Space space = small_space();
    TilingTimer timer(space.chain, 1);
    const std::optional<double> seconds = timer.seconds(space, space.candidates.front());
    ASSERT_TRUE(seconds.has_value()) << timer.wrong().str();
    EXPECT_GT(*seconds, 0);
    EXPECT_LT(*seconds, 1);
    EXPECT_TRUE(timer.wrong().empty());
    EXPECT_TRUE(timer.unchecked().empty());
    EXPECT_EQ(timer.how_checked().str(), "all 1536 elements against the float64 reference");
}

// No float32 result is the float64 one to the last bit.
TEST(TilingTimer, GivesNoTimeOfAWrongResult) {
    const tilings::Space space = small_space();
    TilingTimer timer(space.chain, 1, 0);
    EXPECT_EQ(timer.seconds(space, space.candidates.front()), std::nullopt);
    EXPECT_THAT(timer.wrong().str(), HasSubstr(to_string(space, space.candidates.front()) +
                                               ": The result differs from the reference: "));
}

TEST(TilingTimer, SaysWhetherOthersDisturbed) {
    EXPECT_TRUE(worker::distrust_of(std::nullopt).empty());
    EXPECT_TRUE(worker::distrust_of(0.1).empty());
    EXPECT_THAT(worker::distrust_of(1.3).str(), HasSubstr("not to be trusted"));
}

}  // namespace
}  // namespace blockscope::test
