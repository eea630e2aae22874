// The napkin's expressions, derived from block programs.
#include "core/napkin/optimum.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "core/fusion/trace.h"
#include "core/state/state.h"
#include "tests/support/samples.h"

namespace blockscope::napkin {
namespace {

// The fused sample with the dimensions' names of the paper.
LoopProgram fused(const std::string& sample, const std::map<std::string, std::string>& names = {}) {
    LoopProgram program = lower(*fuse(test::block_sample(sample)).last());
    for (Dim& dim : program.dims)
        if (names.count(dim.name) > 0) dim.name = names.at(dim.name);
    return program;
}

DimId dim(const LoopProgram& program, const std::string& name) {
    for (std::size_t i = 0; i < program.dims.size(); ++i)
        if (program.dims[i].name == name) return {static_cast<std::uint16_t>(i)};
    throw std::runtime_error("no dimension " + name);
}

std::string law(const LoopProgram& program, const OptimumOptions& options = {}) {
    const Optimum optimum = find_optimum(program, options);
    for (const LaunchOptimum& launch : optimum.launches) EXPECT_EQ(launch.reason, "");
    return law_text(optimum.law, program.dims);
}

const Tile& tile(const Optimum& optimum, const LoopProgram& program, const std::string& name) {
    for (const Tile& found : optimum.launches.at(0).tiles)
        if (found.dim == dim(program, name)) return found;
    throw std::runtime_error("no tile of " + name);
}

OptimumOptions same(const LoopProgram& program, const std::string& kept, const std::string& other) {
    OptimumOptions options;
    options.same = {{dim(program, kept), dim(program, other)}};
    return options;
}

// Figure 18: 2abc M^-1/2 + ac, with square tiles.
TEST(Optimum, OfAMatrixProductIsThePapers) {
    const LoopProgram program = fused("matmul", {{"A", "a"}, {"B", "b"}, {"C", "c"}});
    EXPECT_EQ(law(program), "a·c + 2·a·b·c·M^-1/2");
    const Optimum optimum = find_optimum(program);
    EXPECT_EQ(optimum.launches[0].memory.quotient_text(), "a·c");
    EXPECT_EQ(tile(optimum, program, "a").role, Role::Grouped);
    EXPECT_EQ(tile(optimum, program, "a").size.quotient_text(), "M^1/2");
    EXPECT_EQ(tile(optimum, program, "c").size.quotient_text(), "M^1/2");
    EXPECT_EQ(tile(optimum, program, "b").role, Role::Streamed);
    EXPECT_EQ(tile(optimum, program, "b").how, Tile::How::One);
    // N_g H_g = abc/g_c + abc/g_a + ac; what is left out of the memory: the streamed blocks.
    EXPECT_EQ(optimum.launches[0].dropped.quotient_text(), "a + c");
    const NumericLaw numbers = power_law(optimum.law, program.dims);
    ASSERT_EQ(numbers.size(), 2U);
    EXPECT_EQ(numbers[0], (algebra::LawTerm{4096.0 * 4096, 0}));
    EXPECT_DOUBLE_EQ(numbers[1].alpha, 2.0 * 4096 * 4096 * 4096);
    EXPECT_EQ(numbers[1].beta, 0.5);
}

// Figure 21: 2qd + 4xqd² M^-1, with tiles of M/2d queries.
TEST(Optimum, OfFusedAttentionIsThePapers) {
    const LoopProgram program = fused("attention", {{"M", "q"}, {"N", "x"}, {"D", "d"}});
    EXPECT_EQ(law(program, same(program, "d", "L")), "2·q·d + 4·q·x·d²·M^-1");
    const Optimum optimum = find_optimum(program, same(program, "d", "L"));
    EXPECT_EQ(tile(optimum, program, "q").size.quotient_text(), "M/(2·d)");
    EXPECT_EQ(tile(optimum, program, "q").role, Role::Grouped);
    EXPECT_EQ(tile(optimum, program, "x").role, Role::Streamed);
    EXPECT_EQ(tile(optimum, program, "x").how, Tile::How::One);
    EXPECT_EQ(tile(optimum, program, "d").role, Role::Whole);
    EXPECT_EQ(law(program), "q·d + q·L + q·x·(d + L)²·M^-1");
}

// Figure 22: 2hqd + 4hxqd² M^-1, for each of the sample's B sequences.
TEST(Optimum, OfMultiHeadAttentionIsThePapers) {
    LoopProgram program = fused("multihead-attention", {{"M", "q"}, {"N", "x"}, {"D", "d"}, {"H", "h"}});
    EXPECT_EQ(law(program, same(program, "d", "L")), "2·B·h·q·d + 4·B·h·q·x·d²·M^-1");
    program.dims[dim(program, "B").value].size = 1;
    EXPECT_EQ(law(program, same(program, "d", "L")), "2·h·q·d + 4·h·q·x·d²·M^-1");
    EXPECT_EQ(tile(find_optimum(program), program, "h").role, Role::Batch);
}

// Figure 23: 2gqd + 4gxqd² M^-1, for one sequence and one head of keys.
TEST(Optimum, OfGroupedQueryAttentionIsThePapers) {
    LoopProgram program = fused("gqa", {{"M", "q"}, {"N", "x"}, {"D", "d"}, {"G", "g"}});
    EXPECT_EQ(law(program, same(program, "d", "L")), "2·B·Hkv·g·q·d + 4·B·Hkv·g·q·x·d²·M^-1");
    program.dims[dim(program, "B").value].size = 1;
    program.dims[dim(program, "Hkv").value].size = 1;
    EXPECT_EQ(law(program, same(program, "d", "L")), "2·g·q·d + 4·g·q·x·d²·M^-1");
}

// An epilogue in local memory moves nothing: the law of the product alone.
TEST(Optimum, OfAFusedEpilogueIsThatOfTheProduct) {
    const LoopProgram program = fused("gemm-relu");
    EXPECT_EQ(law(program), "M·N + 2·M·K·N·Mem^-1/2");
}

// At the law's tiles the traffic is H*, and the memory is the limit: by the program's own formulas.
TEST(Optimum, TilesReachTheLaw) {
    for (const char* sample : {"matmul", "attention", "multihead-attention", "gqa", "gemm-relu"}) {
        SCOPED_TRACE(sample);
        const LoopProgram program = fused(sample);
        const Optimum optimum = find_optimum(program);
        const LaunchOptimum& launch = optimum.launches.at(0);
        for (const double memory : {1e3, 3e4, 1e5}) {
            const Values given = sizes_and_memory(program.dims, memory);
            Values values = given;
            for (const Tile& found : launch.tiles)
                values.emplace(block_symbol(found.dim, program.dims),
                               found.how == Tile::How::Solved ? found.size.value(given) : 1.0);
            const double law = algebra::transfers(power_law(optimum.law, program.dims), memory);
            EXPECT_NEAR(launch.traffic.value(values) / law, 1, 1e-9);
            EXPECT_NEAR(launch.memory.value(values) / memory, 1, 1e-9);
        }
    }
}

// No other tiles of the same memory move less.
TEST(Optimum, TilesAreTheBest) {
    const LoopProgram program = fused("matmul");
    const LaunchOptimum launch = find_optimum(program).launches.at(0);
    const double best = algebra::transfers(power_law(launch.law, program.dims), 1e4);
    for (const double a : {10.0, 50.0, 90.0, 110.0, 200.0, 1000.0}) {
        Values values = sizes_and_memory(program.dims, 1e4);
        for (const auto& [name, size] : {std::pair{"A", a}, {"B", 1.0}, {"C", 1e4 / a}})
            values.emplace(block_symbol(dim(program, name), program.dims), size);
        EXPECT_GT(launch.traffic.value(values), best);
    }
}

// With room for all queries, K and V are loaded once.
TEST(Optimum, EndsAtTheSizeOfADimension) {
    const LoopProgram program = fused("attention");
    OptimumOptions options;
    options.memory = 4096 * 256;
    EXPECT_EQ(law(program, options), "M·D + M·L + M·N·(D + L)²·Mem^-1");
    options.memory = 4096 * 256 + 10;
    EXPECT_EQ(law(program, options), "M·D + M·L + N·D + N·L");
    EXPECT_EQ(tile(find_optimum(program, options), program, "M").how, Tile::How::Whole);
    const LoopProgram thin = [] {
        LoopProgram changed = fused("matmul");
        changed.dims[dim(changed, "A").value].size = 256;
        return changed;
    }();
    options.memory = 1e6;
    EXPECT_EQ(law(thin, options), "A·C + B·C + A²·B·C·M^-1");
}

// Each launch has its own law, and they add up.
TEST(Optimum, OfSeveralLaunchesIsTheirSum) {
    const LoopProgram program = lower(*test::block_sample("softmax"));
    const Optimum optimum = find_optimum(program);
    EXPECT_EQ(optimum.launches.size(), 4U);
    std::vector<std::string> laws;
    for (const LaunchOptimum& launch : optimum.launches) laws.push_back(law_text(launch.law, program.dims));
    EXPECT_THAT(laws, testing::ElementsAre("2·M·N", "M + M·N + 2·M·N·Mem^-1", "2·M", "M + 2·M·N"));
    EXPECT_EQ(law_text(optimum.law, program.dims), "5·M·N + 4·M + 2·M·N·Mem^-1");
}

TEST(Optimum, SaysWhyThereIsNoFormula) {
    const Optimum chain = find_optimum(fused("mcfuser-g5"));
    EXPECT_FALSE(chain.has_law());
    EXPECT_TRUE(chain.law.empty());
    EXPECT_EQ(chain.launches.at(0).reason, "memory has several leading terms that differ in the tile sizes");
    const Optimum product =
        find_optimum(lower(*fuse(test::block_sample("rmsnorm-matmul"), {}, kPaperRules).last()));
    EXPECT_EQ(product.launches.at(0).reason, "more terms than tile sizes pull against each other");
    const Optimum unfused = find_optimum(lower(*test::block_sample("attention")));
    EXPECT_EQ(unfused.launches.at(0).reason, "which line needs most memory depends on the tile sizes");
}

// No state of any sample breaks it, and a law is never below what has to be moved.
TEST(Optimum, IsFoundOrRefusedForEverySample) {
    int laws = 0;
    for (const std::string& name : test::sample_names()) {
        SCOPED_TRACE(name);
        const Trace trace = fuse(test::block_sample(name));
        for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
            const LoopProgram program = lower(*trace.state(step));
            const Optimum optimum = find_optimum(program);
            laws += optimum.has_law();
            for (const LaunchOptimum& launch : optimum.launches)
                EXPECT_EQ(launch.reason.empty(), !launch.law.empty()) << step;
        }
    }
    EXPECT_GT(laws, 20);
}

// ---- What is built, where a causal mask hides blocks.

State last_state(const std::string& sample) {
    return State(fuse(test::block_sample(sample)).last());
}

LoopProgram paper_loops(const State& state) {
    const State in_paper = state.in_form(Form{}.as_in_paper());
    return in_paper.loops();
}

double at_present(const Formula& formula, const DimTable& dims) {
    Values values = sizes_and_memory(dims, 1);
    for (std::size_t i = 0; i < dims.size(); ++i)
        values.emplace(block_symbol({static_cast<std::uint16_t>(i)}, dims),
                       static_cast<double>(dims[i].block));
    return formula.value(values);
}

// The formula counts what the built loops move, to the last value, wherever blocks of rows end where blocks
// of columns do.
TEST(BuiltTraffic, IsWhatIsCounted) {
    const State state = last_state("causal-attention");
    const LoopProgram paper = paper_loops(state);
    for (const auto& [rows, columns] : {std::pair{128, 128}, {256, 64}, {512, 1}, {1024, 32}, {2048, 2048}}) {
        LoopProgram built = state.loops();
        built.dims.at(dim(built, "M").value).block = rows;
        built.dims.at(dim(built, "N").value).block = columns;
        OptimumOptions options;
        options.built = &built;
        const Optimum optimum = find_optimum(paper, options);
        ASSERT_EQ(optimum.launches.size(), 1U);
        const double hidden = at_present(optimum.launches.front().traffic, built.dims);
        const double counted = static_cast<double>(counted_blocks(built).moved_values);
        EXPECT_DOUBLE_EQ(at_present(optimum.launches.front().built, built.dims), counted)
            << rows << " x " << columns;
        EXPECT_LT(counted, hidden);
    }
}

// With the paper's tiles about half of its law, and what the built loops move at these tiles.
TEST(BuiltTraffic, HasALawOfItsOwnBesideThePapers) {
    const State state = last_state("causal-attention");
    LoopProgram built = state.loops();
    OptimumOptions options;
    options.built = &built;
    const LoopProgram paper = paper_loops(state);
    const Optimum optimum = find_optimum(paper, options);
    ASSERT_FALSE(optimum.built_law.empty());
    const double memory = 512 * 256;  // m = 512
    const double least = transfers(power_law(optimum.law, built.dims), memory);
    const double moved = transfers(power_law(optimum.built_law, built.dims), memory);
    EXPECT_LT(moved, 0.65 * least);
    built.dims.at(dim(built, "M").value).block = 512;
    built.dims.at(dim(built, "N").value).block = 1;
    EXPECT_DOUBLE_EQ(moved, static_cast<double>(counted_blocks(built).moved_values));
}

// Nothing is hidden without a mask, and under a window the sum is another one: no formula is made up.
TEST(BuiltTraffic, IsLeftOutWhereItIsTheSameOrUnknown) {
    for (const char* sample : {"attention", "matmul", "sliding-window-attention"}) {
        const State state = last_state(sample);
        OptimumOptions options;
        options.built = &state.loops();
        const LoopProgram paper = paper_loops(state);
        const Optimum optimum = find_optimum(paper, options);
        EXPECT_TRUE(optimum.built_law.empty()) << sample;
        for (const LaunchOptimum& launch : optimum.launches) EXPECT_TRUE(launch.built.is_zero()) << sample;
    }
}

}  // namespace
}  // namespace blockscope::napkin
