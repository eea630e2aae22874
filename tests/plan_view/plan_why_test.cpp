// Every answer to why two operators are, or are not, one kernel.
#include "app/worker/plan_why.h"

#include <gmock/gmock.h>

#include "core/json/device_files.h"
#include "tests/plan_view/plan_programs.h"

namespace blockscope::worker {
namespace {

using Kind = PlanWhy::Kind;

// Of the gated MLP: A, B, C, H, Y by their names.
struct WhyDesk {
    int node(const std::string& name) const {
        const auto& names = costs.graph().names;
        return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
    }
    plan::FusionGroup kernel(const std::vector<std::string>& names) const {
        plan::FusionGroup nodes;
        for (const std::string& name : names) nodes.push_back(node(name));
        std::sort(nodes.begin(), nodes.end());
        return nodes;
    }
    double seconds(const std::vector<std::string>& names) { return costs.of(kernel(names)).seconds; }
    PlanWhy why(const std::vector<std::vector<std::string>>& kernels, const char* a, const char* b) {
        plan::Plan plan;
        for (const auto& names : kernels) plan.kernels.push_back(kernel(names));
        return why_of(costs, plan, node(a), node(b));
    }

    explicit WhyDesk(const char* text = test::kSmallGatedMlp)
        : costs(parse_program(text, "p.bp").value(), *find_device(builtin_devices(), "h100-sxm5")) {}

