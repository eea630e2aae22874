// Sums and lists whose first iteration is peeled off (rule 7).
#include "core/exec/prove.h"
#include "core/graph/verify.h"
#include "tests/safety/maps.h"

namespace blockscope::test {

namespace {

// forall m, l: `body` for n = 0, then for n in range(1,N) with outputs that continue its results.
BlockProgram peeled(PortOut mode, const Body& body,
                    const std::function<ValueRef(Hand&, Builder&, const Refs&)>& after) {
    return over_rows([&](Hand& hand, Builder& b, const Refs& in) {
        ValueRef first_a = in[0];
        ValueRef first_b = in[1];
        first_a.first = first_b.first = 1;
        const Refs first = body(b, {first_a, first_b});
        Map rest{kN, 1, {kIterated, kIterated, continued(0), continued(1)}, {{mode}, {mode}}, nullptr};
        rest.body = hand.body({b.type(in[0]).element(), b.type(in[1]).element()}, body);
        return Refs{after(hand, b, b.map(std::move(rest), {in[0], in[1], first[0], first[1]}))};
    });
}

ValueRef divided(Hand&, Builder& b, const Refs& sums) {
    return row_scale(b, sums[1], reciprocal(b, sums[0]));
}

TEST(SafetyOfMaps, APeeledSumContinuesTheFirstIterationsPair) {
    const BlockProgram program = peeled(PortOut::ReducedSum, exp_and_sums, divided);
    EXPECT_TRUE(verify(program).empty());
    const SafeProgram safe = expect_safe(program, 2);
    EXPECT_EQ(count_carried(safe.program, kNothing), 1);
    EXPECT_EQ(count_carried(safe.program, 0), 2);
    expect_finite(safe.program);
    expect_safe(program, 2, SharedExponent::PerBlock);
    const SafeProgram twice = expect_safe(safe.program, 0);
    EXPECT_EQ(twice.program.graph, safe.program.graph);
    BlockProgram nothing_left = program;
    nothing_left.dims[kN.value].size = 2;  // one block: range(1,N) is empty
    expect_safe(nothing_left, 2);
}

TEST(SafetyOfMaps, APeeledListContinuesTheFirstElementsPair) {
    const BlockProgram program =
        peeled(PortOut::Collected, exp_and_sums, [](Hand& hand, Builder& b, const Refs& lists) {
            return divided(hand, b,
                           nest(hand, b, {{kN, PortOut::ReducedSum}}, lists,
                                [](Builder&, const Refs& in) { return in; }));
        });
    EXPECT_TRUE(verify(program).empty());
    const SafeProgram safe = expect_safe(program, 2);
    expect_finite(safe.program);
    expect_safe(program, 2, SharedExponent::PerBlock);
}

// Two sums of one exponent that continue pairs of two: each has a running maximum of its own.
TEST(SafetyOfMaps, PeeledSumsShareAMaximumOnlyIfTheyStartFromTheSame) {
    const BlockProgram program = over_rows([](Hand& hand, Builder& b, const Refs& in) {
        ValueRef first_a = in[0];
        ValueRef first_b = in[1];
        first_a.first = first_b.first = 1;
        const ValueRef other = exp_of(b, b.elementwise(call(Fn::Neg, arg(0)), {first_a}));
        const ValueRef first_sum = row_sum(b, other);
        const ValueRef first_dot = b.functional(Op::Dot, {exp_of(b, first_a), first_b});
        Map rest{kN, 1, {kIterated, kIterated, continued(0), continued(1)}, {kSummed, kSummed}, nullptr};
        rest.body = hand.body({b.type(in[0]).element(), b.type(in[1]).element()}, exp_and_sums);
        return Refs{divided(hand, b, b.map(std::move(rest), {in[0], in[1], first_sum, first_dot}))};
    });
    const SafeProgram safe = expect_safe(program, 3);
    EXPECT_EQ(count_carried(safe.program, kNothing), 2);
}

// The first summand is plain and the others are pairs, or the other way round: then all are plain.
TEST(SafetyOfMaps, APeeledSumIsPlainIfOneOfItsPartsIs) {
    for (const bool first_plain : {false, true})
        for (const PortOut mode : {PortOut::ReducedSum, PortOut::Collected, PortOut::ReducedMax}) {
            const BlockProgram program = over_rows([&](Hand& hand, Builder& b, const Refs& in) {
                ValueRef first = in[0];
                first.first = 1;
                const auto sum = [&](Builder& level, ValueRef x, bool plain) {
                    return row_sum(level, plain ? x : exp_of(level, x));
                };
                Map rest{kN, 1, {kIterated, continued(0)}, {{mode}}, nullptr};
                rest.body = hand.body({b.type(in[0]).element()}, [&](Builder& inner, const Refs& x) {
                    return Refs{sum(inner, x[0], !first_plain)};
                });
                const ValueRef result = b.map(std::move(rest), {in[0], sum(b, first, first_plain)})[0];
                const ValueRef item =
                    mode == PortOut::Collected ? b.reduce(ReduceOp::Sum, kN, result) : result;
                return Refs{b.functional(Op::Outer, {item, nest(hand, b, {{kK, PortOut::ReducedSum}}, {in[3]},
                                                                [](Builder& inner, const Refs& x) {
                                                                    return Refs{row_sum(inner, x[0])};
                                                                })[0]})};
            });
            EXPECT_TRUE(verify(program).empty());
            expect_safe(program, 1);
            expect_safe(program, 1, SharedExponent::PerBlock);
        }
}

TEST(SafetyOfMaps, ElementZeroOfAListOfPairsHasElementZeroOfTheExponents) {
    Hand hand(small_dims());
    Builder& top = hand.top;
    const ValueRef a = top.input(list({kN, kM}, block(kM, kN)), {"A"});
    ValueRef e = nest(hand, top, {{kN}, {kM}}, {a},
                      [](Builder& b, const Refs& in) { return Refs{exp_of(b, in[0])}; })[0];
    e.first = 1;
    const Refs soft = nest(hand, top, {{kM}}, {e}, [](Builder& b, const Refs& in) {
        const ValueRef sum = row_sum(b, in[0]);
        return Refs{b.functional(Op::Mul, {reciprocal(b, sum), sum}), sum};
    });
    top.output(soft[0], "X");
    top.output(soft[1], "Y");
    const BlockProgram program = hand.finish();
    const SafeProgram safe = make_safe(program);
    EXPECT_TRUE(verify(safe.program).empty());
    EXPECT_FALSE(compare_exact(program, safe.program, program.dims, 1));
}

}  // namespace

}  // namespace blockscope::test
