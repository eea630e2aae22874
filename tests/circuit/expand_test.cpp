// Section 5 as numbers: Tables 1, 2 and 3, the bandwidth bound of Appendix B.0.1, the schedules of Section 6.
#include "core/circuit/expand.h"

#include <gmock/gmock.h>

#include <cmath>

#include "core/circuit/overlap.h"
#include "tests/circuit/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

Expansion expanded(const Flow& flow, const std::string& rows, const std::string& stream,
                   bool fragments = false) {
    const Result<Expansion> expansion = expand(flow, axis(flow, rows), axis(flow, stream), {fragments});
    if (!expansion) throw std::runtime_error(expansion.problems().front().message);
    return *expansion;
}

// w_q = 128, t_q = 1, s_x = u_x = 64, d = 128, d' = 32, d'' = 8; FP8 queries and keys. Table 1 says FP16 of
// A, the weighted scores for the tensor cores, and 8192 bytes: for 128 x 64 values that is one byte each, as
// here.
Configuration of_table1(const Expansion& expansion, const Flow& flow) {
    Configuration configuration = default_configuration(expansion, flow, 64);
    for (const char* name : {"Q", "K", "A of P"}) configuration.elems[name] = ElemType::E4M3;
    return configuration;
}

struct Row {
    std::string name, axes;
    Tier place;
    double block, warpgroup;  // bytes
};

TEST(Table1, VariablesOfAttention) {
    const Flow flow = flow_from(kAttention);
    const Expansion expansion = expanded(flow, "q", "x");
    const Configuration configuration = of_table1(expansion, flow);
    const std::vector<Row> table = {
        {"Q", "w_q d", Tier::Shared, 0, 16384},     {"K", "s_x d", Tier::Shared, 16384, 0},
        {"V", "s_x d", Tier::Shared, 32768, 0},     {"α", "t_q 3", Tier::Threads, 0, 768},
        {"S", "w_q s_x", Tier::Tensor, 0, 16384},   {"S*", "g_q s_x", Tier::Shared, 0, 16384},
        {"S'", "t_q u_x", Tier::Threads, 0, 16384}, {"A of P", "w_q u_x", Tier::Shared, 0, 8192},
        {"O'", "t_q d", Tier::Threads, 0, 32768},   {"D of O", "w_q d′", Tier::Tensor, 0, 8192},
        {"ΔO", "g_q d′", Tier::Shared, 0, 8192},    {"ΔO'", "t_q d″", Tier::Threads, 0, 2048},
    };
    std::vector<std::string> expected;
    std::vector<std::string> found;
    for (const Row& row : table)
        expected.push_back(row.name + " " + row.axes + " " + std::to_string(static_cast<int>(row.place)) +
                           " " + number_text(row.block) + " " + number_text(row.warpgroup));
    for (const Variable& v : expansion.variables) {
        std::string axes;
        for (const std::string& symbol : v.axes) axes += " " + symbol;
        const std::string bytes = number_text(bytes_of(v, configuration));
        found.push_back(v.name + axes + " " + std::to_string(static_cast<int>(v.place)) + " " +
                        (v.per_warpgroup ? "0 " + bytes : bytes + " 0"));
    }
    EXPECT_THAT(found, testing::UnorderedElementsAreArray(expected));
}

// Table 2: 227 and 256 KB allow 3.7 and 3.4 warpgroups; at 3, 35 and 31.75 KB are left, 85 bytes a thread.
TEST(Table2, WarpgroupsOnH100) {
    const Flow flow = flow_from(kAttention);
    const Expansion expansion = expanded(flow, "q", "x");
    const auto uses = level_uses(expansion, of_table1(expansion, flow), device("h100-sxm5"));
    ASSERT_TRUE(uses);
    const LevelUse& shared = (*uses)[0];
    const LevelUse& registers = (*uses)[1];
    EXPECT_EQ(shared.limit, 227 * 1024);
    EXPECT_EQ(shared.per_block, 48 * 1024);
    EXPECT_EQ(shared.per_warpgroup, 48 * 1024);
    EXPECT_EQ(registers.limit, 256 * 1024);
    EXPECT_EQ(registers.per_block, 0);
    EXPECT_EQ(registers.per_warpgroup, 74.75 * 1024);
    EXPECT_NEAR(shared.warpgroups(), 3.7, 0.05);
    EXPECT_NEAR(registers.warpgroups(), 3.4, 0.05);
    EXPECT_EQ(warpgroups(*uses), 3);
    EXPECT_EQ(shared.excess(3), 35 * 1024);
    EXPECT_EQ(registers.excess(3), 31.75 * 1024);
    EXPECT_NEAR(shared.excess(3) / 3 / 1024, 11.67, 0.005);
    EXPECT_NEAR(registers.excess(3) / 3 / 1024, 10.58, 0.005);
    EXPECT_EQ(std::round(registers.excess(3) / (3 * 128)), 85);
    EXPECT_FALSE(level_uses(expansion, of_table1(expansion, flow), device("epyc-9755")));
}

