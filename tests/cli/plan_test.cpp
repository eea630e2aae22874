// blockscope-cli plan: every way of deciding on a plain graph, and graphs that are none.
#include <gmock/gmock.h>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

const char* const kChain =
    R"({"n": 4, "edges": [[0,1],[1,2],[2,3]], "out_bytes": [10,12,10,1], "local": [4,4,4,4],)"
    R"( "cap": 8, "launch": 1})";

TEST(PlanCommand, ShowsEveryWay) {
    const Outcome plan = run_cli({"plan", "--graph", "-"}, kChain);
    EXPECT_EQ(plan.code, 0) << plan.err;
    EXPECT_THAT(plan.out, HasSubstr("no plan costs less"));
    EXPECT_THAT(plan.out, HasSubstr("a kernel needs more local memory than there is"));
    EXPECT_THAT(plan.out, HasSubstr("  0, 1  costs 13\n"));
    const std::string json = run_cli({"plan", "--graph", "-", "--json"}, kChain).out;
    EXPECT_THAT(json, HasSubstr("\"exact\": {\n      \"value\": 27"));
    EXPECT_THAT(json, HasSubstr("\"one\": {\n      \"value\": null"));
}

TEST(PlanCommand, RefusesWhatIsNoGraph) {
    EXPECT_THAT(run_cli({"plan", "--graph", "-"}, R"({"n": 1, "edges": [[0, 0]], "out_bytes": [1]})"),
                ends(3, {}, {"#/edges: node 0 stands on a cycle"}));
    EXPECT_EQ(run_cli({"plan"}).code, 2);
}

}  // namespace
}  // namespace blockscope::test
