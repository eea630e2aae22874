// The algorithm takes the paper's steps on the paper's examples (Blockbuster section 5).
#include <gmock/gmock.h>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/state/state.h"
#include "tests/fusion/examples.h"

namespace blockscope::test {
namespace {

// "1 1 4 | 6a 1 |": the rules in order, a bar for each snapshot.
std::string sequence(const Trace& trace) {
    std::string text;
    std::size_t snapshot = 0;
    for (int step = 0; step <= static_cast<int>(trace.steps.size()); ++step) {
        if (step > 0) text += to_string(trace.steps[static_cast<std::size_t>(step) - 1].match.rule) + " ";
        if (snapshot < trace.snapshots.size() && trace.snapshots[snapshot] == step) {
            text += "| ";
            ++snapshot;
        }
    }
    return text;
}

std::string run(BlockProgram program, RuleSet rules = {}) {
    return sequence(fuse(std::make_shared<const BlockProgram>(std::move(program)), {}, rules));
}

std::string run(const std::string& text, RuleSet rules = {}) {
    return run(to_block_program(parse_program(text, "test").value()).program, rules);
}

// Where no addition has anything to do, the runs are the paper's by default, too.
const std::vector<RuleSet> kSets{kPaperRules, {}, {.rounding = true}};

TEST(Examples, AttentionTakes17Steps) {
    for (const RuleSet rules : kSets)
        EXPECT_EQ(run(attention(), rules), "1 1 1 1 1 1 4 3 1 1 1 1 9 3 3 | 6a 1 | ") << to_string(rules);
}

TEST(Examples, LayerNormMatmulTakes22Steps) {
    for (const RuleSet rules : kSets)
        EXPECT_EQ(run(layernorm_matmul(), rules), "1 1 1 1 1 1 1 4 5 3 3 1 1 1 1 1 2 3 3 2 | 6b 2 | ")
            << to_string(rules);
}

TEST(Examples, RmsNormSwiGluTakes26Steps) {
    for (const RuleSet rules : kSets)
        EXPECT_EQ(run(rmsnorm_swiglu(), rules),
                  "1 1 1 1 1 1 1 1 8 4 4 3 1 1 1 1 1 1 3 3 2 3 | 6a 1 | 6b 2 | ")
            << to_string(rules);
}

const std::string kDims = "dim M = 64 / 16\ndim D = 64 / 16\ndim N = 64 / 16\n";

// Passes over the rows of X: kernels whose innermost loops run one after the other.
int passes(const std::string& text, RuleSet rules) {
    const Trace trace = fuse(
        std::make_shared<const BlockProgram>(to_block_program(parse_program(text, "test").value()).program),
        {}, rules);
    const std::string lines = listing(*trace.last());
    int count = 0;
    for (std::size_t at = lines.find("for d in"); at != std::string::npos;
         at = lines.find("for d in", at + 1))
        ++count;
    return count;
}

TEST(Additions, ANormWithALearnedWeightFusesAsOneWithout) {
    const std::string plain = kDims + "input X[M, D], W[D, N]\noutput Y = rmsnorm(X) @ W\n";
    const std::string weighted = kDims + "input X[M, D], w[D], W[D, N]\noutput Y = rmsnorm(X, w) @ W\n";
    EXPECT_EQ(passes(plain, {}), 1);
    EXPECT_EQ(passes(weighted, {}), 1);
    EXPECT_GT(passes(weighted, kPaperRules), 1);
    EXPECT_EQ(run(weighted), "1 1 1 1 1 10 4 3 1 1 1 3 1 | 6b 2 | ");
}

TEST(Additions, SoDoesALayerNormWithAWeightAndABias) {
    const std::string affine =
        kDims + "input X[M, D], w[D], b[D], W[D, N]\noutput Y = layernorm(X, w, b) @ W\n";
    EXPECT_EQ(passes(affine, {}), 1);
    EXPECT_GT(passes(affine, kPaperRules), 1);
}

TEST(Additions, AWeightBeforeTwoProductsMovesToBoth) {
    const std::string swiglu =
        kDims +
        "input X[M, D], w[D], V[D, N], W[D, N]\nH = rmsnorm(X, w)\noutput Y = silu(H @ V) * (H @ W)\n";
    EXPECT_EQ(passes(swiglu, {}), 1);
    EXPECT_EQ(run(swiglu).substr(0, 26), "1 1 1 1 1 1 1 1 10 8 4 4 3");
}

TEST(Additions, AScalePassesACastOnRequest) {
    const std::string fp8 =
        "dim M = 64 / 16\ndim N = 64 / 16\ndim D = 16 / 16\ndim L = 16 / 16\n"
        "input Q[M, D], K[N, D], V[N, L] : e4m3\n"
        "output O = cast(softmax(cast(Q @ K.T, f32)), e4m3) @ V\n";
    EXPECT_EQ(run(fp8).find("12 "), std::string::npos);
    EXPECT_NE(run(fp8, {.rounding = true}).find("12 4 "), std::string::npos);
    const auto list = [&](RuleSet rules) {
        const BlockProgram program = to_block_program(parse_program(fp8, "test").value()).program;
        return listing(*fuse(std::make_shared<const BlockProgram>(program), {}, rules).last());
    };
    // Without it the division stays before the cast, and the exponentials are stored until their sum is
    // known.
    EXPECT_THAT(list({}), testing::ContainsRegex("store\\(t[0-9]+,I[0-9]"));
    EXPECT_THAT(list({.rounding = true}), testing::Not(testing::ContainsRegex("I[0-9]")));
}

// The backward pass of attention needs its weights, and their gradients, both as they are and transposed.
const std::string kBackward =
    "dim M = 64 / 16\ndim N = 64 / 16\ndim D = 16 / 16\ndim L = 16 / 16\n"
    "input Q[M, D], K[N, D], V[N, L], G[M, L]\n"
    "P = softmax(Q @ K.T)\nE = G @ V.T\nS = P * (E - row_sum(P * E))\n"
    "output dV = P.T @ G\noutput dQ = S @ K\noutput dK = S.T @ Q\n";

int transposes(const BlockProgram& program) {
    int count = 0;
    for (const NodePtr& node : program.graph->nodes()) count += node->is<Misc>();
    return count;
}

TEST(Additions, NoTransposeIsLeftWhereRule14IsAppliedUntilItEnds) {
    const ProgramPtr initial = std::make_shared<const BlockProgram>(
        to_block_program(parse_program(kBackward, "test").value()).program);
    EXPECT_EQ(transposes(*fuse(initial).last()), 2);
    Trace trace{initial, {}, {}, {}};
    for (int step = 0; step < 40; ++step) {
        // The last one first: what it needs transposed may be there already.
        const std::vector<Match> matches = all_matches(*trace.last(), {RuleId{14, 0}, {}, {}});
        if (matches.empty()) break;
        trace.steps.push_back(checked_apply(trace.last(), matches.back()));
    }
    EXPECT_EQ(transposes(*trace.last()), 0);
    trace = fuse_on(std::move(trace));
    EXPECT_FALSE(compare_exact(*initial, *trace.last(), initial->dims, 1));
    const std::string lines = listing(*trace.last());
    EXPECT_EQ(lines.find("transpose"), std::string::npos) << lines;
}

}  // namespace
}  // namespace blockscope::test