ClockAnalysis clocks(const Expansion& expansion, const Configuration& configuration) {
    const Result<ClockAnalysis> analysis = clock_analysis(expansion, configuration, device("h100-sxm5"));
    if (!analysis) throw std::runtime_error(analysis.problems().front().message);
    return *analysis;
}

// Table 3: 2, 4.06, 4 and 0.5 clocks per thread; 6 on tensor cores; from g_q = 295 on not bound by bandwidth;
// 1.32 PFLOP/s.
TEST(Table3, ClocksOfAttentionOnH100) {
    const Flow flow = flow_from(kAttention);
    const Expansion expansion = expanded(flow, "q", "x");
    const ClockAnalysis analysis = clocks(expansion, of_table1(expansion, flow));
    ASSERT_EQ(analysis.pipelines.size(), 4u);
    const std::vector<std::vector<double>> table = {{16384, 8192}, {65, 16}, {16384, 4096}, {256, 512}};
    for (std::size_t i = 0; i < table.size(); ++i) {
        EXPECT_EQ(analysis.pipelines[i].count, table[i][0]) << analysis.pipelines[i].operation;
        EXPECT_EQ(analysis.pipelines[i].rate, table[i][1]) << analysis.pipelines[i].operation;
    }
    EXPECT_FORMULA(analysis.pipelines[0].ops, "2·d·s_x");
    EXPECT_FORMULA(analysis.pipelines[1].ops, "s_x + s_x·u_x^-1");
    EXPECT_FORMULA(analysis.pipelines[2].ops, "2·d·s_x");
    EXPECT_FORMULA(analysis.pipelines[3].ops, "2·d·s_x·u_x^-1");
    EXPECT_EQ(analysis.bound(), 6);
    EXPECT_EQ(std::round(least_threads(analysis, device("h100-sxm5"))), 295);
    EXPECT_NEAR(ideal_rate(analysis, device("h100-sxm5")) / 1e15, 1.32, 0.005);
}

// Figure 35: three warpgroups, half of softmax's time as overhead and all of the accumulation's; tensor cores
// never wait. (The figure draws softmax 4 clocks long; at 4.0625 its allowance is 47.7%.)
TEST(Overlap, ThreeWarpgroupsHideOverheads) {
    const Flow flow = flow_from(kAttention);
    const Expansion expansion = expanded(flow, "q", "x");
    const ClockAnalysis analysis = clocks(expansion, of_table1(expansion, flow));
    const Schedule made = schedule(lane_tasks(analysis, 0.47, 1.0), 3, Overlap::Inter, 24);
    EXPECT_NEAR(made.busy(Unit::Matrix), 1, 1e-6);
    EXPECT_NEAR(made.period, 18, 1e-6);
    EXPECT_NEAR(allowance(lane_tasks(analysis, 0, 1.0), Unit::Special, 3, Overlap::Inter, 4), 0.477, 0.002);
    EXPECT_NEAR(schedule(lane_tasks(analysis, 0.5, 1.0), 3, Overlap::Inter, 24).period, 18, 0.02 * 18);
    EXPECT_FALSE(made.barriers.empty());
}

// FlashAttention-3 as Section 6 explains it, d = 128; threads see fragments.
struct Flash {
    Expansion expansion;
    ClockAnalysis analysis;
};
Flash flash(ElemType elem, double stream) {
    const Flow flow = flow_from(kAttention);
    Expansion expansion = expanded(flow, "q", "x", true);
    Configuration configuration = default_configuration(expansion, flow, stream);
    for (auto& entry : configuration.elems) entry.second = elem;
    ClockAnalysis analysis = clocks(expansion, configuration);
    return {std::move(expansion), std::move(analysis)};
}

double utilisation(const Schedule& made, double least) {
    return least / made.period;
}

TEST(FlashAttention3, Fp16) {
    const Flash fp16 = flash(ElemType::F16, 128);
    const double tensor = fp16.analysis.bound();
    EXPECT_EQ(tensor, 16);
    const double two_thirds = 2.0 / 3;
    // Intra: no allowance for softmax overhead; with 66% of it 4/3 as long as necessary, 75% (740 of 989
    // TFLOP/s).
    const std::vector<LaneTask> tasks = lane_tasks(fp16.analysis, 0, 0);
    EXPECT_NEAR(allowance(tasks, Unit::Special, 1, Overlap::Intra, 4), 0, 0.01);
    const Schedule intra = schedule(lane_tasks(fp16.analysis, two_thirds, 0), 1, Overlap::Intra, 24);
    EXPECT_NEAR(intra.period / tensor, 4.0 / 3, 0.01);
    EXPECT_NEAR(utilisation(intra, tensor), 740.0 / 989, 0.01);
    // Inter: twice its time for softmax.
    EXPECT_NEAR(allowance(tasks, Unit::Special, 2, Overlap::Inter, 4), 1, 0.02);
    const Schedule inter = schedule(lane_tasks(fp16.analysis, two_thirds, 0), 2, Overlap::Inter, 24);
    EXPECT_NEAR(utilisation(inter, 2 * tensor), 1, 1e-6);
}

