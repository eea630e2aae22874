// Maps: every way in and out, ragged blocks, serial and peeled loops.
#include "tests/exec/programs.h"

namespace blockscope::test {
namespace {

// M has blocks of 2, 2 and 1 rows, N of 3 and 1, K of 2 and 2.
DimTable ragged() {
    return {{"M", 5, 2}, {"N", 4, 3}, {"K", 4, 2}};
}

template <class S>
class BlockMaps : public testing::Test {};
using Scalars = testing::Types<double, Exact>;
TYPED_TEST_SUITE(BlockMaps, Scalars);

template <class S>
S at(const Tensor<S>& tensor, std::size_t row, std::size_t col) {
    return tensor.data[row * static_cast<std::size_t>(tensor.shape.back()) + col];
}

// M-map { N-map { K-map { dot }; sum over K } }: A iterated by M and K, B broadcast, then iterated.
BlockProgram matmul(MapOutput inner_output) {
    Hand hand(ragged());
    const Type a_row = list({K}, block(M, K)), b_row = list({K}, block(N, K));
    const ValueRef a = hand.top.input(list({M}, a_row), {"A"});
    const ValueRef b = hand.top.input(list({N}, b_row), {"B"});
    const GraphPtr dots = hand.body({block(M, K), block(N, K)}, [](Builder& inner, const Refs& in) {
        return Refs{inner.functional(FunctionalOp::Dot, {in[0], in[1]})};
    });
    const GraphPtr columns = hand.body({a_row, b_row}, [&](Builder& inner, const Refs& in) {
        const ValueRef products = inner.map({K, 0, {kIterated, kIterated}, {inner_output}, dots}, in)[0];
        if (inner_output.mode == PortOut::ReducedSum) return Refs{products};
        return Refs{inner.reduce(ReduceOp::Sum, K, products)};
    });
    const GraphPtr rows = hand.body({a_row, list({N}, b_row)}, [&](Builder& inner, const Refs& in) {
        return inner.map({N, 0, {kBroadcast, kIterated}, {kCollected}, columns}, in);
    });
    hand.top.output(hand.top.map({M, 0, {kIterated, kBroadcast}, {kCollected}, rows}, {a, b})[0], "C");
    return hand.finish();
}

template <class S>
Tensor<S> product(const Tensor<S>& a, const Tensor<S>& b) {
    Tensor<S> c{{5, 4}, {}};
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
            S sum{};
            for (std::size_t k = 0; k < 4; ++k) sum = sum + at(a, i, k) * at(b, j, k);
            c.data.push_back(sum);
        }
    return c;
}

TYPED_TEST(BlockMaps, MatmulCollectsAndReduces) {
    for (const MapOutput& output : {kCollected, kSummed}) {
        const BlockProgram program = matmul(output);
        const Tensors<TypeParam> in = random_inputs<TypeParam>(program, 5);
        expect_equal(evaluate(program, in).at("C"), product(in.at("A"), in.at("B")));
    }
}

// The same list both iterated and broadcast: each row block plus the sum of block 0's rows.
TYPED_TEST(BlockMaps, OneValueComesInBothWays) {
    using S = TypeParam;
    Hand hand({{"M", 4, 2}});
    const ValueRef a = hand.top.input(list({M}, vector(M)), {"A"});
    const GraphPtr body = hand.body({vector(M), list({M}, vector(M))}, [](Builder& inner, const Refs& in) {
        return Refs{inner.functional(FunctionalOp::Add, {in[0], {in[1].node, 0, 1}})};
    });
    hand.top.output(hand.top.map({M, 0, {kIterated, kBroadcast}, {kCollected}, body}, {a, a})[0], "Z");
    expect_equal(evaluate(hand.finish(), {{"A", array<S>({4}, {1, 2, 3, 4})}}).at("Z"),
                 array<S>({4}, {2, 4, 4, 6}));
}

TYPED_TEST(BlockMaps, ReducesToSumAndMaximumAtOnce) {
    using S = TypeParam;
    Hand hand({{"M", 2, 2}, {"N", 5, 2}});
    const ValueRef a = hand.top.input(list({N}, block(M, N)), {"A"});
    const GraphPtr body = hand.body({block(M, N)}, [](Builder& inner, const Refs& in) {
        return Refs{inner.functional(FunctionalOp::RowSum, {in[0]}),
                    inner.functional(FunctionalOp::RowMax, {in[0]})};
    });
    const Refs results = hand.top.map({N, 0, {kIterated}, {kSummed, kMaximum}, body}, {a});
    hand.top.output(results[0], "Sum");
    hand.top.output(results[1], "Max");
    const auto in = array<S>({2, 5}, {1, 2, 3, 4, 50, -1, -2, -3, 4, -5});
    const Tensors<S> out = evaluate(hand.finish(), {{"A", in}});
    Tensor<S> largest{{2}, {at(in, 0, 0), at(in, 1, 0)}};
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t col = 1; col < 5; ++col)
            largest.data[row] = apply(Fn::Max, largest.data[row], at(in, row, col));
    expect_equal(out.at("Sum"), array<S>({2}, {60, -7}));
    expect_equal(out.at("Max"), largest);
}

