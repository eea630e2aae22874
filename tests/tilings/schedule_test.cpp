// Expressions as block programs that are built loop by loop.
#include "core/tilings/schedule.h"

#include <gmock/gmock.h>

#include "core/engine/cpu_program.h"
#include "core/exec/evaluate.h"
#include "core/graph/verify.h"
#include "core/state/state.h"
#include "core/tilings/states.h"
#include "tests/tilings/chains.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using tilings::Schedule;
using tilings::Space;

Space space_of(const std::string& text) {
    return tilings::make_space(chain_of(text), a100()).value();
}

const tilings::JudgedExpression& expression(const Space& space, const std::string& text) {
    for (const tilings::JudgedExpression& judged : space.expressions)
        if (to_string(judged.expression.roots, space.chain) == text) return judged;
    throw std::runtime_error("no expression " + text);
}

// All expressions are well-formed programs that compute what the chain does, whatever the seed; how many of
// them sum up lists.
int proven(const std::string& text, std::size_t expressions) {
    const Space space = space_of(text);
    EXPECT_EQ(space.expressions.size(), expressions);
    int lists = 0;
    for (const tilings::JudgedExpression& judged : space.expressions) {
        const std::string name = to_string(judged.expression.roots, space.chain);
        const auto schedule = schedule_of(space.chain, judged, few_tiles(space.chain));
        if (!schedule) {
            ADD_FAILURE() << name << ": " << schedule.problems().front().message;
            continue;
        }
        EXPECT_THAT(verify(*schedule->program), testing::IsEmpty()) << name;
        EXPECT_EQ(difference(space.chain, *schedule, 1), std::nullopt) << name;
        EXPECT_EQ(difference(space.chain, *schedule, 2), std::nullopt) << name;
        lists += schedule->listed.empty() ? 0 : 1;
    }
    return lists;
}

TEST(TilingSchedules, OfTwoProductsAreProven) {
    EXPECT_EQ(proven(two_products(64, 64, 64, 64, "f32"), 26), 14);
}
TEST(TilingSchedules, OfThreeProductsAreProven) {
    EXPECT_GT(proven(kThreeProducts, 146), 0);
}
TEST(TilingSchedules, OfCausalAttentionAreProven) {
    EXPECT_EQ(proven(kCausal, 26), 14);
}
TEST(TilingSchedules, OfAGatedChainAreProven) {
    EXPECT_EQ(proven(kGated, 26), 14);
}
TEST(TilingSchedules, OfLoraAreProven) {
    proven(kLora, 24);
}
TEST(TilingSchedules, OfTwoSoftmaxesAreProven) {
    proven(
        "dim M = 40\ndim N = 48\ndim K = 32\ndim H = 40\ndim P = 35\ninput A[M,K], B[K,N], D[N,H], F[H,P]\n"
        "C = softmax(A @ B)\nE = softmax(C @ D)\noutput G = E @ F\n",
        146);
}
TEST(TilingSchedules, OfAComputedRightOperandAreProven) {
    proven(
        "dim M = 40\ndim N = 48\ndim K = 32\ndim H = 40\ninput A[M,K], B[K,N], D[N,H]\nC = B @ D\n"
        "output G = A @ relu(C)\n",
        26);
}
TEST(TilingSchedules, OfGroupedQueriesAreProven) {
    proven(
        "batch H = 2\ngroup G = 3\ndim M = 20\ndim N = 24\ndim D = 16\ndim L = 16\n"
        "input Q[H,G,M,D], K[H,N,D], V[H,N,L]\nS = Q @ K.T * D^-0.5\nP = softmax(S)\noutput O = P @ V\n",
        26);
}
TEST(TilingSchedules, OfLoopsOfOneDimensionAreProven) {
    proven("dim M = 40\ndim N = 48\ninput A[M,M], B[M,N], D[N,M]\nC = A @ B\noutput E = C @ D\n", 26);
}