TEST(FlashAttention3, Fp8) {
    const Flash fp8 = flash(ElemType::E4M3, 128);
    const double tensor = fp8.analysis.bound();
    EXPECT_EQ(tensor, 8);
    // Softmax takes as long as the products: 66% overhead makes it 5/3 as long as necessary, 60% (1.2 of 1.98
    // PFLOP/s).
    const Schedule inter = schedule(lane_tasks(fp8.analysis, 2.0 / 3, 0), 2, Overlap::Inter, 24);
    EXPECT_NEAR(inter.period / (2 * tensor), 5.0 / 3, 0.02);
    EXPECT_NEAR(utilisation(inter, 2 * tensor), 1.2 / 1.98, 0.02);
    EXPECT_NEAR(allowance(lane_tasks(fp8.analysis, 0, 0), Unit::Special, 2, Overlap::Inter, 4), 0, 0.01);
    // Intra: the special function unit waits for the first product, a third of the time.
    const Schedule intra = schedule(lane_tasks(fp8.analysis, 0, 0), 1, Overlap::Intra, 24);
    EXPECT_NEAR(1 - intra.busy(Unit::Special), 1.0 / 3, 0.01);
}

// Section 5.4, from the description of the device.
TEST(Divisors, OfAttentionOnH100) {
    const Flow flow = flow_from(kAttention);
    const Expansion expansion = expanded(flow, "q", "x");
    Configuration configuration = of_table1(expansion, flow);
    std::map<std::string, std::int64_t> by;
    const std::vector<Divisor> all = divisors(expansion, flow, configuration, device("h100-sxm5"));
    for (const Divisor& divisor : all) by[divisor.symbol] = divisor.by;
    EXPECT_EQ(by["w_q"], 128);  // a warpgroup
    EXPECT_EQ(by["d"], 128);    // 128 bytes of FP8
    EXPECT_EQ(by["u_x"], 16);   // depth of the FP16 product
    EXPECT_EQ(by["s_x"], 8);
    EXPECT_THAT(broken_divisors(all, configuration), testing::IsEmpty());
    configuration.sizes["u_x"] = 24;
    EXPECT_THAT(broken_divisors(all, configuration),
                testing::ElementsAre(testing::HasSubstr("u_x = 24 does not divide by 16")));
}

std::vector<std::string> texts(const std::vector<CodeNode>& nodes) {
    std::vector<std::string> result;
    for (const CodeNode& node : nodes) {
        const char* const open = node.kind == CodeNode::Kind::Loop      ? "("
                                 : node.kind == CodeNode::Kind::SubLoop ? "(("
                                 : node.kind == CodeNode::Kind::Split   ? "["
                                                                        : "";
        if (*open) result.push_back(open + node.part);
        if (!node.text.empty()) result.push_back(node.text);
        for (const std::string& inner : texts(node.body)) result.push_back(inner);
        if (*open) result.push_back(")");
    }
    return result;
}

// Figures 29 to 31: head, loop over s_x, sub-loop over u_x, multiply-adds that can be split, tail.
TEST(Expansion, OfAttention) {
    const Flow flow = flow_from(kAttention);
    EXPECT_THAT(texts(expanded(flow, "q", "x").code),
                testing::ElementsAre("load Q", "initialise α", "initialise O'", "(s_x", "load K", "load V",
                                     "[", "· that makes S", ")", "((u_x",
                                     "S to threads, through shared memory", "* d^-0.5 that makes S",
                                     "softmax that makes P", "P to tensor cores, through shared memory", "[",
                                     "· that makes O", ")", "ΔO to threads, through shared memory",
                                     "scale O' and add ΔO'", ")", ")", "scale by α", "save O"));
    EXPECT_FALSE(expand(flow, axis(flow, "x"), axis(flow, "x")));
    EXPECT_FALSE(expand(flow, axis(flow, "q"), axis(flow, "q")));
}

// A program and a device that the paper never saw: the machinery is general.
TEST(Expansion, OfRmsNormSwiGluOnA100) {
    const Flow flow = separated(flow_of(read_sample("rmsnorm-swiglu")));
    const Expansion expansion = expanded(flow, "M", "D");
    const Configuration configuration = default_configuration(expansion, flow, 32);
    const Result<ClockAnalysis> analysis = clock_analysis(expansion, configuration, device("a100-sxm-80gb"));
    ASSERT_TRUE(analysis);
    // Two products with the weights of the gate in the loop; the last product is its tail.
    ASSERT_EQ(analysis->pipelines.size(), 2u);
    EXPECT_FORMULA(analysis->pipelines[0].ops, "2·K·s_D");
    EXPECT_EQ(analysis->bytes, 2.0 * 2 * 32 * 14336);  // parts of W and V, two bytes each
    EXPECT_EQ(analysis->bound(), 2 * 2.0 * 14336 * 32 / 2048);
    // All 14,336 columns of both at once are far more than its registers hold.
    const auto uses = level_uses(expansion, configuration, device("a100-sxm-80gb"));
    ASSERT_TRUE(uses);
    EXPECT_EQ(warpgroups(*uses), 0);
}

}  // namespace
}  // namespace blockscope::test
