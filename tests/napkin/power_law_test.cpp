// H* of diagrams: sums of sizes as coefficients, terms that do not depend on the choice, the groups that have
// it.
#include "core/algebra/power_law.h"

#include <cmath>

#include "core/fusion/trace.h"
#include "core/napkin/group_sizes.h"
#include "core/napkin/optimum.h"
#include "core/napkin/study.h"
#include "tests/diagram/figures.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;

Study studied(const Flow& flow) {
    Result<Study> made = study(flow, device("h100-sxm5"));
    if (!made) throw std::runtime_error(made.problems().front().message.str());
    return std::move(made).value();
}

// What a law says is what its own group sizes move: H at the groups is H*, and they fill the limit.
void expect_reached(const Study& found) {
    ASSERT_TRUE(found.law);
    const double memory = 1e5;
    Values at = sizes(found.circuit.axes);
    for (const GroupAxis& group : group_axes(found.flow, found.plan)) at[group.symbol] = 1;
    for (const GroupChoice& choice : found.law->choices) {
        // Of a product of groups all goes to its first.
        at[choice.groups.begin()->first] =
            std::pow(choice.value(at, memory), 1 / choice.groups.begin()->second.value());
    }
    const double moved = found.resources.transferred.value(at);
    EXPECT_NEAR(moved, found.law->value(at, memory), 1e-9 * moved);
    if (found.law->limit.is_zero()) return;
    EXPECT_NEAR(found.law->limit.value(at), memory, 1e-6 * memory);
}

// H* and the groups of every sample as one algorithm are formulas of symbols, derived from the diagram; only
// the decoder block fits nowhere, and cosines and sines that all heads share ask for more heads than pay.
TEST(PowerLaw, OfEverySampleIsAFormula) {
    for (const std::string& name : sample_names()) {
        SCOPED_TRACE(name);
        const Study found = studied(separated(flow_of(read_sample(name))));
        if (name == "decoder-block") {
            EXPECT_FALSE(found.law);
            EXPECT_EQ(found.no_law, "not even the smallest parts fit");
            continue;
        }
        if (name == "rotary-attention") {
            EXPECT_FALSE(found.law);
            EXPECT_EQ(found.no_law, "a tile size costs more memory than it saves traffic at every size");
            continue;
        }
        EXPECT_FALSE(found.law_of_numbers);
        expect_reached(found);
    }
}

// From the diagram as from the block program, where both are one algorithm.
TEST(PowerLaw, IsThatOfTheBlockProgram) {
    for (const char* name : {"matmul", "attention", "multihead-attention", "gqa", "mcfuser-g1"}) {
        SCOPED_TRACE(name);
        const Study found = studied(separated(flow_of(read_sample(name))));
        const LoopProgram loops = lower(*fuse(block_sample(name)).last());
        const napkin::Optimum optimum = napkin::find_optimum(loops);
        ASSERT_TRUE(found.law && optimum.has_law());
        for (const double memory : {1e4, 1e6}) {
            const double of_blocks = algebra::transfers(napkin::power_law(optimum.law, loops.dims), memory);
            EXPECT_NEAR(found.law->value(sizes(found.circuit.axes), memory), of_blocks, 1e-6 * of_blocks);
        }
    }
}

TEST(PowerLaw, HasSumsAsCoefficients) {
    const Study found = studied(separated(flow_of(read_sample("attention"))));
    EXPECT_FORMULA(found.law->formula("Mem"), "D·M + L·M + D²·M·N·Mem^-1 + 2·D·L·M·N·Mem^-1 + L²·M·N·Mem^-1");
    ASSERT_EQ(found.law->choices.size(), 1U);
    EXPECT_EQ(found.law->choices[0].name(), "g_M");
    EXPECT_EQ(found.law->choices[0].text("Mem"), "Mem/(D + L)");
    EXPECT_EQ(found.law->choices[0].value({{"D", 128}, {"L", 128}}, 1024), 4);
}

// The gain of a norm is loaded once per group: a power of the limit, which no choice changes.
TEST(PowerLaw, KeepsTermsThatAreAPowerOfTheLimit) {
    const Study found = studied(separated(flow_of(read_sample("rmsnorm-matmul"))));
    EXPECT_FORMULA(found.law->formula("Mem"), "2·D·M·N·Mem^-1/2 + D·M·N·Mem^-1 + M·N");
    for (const GroupChoice& choice : found.law->choices)
        EXPECT_EQ(choice.text("Mem"), "Mem^1/2") << choice.name();
}

// Two inner axes: a root of their sum is no formula of these; with numbers it is.
TEST(PowerLaw, OfRootsOfSumsHasTheSizesPutIn) {
    const Study found =
        studied(flow_from("dim M = 4096 / 128\ndim N = 4096 / 128\ndim K = 2048 / 128\ndim J = 1024 / 128\n"
                          "input X[M, K], A[K, N], Z[M, J], B[J, N] : f16\noutput Y = X @ A + Z @ B\n"));
    ASSERT_TRUE(found.law_of_numbers) << "another plan was better: " << found.resources.transferred.text();
    EXPECT_EQ(found.no_law, "its coefficients are roots of sums");
    expect_reached(found);
}

TEST(PowerLaw, SaysWhyThereIsNone) {
    const Formula g = Formula::symbol("g"), h = Formula::symbol("h");
    NoPowerLaw why;
    EXPECT_FALSE(power_law(g.to_the(-1) + h.to_the(-1), g + h, {"g", "h"}, {}, &why));
    EXPECT_EQ(why.why, "no term of the widest column has all groups in it");
    EXPECT_FALSE(power_law(g.to_the(-1), g + g * g, {"g"}, {}, &why));
    EXPECT_EQ(why.why, "the widest column has several terms with all groups in them that grow differently");
    EXPECT_TRUE(power_law(g.to_the(-1), g + g * Formula::symbol("s"), {"g"}, {"s"}, &why));
    EXPECT_EQ(why.why, "");
}

}  // namespace
}  // namespace blockscope::test