    GroupCosts costs;
};

TEST(PlanWhyOf, one_kernel_is_compared_with_its_best_two_halves) {
    WhyDesk desk;
    const PlanWhy why = desk.why({{"A", "B", "C", "H"}, {"Y"}}, "A", "H");
    ASSERT_EQ(why.kind, Kind::Split);
    EXPECT_DOUBLE_EQ(why.seconds, desk.seconds({"A", "B", "C", "H"}));
    // All cuts that leave two connected halves.
    const double least = std::min({desk.seconds({"A"}) + desk.seconds({"B", "C", "H"}),
                                   desk.seconds({"A", "B"}) + desk.seconds({"C", "H"})});
    EXPECT_DOUBLE_EQ(why.other_seconds, least);
    ASSERT_EQ(why.others.size(), 2U);
    EXPECT_THAT(why.others[0], testing::Contains(desk.node("A")));
    EXPECT_THAT(why.others[1], testing::Contains(desk.node("H")));
    EXPECT_DOUBLE_EQ(why.other_bytes,
                     desk.costs.of(why.others[0]).bytes + desk.costs.of(why.others[1]).bytes);
    EXPECT_EQ(desk.why({{"A", "B", "C", "H"}, {"Y"}}, "H", "A").others, why.others) << "the other way round";
}

// Cut behind B it would leave a matrix between the halves, cut behind A a vector: the cut that is looked at
// last is the best.
TEST(PlanWhyOf, the_best_cut_need_not_be_the_first) {
    WhyDesk desk(
        "dim M = 4096 / 64\ndim N = 4096 / 64\ninput X[M, N] : bf16\n"
        "A = row_mean(X)\nB = X - A\noutput Y = exp(B)\n");
    const PlanWhy why = desk.why({{"A", "B", "Y"}}, "A", "Y");
    ASSERT_EQ(why.kind, Kind::Split);
    EXPECT_EQ(why.others, (std::vector<plan::FusionGroup>{desk.kernel({"A"}), desk.kernel({"B", "Y"})}));
    EXPECT_DOUBLE_EQ(why.other_seconds, desk.seconds({"A"}) + desk.seconds({"B", "Y"}));
    EXPECT_LT(why.other_seconds, desk.seconds({"A", "B"}) + desk.seconds({"Y"}));
}

TEST(PlanWhyOf, two_kernels_are_compared_with_one_of_both) {
    WhyDesk desk;
    const PlanWhy why = desk.why({{"A"}, {"B"}, {"C"}, {"H"}, {"Y"}}, "A", "B");
    ASSERT_EQ(why.kind, Kind::Union);
    EXPECT_DOUBLE_EQ(why.seconds, desk.seconds({"A"}) + desk.seconds({"B"}));
    EXPECT_DOUBLE_EQ(why.other_seconds, desk.seconds({"A", "B"}));
    EXPECT_EQ(why.others, std::vector<plan::FusionGroup>{desk.kernel({"A", "B"})});
    EXPECT_LT(why.other_bytes, why.bytes) << "A is neither written nor read";
}

TEST(PlanWhyOf, a_kernel_between_them_closes_a_cycle) {
    WhyDesk desk;
    const PlanWhy why = desk.why({{"A"}, {"B"}, {"C"}, {"H"}, {"Y"}}, "A", "H");
    ASSERT_EQ(why.kind, Kind::Cycle);
    EXPECT_EQ(why.node_between, desk.node("B"));
}

// No path leads from A by C to H, but the kernel of B and C stands between them all the same.
TEST(PlanWhyOf, a_cycle_may_lead_through_operators_that_do_not_read_each_other) {
    WhyDesk desk;
    plan::Plan plan;
    plan.kernels = {desk.kernel({"A"}), desk.kernel({"B", "C"}), desk.kernel({"H", "Y"})};
    const PlanWhy why = why_of(desk.costs, plan, desk.node("A"), desk.node("Y"));
    ASSERT_EQ(why.kind, Kind::Cycle);
    EXPECT_EQ(why.node_between, desk.node("B"));
}

TEST(PlanWhyOf, kernels_that_read_nothing_of_each_other_are_none_together) {
    WhyDesk desk;
    const PlanWhy why = desk.why({{"A"}, {"B"}, {"C"}, {"H"}, {"Y"}}, "A", "C");
    ASSERT_EQ(why.kind, Kind::NothingShared);
    ASSERT_GE(why.both_read, 0);
    EXPECT_EQ(desk.costs.whole().ops[static_cast<std::size_t>(why.both_read)].name, "X");
    const PlanWhy without = desk.why({{"A", "B"}, {"C"}, {"H"}, {"Y"}}, "C", "Y");
    EXPECT_EQ(without.kind, Kind::Cycle);
}

// Of programs of more than a few operators, kernels of many are not looked at.
TEST(PlanWhyOf, what_cannot_be_built_says_why) {
    constexpr int kOperators = 26;
    std::string text = "dim M = 64 / 64\ninput X0[M, M] : f32\n";
    for (int i = 1; i < kOperators; ++i)
        text += "X" + std::to_string(i) + " = exp(X" + std::to_string(i - 1) + ")\n";
    GroupCosts costs(parse_program(text + "output Y = exp(X25)\n", "chain.bp").value(),
                     *find_device(builtin_devices(), "h100-sxm5"));
    ASSERT_EQ(costs.graph().nodes(), kOperators);
    plan::FusionGroup all, first, second;
    for (int node = 0; node < kOperators; ++node) {
        all.push_back(node);
        (node < kOperators / 2 ? first : second).push_back(node);
    }
    plan::Plan halves, whole;
    halves.kernels = {first, second};
    whole.kernels = {all};
    const PlanWhy apart = why_of(costs, halves, 12, 13);
    EXPECT_EQ(apart.kind, Kind::NoUnion);
    EXPECT_THAT(apart.why_not.str(), testing::HasSubstr("more than 12 operators"));
    EXPECT_EQ(apart.other_seconds, plan::kNever);
    const PlanWhy together = why_of(costs, whole, 12, 13);
    EXPECT_EQ(together.kind, Kind::NoSplit);
    EXPECT_THAT(together.why_not.str(), testing::HasSubstr("more than 12 operators"));
    EXPECT_TRUE(together.others.empty());
}

}  // namespace
}  // namespace blockscope::worker
