// The MLSys 2026 graph scheduling contest: the numbers of its worked examples, every rule broken once, files
// that are none, and schedules of random graphs.
#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "core/plan/contest.h"
#include "tests/support/random.h"

namespace blockscope::test {
namespace {

using plan::ContestCost;
using plan::ContestPlan;
using plan::ContestProblem;
using plan::ContestSchedule;
using plan::ContestStep;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kNear = 1e-6;

struct Node {
    bool matmul = false;
    std::vector<int> inputs;
    int output = 0;
    double cost = 0;
};

ContestProblem problem(std::vector<plan::ContestTensor> tensors, const std::vector<Node>& nodes,
                       double capacity, double bandwidth = 10, std::int64_t native = 128) {
    ContestProblem made;
    made.tensors = std::move(tensors);
    made.capacity = capacity;
    made.bandwidth = bandwidth;
    made.native_width = made.native_height = native;
    made.maker.assign(made.tensors.size(), -1);
    made.readers.resize(made.tensors.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        made.operators.push_back({nodes[i].matmul, nodes[i].inputs, nodes[i].output, nodes[i].cost});
        made.maker[static_cast<std::size_t>(nodes[i].output)] = static_cast<int>(i);
        for (const int input : nodes[i].inputs)
            made.readers[static_cast<std::size_t>(input)].push_back(static_cast<int>(i));
    }
    return made;
}

std::vector<plan::ContestTensor> squares(std::size_t count, std::int64_t side = 128) {
    return std::vector<plan::ContestTensor>(count, {side, side});
}

// Two pointwise operators in a row.
ContestProblem chain(std::int64_t side = 128, double capacity = 35'000) {
    return problem(squares(3, side), {{false, {0}, 1, 1000}, {false, {1}, 2, 100}}, capacity);
}

ContestProblem diamond() {
    return problem(squares(4), {{false, {0}, 1, 1500}, {false, {1}, 2, 1500}, {false, {1, 2}, 3, 1500}},
                   50'000);
}

ContestProblem product(double capacity = 25'000) {
    return problem(squares(3), {{true, {0, 1}, 2, 1500}}, capacity);
}

ContestProblem two_products() {
    return problem(squares(5), {{true, {0, 1}, 3, 2000}, {true, {3, 2}, 4, 2000}}, 45'000);
}

std::vector<std::string> sentences(const ContestCost& cost) {
    std::vector<std::string> all;
    for (const auto& one : cost.violations) all.push_back(to_string(one));
    return all;
}

void expect_costs(const ContestProblem& problem, const ContestSchedule& schedule,
                  const std::vector<double>& steps) {
    const ContestCost cost = plan::contest_cost(problem, schedule);
    EXPECT_THAT(sentences(cost), IsEmpty());
    ASSERT_EQ(cost.steps.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_NEAR(cost.steps[i], steps[i], kNear) << i;
}

constexpr plan::Granularity kNative{128, 128, 1};

TEST(ContestExamples, BaselineIs6553AndFused3276Or4400) {
    expect_costs(chain(), {{{0}, kNative, {}}, {{1}, kNative, {}}}, {3276.8, 3276.8});
    expect_costs(chain(), {{{0, 1}, kNative, {}}}, {3276.8});
    expect_costs(chain(), {{{0, 1}, {64, 64, 1}, {}}}, {4400});
}

TEST(ContestExamples, LargerTensorsTakeFourTiles) {
    const ContestProblem large = chain(256, 25'000);
    expect_costs(large, {{{0}, kNative, {}}, {{1}, kNative, {}}}, {13107.2, 13107.2});
    expect_costs(large, {{{0, 1}, kNative, {}}}, {13107.2});
}

// The latencies of the example's first schedule are those that its text derives, 11,468.8 together.
TEST(ContestExamples, SpillingRecomputingAndRetaining) {
    expect_costs(diamond(), {{{0}, kNative, {}}, {{1}, kNative, {}}, {{2}, kNative, {}}},
                 {3276.8, 3276.8, 4915.2});
    expect_costs(diamond(), {{{0, 1}, kNative, {2}}, {{0, 2}, kNative, {}}}, {3000, 3276.8});
    expect_costs(diamond(), {{{0}, kNative, {1}}, {{1, 2}, kNative, {}}}, {1638.4, 3000});
}

TEST(ContestExamples, ASnakeKeepsStrips) {
    expect_costs(product(), {{{0}, {64, 64, 128}, {}}}, {8192});
    expect_costs(product(), {{{0}, {64, 64, 128}, {}, std::vector<int>{0, 1, 3, 2}}}, {6548});
    expect_costs(product(), {{{0}, {64, 64, 128}, {}, std::vector<int>{0, 1, 2, 3}}},
                 {2048 + 1500 + 2048 + 1500});
}

TEST(ContestExamples, SplittingTheReductionFits) {
    expect_costs(two_products(), {{{0, 1}, {128, 128, 32}, {}}}, {6915.2});
    EXPECT_THAT(sentences(contest_cost(two_products(), {{{0, 1}, {128, 128, 128}, {}}})),
                ElementsAre("step 1: the step needs 65536 elements of fast memory; there are 45000"));
    // The working set as the example has it: to the element.
    ContestProblem exact = two_products();
    exact.capacity = 40'960;
    expect_costs(exact, {{{0, 1}, {128, 128, 32}, {}}}, {6915.2});
    exact.capacity = 40'959;
    EXPECT_EQ(sentences(contest_cost(exact, {{{0, 1}, {128, 128, 32}, {}}})).size(), 1U);
}

// Operators alone on 512 x 512, as the contest's first benchmark has them. A tensor over the bus takes
// 13,107.2: two for a pointwise operator of one input, three for one of two, and seven for a product, whose
// best tiles are 256 x 128: one input twice, the other four times, the result once.
TEST(ContestExamples, OperatorsOfTheFirstBenchmarkTakeWhatTheirTilesMove) {
    const auto alone = [](const Node& node) {
        return plan::contest_plan(problem(squares(3, 512), {node}, 60'000, 20)).unfused_cost;
    };
    EXPECT_NEAR(alone({false, {0}, 1, 500}), 2 * 13'107.2, kNear);
    EXPECT_NEAR(alone({false, {0, 1}, 2, 500}), 3 * 13'107.2, kNear);
    EXPECT_NEAR(alone({true, {0, 1}, 2, 2000}), 7 * 13'107.2, kNear);
}

struct Broken {
    ContestProblem problem;
    ContestSchedule schedule;
    const char* sentence;
};

TEST(ContestRules, EachThatIsBrokenIsASentenceWithItsStep) {
    const ContestStep first{{0}, kNative, {}}, second{{1}, kNative, {}};
    const ContestProblem apart = problem(squares(4), {{false, {0}, 1, 1}, {false, {2}, 3, 1}}, 1e6);
    const ContestProblem unequal = problem({{128, 128}, {128, 128}, {64, 128}, {64, 128}},
                                           {{false, {0}, 1, 1}, {true, {0, 2}, 3, 1}}, 1e6);
    const ContestProblem mixed = problem(squares(4), {{true, {0, 1}, 2, 1}, {false, {0}, 3, 1}}, 1e6);
    const ContestProblem epilogue = problem(squares(4), {{true, {0, 1}, 2, 1}, {false, {2}, 3, 1}}, 1e6);
    const ContestProblem huge = problem(squares(3, 8192), {{false, {0, 1}, 2, 1}}, 1e9);
    const Broken all[] = {
        {chain(), {first, second, {{}, kNative, {}}}, "step 3: the step has no operators"},
        {chain(), {first, second, {{7}, kNative, {}}}, "step 3: there is no operator 7"},
        {chain(), {first, second, {{0, 0}, kNative, {}}}, "step 3: operator 0 stands twice in the step"},
        {chain(), {{{0}, kNative, {9}}, second}, "step 1: there is no tensor 9 to retain"},
        {chain(),
         {{{0}, kNative, {2}}, second},
         "step 1: tensor 2 cannot be retained: it is neither loaded nor a result of the step"},
        {chain(), {{{0}, kNative, {0, 0}}, second}, "step 1: tensor 0 is retained twice"},
        {chain(),
         {second, first},
         "step 1: tensor 1 is read and is in neither memory: it was not computed, or was discarded"},
        {chain(),
         {first, {{1}, kNative, {2}}},
         "tensor 2 is an output and is not in the slow memory at the end"},
        {chain(), {first}, "operator 1 is in no step"},
        {chain(),
         {first, {{1}, {100, 128, 1}, {}}},
         "step 2: tiles of 100 x 128 do not divide results of 128 x 128"},
        {chain(),
         {first, {{1}, kNative, {}, std::nullopt, 3000}},
         "step 2: the latency is given as 3000.0 and is 3276.8"},
        {chain(),
         {first, {{1}, {64, 128, 1}, {}, std::vector<int>{0, 0}}},
         "step 2: the traversal order does not have each of the 2 tiles once"},
        {product(),
         {{{0}, {128, 128, 128}, {}}},
         "step 1: the step needs 49152 elements of fast memory; there are 25000"},
        {product(),
         {{{0}, {64, 64, 48}, {}}},
         "step 1: slices of 48 do not divide the reduction of 128 of operator 0"},
        {apart,
         {{{0, 1}, kNative, {}}},
         "step 1: operator 1 has no tensor in common with the others of the step"},
        {unequal,
         {{{0, 1}, kNative, {}}},
         "step 1: its results 1 and 3 differ in size, and all tiles of a step lie on one grid"},
        {mixed,
         {{{0, 1}, {128, 128, 64}, {}}},
         "step 1: its results take different numbers of slices of 64 along the reduction"},
        {epilogue,
         {{{0, 1}, {128, 128, 64}, {}}},
         "step 1: operator 0 reduces over 128, which cannot be cut into slices of 64: a pointwise operator "
         "of "
         "the step reads its result"},
        {huge,
         {{{0}, {1, 1, 1}, {0}}},
         "step 1: the step has more slices than are followed here, 20 million"},
    };
    for (const Broken& one : all)
        EXPECT_THAT(sentences(contest_cost(one.problem, one.schedule)), ElementsAre(one.sentence));
}

// Step 1 retains tensor 1, which is then discarded after step 2.
TEST(ContestRules, WhatIsRetainedStaysForOneStep) {
    const ContestProblem three =
        problem(squares(4), {{false, {0}, 1, 1}, {false, {0}, 2, 1}, {false, {1, 2}, 3, 1}}, 1e6);
    EXPECT_THAT(sentences(contest_cost(three, {{{0}, kNative, {1}}, {{1}, kNative, {}}, {{2}, kNative, {}}})),
                ElementsAre(HasSubstr("step 3: tensor 1 is read and is in neither memory")));
    expect_costs(three, {{{0}, kNative, {0}}, {{1}, kNative, {}}, {{2}, kNative, {}}},
                 {3276.8, 1638.4, 4915.2});
}

// What stays is whole: 128 x 128 next to a tile of 64 x 64 in and one out, which share their place or not.
TEST(ContestRules, RetainedTensorsAreWholeInTheFastMemory) {
    ContestProblem tight = chain();
    const ContestSchedule schedule{{{0}, {64, 64, 1}, {1}}, {{1}, {64, 64, 1}, {}}};
    tight.capacity = 128 * 128 + 64 * 64;
    EXPECT_THAT(sentences(contest_cost(tight, schedule)), IsEmpty());
    tight.capacity = 128 * 128 + 64 * 64 - 1;
    EXPECT_THAT(sentences(contest_cost(tight, schedule)), ElementsAre(HasSubstr("step 2: the step needs")));
}

// A source that is to stay is loaded once. The other one, whose strip is the same for both tiles, is loaded
// for each unless an order is given.
TEST(ContestRules, OnlyWithAnOrderTilesFindWhatTheOneBeforeLoaded) {
    expect_costs(product(50'000), {{{0}, {128, 64, 128}, {0}}}, {2 * 3276.8});
    expect_costs(product(50'000), {{{0}, {128, 64, 128}, {0}, std::vector<int>{0, 1}}}, {3276.8 + 1638.4});
    expect_costs(product(50'000), {{{0}, {64, 128, 128}, {0}, std::vector<int>{0, 1}}},
                 {1638.4 + 819.2 + 819.2 + 1638.4});
}

constexpr const char* kChain =
    R"({"widths": [128,128,128], "heights": [128,128,128], "inputs": [[0],[1]], "outputs": [[1],[2]],
        "base_costs": [1000,100], "op_types": ["Pointwise","Pointwise"], "fast_memory_capacity": 35000,
        "slow_memory_bandwidth": 10, "native_granularity": [128,128]})";

std::string changed(const std::string& from, const std::string& to) {
    std::string text = kChain;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(ContestFiles, OfProblemsAreRead) {
    const auto read = plan::read_contest_problem(kChain, "p.json");
    ASSERT_TRUE(read);
    expect_costs(*read, {{{0, 1}, kNative, {}}}, {3276.8});
}

TEST(ContestFiles, OfProblemsThatAreWrongAreRefused) {
    const std::tuple<std::string, const char*, const char*> all[] = {
        {"{}", "", "widths"},
        {changed("[128,128,128], \"heights\"", "[128,128], \"heights\""), "/heights", "an array of 2"},
        {changed("[128,128,128]", "[0,128,128]"), "/widths/0", "0"},
        {changed("\"inputs\": [[0],[1]]", "\"inputs\": [[0],[5]]"), "/inputs/1/0", "5"},
        {changed("\"outputs\": [[1],[2]]", "\"outputs\": [[1]]"), "/outputs", "an array of 2"},
        {changed("\"inputs\": [[0],[1]]", "\"inputs\": [[0]]"), "/inputs", "an array of 2"},
        {changed("[1000,100]", "[1000,100,1]"), "/base_costs", "an array of 2"},
        {changed("\"outputs\": [[1],[2]]", "\"outputs\": [[1],[2,0]]"), "/outputs/1", "an array of 1"},
        {changed("\"outputs\": [[1],[2]]", "\"outputs\": [[1],[1]]"), "/outputs/1",
         "tensor 1 is computed by operator 0 already"},
        {changed("\"Pointwise\",", "\"Conv\","), "/op_types/0", "Conv"},
        {changed("\"Pointwise\",", "\"MatMul\","), "/inputs/0", "an array of 2"},
        {changed("[1000,100]", "[-1,100]"), "/base_costs/0", "-1"},
        {changed("35000", "0"), "/fast_memory_capacity", "0"},
        {changed("[128,128]}", "[128]}"), "/native_granularity", "an array of 2"},
        {changed("[128,128,128]", "[128,64,128]"), "/inputs/0",
         "tensor 0 differs in size from the result of a pointwise operator"},
        {changed("\"inputs\": [[0],[1]]", "\"inputs\": [[2],[1]]"), "/inputs",
         "operator 0 stands on a cycle, or after one"},
    };
    for (const auto& [text, place, sentence] : all) {
        const auto read = plan::read_contest_problem(text, "p.json");
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.problems().front().place.pointer, place) << text;
        EXPECT_THAT(read.problems().front().message.str(), HasSubstr(sentence)) << text;
    }
    std::string product = changed("\"inputs\": [[0],[1]]", "\"inputs\": [[0,0],[1]]");
    product.replace(product.find("\"Pointwise\""), 11, "\"MatMul\"");
    EXPECT_TRUE(plan::read_contest_problem(product, "p.json"));
    product.replace(product.find("[128,128,128]"), 13, "[64,128,128]");
    const auto read = plan::read_contest_problem(product, "p.json");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.problems().front().message.str(), "a product of 128 x 64 and 128 x 64 is not 128 x 128");
}

TEST(ContestFiles, OfSchedulesAreReadAndWritten) {
    const ContestSchedule schedule{{{0}, {64, 128, 2}, {1}, std::vector<int>{1, 0}, 12.5},
                                   {{1, 2}, {128, 64, 1}, {}, std::nullopt, 3.0}};
    const auto read = plan::read_contest_schedule(plan::contest_text(schedule), "s.json");
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ((*read)[i].operators, schedule[i].operators);
        EXPECT_EQ((*read)[i].granularity, schedule[i].granularity);
        EXPECT_EQ((*read)[i].retained, schedule[i].retained);
        EXPECT_EQ((*read)[i].order, schedule[i].order);
        EXPECT_EQ((*read)[i].claimed, schedule[i].claimed);
    }
    const std::pair<const char*, const char*> wrong[] = {
        {R"({"subgraphs": [[0]], "granularities": [[1,1,1]]})", ""},
        {R"({"subgraphs": [[0]], "granularities": [], "tensors_to_retain": [[]]})", "/granularities"},
        {R"({"subgraphs": [[0]], "granularities": [[1,1]], "tensors_to_retain": [[]]})", "/granularities/0"},
        {R"({"subgraphs": [[0]], "granularities": [[1,0,1]], "tensors_to_retain": [[]]})",
         "/granularities/0/1"},
        {R"({"subgraphs": [["a"]], "granularities": [[1,1,1]], "tensors_to_retain": [[]]})",
         "/subgraphs/0/0"},
    };
    for (const auto& [text, place] : wrong) {
        const auto none = plan::read_contest_schedule(text, "s.json");
        ASSERT_FALSE(none) << text;
        EXPECT_EQ(none.problems().front().place.pointer, place) << text;
    }
}

TEST(ContestPlans, FuseTheExamples) {
    EXPECT_NEAR(plan::contest_plan(chain()).cost, 3276.8, kNear);
    EXPECT_TRUE(plan::contest_plan(chain()).optimal);
    EXPECT_NEAR(plan::contest_plan(diamond()).cost, 4500, kNear) << "all three as one, compute bound";
    EXPECT_LE(plan::contest_plan(product()).cost, 6548 + kNear);
    EXPECT_LE(plan::contest_plan(two_products()).cost, 6915.2 + kNear);
}

// A product that has to be split, and a pointwise operator that cannot join it.
TEST(ContestPlans, RetainWhatTheNextStepReads) {
    const ContestProblem split = problem({{512, 128}, {128, 512}, {128, 128}, {128, 128}},
                                         {{true, {0, 1}, 2, 100}, {false, {2}, 3, 100}}, 45'000);
    const ContestPlan plan = plan::contest_plan(split);
    EXPECT_NEAR(plan.fused_cost - plan.cost, 2 * 1638.4, kNear);
    EXPECT_THAT(plan.schedule.front().retained, ElementsAre(2));
}

// Two readers whose results differ in size, so that they cannot be one step.
TEST(ContestPlans, ComputeAgainWhatIsCheap) {
    const ContestProblem cheap =
        problem({{128, 128}, {128, 128}, {128, 128}, {256, 128}, {256, 128}},
                {{false, {0}, 1, 1}, {false, {1}, 2, 1}, {true, {1, 3}, 4, 1}}, 40'000);
    const ContestPlan plan = plan::contest_plan(cheap);
    EXPECT_LT(plan.cost, plan.fused_cost);
    int times = 0;
    for (const ContestStep& step : plan.schedule)
        times += static_cast<int>(std::count(step.operators.begin(), step.operators.end(), 0));
    EXPECT_EQ(times, 2);
}

ContestProblem random_problem(Random& random) {
    const std::int64_t sides[] = {32, 64, 96, 128};
    const auto side = [&] { return sides[random.below(4)]; };
    std::vector<plan::ContestTensor> tensors{{side(), side()}};
    std::vector<Node> nodes;
    const auto count = 1 + random.below(6);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const auto from = static_cast<std::size_t>(random.below(static_cast<int>(tensors.size())));
        const plan::ContestTensor read = tensors[from];
        Node node{.matmul = random.below(2) == 1, .inputs = {static_cast<int>(from)}};
        plan::ContestTensor result = read;
        if (node.matmul) {
            result.width = side();
            node.inputs.push_back(static_cast<int>(tensors.size()));
            tensors.push_back({result.width, read.width});
        } else {
            for (std::size_t other = 0; other < tensors.size(); ++other)
                if (other != from && tensors[other].width == read.width &&
                    tensors[other].height == read.height && random.below(2) == 1)
                    node.inputs.push_back(static_cast<int>(other));
        }
        node.output = static_cast<int>(tensors.size());
        node.cost = random.below(2000);
        tensors.push_back(result);
        nodes.push_back(node);
    }
    return problem(tensors, nodes, 2'000 + random.below(50'000), 1 + random.below(20),
                   random.below(2) ? 64 : 32);
}

TEST(ContestPlans, KeepTheRulesAndAreNeverWorseThanUnfused) {
    int better = 0;
    for (unsigned seed = 0; seed < 25; ++seed) {
        Random random(seed);
        const ContestProblem asked = random_problem(random);
        const ContestPlan plan = plan::contest_plan(asked);
        ASSERT_FALSE(plan.unfused.empty()) << seed;
        for (const auto& [schedule, cost] :
             {std::pair(plan.unfused, plan.unfused_cost), std::pair(plan.fused, plan.fused_cost),
              std::pair(plan.schedule, plan.cost)}) {
            const ContestCost found = contest_cost(asked, schedule);
            EXPECT_THAT(sentences(found), IsEmpty()) << seed;
            EXPECT_EQ(found.total(), cost) << seed;
        }
        EXPECT_LE(plan.cost, plan.fused_cost) << seed;
        EXPECT_LE(plan.fused_cost, plan.unfused_cost) << seed;
        if (plan.cost < plan.unfused_cost) ++better;
    }
    EXPECT_GT(better, 12);
}

TEST(ContestPlans, AreEmptyWhereAnOperatorDoesNotFit) {
    const ContestPlan plan = plan::contest_plan(product(2));
    EXPECT_THAT(plan.unfused, IsEmpty());
    EXPECT_THAT(plan.schedule, IsEmpty());
    EXPECT_EQ(plan.cost, plan::kNever);
}

}  // namespace
}  // namespace blockscope::test
