// Functional, elementwise, reduction and miscellaneous operators in block programs.
#include "tests/exec/programs.h"

#include "core/exec/block_operators.h"
#include "core/support/result.h"

namespace blockscope::test {
namespace {

template <class S>
class BlockOperators : public testing::Test {};
using Scalars = testing::Types<double, Exact>;
TYPED_TEST_SUITE(BlockOperators, Scalars);

// One block each: M has 2 elements, N has 2, K has 3.
DimTable one_block() {
    return {{"M", 2, 2}, {"N", 2, 2}, {"K", 3, 3}};
}

template <class S>
Tensor<S> run_functional(FunctionalOp op, const std::vector<Type>& types,
                         const std::vector<Tensor<S>>& arrays) {
    Hand hand(one_block());
    Refs inputs;
    Tensors<S> tensors;
    for (std::size_t i = 0; i < types.size(); ++i) {
        const std::string name(1, static_cast<char>('A' + i));
        inputs.push_back(hand.top.input(types[i], {name}));
        tensors[name] = arrays[i];
    }
    hand.top.output(hand.top.functional(op, inputs), "Z");
    return evaluate(hand.finish(), tensors).at("Z");
}

TYPED_TEST(BlockOperators, FunctionalOperatorsOfTable1) {
    using S = TypeParam;
    const auto a = array<S>({2, 3}, {1, 2, 3, 4, 5, 6});
    const auto b = array<S>({2, 3}, {10, 20, 30, 40, 50, 60});
    const auto c = array<S>({2}, {7, 8});
    const auto r = array<S>({3}, {100, 200, 300});
    const Type mk = block(M, K), nk = block(N, K), m = vector(M), k = vector(K);
    struct Case {
        FunctionalOp op;
        std::vector<Type> types;
        std::vector<Tensor<S>> inputs;
        Tensor<S> expected;
    };
    const std::vector<Case> cases = {
        {FunctionalOp::Add, {mk, mk}, {a, b}, array<S>({2, 3}, {11, 22, 33, 44, 55, 66})},
        {FunctionalOp::Mul, {mk, mk}, {a, b}, array<S>({2, 3}, {10, 40, 90, 160, 250, 360})},
        {FunctionalOp::Add, {m, m}, {c, c}, array<S>({2}, {14, 16})},
        {FunctionalOp::RowShift, {mk, m}, {a, c}, array<S>({2, 3}, {8, 9, 10, 12, 13, 14})},
        {FunctionalOp::RowScale, {mk, m}, {a, c}, array<S>({2, 3}, {7, 14, 21, 32, 40, 48})},
        {FunctionalOp::ColShift, {mk, k}, {a, r}, array<S>({2, 3}, {101, 202, 303, 104, 205, 306})},
        {FunctionalOp::ColScale, {mk, k}, {a, r}, array<S>({2, 3}, {100, 400, 900, 400, 1000, 1800})},
        {FunctionalOp::RowSum, {mk}, {a}, array<S>({2}, {6, 15})},
        {FunctionalOp::Dot, {mk, nk}, {a, b}, array<S>({2, 2}, {140, 320, 320, 770})},
        {FunctionalOp::Outer, {m, k}, {c, r}, array<S>({2, 3}, {700, 1400, 2100, 800, 1600, 2400})},
    };
    for (const Case& test : cases) {
        SCOPED_TRACE(to_string(test.op));
        expect_equal(run_functional<S>(test.op, test.types, test.inputs), test.expected);
    }
}

TYPED_TEST(BlockOperators, Maxima) {
    using S = TypeParam;
    const auto a = array<S>({2, 3}, {3, 9, 5, -4, -2, -6});
    const auto max = [](S x, S y) { return apply(Fn::Max, x, y); };
    const S first = max(max(a.data[0], a.data[1]), a.data[2]);
    const S second = max(max(a.data[3], a.data[4]), a.data[5]);
    expect_equal(run_functional<S>(FunctionalOp::RowMax, {block(M, K)}, {a}), {{2}, {first, second}});
    expect_equal(run_functional<S>(FunctionalOp::BlockMax, {block(M, K)}, {a}), {{}, {max(first, second)}});
}

TYPED_TEST(BlockOperators, RotationsOfPairs) {
    using S = TypeParam;
    const auto a = array<S>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
    const auto rotated = [&](FunctionalOp op) {
        Hand hand({{"M", 2, 2}, {"N", 1, 1}, {"K", 4, 4}});
        hand.top.output(hand.top.functional(op, {hand.top.input(block(M, K), {"A"})}), "Z");
        return evaluate(hand.finish(), Tensors<S>{{"A", a}}).at("Z");
    };
    expect_equal(rotated(FunctionalOp::RotateHalf), array<S>({2, 4}, {-3, -4, 1, 2, -7, -8, 5, 6}));
    expect_equal(rotated(FunctionalOp::RotatePairs), array<S>({2, 4}, {-2, 1, -4, 3, -6, 5, -8, 7}));
}

TEST(BlockMaxima, AreTheLargestDoubles) {
    const auto a = array<double>({2, 3}, {3, 9, 5, -4, -2, -6});
    expect_equal(run_functional<double>(FunctionalOp::RowMax, {block(M, K)}, {a}),
                 array<double>({2}, {9, -2}));
    expect_equal(run_functional<double>(FunctionalOp::BlockMax, {block(M, K)}, {a}), array<double>({}, {9}));
}

// (a * 2 + s / KK) ** 2, with a shared subexpression, a size and a scalar input.
TYPED_TEST(BlockOperators, ElementwiseSpreadsScalars) {
    using S = TypeParam;
    Hand hand(one_block());
    const ValueRef a = hand.top.input(block(M, K), {"A"});
    const ValueRef s = hand.top.input(scalar(), {"B"});
    const ExprPtr inner = call(Fn::Add, call(Fn::Mul, arg(0), number(2)), call(Fn::Div, arg(1), size_of(K)));
    hand.top.output(hand.top.elementwise(call(Fn::Mul, inner, inner), {a, s}), "Z");
    hand.top.output(hand.top.elementwise(number(4), {a}), "Constant");
    hand.top.output(hand.top.elementwise(call(Fn::Add, arg(0), number(1)), {s}), "Scalar");
    const Tensors<S> results =
        evaluate(hand.finish(), {{"A", array<S>({2, 3}, {1, 2, 3, 4, 5, 6})}, {"B", array<S>({}, {9})}});
    expect_equal(results.at("Z"), array<S>({2, 3}, {25, 49, 81, 121, 169, 225}));
    expect_equal(results.at("Constant"), array<S>({2, 3}, {4, 4, 4, 4, 4, 4}));
    expect_equal(results.at("Scalar"), array<S>({}, {10}));
}

// A tree of 2^60 leaves, whose shared parts are computed once.
TYPED_TEST(BlockOperators, ElementwiseComputesSharedPartsOnce) {
    using S = TypeParam;
    ExprPtr doubled = arg(0);
    for (int i = 0; i < 60; ++i) doubled = call(Fn::Add, doubled, doubled);
    const S x = scalar_from<S>(3);
    const Value<S> input = item_value(1, 1, &x);
    Arena<S> arena;
    BlockExpr<S> compiled(*doubled, one_block(), {false});
    expect_equal(*compiled.evaluate(&input, arena).data, scalar_from<S>(3 * 0x1p60), 0);
}

TYPED_TEST(BlockOperators, EveryScalarFunction) {
    using S = TypeParam;
    const S x = scalar_from<S>(0.75);
    const S y = scalar_from<S>(-2);
    for (int i = 0; i < kFnCount; ++i) {
        const Fn fn = static_cast<Fn>(i);
        Hand hand(one_block());
        const ValueRef a = hand.top.input(scalar(), {"A"});
        const ValueRef b = hand.top.input(scalar(), {"B"});
        const ExprPtr expr = arity(fn) == 1 ? call(fn, arg(0)) : call(fn, arg(0), arg(1));
        hand.top.output(hand.top.elementwise(expr, {a, b}), "Z");
        const Tensors<S> results = evaluate(hand.finish(), Tensors<S>{{"A", {{}, {x}}}, {"B", {{}, {y}}}});
        SCOPED_TRACE(to_string(fn));
        expect_equal(results.at("Z"), Tensor<S>{{}, {apply(fn, x, y)}});
    }
}

// M has blocks of 2, 2 and 1 rows, K of 3 and 2.
DimTable ragged_rows() {
    return {{"M", 5, 2}, {"N", 3, 1}, {"K", 5, 3}};
}

TYPED_TEST(BlockOperators, ReductionsOfListsOfLists) {
    using S = TypeParam;
    const DimTable dims = {{"M", 3, 2}, {"N", 2, 1}, {"K", 2, 2}};
    for (const ReduceOp op : {ReduceOp::Sum, ReduceOp::Max}) {
        Hand hand(dims);
        const ValueRef a = hand.top.input(list({N, M}, vector(M)), {"A"});
        hand.top.output(hand.top.reduce(op, N, a), "Z");
        const auto in = array<S>({2, 3}, {1, 2, 3, 40, -50, 60});
        Tensor<S> expected{{3}, {}};
        for (std::size_t i = 0; i < 3; ++i)
            expected.data.push_back(
                apply(op == ReduceOp::Sum ? Fn::Add : Fn::Max, in.data[i], in.data[i + 3]));
        expect_equal(evaluate(hand.finish(), {{"A", in}}).at("Z"), expected);
    }
}

TYPED_TEST(BlockOperators, ArraysPassUnchangedThroughRaggedBlocks) {
    using S = TypeParam;
    Hand hand(ragged_rows());
    const ValueRef a = hand.top.input(list({N, M, K}, block(M, K)), {"A"});
    const ValueRef transposed = hand.top.input(list({K, M}, block(K, M)), {"B", true});
    const ValueRef v = hand.top.input(list({N, M}, vector(M)), {"V"});
    hand.top.output(a, "A2");
    hand.top.output(transposed, "B2");
    hand.top.output(v, "V2");
    const BlockProgram program = hand.finish();
    const Tensors<S> in = random_inputs<S>(program, 3);
    const Tensors<S> out = evaluate(program, in);
    EXPECT_EQ(in.at("A").shape, (std::vector<std::int64_t>{3, 5, 5}));
    expect_equal(out.at("A2"), in.at("A"));
    expect_equal(out.at("V2"), in.at("V"));
    Tensor<S> expected = in.at("B");
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 5; ++j) expected.data[j * 5 + i] = in.at("B").data[i * 5 + j];
    expect_equal(out.at("B2"), expected);
}

TYPED_TEST(BlockOperators, TransposeIsCarriedOut) {
    using S = TypeParam;
    Hand hand({{"M", 3, 2}, {"B", 2, 1, DimKind::Batch}, {"K", 2, 1}});
    const DimId B{1};
    const ValueRef a = hand.top.input(list({B, M, K}, block(M, K)), {"A"});
    hand.top.output(hand.top.misc("transpose", {a}, {list({B, K, M}, block(K, M))})[0], "Z");
    const auto in = array<S>({2, 3, 2}, {1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60});
    expect_equal(evaluate(hand.finish(), {{"A", in}}).at("Z"),
                 array<S>({2, 2, 3}, {1, 3, 5, 2, 4, 6, 10, 30, 50, 20, 40, 60}));
}

TYPED_TEST(BlockOperators, CustomOperatorsSeeWholeArraysAndTheirName) {
    using S = TypeParam;
    const auto result = [](const std::string& name, double last, int block_size) {
        Hand hand({{"M", 4, block_size}});
        const ValueRef a = hand.top.input(list({M}, vector(M)), {"A"});
        const Refs z = hand.top.misc(name, {a, a}, {list({M}, vector(M)), list({M}, vector(M))});
        hand.top.output(z[0], "Z");
        hand.top.output(z[1], "Y");
        return evaluate(hand.finish(), Tensors<S>{{"A", array<S>({4}, {1, 2, 3, last})}});
    };
    const Tensors<S> base = result("f", 4, 1);
    expect_equal(result("f", 4, 3).at("Z"), base.at("Z"));
    EXPECT_NE(result("g", 4, 1).at("Z").data, base.at("Z").data);
    EXPECT_NE(result("f", 5, 1).at("Z").data, base.at("Z").data);
    EXPECT_NE(base.at("Y").data, base.at("Z").data);
    EXPECT_NE(base.at("Z").data[0], base.at("Z").data[1]);
}

TEST(BlockMask, OfAWindowHidesWhatIsFurtherBack) {
    Hand hand({{"M", 3, 2}, {"N", 4, 3}});
    hand.top.output(hand.top.input(list({M, N}, block(M, N)), {"Mask", false, InputSource::CausalMask, 2}),
                    "Z");
    constexpr double kOff = -1e30;
    const Tensor<double> expected{{3, 4}, {0, 0, kOff, kOff, kOff, 0, 0, kOff, kOff, kOff, 0, 0}};
    EXPECT_EQ(evaluate(hand.finish(), Tensors<double>{}).at("Z").data, expected.data);
}

TEST(BlockMask, IsCausalFromTheLastRowBackwards) {
    Hand hand({{"M", 3, 2}, {"N", 4, 3}});
    hand.top.output(hand.top.input(list({M, N}, block(M, N)), {"Mask", false, InputSource::CausalMask}), "Z");
    constexpr double kOff = -1e30;
    const Tensor<double> expected{{3, 4}, {0, 0, kOff, kOff, 0, 0, 0, kOff, 0, 0, 0, 0}};
    const BlockProgram program = hand.finish();
    EXPECT_TRUE(random_doubles(program, 1).empty());
    EXPECT_EQ(evaluate(program, Tensors<double>{}).at("Z").data, expected.data);
    EXPECT_EQ(evaluate(program, Tensors<Exact>{}).at("Z").data[2], exact_from(-1e30));
}

TEST(BlockInputs, AreCheckedForPresenceAndShape) {
    Hand hand(ragged_rows());
    hand.top.output(hand.top.input(list({M}, vector(M)), {"A"}), "Z");
    const BlockProgram program = hand.finish();
    EXPECT_THROW(evaluate(program, Tensors<double>{}), InternalError);
    EXPECT_THROW(evaluate(program, Tensors<double>{{"A", array<double>({4}, {1, 2, 3, 4})}}), InternalError);
    EXPECT_THROW(evaluate(program, Tensors<double>{{"A", {{5}, {1, 2}}}}), InternalError);
}

TEST(BlockDoubles, NaNAndInfinityPropagate) {
    Hand hand(one_block());
    const ValueRef a = hand.top.input(block(M, K), {"A"});
    hand.top.output(hand.top.functional(FunctionalOp::RowSum, {a}), "Sum");
    hand.top.output(hand.top.functional(FunctionalOp::RowMax, {a}), "Max");
    const double nan = std::nan("");
    const Tensors<double> out =
        evaluate(hand.finish(), Tensors<double>{{"A", {{2, 3}, {1, nan, 2, 3, 1 / 0.0, 4}}}});
    EXPECT_TRUE(std::isnan(out.at("Sum").data[0]) && std::isnan(out.at("Max").data[0]));
    EXPECT_TRUE(std::isinf(out.at("Sum").data[1]) && std::isinf(out.at("Max").data[1]));
}

}  // namespace
}  // namespace blockscope::test
