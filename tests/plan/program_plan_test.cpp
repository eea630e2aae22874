// Plans of programs on devices: what kernels cost, and what the ways make of it.
#include "app/worker/program_plan.h"

#include <gmock/gmock.h>

#include <cmath>

#include "app/worker/plan_run.h"
#include "core/json/device_files.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using worker::KernelCosts;
using worker::ProgramWay;

Device device(const std::string& name) {
    for (const EmbeddedDevice& embedded : embedded_devices())
        if (embedded.name == name) return read_device(embedded.text, name).value();
    throw std::runtime_error("no device " + name);
}

const plan::Plan& way(const std::vector<ProgramWay>& ways, const std::string& name) {
    for (const ProgramWay& one : ways)
        if (one.name == name) return one.plan;
    throw std::runtime_error("no way " + name);
}

std::vector<int> sorted_nodes(const plan::Plan& plan) {
    std::vector<int> nodes;
    for (const plan::Kernel& kernel : plan.kernels) nodes.insert(nodes.end(), kernel.begin(), kernel.end());
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

struct Case {
    const char* sample;
    const char* device;
};

class Plans : public testing::TestWithParam<Case> {};

// Of each of its kernels the plan has the cost, no way is better than the exact one, and the bound that the
// search leaves candidates out by is one.
TEST_P(Plans, AreNoWorseThanAnyOtherWay) {
    KernelCosts costs(read_sample(GetParam().sample), device(GetParam().device));
    const std::vector<ProgramWay> ways = worker::program_ways(costs);
    const plan::Plan& exact = way(ways, "exact");
    EXPECT_TRUE(exact.optimal);
    for (const ProgramWay& one : ways) {
        EXPECT_LE(exact.value, one.plan.value * (1 + 1e-9)) << one.name;
        EXPECT_EQ(sorted_nodes(one.plan).size(), costs.graph().op.size()) << one.name;
        double sum = 0;
        for (const plan::Kernel& kernel : one.plan.kernels) {
            sum += costs.of(kernel, one.states).seconds;
            EXPECT_TRUE(plan::is_candidate(costs.graph(), kernel)) << one.name;
        }
        EXPECT_DOUBLE_EQ(sum, one.plan.value) << one.name;
    }
    EXPECT_EQ(way(ways, "one").kernels.size(), 1U);
    EXPECT_EQ(way(ways, "each").kernels.size(), costs.graph().op.size());
    const plan::Problem problem = costs.problem();
    for (const plan::Kernel& kernel : plan::all_candidates(costs.graph(), 100, 100'000).kernels) {
        EXPECT_LE(problem.bound(kernel), costs.of(kernel).seconds) << costs.of(kernel).why_not.str();
        EXPECT_LE(problem.least(kernel), problem.bound(kernel));
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, Plans,
                         testing::Values(Case{"attention", "h100-sxm5"}, Case{"gated-mlp", "a100-sxm-80gb"},
                                         Case{"layernorm-matmul", "epyc-9755"},
                                         Case{"causal-attention", "rtx-4090"}, Case{"lora", "xeon-8480"}),
                         [](const auto& tested) {
                             return test_name(std::string(tested.param.sample) + "_on_" +
                                              tested.param.device);
                         });

// The paper's own example of a fusion too far: RMSNorm is not computed again for every block of the products.
TEST(PlansOnCards, KeepTheNormOfASwiGluApart) {
    KernelCosts costs(read_sample("rmsnorm-swiglu"), device("h100-sxm5"));
    const std::vector<ProgramWay> ways = worker::program_ways(costs);
    EXPECT_THAT(way(ways, "exact").kernels,
                ElementsAre(ElementsAre(0), ElementsAre(1, 2, 3, 4), ElementsAre(5)));
    EXPECT_LT(way(ways, "exact").value * 1.2, way(ways, "one").value);
}

TEST(KernelCostsOf, RepeatedLayersAreFoundOnce) {
    std::string text = "dim M = 1024 / 128\ndim D = 512 / 128\ninput X0[M, D]\n";
    for (int layer = 0; layer < 3; ++layer) {
        const std::string from = std::to_string(layer), to = std::to_string(layer + 1);
        text += "input W" + from + "[D, D]\n" + (layer == 2 ? "output " : "") + "X" + to + " = relu(X" +
                from + " @ W" + from + ")\n";
    }
    KernelCosts costs(parse_program(text, "p.bp").value(), device("a100-sxm-80gb"));
    costs.search_all();
    EXPECT_EQ(costs.graph().nodes(), 6);
    EXPECT_EQ(costs.candidates(), 21U) << "of a chain of 6";
    // Of 1 to 6 operators, beginning with a product or a relu.
    EXPECT_EQ(costs.searched(), 2U * 5 + 1);
    EXPECT_EQ(&costs.of({0, 1}), &costs.of({2, 3}));
    EXPECT_NE(&costs.of({0, 1}), &costs.of({1, 2}));
}

TEST(KernelCostsOf, KernelsAreTheirProgramsAtTheirBlockSizes) {
    KernelCosts costs(read_sample("gated-mlp"), device("h100-sxm5"));
    const plan::Kernel kernel{0, 1, 2, 3};
    const worker::KernelCost before = costs.of(kernel);
    EXPECT_TRUE(costs.refine(kernel));
    EXPECT_FALSE(costs.refine(kernel)) << "only once";
    EXPECT_LE(costs.of(kernel).seconds, before.seconds);
    const ArrayProgram program = costs.program(kernel);
    ASSERT_EQ(costs.of(kernel).blocks.size(), program.dims.size());
    for (std::size_t d = 0; d < program.dims.size(); ++d)
        EXPECT_EQ(program.dims[d].block, costs.of(kernel).blocks[d]);
    EXPECT_GE(costs.of(kernel).bytes, plan::least_bytes(costs.graph(), kernel));
}

TEST(KernelCostsOf, KernelsOfLargeProgramsAreSmall) {
    std::string text = "dim M = 64 / 32\ninput X0[M, M]\n";
    for (int i = 0; i < 30; ++i)
        text += (i == 29 ? "output X" : "X") + std::to_string(i + 1) + " = X" + std::to_string(i) + " @ X0\n";
    KernelCosts costs(parse_program(text, "p.bp").value(), device("h100-sxm5"));
    plan::Kernel all;
    for (int node = 0; node < 30; ++node) all.push_back(node);
    EXPECT_EQ(costs.of(all).seconds, plan::kNever);
    EXPECT_THAT(costs.of(all).why_not.str(), HasSubstr("more than 12 operators"));
}

const char* const kSmallMlp =
    "dim M = 96 / 32\ndim D = 64 / 32\ndim F = 128 / 32\n"
    "input X[M, D], W1[D, F], W2[D, F], V[F, D] : f32\n"
    "N = rmsnorm(X)\nH = silu(N @ W1) * (N @ W2)\noutput Y = X + H @ V\noutput S = row_sum(H)\n";

// All kernels of plans are measured in the end, each once, and the exact way is the best by that.
TEST(PlanRuns, KernelsAreMeasuredUntilNoneIsNew) {
    KernelCosts costs(parse_program(kSmallMlp, "p.bp").value(), device("epyc-9755"));
    int measured = 0;
    const auto ways =
        worker::program_ways(costs, {}, {}, [&](const plan::Kernel& kernel, worker::KernelState which) {
            const bool news = worker::measure_kernel(costs, kernel, 3, which);
            EXPECT_FALSE(worker::measure_kernel(costs, kernel, 3, which)) << "it is known";
            measured += news;
            return news;
        });
    EXPECT_GT(measured, 3);
    for (const ProgramWay& one : ways)
        for (const plan::Kernel& kernel : one.plan.kernels) {
            EXPECT_TRUE(costs.is_measured(kernel, one.states));
            EXPECT_NE(costs.of(kernel, one.states).seconds, costs.of(kernel, one.states).predicted);
        }
    for (const ProgramWay& one : ways) EXPECT_LE(ways.front().plan.value, one.plan.value * (1 + 1e-9));
}

TEST(PlanRuns, AllPlansOfAProgramComputeTheSame) {
    KernelCosts costs(parse_program(kSmallMlp, "p.bp").value(), device("epyc-9755"));
    std::vector<ProgramWay> ways = worker::program_ways(costs);
    ways.emplace_back();
    const std::vector<worker::MeasuredPlan> measured = worker::race_plans(costs, ways, 3);
    ASSERT_EQ(measured.size(), ways.size());
    for (std::size_t i = 0; i + 1 < ways.size(); ++i) {
        EXPECT_EQ(measured[i].problem, "");
        EXPECT_EQ(measured[i].seconds.size(), 3U);
        EXPECT_EQ(measured[i].kernel_seconds.size(), ways[i].plan.kernels.size());
        EXPECT_LT(measured[i].difference, 1e-5);
    }
    EXPECT_NE(measured.back().problem, "") << "a plan without kernels";
    EXPECT_THAT(measured.back().seconds, testing::IsEmpty());
}

// The engine's results are those of the reference, kernel by kernel.
TEST(PlanRuns, ComputeWhatTheProgramComputes) {
    KernelCosts costs(parse_program(kSmallMlp, "p.bp").value(), device("epyc-9755"));
    const Tensors<double> inputs = random_doubles(costs.whole(), 7);
    const ProgramWay way = worker::program_ways(costs).front();
    const auto prepared = worker::PreparedPlan::prepare(costs, way, inputs);
    ASSERT_TRUE(prepared);
    for (const auto& [name, expected] : evaluate(costs.whole(), inputs)) {
        const Tensor<double>& found = prepared->results().at(name);
        ASSERT_EQ(found.shape, expected.shape) << name;
        for (std::size_t i = 0; i < expected.data.size(); ++i)
            ASSERT_NEAR(found.data[i], expected.data[i], 1e-4 * (1 + std::abs(expected.data[i]))) << name;
    }
}

// Stopped half way there is a plan of what was known then, no better than the best.
TEST(KernelCostsOf, AStoppedSearchHasAPlanSoFar) {
    bool up = false;
    const StopSign stop([&up] { return up; });
    KernelCosts costs(read_sample("gated-mlp"), device("h100-sxm5"), stop);
    EXPECT_TRUE(costs.best_so_far().kernels.empty());
    EXPECT_THROW(costs.search_all([&](std::size_t done, std::size_t of) {
        const plan::Plan now = costs.best_so_far();
        EXPECT_EQ(sorted_nodes(now).size(), costs.graph().op.size());
        up = done > of / 2;
    }),
                 Stopped);
    const std::size_t searched = costs.searched();
    const plan::Plan so_far = costs.best_so_far();
    EXPECT_EQ(costs.searched(), searched);
    EXPECT_EQ(sorted_nodes(so_far).size(), costs.graph().op.size());
    EXPECT_FALSE(so_far.optimal);
    EXPECT_THAT(so_far.bounded, HasSubstr("stopped after " + std::to_string(searched) + " of 1"));
    EXPECT_LT(0, so_far.bound);
    EXPECT_LE(so_far.bound, so_far.value);
    up = false;
    EXPECT_GE(so_far.value, worker::program_ways(costs).front().plan.value);
}

TEST(KernelCostsOf, TheSearchStopsWhenItIsTold) {
    int asked = 0;
    const StopSign stop([&asked] { return ++asked > 20; });
    KernelCosts costs(read_sample("gated-mlp"), device("h100-sxm5"), stop);
    EXPECT_THROW(costs.search_all(), Stopped);
    EXPECT_LE(costs.searched(), 17U);
    asked = -1'000'000;
    EXPECT_LT(costs.of({0, 1}).seconds, plan::kNever) << "what was left is found later";
}

}  // namespace
}  // namespace blockscope::test
