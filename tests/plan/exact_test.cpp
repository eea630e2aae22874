// The exact plan is the best of all partitions, and what a dynamic program without parts finds.
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>

#include "core/plan/branches.h"
#include "core/plan/decisions.h"
#include "tests/plan/random_graph.h"

namespace blockscope::test {
namespace {

using plan::FusionGroup;
using plan::PlainGraph;
using plan::Plan;

FusionGroup kernel_of(std::uint32_t mask) {
    FusionGroup kernel;
    for (; mask != 0; mask &= mask - 1) kernel.push_back(std::countr_zero(mask));
    return kernel;
}

// What every set of nodes costs as a kernel, kNever if it is no candidate.
std::vector<double> costs_of(const PlainGraph& graph) {
    std::vector<double> costs{plan::kNever};
    for (std::uint32_t mask = 1; mask < 1U << graph.nodes(); ++mask) {
        const FusionGroup kernel = kernel_of(mask);
        costs.push_back(plan::is_candidate(graph, kernel) ? plan::cost_of(graph, kernel) : plan::kNever);
    }
    return costs;
}

// Whether the kernels can be launched one after the other.
bool can_run(const PlainGraph& graph, std::vector<std::uint32_t> kernels) {
    std::uint32_t built = 0;
    while (!kernels.empty()) {
        const auto next = std::find_if(kernels.begin(), kernels.end(), [&](std::uint32_t kernel) {
            for (const int node : kernel_of(kernel))
                for (const int source : graph.before[static_cast<std::size_t>(node)])
                    if (((built | kernel) >> source & 1U) == 0) return false;
            return true;
        });
        if (next == kernels.end()) return false;
        built |= *next;
        kernels.erase(next);
    }
    return true;
}

// Over all partitions: the kernel of the lowest node that is in none, in every way.
double of_all_partitions(const PlainGraph& graph, const std::vector<double>& costs, std::uint32_t left,
                         std::vector<std::uint32_t>& kernels, double so_far, double best) {
    if (left == 0) return so_far < best && can_run(graph, kernels) ? so_far : best;
    const std::uint32_t lowest = left & (~left + 1), rest = left ^ lowest;
    for (std::uint32_t others = rest;; others = (others - 1) & rest) {
        const std::uint32_t kernel = lowest | others;
        if (so_far + costs[kernel] < best) {
            kernels.push_back(kernel);
            best = of_all_partitions(graph, costs, left ^ kernel, kernels, so_far + costs[kernel], best);
            kernels.pop_back();
        }
        if (others == 0) return best;
    }
}

// Over everything that can be built first, one set of nodes after the other.
double of_downsets(const PlainGraph& graph, const std::vector<double>& costs) {
    const std::uint32_t all = (1U << graph.nodes()) - 1;
    std::vector<std::uint32_t> needs;
    for (const auto& before : graph.before) {
        needs.push_back(0);
        for (const int source : before) needs.back() |= 1U << source;
    }
    const auto closed = [&](std::uint32_t built) {
        for (std::uint32_t nodes = built; nodes != 0; nodes &= nodes - 1)
            if ((needs[static_cast<std::size_t>(std::countr_zero(nodes))] & ~built) != 0) return false;
        return true;
    };
    std::vector<double> best(all + 1, plan::kNever);
    best[0] = 0;
    for (std::uint32_t built = 0; built < all; ++built) {
        if (best[built] == plan::kNever) continue;
        const std::uint32_t left = all ^ built;
        for (std::uint32_t kernel = left; kernel != 0; kernel = (kernel - 1) & left) {
            const double value = best[built] + costs[kernel];
            if (value < best[built | kernel] && closed(built | kernel)) best[built | kernel] = value;
        }
    }
    return best[all];
}

TEST(ExactPlans, AreTheBestOfAllPartitions) {
    int hopeless = 0, split = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Random random(seed);
        const PlainGraph graph = random_graph(random, 9);
        const Plan plan = plan::exact_plan(graph);
        ASSERT_NO_FATAL_FAILURE(expect_sound(graph, plan)) << seed;
        std::vector<std::uint32_t> kernels;
        const double best =
            of_all_partitions(graph, costs_of(graph), (1U << graph.nodes()) - 1, kernels, 0, plan::kNever);
        ASSERT_DOUBLE_EQ(plan.value, best) << seed;
        EXPECT_TRUE(plan.optimal);
        hopeless += best == plan::kNever;
        split += plan.kernels.size() > 1;
    }
    EXPECT_GT(hopeless, 5);
    EXPECT_GT(split, 500);
}

// That no kernel of it can be built is known of each kernel alone, as of programs on a device.
TEST(ExactPlans, AreNoneWhereAnOperatorCannotBeBuilt) {
    const PlainGraph graph =
        plan::read_plain_graph(R"({"n": 2, "edges": [[0,1]], "out_bytes": [1,1], "local": [4,12], "cap": 8})",
                               "g.json")
            .value();
    plan::Problem problem(graph);
    problem.too_large = [](const FusionGroup&) { return false; };
    problem.bound = [](const FusionGroup&) { return 0.0; };
    const Plan plan = plan::exact_plan(problem);
    EXPECT_EQ(plan.value, plan::kNever);
    EXPECT_TRUE(plan.kernels.empty());
}

// Some that a graph can obey, most of the time.
plan::Decisions random_decisions(Random& random, const PlainGraph& graph) {
    plan::Decisions made;
    const int all = graph.nodes() - 1;
    const std::vector<FusionGroup> candidates = plan::all_candidates(graph, 100, 100'000).kernels;
    for (int i = random.between(0, 2); i > 0; --i)
        made.kernels.push_back(
            candidates[static_cast<std::size_t>(random.between(0, static_cast<int>(candidates.size()) - 1))]);
    for (int i = random.between(0, 2); i > 0; --i)
        made.apart.emplace_back(random.between(0, all), random.between(0, all));
    return made;
}

bool obeys(const plan::Decisions& made, const FusionGroup& kernel) {
    const auto has = [&kernel](int node) { return std::binary_search(kernel.begin(), kernel.end(), node); };
    for (const FusionGroup& decided : made.kernels)
        if (kernel != decided && std::any_of(decided.begin(), decided.end(), has)) return false;
    return std::none_of(made.apart.begin(), made.apart.end(),
                        [&has](const auto& pair) { return has(pair.first) && has(pair.second); });
}

// Of all partitions that obey, and where there is none, that is said: decisions that contradict each other,
// or kernels that wait for each other.
TEST(DecidedPlans, AreTheBestOfAllPartitionsThatObey) {
    int refused = 0, dearer = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Random random(seed);
        PlainGraph graph = random_graph(random, 8);
        graph.cap = plan::kNever;
        const plan::Decisions made = random_decisions(random, graph);
        const std::vector<std::string> names(8, "a");
        std::vector<double> costs = costs_of(graph);
        for (std::uint32_t mask = 1; mask < costs.size(); ++mask)
            if (!obeys(made, kernel_of(mask))) costs[mask] = plan::kNever;
        std::vector<std::uint32_t> kernels;
        const double best =
            of_all_partitions(graph, costs, (1U << graph.nodes()) - 1, kernels, 0, plan::kNever);
        const bool twice = std::any_of(made.apart.begin(), made.apart.end(),
                                       [](const auto& pair) { return pair.first == pair.second; });
        const bool same = made.kernels.size() == 2 && made.kernels[0] == made.kernels[1];
        const auto problem = plan::problem_with(graph, made, names);
        ASSERT_EQ(problem.has_value(), best == plan::kNever || twice || same) << seed;
        refused += problem.has_value();
        if (problem) continue;
        const Plan plan = plan::decided_plan(graph, made, *plan::find_way("exact"));
        ASSERT_NO_FATAL_FAILURE(expect_sound(graph, plan)) << seed;
        ASSERT_DOUBLE_EQ(plan.value, best) << seed;
        dearer += plan.value > plan::exact_plan(graph).value;
        const Plan greedy = plan::decided_plan(graph, made, *plan::find_way("greedy"));
        ASSERT_NO_FATAL_FAILURE(expect_sound(graph, greedy)) << seed;
        for (const FusionGroup& kernel : greedy.kernels) EXPECT_TRUE(obeys(made, kernel)) << seed;
    }
    EXPECT_GT(refused, 100);
    EXPECT_GT(dearer, 200);
}

TEST(DecidedPlans, AreReadFromText) {
    const std::vector<std::string> names{"Q", "S", "P"};
    EXPECT_EQ(plan::read_kernel("P, Q", names).value(), (FusionGroup{0, 2}));
    EXPECT_EQ(plan::read_pair("S:P", names).value(), (std::pair{1, 2}));
    for (const char* wrong : {"", "Q,Q", "Q,R", ","}) EXPECT_FALSE(plan::read_kernel(wrong, names)) << wrong;
    for (const char* wrong : {"", "Q", "Q:S:P", "Q:R"}) EXPECT_FALSE(plan::read_pair(wrong, names)) << wrong;
}

TEST(ExactPlans, AreWhatADynamicProgramWithoutPartsFinds) {
    for (std::uint64_t seed = 2000; seed < 4000; ++seed) {
        Random random(seed);
        const PlainGraph graph = random_graph(random, 10);
        ASSERT_DOUBLE_EQ(plan::exact_plan(graph).value, of_downsets(graph, costs_of(graph))) << seed;
    }
}

TEST(ExactPlans, AreNeverWorseThanAnyOtherWay) {
    for (std::uint64_t seed = 5000; seed < 5300; ++seed) {
        Random random(seed);
        const PlainGraph graph = random_graph(random, 14);
        const double best = plan::exact_plan(graph).value;
        for (const plan::Way& way : plan::ways()) {
            const Plan other = way.decide(graph);
            ASSERT_NO_FATAL_FAILURE(expect_sound(graph, other)) << way.name << seed;
            EXPECT_LE(best, other.value * (1 + 1e-12)) << way.name << ' ' << seed;
        }
    }
}

// Among them where the search gives up: what takes its place is the best of all, and not always one of them.
TEST(ExactPlans, AreNeverWorseThanAnyOtherWayWhereTheSearchGivesUp) {
    int given_up = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random random(seed);
        const PlainGraph graph = random_graph(random, 30);
        const std::vector<plan::NamedPlan> plans = plan::plans_of_ways(graph, 3'000);
        const Plan& exact = plans.front().plan;
        ASSERT_EQ(plans.front().way, "exact");
        ASSERT_EQ(plans.size(), plan::ways().size());
        given_up += exact.bounded.starts_with("too many ways");
        for (const auto& [way, other] : plans) {
            ASSERT_NO_FATAL_FAILURE(expect_sound(graph, other)) << way << seed;
            EXPECT_LE(exact.value, other.value * (1 + 1e-12)) << way << ' ' << seed;
        }
        const double alone = plan::exact_plan(graph, 3'000).value;
        for (const auto& [way, other] : plan::quick_plans(graph))
            EXPECT_LE(alone, other.value * (1 + 1e-12)) << way << ' ' << seed;
    }
    EXPECT_GT(given_up, 20);
}

TEST(ExactPlans, OfLayersAreProven) {
    const PlainGraph graph = layered_graph(16, 3);
    const Plan plan = plan::exact_plan(graph);
    expect_sound(graph, plan);
    EXPECT_TRUE(plan.optimal);
    EXPECT_EQ(plan.bound, plan.value);
    // The states are those of one layer after the other.
    const std::int64_t more = plan::exact_plan(layered_graph(32, 3)).states;
    EXPECT_LT(static_cast<double>(more), 2.3 * static_cast<double>(plan.states));
}

// Costs and sums as they come: 1/3 of a second for each of the bytes, and for each launch.
PlainGraph wide_graph(int branches) {
    PlainGraph graph = layered_graph(1, branches);
    graph.cap = plan::kNever;
    graph.launch = 1.0 / 3;
    graph.bandwidth = 3;
    return graph;
}

// A node that many read, and one that reads all of those; a kernel holds 20 of them.
PlainGraph star(int readers) {
    std::string edges, bytes = "5,5";
    for (int reader = 1; reader <= readers; ++reader) {
        const std::string name = std::to_string(reader);
        edges +=
            (edges.empty() ? "[0," : ",[0,") + name + "],[" + name + "," + std::to_string(readers + 1) + "]";
        bytes += ",5";
    }
    const std::string text = R"({"n": )" + std::to_string(readers + 2) + R"(, "edges": [)" + edges +
                             R"(], "out_bytes": [)" + bytes + R"(], "local": [)" + bytes +
                             R"(], "cap": 100, "launch": 10})";
    return plan::read_plain_graph(text, "star.json").value();
}

// Whichever readers a kernel takes, it is the same plan: the states are as many as readers that are left.
TEST(ExactPlans, OfAWideStarLookAtHowManyAreLeft) {
    constexpr int kReaders = 200;
    const PlainGraph graph = star(kReaders);
    const Plan plan = plan::exact_plan(graph);
    expect_sound(graph, plan);
    EXPECT_TRUE(plan.optimal) << plan.bounded;
    EXPECT_LE(plan.value, plan::greedy_plan(graph).value);
    EXPECT_LE(plan.states, 4 * kReaders);
}

// A plan that costs no more than its inputs, outputs and one launch is the least: no search is needed.
TEST(ExactPlans, AreProvenByTheBoundWhereTheSearchWouldGiveUp) {
    const PlainGraph graph = wide_graph(20);
    const Plan plan = plan::exact_plan(graph, 1'000);
    expect_sound(graph, plan);
    EXPECT_EQ(plan.kernels.size(), 1U);
    EXPECT_TRUE(plan.optimal);
    EXPECT_EQ(plan.bounded, "");
    EXPECT_EQ(plan.bound, plan.value);
    EXPECT_EQ(plan.states, 0);
}

TEST(ExactPlans, OfSeveralPartsHaveTheBoundsOfEach) {
    PlainGraph graph = plan::read_plain_graph(
                           R"({"n": 4, "edges": [[0,1],[2,3]], "out_bytes": [1,8,1,1], "work": [9,1,1,1],
                               "launch": 1})",
                           "g.json")
                           .value();
    const Plan plan = plan::exact_plan(graph, 0);
    EXPECT_TRUE(plan.optimal);
    EXPECT_EQ(plan.value, 1 + 10 + 1 + 2);
}

TEST(ExactPlans, SayWhatWasBounded) {
    const PlainGraph graph = layered_graph(3, 12);
    const Plan plan = plan::exact_plan(graph, 20'000);
    expect_sound(graph, plan);
    EXPECT_FALSE(plan.optimal);
    EXPECT_FALSE(plan.bounded.empty());
    EXPECT_GT(plan.bound, 0);
    EXPECT_LE(plan.bound, plan.value);
    EXPECT_LE(plan.value, plan::greedy_plan(graph).value);
    const Plan fewest = plan::fewest_kernels_plan(graph, 20'000);
    expect_sound(graph, fewest);
    EXPECT_FALSE(fewest.bounded.empty());
    EXPECT_LE(fewest.kernels.size(), plan::edge_greedy_plan(graph).kernels.size());
}

// Smaller and smaller kernels are tried, and the searches of all ways together do no more than one may.
TEST(ExactPlans, ShareTheEffortWithAllThatIsTried) {
    const PlainGraph graph = layered_graph(3, 12);
    constexpr std::int64_t kEffort = 40'000, kOneStep = 2'000;
    EXPECT_LE(plan::exact_plan(graph, kEffort).effort, kEffort + kOneStep);
    std::int64_t spent = 0;
    for (const auto& [way, plan] : plan::plans_of_ways(graph, kEffort)) spent += plan.effort;
    EXPECT_GT(spent, kEffort / 2);
    EXPECT_LE(spent, kEffort + 2 * kOneStep);
}

TEST(ExactPlans, AreThereWithThoseOfAllWaysWhenTheyAreStopped) {
    const PlainGraph graph = layered_graph(3, 12);
    for (const int most : {0, 1, 10, 100, 1000}) {
        int asked = 0;
        const StopSign stop([&] { return ++asked > most; });
        plan::Problem problem(graph);
        problem.stop = &stop;
        const std::vector<plan::NamedPlan> plans = plan::plans_of_ways(problem);
        ASSERT_EQ(plans.size(), plan::ways().size());
        EXPECT_TRUE(plans.front().plan.stopped) << most;
        for (const auto& [way, plan] : plans) {
            expect_sound(graph, plan);
            EXPECT_LE(plans.front().plan.value, plan.value) << way << ' ' << most;
        }
    }
}

// Told to stop, they are what a quick way finds, and say so.
TEST(ExactPlans, StopWhenTheyAreTold) {
    const PlainGraph graph = layered_graph(3, 12);
    int asked = 0;
    const StopSign stop([&asked] { return ++asked > 3; });
    plan::Problem problem(graph);
    problem.stop = &stop;
    for (const auto& decide : {plan::find_way("exact")->decide, plan::find_way("fewest")->decide}) {
        asked = 0;
        const Plan plan = decide(problem);
        EXPECT_LE(asked, 6) << "each of three ways asks once more";
        expect_sound(graph, plan);
        EXPECT_TRUE(plan.stopped);
        EXPECT_FALSE(plan.optimal);
        EXPECT_EQ(plan.bounded.substr(0, 7), "stopped");
    }
    EXPECT_FALSE(plan::exact_plan(graph, 20'000).stopped);
}

// A chain of which every node waits for thousands of others.
TEST(ExactPlans, OfVeryLongChainsAreProven) {
    PlainGraph graph;
    constexpr std::size_t kNodes = 4000;
    graph.before.resize(kNodes);
    graph.after.resize(kNodes);
    for (std::size_t i = 1; i < kNodes; ++i) {
        graph.before[i].push_back(static_cast<int>(i) - 1);
        graph.after[i - 1].push_back(static_cast<int>(i));
    }
    graph.out_bytes.assign(kNodes, 1);
    graph.in_bytes.assign(kNodes, 0);
    graph.work.assign(kNodes, 0);
    graph.local.assign(kNodes, 2);
    graph.output.assign(kNodes, false);
    graph.cap = 4;
    const Plan plan = plan::exact_plan(graph);
    EXPECT_EQ(plan.kernels.size(), kNodes / 2);
    EXPECT_TRUE(plan.optimal) << plan.bounded;
}

// A node, `count` branches of some random nodes behind it, and a node that reads what comes out of them; all
// branches the same, or, with `differs`, one of them not.
PlainGraph graph_of_branches(Random& random, int count, int length, bool differs) {
    PlainGraph graph;
    const auto add = [&](const std::vector<int>& reads, double out, double in, double work) {
        graph.before.push_back(reads);
        graph.after.emplace_back();
        const int node = static_cast<int>(graph.before.size()) - 1;
        for (const int source : reads) graph.after[static_cast<std::size_t>(source)].push_back(node);
        graph.out_bytes.push_back(out);
        graph.in_bytes.push_back(in);
        graph.work.push_back(work);
        graph.local.push_back(2);
        graph.output.push_back(false);
        return node;
    };
    const auto number = [&random](int most) { return static_cast<double>(random.between(0, most)); };
    const int gate = add({}, number(9), number(9), 1);
    struct Planned {
        std::vector<int> reads;  // of the branch; -1: the gate
        double out, in, work;
    };
    std::vector<Planned> planned;
    for (int i = 0; i < length; ++i) {
        std::vector<int> reads;
        for (int before = -1; before < i; ++before)
            if (random.between(0, 2) == 0) reads.push_back(before);
        if (reads.empty()) reads.push_back(i - 1);
        planned.push_back({reads, number(9), number(9), number(5)});
    }
    std::vector<int> ends;
    for (int branch = 0; branch < count; ++branch) {
        std::vector<int> made;
        for (const Planned& one : planned) {
            std::vector<int> reads;
            for (const int before : one.reads)
                reads.push_back(before < 0 ? gate : made[static_cast<std::size_t>(before)]);
            const bool other = differs && branch == 1 && made.empty();
            made.push_back(add(reads, one.out + (other ? 1 : 0), one.in, one.work));
        }
        ends.push_back(made.back());
    }
    const int last = add(ends, number(9), 0, 1);
    graph.output[static_cast<std::size_t>(last)] = true;
    graph.cap = 2 * random.between(2, 7);
    graph.launch = number(12);
    return graph;
}

// Of branches that are alike the search looks at one order only. What it finds is the least all the same.
TEST(ExactPlans, OfBranchesThatAreAlikeAreTheBestOfAllPartitions) {
    int alike = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const int count = random.between(2, 3);
        const PlainGraph graph = graph_of_branches(random, count, count == 2 ? 4 : 2, seed % 4 == 0);
        alike += plan::Branches(plan::Problem(graph)).none() ? 0 : 1;
        const Plan plan = plan::exact_plan(graph);
        ASSERT_NO_FATAL_FAILURE(expect_sound(graph, plan)) << seed;
        ASSERT_DOUBLE_EQ(plan.value, of_downsets(graph, costs_of(graph))) << seed;
        EXPECT_TRUE(plan.optimal) << seed;
    }
    EXPECT_GT(alike, 200);
}

// Sixteen experts of four operators, eight heads of six: more sets of nodes than any search can look at.
TEST(ExactPlans, OfManyBranchesAreProven) {
    Random random(3);
    PlainGraph experts = graph_of_branches(random, 16, 4, false);
    experts.cap = 20;
    const Plan plan = plan::exact_plan(experts);
    EXPECT_TRUE(plan.optimal) << plan.bounded;
    EXPECT_LT(plan.states, 20'000);
    PlainGraph heads = graph_of_branches(random, 8, 6, false);
    heads.cap = 14;
    EXPECT_TRUE(plan::exact_plan(heads).optimal);
}

}  // namespace
}  // namespace blockscope::test