// The loops are those of the expression, in its order; partial tiles are lists.
TEST(TilingSchedules, HaveTheLoopsOfTheirExpression) {
    const Space space = space_of(two_products(64, 64, 64, 64, "f32"));
    const auto text = [&](const std::string& name) {
        return listing(*schedule_of(space.chain, expression(space, name), few_tiles(space.chain))->program);
    };
    EXPECT_THAT(text("hmnk"), HasSubstr("forall h in range(H):\n  forall m in range(M):\n    for n in "
                                        "range(N):\n      for k in range(K):"));
    EXPECT_THAT(text("mhkn"), HasSubstr("forall m in range(M):\n  forall h in range(H):\n    forall k in "
                                        "range(K):\n      t1 = load(A[m,k])\n      forall n in range(N):"));
    EXPECT_THAT(text("mn(k,h)"), HasSubstr("    for k in range(K):"));
    EXPECT_THAT(text("mn(k,h)"), HasSubstr("    forall h in range(H):"));
}

TEST(TilingSchedules, SayWhichRuleIsMissing) {
    const Space space = space_of(two_products(64, 64, 64, 64, "f32"));
    const auto states = tilings::matched_states(space);
    const auto built = tilings::built_programs(space, states);
    int count = 0;
    for (std::size_t i = 0; i < built.size(); ++i) {
        EXPECT_NE(states[i].has_value(), built[i].has_value());
        if (!built[i]) continue;
        ++count;
        EXPECT_TRUE(built[i]->proven);
        EXPECT_THAT(built[i]->missing.str(), HasSubstr("no lists of them"));
    }
    EXPECT_EQ(count, 14);
    EXPECT_THAT(
        built[static_cast<std::size_t>(&expression(space, "mhkn") - space.expressions.data())]->missing.str(),
        HasSubstr("C along n"));
    EXPECT_THAT(built.back()->missing.str(), HasSubstr("E along h"));
}

// A proof fails where the program computes something else.
TEST(TilingSchedules, ThatComputeSomethingElseAreNotEqual) {
    const Space space = space_of(two_products(64, 64, 64, 64, "f32"));
    const Space other = space_of(
        "dim M = 64\ndim N = 64\ndim K = 64\ndim H = 64\ninput A[M,K], B[K,N], D[N,H]\nC = A @ B\n"
        "output E = C @ D * 2\n");
    const auto schedule = schedule_of(other.chain, expression(other, "mhkn"), few_tiles(other.chain));
    EXPECT_EQ(difference(space.chain, *schedule, 1), "E");
}

// Our engine runs them, lists and all: blocks are the tiles.
TEST(TilingSchedules, RunOnTheEngine) {
    const Space space = space_of(two_products(64, 48, 32, 40, "f32"));
    const Tensors<double> inputs = random_doubles(space.chain.program, 3);
    const Tensor<double> wanted = evaluate(space.chain.program, inputs).at("E");
    for (const char* const name : {"mhnk", "hmkn", "mn(k,h)"}) {
        const auto schedule = schedule_of(space.chain, expression(space, name), {16, 32, 16, 16});
        const State state(schedule->program);
        CpuProgram run = std::move(CpuProgram::prepare(state.loops(), {.threads = 1})).value();
        for (std::size_t i = 0; i < run.inputs().size(); ++i) {
            const Tensor<double>& input = inputs.at(run.inputs()[i].name);
            EXPECT_EQ(run.inputs()[i].shape, input.shape) << name;
            run.set_input(static_cast<int>(i), std::vector<float>(input.data.begin(), input.data.end()));
        }
        run.fill_with_nan();
        run.run();
        for (std::size_t i = 0; i < wanted.data.size(); ++i)
            ASSERT_NEAR(run.output(0)[i], wanted.data[i], 1e-4) << name << " " << i;
    }
}

}  // namespace
}  // namespace blockscope::test