// A peeled sum and a peeled list: iteration 0 stands beside the loop, which starts at 1.
TYPED_TEST(BlockMaps, PeeledLoopsContinueIterationZero) {
    using S = TypeParam;
    Hand hand(ragged());
    const Type row = list({K}, block(M, K));
    const ValueRef a = hand.top.input(list({M}, row), {"A"});
    const auto sums = [&] {
        return hand.body({block(M, K)}, [](Builder& inner, const Refs& in) {
            return Refs{inner.functional(FunctionalOp::RowSum, {in[0]}), in[0]};
        });
    };
    const GraphPtr rows = hand.body({row}, [&](Builder& inner, const Refs& in) {
        const ValueRef first{in[0].node, 0, 1};
        const ValueRef first_sum = inner.functional(FunctionalOp::RowSum, {first});
        return inner.map({K, 1, {kIterated, continued(0), continued(1)}, {kSummed, kCollected}, sums()},
                         {in[0], first_sum, first});
    });
    const Refs results = hand.top.map({M, 0, {kIterated}, {kCollected, kCollected}, rows}, {a});
    hand.top.output(results[0], "Sum");
    hand.top.output(results[1], "Copy");
    const BlockProgram program = hand.finish();
    const Tensors<S> in = random_inputs<S>(program, 9);
    const Tensors<S> out = evaluate(program, in);
    Tensor<S> expected{{5}, {}};
    for (std::size_t i = 0; i < 5; ++i) {
        S sum{};
        for (std::size_t k = 0; k < 4; ++k) sum = sum + at(in.at("A"), i, k);
        expected.data.push_back(sum);
    }
    expect_equal(out.at("Sum"), expected);
    expect_equal(out.at("Copy"), in.at("A"));
}

TYPED_TEST(BlockMaps, APeeledLoopOfOneBlockIsItsIterationZero) {
    using S = TypeParam;
    Hand hand({{"M", 2, 2}});
    const ValueRef a = hand.top.input(list({M}, vector(M)), {"A"});
    const ValueRef first{a.node, 0, 1};
    const auto same = [](Builder&, const Refs& in) { return Refs{in[0], in[0]}; };
    const Refs results = hand.top.map(
        {M, 1, {kIterated, continued(0), continued(1)}, {kSummed, kCollected}, hand.body({vector(M)}, same)},
        {a, first, first});
    hand.top.output(results[1], "Z");
    expect_equal(evaluate(hand.finish(), {{"A", array<S>({2}, {3, 4})}}).at("Z"), array<S>({2}, {3, 4}));
}

