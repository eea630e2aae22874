// The guide's estimate on its own example, and questions that are none.
#include "core/plan/benefit.h"

#include <gmock/gmock.h>

namespace blockscope::test {
namespace {

using plan::Benefit;
using plan::BenefitQuestion;

BenefitQuestion three() {
    return {.operators = {{"add", 0.01, 0.04, 0.02}, {"relu", 0.01, 0.04, 0.02}, {"mul", 0.01, 0.04, 0.02}}};
}

TEST(Benefits, AreTheGuides) {
    const Benefit result = plan::benefit(three());
    EXPECT_NEAR(result.unfused, 0.21, 1e-12);
    EXPECT_NEAR(result.fused, 0.09, 1e-12);
    EXPECT_NEAR(result.speedup(), 0.21 / 0.09, 1e-12);
    EXPECT_TRUE(result.worth_it());
}

TEST(Benefits, TakeWhatIsKnownOfTheFusedKernel) {
    BenefitQuestion question = three();
    question.fused.memory = 0.125;
    EXPECT_NEAR(plan::benefit(question).fused, 0.175, 1e-12);
    question.fused.memory = 0.13;
    EXPECT_FALSE(plan::benefit(question).worth_it()) << "0.21 against 0.18 is 1.17 times";
}

TEST(Benefits, OfOneOperatorAreNone) {
    const Benefit result = plan::benefit({.operators = {{"add", 1, 2, 3}}});
    EXPECT_EQ(result.speedup(), 1);
    EXPECT_FALSE(result.worth_it());
}

TEST(Benefits, OfFilesThatAreWrongAreRefused) {
    const std::pair<const char*, const char*> all[] = {
        {R"({"operators": []})", "/operators"},
        {R"({"operators": [{"compute": 1, "memory": 1}]})", "/operators/0"},
        {R"({"operators": [{"compute": -1, "memory": 1, "launch": 1}]})", "/operators/0/compute"},
        {R"({"operators": [{"compute": 1, "memory": 1, "launch": 1}], "fused": {"memory": "x"}})",
         "/fused/memory"},
        {R"({"operators": [{"compute": 1e308, "memory": 1e308, "launch": 0}]})", "/operators"},
        {R"({"operators": [{"compute": 1, "memory": 1, "launch": 1}], "fused": {"memory": 1e308,
             "launch": 1e308}})",
         "/fused"},
        {R"({"operators": [{"compute": 1e300, "memory": 1, "launch": 1}], "fused": {"compute": 1e-300,
             "memory": 0, "launch": 0}})",
         "/fused"},
    };
    for (const auto& [text, place] : all) {
        const auto question = plan::read_benefit(text, "b.json");
        ASSERT_FALSE(question) << text;
        EXPECT_EQ(question.problems().front().place.pointer, place) << text;
    }
}

}  // namespace
}  // namespace blockscope::test
