// Every expression runs, with many tiles, and gives what the reference evaluator gives.
#include "core/tilings/blocked_run.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cmath>

#include "core/exec/evaluate.h"
#include "core/tilings/model.h"
#include "tests/tilings/chains.h"

namespace blockscope::test {
namespace {

using tilings::BlockedRun;
using tilings::Chain;

struct Reference {
    explicit Reference(const std::string& text)
        : program(program_of(text)),
          inputs(random_doubles(program, 7)),
          output(evaluate(program, inputs).begin()->second) {}
    ArrayProgram program;
    Tensors<double> inputs;
    Tensor<double> output;
};

// The largest difference, infinite where a number is none.
double difference(const Reference& reference, BlockedRun& run) {
    for (const auto& [name, tensor] : reference.inputs)
        run.set_input(name, {tensor.data.begin(), tensor.data.end()});
    run.run();
    double worst = 0;
    for (std::size_t i = 0; i < reference.output.data.size(); ++i) {
        const double off = std::abs(static_cast<double>(run.output()[i]) - reference.output.data[i]);
        if (!(off <= worst)) worst = std::isnan(off) ? INFINITY : off;
    }
    return worst;
}

// All expressions with tiles that divide the sizes, that do not, and that are larger.
void expect_right(const std::string& text, std::size_t expressions) {
    const Reference reference(text);
    const Chain chain = tilings::read_chain(reference.program).value();
    const auto all = tilings::expressions_of(chain);
    EXPECT_EQ(all.size(), expressions);
    for (const tilings::Expression& expression : all)
        for (const std::int64_t even : {16, 48})
            for (const std::int64_t odd : {16, 32}) {
                std::vector<std::int64_t> tiles;
                for (std::size_t loop = 0; loop < chain.loops.size(); ++loop)
                    tiles.push_back(loop % 2 == 0 ? even : odd);
                BlockedRun run(chain, expression.roots, tiles, 2);
                EXPECT_LT(difference(reference, run), 2e-5)
                    << to_string(expression.roots, chain) << " " << even << " " << odd;
            }
}

TEST(BlockedRun, OfAllExpressionsOfTwoProductsIsRight) {
    expect_right(two_products(64, 48, 32, 40, "f32"), 26);
}
TEST(BlockedRun, OfAllExpressionsOfThreeProductsIsRight) {
    expect_right(kThreeProducts, 146);
}
TEST(BlockedRun, OfCausalAttentionIsRight) {
    expect_right(kCausal, 26);
}
TEST(BlockedRun, OfAGatedChainIsRight) {
    expect_right(kGated, 26);
}
TEST(BlockedRun, OfLoraIsRight) {
    expect_right(kLora, 24);
}
TEST(BlockedRun, OfOneProductIsRight) {
    expect_right("dim M = 40\ndim N = 48\ndim K = 32\ninput A[M,K], B[K,N]\noutput C = A @ B\n", 6);
}
TEST(BlockedRun, OfTwoSoftmaxesIsRight) {
    expect_right(
        "dim M = 40\ndim N = 48\ndim K = 32\ndim H = 40\ndim P = 35\ninput A[M,K], B[K,N], D[N,H], F[H,P]\n"
        "C = softmax(A @ B)\nE = softmax(C @ D)\noutput G = E @ F\n",
        146);
}
TEST(BlockedRun, OfAComputedRightOperandIsRight) {
    expect_right(
        "dim M = 40\ndim N = 48\ndim K = 32\ndim H = 40\ninput A[M,K], B[K,N], D[N,H]\nC = B @ D\n"
        "output G = A @ relu(C)\n",
        26);
}
TEST(BlockedRun, OfGroupedQueriesIsRight) {
    expect_right(
        "batch H = 2\ngroup G = 3\ndim M = 20\ndim N = 24\ndim D = 16\ndim L = 16\n"
        "input Q[H,G,M,D], K[H,N,D], V[H,N,L]\nS = Q @ K.T * D^-0.5\nP = softmax(S)\noutput O = P @ V\n",
        26);
}

// All 26 expressions with the sizes of G1 that survive the rules of padding and of shared memory, some of
// them.
TEST(BlockedRun, OfG1IsRightWithItsSizes) {
    const Reference reference(two_products(512, 256, 64, 64, "f32"));
    const Chain chain = tilings::read_chain(reference.program).value();
    int run_count = 0;
    for (const tilings::Expression& expression : tilings::expressions_of(chain))
        for (const std::vector<std::int64_t>& tiles : std::vector<std::vector<std::int64_t>>{
                 {32, 64, 16, 32}, {512, 256, 64, 64}, {128, 16, 64, 16}, {64, 256, 32, 64}}) {
            BlockedRun run(chain, expression.roots, tiles, 1);
            EXPECT_LT(difference(reference, run), 1e-3) << to_string(expression.roots, chain);
            ++run_count;
        }
    EXPECT_EQ(run_count, 104);
}

// What runs is what the model counts: block products, and their operations.
TEST(BlockedRun, DoesTheWorkThatTheModelCounts) {
    const tilings::Space space = tilings::make_space(chain_of(two_products(128, 64, 64, 32)), a100()).value();
    for (std::size_t i = 0; i < space.candidates.size(); i += 7) {
        const tilings::Candidate& candidate = space.candidates[i];
        BlockedRun run(space.chain, space.judged(candidate).expression.roots, candidate.tiles, 2);
        run.fill_inputs();
        run.run();
        const tilings::Estimate estimate = tilings::estimate(space, candidate);
        std::int64_t calls = 0;
        for (const tilings::StatementCost& row : estimate.statements)
            if (row.flops > 0) calls += row.trips;
        EXPECT_EQ(run.products_run(), calls) << to_string(space, candidate);
        EXPECT_EQ(static_cast<double>(run.flops_run()), estimate.flops) << to_string(space, candidate);
    }
}

TEST(BlockedRun, KeepsPartialTilesWhereTheReductionStandsOutside) {
    const Chain chain = chain_of(two_products(64, 64, 64, 64, "f32"));
    const auto bytes = [&](const std::string& text) {
        for (const tilings::Expression& expression : tilings::expressions_of(chain))
            if (to_string(expression.roots, chain) == text)
                return BlockedRun(chain, expression.roots, {16, 16, 16, 16}, 1).local_bytes();
        return std::int64_t{0};
    };
    const std::int64_t tile = 16 * 16 * 4;
    EXPECT_EQ(bytes("mhnk"), 2 * tile);
    EXPECT_EQ(bytes("mhkn"), 5 * tile);     // all four tiles of C along n
    EXPECT_EQ(bytes("mn(k,h)"), 5 * tile);  // all four tiles of E along h
    EXPECT_EQ(bytes("knmh"), 32 * tile);    // all of C and E
}

TEST(BlockedRun, ComputesAgainWhatItComputed) {
    const Reference reference(kCausal);
    const Chain chain = tilings::read_chain(reference.program).value();
    BlockedRun run(chain, tilings::expressions_of(chain).front().roots, {16, 16, 16, 16}, 1);
    EXPECT_LT(difference(reference, run), 1e-5);
    EXPECT_LT(difference(reference, run), 1e-5);
}

// However long one run takes, which others may have disturbed, it does not decide alone.
TEST(BestSeconds, AreOfFiveRunsAtLeast) {
    int runs = 0;
    const auto slow_first = [&] { usleep(runs++ == 0 ? 60'000 : 4'000); };
    EXPECT_LT(tilings::best_seconds(slow_first), 0.06);
    EXPECT_EQ(runs, 5) << "each took longer than the least time of all";
    runs = 0;
    EXPECT_GE(tilings::best_seconds([&] { ++runs; }), 0);
    EXPECT_EQ(runs, 20);
}

}  // namespace
}  // namespace blockscope::test