// Online softmax of every row times B: carried row maximum, row sum and block, rescaled as the
// maximum grows. The shapes of all three follow from the (ragged) row block only.
BlockProgram online_softmax() {
    Hand hand(ragged());
    const ValueRef a = hand.top.input(list({M, N}, block(M, N)), {"A"});
    const ValueRef b = hand.top.input(list({N}, block(K, N)), {"B"});
    const MapOutput top{PortOut::Carried, -HUGE_VAL}, zero{PortOut::Carried, 0};
    const std::vector<Type> types = {block(M, N), block(K, N), vector(M), vector(M), block(M, K)};
    const GraphPtr step = hand.body(types, [](Builder& g, const Refs& in) {
        const ExprPtr max = call(Fn::Max, arg(0), arg(1));
        const ExprPtr exp_of_difference = call(Fn::Exp, call(Fn::Sub, arg(0), arg(1)));
        const ValueRef z = g.elementwise(max, {in[2], g.functional(FunctionalOp::RowMax, {in[0]})});
        const ValueRef old = g.elementwise(exp_of_difference, {in[2], z});
        const ValueRef minus_z = g.elementwise(call(Fn::Neg, arg(0)), {z});
        const ValueRef e =
            g.elementwise(call(Fn::Exp, arg(0)), {g.functional(FunctionalOp::RowShift, {in[0], minus_z})});
        const ValueRef sum = g.functional(FunctionalOp::Add, {g.functional(FunctionalOp::Mul, {in[3], old}),
                                                              g.functional(FunctionalOp::RowSum, {e})});
        const ValueRef acc =
            g.functional(FunctionalOp::Add, {g.functional(FunctionalOp::RowScale, {in[4], old}),
                                             g.functional(FunctionalOp::Dot, {e, in[1]})});
        return Refs{z, sum, acc};
    });
    const GraphPtr rows =
        hand.body({list({N}, block(M, N)), list({N}, block(K, N))}, [&](Builder& g, const Refs& in) {
            const Refs carried = g.map({N, 0, {kIterated, kIterated}, {top, zero, zero}, step}, in);
            const ValueRef scale = g.elementwise(call(Fn::Div, number(1), arg(0)), {carried[1]});
            return Refs{g.functional(FunctionalOp::RowScale, {carried[2], scale})};
        });
    hand.top.output(hand.top.map({M, 0, {kIterated, kBroadcast}, {kCollected}, rows}, {a, b})[0], "Z");
    return hand.finish();
}

TYPED_TEST(BlockMaps, CarriesValuesFromOneIterationToTheNext) {
    using S = TypeParam;
    BlockProgram program = online_softmax();
    program.dims[K.value] = {"K", 3, 3};  // one block of columns
    const Tensors<S> in = random_inputs<S>(program, 11);
    const Tensor<S>& b = in.at("B");
    Tensor<S> expected{{5, 3}, {}};
    for (std::size_t i = 0; i < 5; ++i) {
        S sum{};
        for (std::size_t n = 0; n < 4; ++n) sum = sum + apply(Fn::Exp, at(in.at("A"), i, n));
        for (std::size_t k = 0; k < 3; ++k) {
            S total{};
            for (std::size_t n = 0; n < 4; ++n)
                total = total + apply(Fn::Exp, at(in.at("A"), i, n)) * at(b, k, n);
            expected.data.push_back(apply(Fn::Div, total, sum));
        }
    }
    expect_equal(evaluate(program, in).at("Z"), expected);
}

TEST(BlockMapsInDouble, CarriedMaximumKeepsLargeScoresFinite) {
    BlockProgram program = online_softmax();
    program.dims[K.value] = {"K", 3, 3};
    const Tensors<double> in = random_doubles(program, 11, 5000);
    const Tensors<double> out = evaluate(program, in);
    for (const double value : out.at("Z").data) {
        EXPECT_TRUE(std::isfinite(value));
        EXPECT_NE(value, 0);
    }
}

// A dimension nested in itself: every row block of A times every row block of A, summed.
TYPED_TEST(BlockMaps, ADimensionNestsInItself) {
    using S = TypeParam;
    Hand hand({{"M", 4, 2}, {"N", 3, 2}});
    const Type blocks = list({M}, block(M, N));
    const ValueRef a = hand.top.input(blocks, {"A"});
    const GraphPtr inner = hand.body({block(M, N), block(M, N)}, [](Builder& g, const Refs& in) {
        return Refs{g.functional(FunctionalOp::Mul, {in[0], in[1]})};
    });
    const GraphPtr outer = hand.body({block(M, N), blocks}, [&](Builder& g, const Refs& in) {
        return g.map({M, 0, {kBroadcast, kIterated}, {kSummed}, inner}, in);
    });
    hand.top.output(hand.top.map({M, 0, {kIterated, kBroadcast}, {kCollected}, outer}, {a, a})[0], "Z");
    const auto in = array<S>({4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
    expect_equal(evaluate(hand.finish(), {{"A", in}}).at("Z"),
                 array<S>({4, 2}, {6, 16, 30, 48, 30, 48, 70, 96}));
}

}  // namespace
}  // namespace blockscope::test
