// Plans of programs on devices: what kernels cost, and what the ways make of it.
#include "app/worker/program_plan.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/worker/plan_run.h"
#include "app/worker/plan_why.h"
#include "app/worker/program_benefit.h"
#include "core/fusion/trace.h"
#include "core/json/device_files.h"
#include "core/program/convert.h"
#include "tests/plan/any_plan.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using worker::GroupCosts;
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
    for (const plan::FusionGroup& kernel : plan.kernels)
        nodes.insert(nodes.end(), kernel.begin(), kernel.end());
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
    GroupCosts costs(read_sample(GetParam().sample), device(GetParam().device));
    const std::vector<ProgramWay> ways = worker::program_ways(costs);
    const plan::Plan& exact = way(ways, "exact");
    EXPECT_TRUE(exact.optimal);
    for (const ProgramWay& one : ways) {
        EXPECT_LE(exact.value, one.plan.value * (1 + 1e-9)) << one.name;
        EXPECT_EQ(sorted_nodes(one.plan).size(), costs.graph().op.size()) << one.name;
        double sum = 0;
        for (const plan::FusionGroup& kernel : one.plan.kernels) {
            sum += costs.of(kernel, one.states).seconds;
            EXPECT_TRUE(plan::is_candidate(costs.graph(), kernel)) << one.name;
        }
        EXPECT_DOUBLE_EQ(sum, one.plan.value) << one.name;
    }
    EXPECT_EQ(way(ways, "one").kernels.size(), 1U);
    for (const char* joining : {"edges", "fewest"})
        for (const plan::FusionGroup& kernel : way(ways, joining).kernels)
            EXPECT_TRUE(kernel.size() == 1 || costs.of(kernel).launches == 1) << joining;
    const plan::FusionGroup all = way(ways, "one").kernels.front();
    const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(costs.whole()).program));
    EXPECT_EQ(costs.of(all, worker::GroupState::Last).step, static_cast<int>(trace.steps.size()));
    EXPECT_LE(costs.of(all).seconds, way(ways, "one").value * (1 + 1e-9));
    EXPECT_EQ(way(ways, "each").kernels.size(), costs.graph().op.size());
    const plan::Problem problem = costs.problem();
    for (const plan::FusionGroup& kernel : plan::all_candidates(costs.graph(), 100, 100'000).kernels) {
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

// The paper's own example of a fusion too far: norm and gate are not computed again for every block of the
// last product. The first two products take the norm along, since they read its rows anyway.
TEST(PlansOnCards, KeepTheLastProductOfASwiGluApart) {
    GroupCosts costs(read_sample("rmsnorm-swiglu"), device("h100-sxm5"));
    const std::vector<ProgramWay> ways = worker::program_ways(costs);
    EXPECT_THAT(way(ways, "exact").kernels, ElementsAre(ElementsAre(0, 1, 2, 3, 4), ElementsAre(5)));
    EXPECT_LT(way(ways, "exact").value * 1.2, way(ways, "one").value);
}

// Sums over two dimensions are two launches in every state: no way that joins what it can calls that a
// kernel.
TEST(PlansOnCards, JoinNothingThatIsSeveralLaunches) {
    GroupCosts costs(parse_program("dim M = 128 / 32\nbatch B = 8\ngroup C = 8\ninput X[B, C, M, M]\n"
                                   "Y = sum(X, C)\noutput Z = sum(Y, B)\n",
                                   "p.bp")
                         .value(),
                     device("h100-sxm5"));
    const std::vector<ProgramWay> ways = worker::program_ways(costs);
    const plan::FusionGroup all{0, 1};
    ASSERT_EQ(costs.of(all).launches, 2);
    ASSERT_LT(costs.of(all).seconds, plan::kNever);
    EXPECT_FALSE(costs.problem().can_fuse(all));
    EXPECT_EQ(way(ways, "exact").kernels.size(), 2U) << "which takes as long";
    EXPECT_EQ(way(ways, "edges").kernels.size(), 2U);
    EXPECT_EQ(way(ways, "fewest").kernels.size(), 2U);
    for (const ProgramWay& one : ways) EXPECT_EQ(worker::sums_of(costs, one).launches, 2) << one.name;
}

// ---- What cannot be built.

// A card that has little shared memory.
Device with_shared_memory(double bytes) {
    Device small = device("h100-sxm5");
    for (MemoryLevel& level : small.memory)
        if (level.role == LevelRole::Shared) level.capacity.value = level.block_capacity.value = bytes;
    return small;
}

TEST(PlansOnCards, LeaveOutWhatDoesNotFit) {
    // The row of H that both products share lies in local memory: as long as F, which has one block.
    const char* const text =
        "dim M = 1024 / 16\ndim D = 64 / 16\ndim F = 96 / 96\ninput X[M, D], W[D, F], V[F, D] : bf16\n"
        "H = relu(X @ W)\noutput Y = softmax(H) @ V\n";
    GroupCosts costs(parse_program(text, "p.bp").value(), with_shared_memory(1'100));
    std::vector<plan::FusionGroup> none;
    for (const plan::FusionGroup& kernel : plan::all_candidates(costs.graph(), 10, 1'000).kernels) {
        const worker::GroupCost& cost = costs.of(kernel);
        if (cost.seconds < plan::kNever) continue;
        none.push_back(kernel);
        EXPECT_THAT(cost.why_not.str(), HasSubstr("of shared memory, of which there are 1.10 kB"));
    }
    EXPECT_FALSE(none.empty());
    const std::vector<ProgramWay> ways = worker::program_ways(costs);
    for (const ProgramWay& one : ways)
        for (const plan::FusionGroup& kernel : one.plan.kernels)
            EXPECT_EQ(std::count(none.begin(), none.end(), kernel), 0) << one.name;
}

// The neighbours of what was found, too, which are tried without being ranked.
TEST(PlansOnProcessors, KernelsOfSeveralOperatorsFitTheCache) {
    Device small = device("epyc-9755");
    const double room = 100'000;
    for (MemoryLevel& level : small.memory)
        if (level.name == local_level(small)->name) level.capacity.value = room;
    GroupCosts costs(read_sample("layernorm-matmul"), small);
    std::size_t several = 0;
    for (const ProgramWay& one : worker::program_ways(costs))
        for (const plan::FusionGroup& kernel : one.plan.kernels) {
            if (kernel.size() == 1) continue;
            ++several;
            EXPECT_LE(costs.of(kernel, one.states).local_bytes, room) << one.name;
        }
    EXPECT_GT(several, 0U);
}

TEST(PlansOnCards, SayWhatDoesNotFitWhereThereIsNone) {
    GroupCosts costs(read_sample("attention"), with_shared_memory(100));
    const ProgramWay exact = worker::program_ways(costs).front();
    EXPECT_EQ(exact.plan.value, plan::kNever);
    EXPECT_EQ(exact.not_built.size(), 1U);
    EXPECT_THAT(exact.why_not.str(), HasSubstr("of shared memory, of which there are 100 B"));
}

TEST(PlansOnCards, LeaveUnknownOperatorsAlone) {
    for (const char* name : {"h100-sxm5", "epyc-9755"}) {
        GroupCosts costs(parse_program("dim M = 128 / 32\ninput X[M, M], W[M, M]\nH = relu(X @ W)\n"
                                       "Z = custom(\"mystery\", H)\noutput Y = exp(Z)\n",
                                       "p.bp")
                             .value(),
                         device(name));
        EXPECT_THAT(costs.of({1, 2}).why_not.str(), HasSubstr("nobody knows what mystery computes"));
        for (const ProgramWay& one : worker::program_ways(costs)) {
            if (one.name == "one") {
                EXPECT_EQ(one.plan.value, plan::kNever);
                EXPECT_THAT(one.why_not.str(), HasSubstr("mystery"));
                continue;
            }
            EXPECT_EQ(sorted_nodes(one.plan).size(), 4U) << one.name;
            EXPECT_EQ(std::count(one.plan.kernels.begin(), one.plan.kernels.end(), plan::FusionGroup{2}), 1)
                << one.name;
        }
    }
}

// ---- One figure for one kernel.

TEST(KernelCostsOf, WhyAndBenefitTellThePlansFigures) {
    GroupCosts looked(read_sample("causal-attention"), device("h100-sxm5"));
    GroupCosts refined(read_sample("causal-attention"), device("h100-sxm5"));
    plan::FusionGroup all(static_cast<std::size_t>(looked.graph().nodes()));
    std::iota(all.begin(), all.end(), 0);
    refined.refine(all);
    EXPECT_DOUBLE_EQ(worker::benefit_of(looked, all).together, refined.of(all).seconds);
    plan::Plan plan;
    plan.kernels = {all};
    EXPECT_DOUBLE_EQ(worker::why_of(looked, plan, all.front(), all.back()).seconds, refined.of(all).seconds);
}

// Two that the exact plan makes one kernel have room as one kernel.
TEST(KernelCostsOf, RuleFiveAgreesWithThePlan) {
    GroupCosts costs(read_sample("gated-mlp"), device("h100-sxm5"));
    const plan::NamedGraph graph = worker::named_graph(costs);
    const plan::LegalityOptions options = worker::legality_on(costs);
    int asked = 0;
    for (int a = 0; a < costs.graph().nodes(); ++a)
        for (const int b : costs.graph().after[static_cast<std::size_t>(a)]) {
            const bool fits = costs.of({a, b}).seconds < plan::kNever;
            const auto violated = plan::violated_rules(graph, a, b, options);
            const bool said = std::any_of(violated.begin(), violated.end(),
                                          [](const plan::Verdict& one) { return one.rule == 5; });
            if (!plan::is_candidate(costs.graph(), {a, b})) continue;
            EXPECT_NE(fits, said);
            ++asked;
        }
    EXPECT_GT(asked, 2);
}

TEST(KernelCostsOf, RepeatedLayersAreFoundOnce) {
    std::string text = "dim M = 1024 / 128\ndim D = 512 / 128\ninput X0[M, D]\n";
    for (int layer = 0; layer < 3; ++layer) {
        const std::string from = std::to_string(layer), to = std::to_string(layer + 1);
        text += "input W" + from + "[D, D]\n" + (layer == 2 ? "output " : "") + "X" + to + " = relu(X" +
                from + " @ W" + from + ")\n";
    }
    GroupCosts costs(parse_program(text, "p.bp").value(), device("a100-sxm-80gb"));
    costs.search_all();
    EXPECT_EQ(costs.graph().nodes(), 6);
    EXPECT_EQ(costs.candidates(), 21U) << "of a chain of 6";
    // Of 1 to 6 operators, beginning with a product or a relu.
    EXPECT_EQ(costs.searched(), 2U * 5 + 1);
    EXPECT_EQ(&costs.of({0, 1}), &costs.of({2, 3}));
    EXPECT_NE(&costs.of({0, 1}), &costs.of({1, 2}));
}

TEST(KernelCostsOf, KernelsAreTheirProgramsAtTheirBlockSizes) {
    GroupCosts costs(read_sample("gated-mlp"), device("h100-sxm5"));
    const plan::FusionGroup kernel{0, 1, 2, 3};
    const worker::GroupCost before = costs.of(kernel);
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
    GroupCosts costs(parse_program(text, "p.bp").value(), device("h100-sxm5"));
    plan::FusionGroup all;
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
    GroupCosts costs(parse_program(kSmallMlp, "p.bp").value(), device("epyc-9755"));
    int measured = 0;
    const auto ways =
        worker::program_ways(costs, {}, {}, [&](const plan::FusionGroup& kernel, worker::GroupState which) {
            const bool news = worker::measure_kernel(costs, kernel, 3, which);
            EXPECT_FALSE(worker::measure_kernel(costs, kernel, 3, which)) << "it is known";
            measured += news;
            return news;
        });
    EXPECT_GT(measured, 3);
    for (const ProgramWay& one : ways)
        for (const plan::FusionGroup& kernel : one.plan.kernels) {
            EXPECT_TRUE(costs.is_measured(kernel, one.states));
            EXPECT_NE(costs.of(kernel, one.states).seconds, costs.of(kernel, one.states).predicted);
        }
    for (const ProgramWay& one : ways) EXPECT_LE(ways.front().plan.value, one.plan.value * (1 + 1e-9));
}

// An array may have two names, and an input may be returned: the reference knows both.
TEST(PlanRuns, OutputsAreFoundByWhatMakesThem) {
    const char* const program =
        "dim M = 64 / 32\ninput X[M, M] : f32\nS = X @ X\noutput A = S\noutput B = S\noutput Y = X\n";
    GroupCosts costs(parse_program(program, "p.bp").value(), device("epyc-9755"));
    const std::vector<ProgramWay> ways = worker::program_ways(costs);
    const std::vector<worker::MeasuredPlan> measured = worker::race_plans(costs, {ways.front()}, 1);
    ASSERT_EQ(measured.front().problem, "");
    ASSERT_TRUE(measured.front().from_reference);
    EXPECT_LT(*measured.front().from_reference, 1e-5);
}

// Of a large program some rows of every block that a kernel has.
TEST(PlanRuns, LargeProgramsAreCheckedByRows) {
    const char* const program =
        "dim M = 65536 / 4096\ndim D = 1024 / 256\ninput X[M, D], W[D, D] : f32\noutput Y = X @ W\n";
    GroupCosts costs(parse_program(program, "p.bp").value(), device("epyc-9755"));
    const std::vector<ProgramWay> ways = worker::program_ways(costs);
    const std::vector<worker::MeasuredPlan> measured = worker::race_plans(costs, {ways.front()}, 1);
    ASSERT_EQ(measured.front().problem, "");
    ASSERT_TRUE(measured.front().from_reference) << measured.front().checked;
    EXPECT_LT(*measured.front().from_reference, 1e-4);
    EXPECT_THAT(measured.front().checked, testing::HasSubstr("of 65536 rows along M"));
    const std::int64_t block = costs.program(ways.front().plan.kernels.front()).dims[0].block;
    EXPECT_LT(block, 4096);
    EXPECT_GE(std::stoll(measured.front().checked), 65536 / block) << "a row of every block at least";
}

TEST(PlanRuns, AllPlansOfAProgramComputeTheSame) {
    GroupCosts costs(parse_program(kSmallMlp, "p.bp").value(), device("epyc-9755"));
    std::vector<ProgramWay> ways = worker::program_ways(costs);
    ways.emplace_back();
    const std::vector<worker::MeasuredPlan> measured = worker::race_plans(costs, ways, 3);
    ASSERT_EQ(measured.size(), ways.size());
    for (std::size_t i = 0; i + 1 < ways.size(); ++i) {
        EXPECT_EQ(measured[i].problem, "");
        EXPECT_EQ(measured[i].seconds.size(), 3U);
        EXPECT_EQ(measured[i].kernel_seconds.size(), ways[i].plan.kernels.size());
        EXPECT_LT(measured[i].difference, 1e-5);
        ASSERT_TRUE(measured[i].from_reference);
        EXPECT_LT(*measured[i].from_reference, 1e-4);
        EXPECT_THAT(measured[i].checked, testing::StartsWith("all "));
    }
    EXPECT_NE(measured.back().problem, "") << "a plan without kernels";
    EXPECT_THAT(measured.back().seconds, testing::IsEmpty());
}

// The engine's results of a plan, all its kernels in turn, are those of the reference.
void expect_computed(GroupCosts& costs, const ProgramWay& way) {
    const Tensors<double> inputs = random_doubles(costs.whole(), 7);
    worker::PreparedKernels known;
    const auto prepared = worker::PreparedPlan::prepare(costs, way, inputs, known);
    ASSERT_TRUE(prepared) << to_string(prepared.problems().front());
    for (const auto& [name, expected] : evaluate(costs.whole(), inputs)) {
        const Tensor<double>& found = prepared->results().at(name);
        ASSERT_EQ(found.shape, expected.shape) << name;
        for (std::size_t i = 0; i < expected.data.size(); ++i)
            ASSERT_NEAR(found.data[i], expected.data[i], 1e-4 * (1 + std::abs(expected.data[i]))) << name;
    }
}

TEST(PlanRuns, ComputeWhatTheProgramComputes) {
    GroupCosts costs(parse_program(kSmallMlp, "p.bp").value(), device("epyc-9755"));
    for (const ProgramWay& way : worker::program_ways(costs)) {
        SCOPED_TRACE(way.name);
        ASSERT_NO_FATAL_FAILURE(expect_computed(costs, way));
    }
}

class PlanRunsOf : public testing::TestWithParam<std::string> {};

// Of those with many operators some plan, since to search for the best takes minutes under the sanitizers.
TEST_P(PlanRunsOf, ComputesWhatTheSampleComputes) {
    GroupCosts costs(with_few_blocks(read_sample(GetParam())), device("epyc-9755"));
    if (costs.graph().op.size() > 16) {
        return expect_computed(costs, {.name = "any", .plan = any_plan(costs.graph(), 1)});
    }
    for (const ProgramWay& way : worker::program_ways(costs)) {
        SCOPED_TRACE(way.name);
        ASSERT_NO_FATAL_FAILURE(expect_computed(costs, way));
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, PlanRunsOf, testing::ValuesIn(distinct_samples()),
                         [](const auto& tested) { return test_name(tested.param); });

// Stopped half way there is a plan of what was known then, no better than the best.
TEST(KernelCostsOf, AStoppedSearchHasAPlanSoFar) {
    bool up = false;
    const StopSign stop([&up] { return up; });
    GroupCosts costs(read_sample("gated-mlp"), device("h100-sxm5"), stop);
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

// Stopped half way all ways are there, of the kernels that were known then, and none is better than the
// exact.
TEST(ProgramWaysSoFar, AreAllThatThereAre) {
    bool up = false;
    const StopSign stop([&up] { return up; });
    GroupCosts costs(read_sample("gated-mlp"), device("h100-sxm5"), stop);
    for (int node = 0; node < static_cast<int>(costs.graph().op.size()); ++node) costs.of({node});
    up = true;  // what is known: each operator alone
    EXPECT_THROW(worker::program_ways(costs), Stopped);
    const std::size_t searched = costs.searched();
    const std::vector<ProgramWay> ways = worker::program_ways_so_far(costs);
    EXPECT_EQ(costs.searched(), searched);
    std::vector<std::string> names;
    for (const ProgramWay& way : ways) {
        names.push_back(way.name);
        EXPECT_TRUE(way.plan.stopped) << way.name;
        EXPECT_FALSE(way.plan.optimal) << way.name;
        EXPECT_THAT(way.plan.bounded, HasSubstr("stopped after ")) << way.name;
        EXPECT_LE(ways.front().plan.value, way.plan.value * (1 + 1e-12)) << way.name;
    }
    EXPECT_EQ(names, worker::program_way_names());
    EXPECT_EQ(sorted_nodes(ways.front().plan).size(), costs.graph().op.size());
    EXPECT_DOUBLE_EQ(ways.front().plan.value, costs.best_so_far().value);
}

// Told in the middle of deciding: what a way has by then is no plan of the program's ways.
TEST(ProgramWaysSoFar, TakeThePlaceOfThoseThatAreStoppedWhileTheyDecide) {
    bool searched = false;
    const StopSign stop([&searched] { return searched; });
    GroupCosts costs(parse_program(kSmallMlp, "p.bp").value(), device("epyc-9755"), stop);
    costs.search_all();
    searched = true;
    EXPECT_THROW(worker::program_ways(costs), Stopped);
    for (const ProgramWay& way : worker::program_ways_so_far(costs)) {
        if (way.name == "one") continue;  // its last state was not searched
        EXPECT_EQ(sorted_nodes(way.plan).size(), costs.graph().op.size()) << way.name;
    }
}

TEST(KernelCostsOf, TheSearchStopsWhenItIsTold) {
    int asked = 0;
    const StopSign stop([&asked] { return ++asked > 20; });
    GroupCosts costs(read_sample("gated-mlp"), device("h100-sxm5"), stop);
    EXPECT_THROW(costs.search_all(), Stopped);
    EXPECT_LE(costs.searched(), 17U);
    asked = -1'000'000;
    EXPECT_LT(costs.of({0, 1}).seconds, plan::kNever) << "what was left is found later";
}

}  // namespace
}  // namespace blockscope::test
