// Formulas and derivations: how they are written, and what they point at. That they add up is checked for
// every step of every sample in counts_test.cpp.
#include "core/cost/derivation.h"

#include <gmock/gmock.h>

#include "core/fusion/trace.h"
#include "core/print/print.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Fused {
    explicit Fused(const std::string& sample) : trace(sample_trace(sample)) { lower_it(); }
    void lower_it() {
        loops = lower(*trace.last());
        unfused = lower(*trace.initial);
    }
    Result<CostQuantity> parsed(const std::string& name) const {
        return parse_quantity(name, {loops, CostBasis(loops)});
    }
    CostDerivation derived(const std::string& name) const {
        const Result<CostQuantity> quantity = parsed(name);
        EXPECT_TRUE(quantity) << name;
        const CostBasis basis(loops);
        const CostBasis unfused_basis(unfused);
        const CountedLoops initial{unfused, unfused_basis};
        return derive({loops, basis}, *quantity, &initial);
    }
    Trace trace;
    LoopProgram loops, unfused;
};

DimTable two_dims(Dim m, Dim n) {
    return {std::move(m), std::move(n)};
}

constexpr DimId kM{0};
constexpr DimId kN{1};
using Kind = Factor::Kind;

TEST(Polynomials, AddUpLikeTermsAndDropWhatIsOne) {
    const DimTable dims = two_dims({"M", 100, 16}, {"N", 8, 8});
    Polynomial sum(1, {{Kind::Size, kM}, {Kind::Count, kN}}, dims);
    sum.add(Polynomial(1, {{Kind::Size, kM}}, dims));
    sum.add(Polynomial(3, {{Kind::First, kM}, {Kind::First, kN}}, dims));
    sum.add(Polynomial(1, {{Kind::LaterSize, kN}}, dims));  // there is no later block
    EXPECT_EQ(sum.text(dims), "2·M + 3·N·m");
    EXPECT_EQ(sum.value(dims), 200 + 3 * 8 * 16);
    EXPECT_EQ(Polynomial().text(dims), "0");
}

TEST(Polynomials, JoinBlockZeroAndTheOthers) {
    const DimTable dims = two_dims({"M", 100, 16}, {"N", 64, 8});
    Polynomial sum(2, {{Kind::First, kM}, {Kind::Size, kN}}, dims);
    sum.add(Polynomial(1, {{Kind::LaterSize, kM}, {Kind::Size, kN}}, dims));
    EXPECT_EQ(sum.text(dims), "M·N + N·m");
    Polynomial counted(1, {}, dims);
    counted.add(Polynomial(1, {{Kind::LaterCount, kM}}, dims));
    EXPECT_EQ(counted.text(dims), "M/m");
}

TEST(Polynomials, KnowSumsOfSquares) {
    const DimTable dims = two_dims({"M", 100, 16}, {"N", 64, 8});
    const Polynomial ragged(1, {{Kind::Squares, kM}}, dims);
    EXPECT_EQ(ragged.text(dims), "Σm²");
    EXPECT_EQ(ragged.value(dims), 6 * 16 * 16 + 4 * 4);
    const Polynomial even(1, {{Kind::Squares, kN}}, dims);
    EXPECT_EQ(even.text(dims), "N·n");
    EXPECT_EQ(even.value(dims), 8 * 64);
}

TEST(Derivations, OfFusedAttentionInThePapersNotation) {
    const Fused attention("attention");
    EXPECT_EQ(attention.derived("moved").formula(), "M·D·N/n + M·L + N·D·M/m + N·L·M/m");
    EXPECT_EQ(attention.derived("Q.loads.bytes").formula(), "2·M·D·N/n");
    EXPECT_EQ(attention.derived("local").formula(), "D·m + D·n + L·m + m + m·n");
    EXPECT_EQ(attention.derived("tasks").formula(), "M/m");
    EXPECT_EQ(attention.derived("matrix").formula(), "2·M·N·D + 2·M·N·L");
    const CostDerivation intensity = attention.derived("intensity");
    EXPECT_THAT(intensity.formula(), HasSubstr(") / (2·M·D·N/n + 2·M·L + 2·N·D·M/m + 2·N·L·M/m)"));
    EXPECT_DOUBLE_EQ(intensity.result(), count(attention.loops).intensity());
    EXPECT_DOUBLE_EQ(attention.derived("replication").result(),
                     count(attention.loops).replication(count(attention.unfused)));
}

TEST(Derivations, SayWhatIsPutInAndWhichLinesAreSummed) {
    const Fused attention("attention");
    const CostDerivation loads = attention.derived("K.loads");
    EXPECT_THAT(loads.sum.symbols,
                ElementsAre(SymbolValue{"N", 4096}, SymbolValue{"D", 128}, SymbolValue{"M/m", 32}));
    ASSERT_EQ(loads.sum.summands.size(), 1U);
    const Summand& summand = loads.sum.summands[0];
    EXPECT_EQ(listing_lines(attention.loops)[static_cast<std::size_t>(summand.line)].text,
              "        t2 = load(K[n,d])");
    EXPECT_TRUE(summand.value.has_value());
    const std::vector<std::string> text = derivation_text(loads, attention.loops, attention.unfused);
    EXPECT_EQ(text[0], "K.loads.values = N·D·M/m = 16777216 values");
    EXPECT_EQ(text[2], "  with N = 4096, D = 128, M/m = 32");
    EXPECT_THAT(text[3], testing::StartsWith("  + N·D·M/m = 16777216  n"));
    EXPECT_THAT(text[3], testing::EndsWith(", line 6: t2 = load(K[n,d])"));
}

TEST(Derivations, OfLocalMemoryNameWhatIsAlive) {
    const Fused attention("attention");
    const CostDerivation local = attention.derived("local.bytes");
    std::vector<int> alive;
    for (const Summand& summand : local.sum.summands) alive.push_back(summand.temp.id);
    EXPECT_THAT(alive, ElementsAre(1, 2, 3, 5, 7));
    EXPECT_EQ(local.sum.value, count(attention.loops).local.bytes);
}

TEST(Derivations, OfOneOperator) {
    const Fused attention("attention");
    const Counts counts = count(attention.loops);
    ASSERT_FALSE(counts.operators.empty());
    for (const NodeFlops& entry : counts.operators)
        EXPECT_EQ(attention.derived("operations." + to_string(entry.node)).sum.value, entry.flops.total());
}

TEST(Derivations, RefuseUnknownQuantities) {
    const Fused attention("attention");
    for (const char* name : {"", "Q", "Q.loads.kilos", "Z.loads", "local.items", "operations.n9999",
                             "matrix.x.y", "tasks.values"}) {
        const Result<CostQuantity> parsed = attention.parsed(name);
        ASSERT_FALSE(parsed) << name;
        EXPECT_THAT(parsed.problems().front().message, HasSubstr("is no quantity of this state; expected"));
    }
}

}  // namespace
}  // namespace blockscope::test
