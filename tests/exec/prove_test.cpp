// Proofs: what is told apart, at which sizes, and what it costs.
#include "core/exec/prove.h"

#include <limits>
#include <set>
#include <utility>

#include "core/fusion/trace.h"
#include "core/program/convert.h"
#include "core/support/result.h"
#include "tests/exec/programs.h"
#include "tests/support/array_maker.h"
#include "tests/support/paper_examples.h"

namespace blockscope::test {
namespace {

DimTable dims_of(int blocked, int batch) {
    DimTable dims;
    for (int i = 0; i < blocked; ++i) dims.push_back({"D" + std::to_string(i), 4096, 128});
    for (int i = 0; i < batch; ++i) dims.push_back({"B" + std::to_string(i), 32, 1, DimKind::Batch});
    return dims;
}

TEST(ProofDims, GiveFewDimensionsNumbersOfTheirOwn) {
    const DimTable dims = proof_dims(dims_of(4, 2), {});
    std::set<std::int64_t> blocks, block_sizes, sizes;
    int ragged = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        blocks.insert(dims[i].blocks());
        block_sizes.insert(dims[i].block);
        sizes.insert(dims[i].size);
        ragged += dims[i].size % dims[i].block != 0;
        EXPECT_EQ(dims[i].name, "D" + std::to_string(i));
    }
    EXPECT_EQ(blocks, (std::set<std::int64_t>{2, 3, 5, 7}));
    EXPECT_EQ(block_sizes.size(), 4u);
    EXPECT_EQ(sizes.size(), 4u);
    EXPECT_GE(ragged, 2);
    EXPECT_EQ(dims[4].size, 2);
    EXPECT_EQ(dims[5].size, 3);
    EXPECT_EQ(dims[4].block, 1);
}

TEST(ProofDims, MeetWhatOperatorsNeed) {
    for (std::size_t at = 0; at < 4; ++at)
        for (const BlockNeed need : {BlockNeed::Even, BlockNeed::Whole}) {
            BlockNeeds needs(4, BlockNeed::Any);
            needs[at] = need;
            const DimTable dims = proof_dims(dims_of(4, 0), needs);
            std::set<std::int64_t> sizes;
            for (std::size_t i = 0; i < 4; ++i) {
                EXPECT_TRUE(meets(dims[i], needs[i])) << at;
                EXPECT_EQ(dims[i].blocks() == 1, needs[i] == BlockNeed::Whole) << at;
                sizes.insert(dims[i].size);
            }
            EXPECT_EQ(sizes.size(), 4U) << at;
        }
}

TEST(ProofDims, StaySmallAndLoopInEveryDimension) {
    const DimTable dims = proof_dims(dims_of(40, 8), {});
    for (const Dim& dim : dims) {
        EXPECT_GE(dim.blocks(), 2);
        EXPECT_LE(dim.size, 9);
        EXPECT_LE(dim.block, 4);
    }
    const Dim whole = proof_dims({{"M", 64, 64}}, {})[0];
    EXPECT_GE(whole.blocks(), 2) << "also where the program has one block";
}

// Sum over N of A(M,N), times c; `variant` makes it wrong.
enum class Variant { Right, SwappedIndex, DroppedTerm, WrongVector };
BlockProgram row_sums(Variant variant) {
    Hand hand({{"M", 4, 2}, {"N", 6, 2}});
    const Type row = list({N}, block(M, N));
    const Type rows = list({M}, row);
    const ValueRef a = hand.top.input(rows, {"A"});
    const ValueRef c = hand.top.input(list({M}, vector(M)), {"C"});
    const bool dropped = variant == Variant::DroppedTerm;
    const GraphPtr sum = hand.body({block(M, N)}, [](Builder& inner, const Refs& in) {
        return Refs{inner.functional(FunctionalOp::RowSum, {in[0]})};
    });
    const GraphPtr scaled = hand.body({row, rows, vector(M), list({M}, vector(M))}, [&](Builder& inner,
                                                                                        const Refs& in) {
        const ValueRef list_of_row = variant == Variant::SwappedIndex ? ValueRef{in[1].node, 0, 1} : in[0];
        ValueRef total;
        if (dropped) {  // starts at 1, continuing an iteration 0 that is multiplied by zero
            const ValueRef first = inner.functional(FunctionalOp::RowSum, {{in[0].node, 0, 1}});
            const ValueRef nothing = inner.elementwise(call(Fn::Mul, arg(0), number(0)), {first});
            total = inner.map({N, 1, {kIterated, continued(0)}, {kSummed}, sum}, {in[0], nothing})[0];
        } else {
            total = inner.map({N, 0, {kIterated}, {kSummed}, sum}, {list_of_row})[0];
        }
        const ValueRef factor = variant == Variant::WrongVector ? ValueRef{in[3].node, 0, 1} : in[2];
        return Refs{inner.functional(FunctionalOp::Mul, {total, factor})};
    });
    const MapInput i = kIterated, b = kBroadcast;
    hand.top.output(hand.top.map({M, 0, {i, b, i, b}, {kCollected}, scaled}, {a, a, c, c})[0], "Z");
    return hand.finish();
}

TEST(CompareExact, TellsWrongProgramsApart) {
    // Both row blocks have two rows here, so that programs which read the wrong one still run.
    const DimTable dims = {{"M", 4, 2}, {"N", 5, 2}};
    const BlockProgram right = row_sums(Variant::Right);
    EXPECT_FALSE(compare_exact(right, row_sums(Variant::Right), dims, 1));
    for (const Variant variant : {Variant::SwappedIndex, Variant::DroppedTerm, Variant::WrongVector}) {
        const std::optional<Mismatch> mismatch = compare_exact(right, row_sums(variant), dims, 1);
        ASSERT_TRUE(mismatch);
        EXPECT_EQ(mismatch->output, "Z");
        EXPECT_EQ(mismatch->index, variant == Variant::DroppedTerm ? 0 : 2);
        EXPECT_EQ(mismatch->seed, 1u);
    }
}

TEST(Prover, FindsADroppedTermAtSizesOfItsOwn) {
    const Prover prover(row_sums(Variant::Right), 2);
    EXPECT_FALSE(prover.check(row_sums(Variant::Right)));
    EXPECT_TRUE(prover.check(row_sums(Variant::DroppedTerm)));
}

// Between the steps of an iteration.
TEST(Prover, EndsWhenNobodyWaitsForTheProof) {
    int asked = 0, stop_at = 1 << 30;
    const StopSign sign([&] { return ++asked >= stop_at; });
    const Prover prover(row_sums(Variant::Right), 2, sign);
    const int making = std::exchange(asked, 0);
    EXPECT_FALSE(prover.check(row_sums(Variant::Right), sign));
    EXPECT_GT(asked, 10);
    EXPECT_EQ(asked, making);
    for (const int at : {1, making / 2, making}) {
        stop_at = at;
        asked = 0;
        EXPECT_THROW(prover.check(row_sums(Variant::Right), sign), Stopped);
        EXPECT_EQ(asked, at) << "at once";
        asked = 0;
        EXPECT_THROW(Prover(row_sums(Variant::Right), 2, sign), Stopped);
    }
}

TEST(Prover, ThrowsWhereAWrongIndexGivesItemsThatDoNotFit) {
    const Prover prover(row_sums(Variant::Right), 2);
    EXPECT_THROW(prover.check(row_sums(Variant::SwappedIndex)), InternalError);
}

TEST(CompareExact, RefusesProgramsWithOtherOutputs) {
    Hand hand({{"M", 4, 2}});
    hand.top.output(hand.top.input(list({M}, vector(M)), {"A"}), "Y");
    const BlockProgram other = hand.finish();
    Hand same({{"M", 4, 2}});
    same.top.output(same.top.input(list({M}, vector(M)), {"A"}), "Z");
    EXPECT_THROW(compare_exact(same.finish(), other, other.dims, 1), InternalError);
}

TEST(RelativeError, IsInfiniteForWhatIsNotFinite) {
    ArrayMaker maker;
    const int x = maker.input("X", "M");
    maker.output("Z", maker.elementwise(call(Fn::Div, arg(0), number(0)), {x}, "M"));
    const BlockProgram block = to_block_program(maker.program).program;
    EXPECT_EQ(relative_error(maker.program, block, maker.program.dims, 1),
              std::numeric_limits<double>::infinity());
}

TEST(RelativeError, ComparesToTheLargestValue) {
    ArrayMaker one, two;
    one.output("Z", one.elementwise(call(Fn::Mul, arg(0), number(1)), {one.input("X", "M")}, "M"));
    two.output("Z", two.elementwise(call(Fn::Mul, arg(0), number(1.5)), {two.input("X", "M")}, "M"));
    const BlockProgram block = to_block_program(two.program).program;
    EXPECT_NEAR(relative_error(one.program, block, one.program.dims, 1), 0.5, 1e-12);
    EXPECT_EQ(relative_error(two.program, block, one.program.dims, 1), 0);
}

TEST(ProofWork, GrowsWithSizesAndIsModestAtProofSizes) {
    const BlockProgram attention = to_block_program(paper_attention()).program;
    const DimTable small = proof_dims(attention);
    DimTable larger = small;
    larger[0].size *= 4;  // three times the blocks
    EXPECT_GT(proof_work(attention, small), 1000);
    EXPECT_LT(proof_work(attention, small), 100000);
    EXPECT_GT(proof_work(attention, larger), 2 * proof_work(attention, small));
    EXPECT_LT(proof_work(attention, larger), 4 * proof_work(attention, small));
}

}  // namespace
}  // namespace blockscope::test
