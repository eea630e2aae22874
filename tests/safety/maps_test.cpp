// Sums over iterations, lists of pairs, and where pairs end.
#include "tests/safety/maps.h"
#include "core/exec/prove.h"
#include "core/graph/verify.h"

namespace blockscope::test {

namespace {

BlockProgram fused_attention() {
    return over_rows([](Hand& hand, Builder& b, const Refs& in) {
        const Refs sums = nest(hand, b, {{kN, PortOut::ReducedSum}}, in, exp_and_sums);
        return Refs{row_scale(b, sums[1], reciprocal(b, sums[0]))};
    });
}

TEST(SafetyOfMaps, FusedAttentionIsOnlineSoftmax) {
    const BlockProgram program = fused_attention();
    const SafeProgram safe = expect_safe(program, 1);
    EXPECT_EQ(count_carried(safe.program, kNothing), 1) << "one running maximum";
    EXPECT_EQ(count_carried(safe.program, 0), 2) << "one running sum and one running output";
    EXPECT_EQ(count_exponentials(safe.program), 2) << "the scores' and the correction's";
    EXPECT_EQ(count(safe.program, Op::RowScale), 2) << "the correction and the division by the sum";
    EXPECT_EQ(buffered_edges(safe.program), buffered_edges(program));
    expect_finite(safe.program);
    expect_close(safe.program, program, 300);
}

TEST(SafetyOfMaps, FusedAttentionPerBlock) {
    const SafeProgram safe = expect_safe(fused_attention(), 1, SharedExponent::PerBlock);
    EXPECT_EQ(count_carried(safe.program, kNothing), 1);
    EXPECT_EQ(count_exponentials(safe.program), 2);
    EXPECT_EQ(count(safe.program, Op::RowMax), 0);
}

TEST(SafetyOfMaps, OnlineSoftmaxIsSafeAlready) {
    const SafeProgram once = make_safe(fused_attention());
    const SafeProgram twice = make_safe(once.program);
    EXPECT_EQ(twice.exponentials, 0);
    EXPECT_EQ(twice.program.graph, once.program.graph);
    EXPECT_TRUE(twice.made.empty());
}

TEST(SafetyOfMaps, NothingIsLostWhereARowIsMasked) {
    const SafeProgram safe = make_safe(fused_attention());
    Tensors<double> inputs = random_doubles(safe.program, 1, 1);
    Tensor<double>& scores = inputs.at("A");
    for (int i = 0; i < 7; ++i)
        for (int j = i + 1; j < 9; ++j) scores.data[static_cast<std::size_t>(9 * i + j)] = -1e30;
    for (int j = 0; j < 4; ++j) scores.data[static_cast<std::size_t>(9 * 6 + j)] = -1e30;
    const Tensors<double> unsafe = evaluate(fused_attention(), inputs);
    const Tensors<double> found = evaluate(safe.program, inputs);
    for (std::size_t i = 0; i < unsafe.at("X").data.size(); ++i)
        EXPECT_NEAR(found.at("X").data[i], unsafe.at("X").data[i], 1e-14);
}

TEST(SafetyOfMaps, WhatDoesNotVaryIsLeftOutOfTheSum) {
    // e^x of the loop around the sum: the sum of e^x * b is e^(max x) times the sum of significands.
    const BlockProgram program = over_rows([](Hand& hand, Builder& b, const Refs& in) {
        const ValueRef e = exp_of(b, in[2]);
        const Refs sum =
            nest(hand, b, {{kN, PortOut::ReducedSum}}, {in[0], in[1], e}, [](Builder& inner, const Refs& x) {
                const ValueRef scaled = row_scale(inner, x[0], x[2]);
                return Refs{inner.functional(Op::Dot, {scaled, x[1]})};
            });
        return Refs{row_scale(b, sum[0], reciprocal(b, e))};
    });
    const SafeProgram safe = expect_safe(program, 1);
    EXPECT_EQ(count_carried(safe.program, 0), 0) << "the sum stays a plain sum";
    expect_finite(safe.program);
}

TEST(SafetyOfMaps, SumsOfTheSameExponentShareItsMaximum) {
    const BlockProgram program = over_rows([](Hand& hand, Builder& b, const Refs& in) {
        const Refs s = nest(hand, b, {{kN, PortOut::ReducedSum}}, in, [](Builder& inner, const Refs& x) {
            const ValueRef e = exp_of(inner, x[0]);
            const ValueRef square = inner.functional(Op::Mul, {e, e});
            return Refs{row_sum(inner, e), row_sum(inner, square), inner.functional(Op::Dot, {e, x[1]}),
                        row_sum(inner, x[0])};
        });
        const ValueRef ratio =
            b.elementwise(call(Fn::Div, arg(0), call(Fn::Mul, arg(1), arg(1))), {s[1], s[0]});
        return Refs{row_scale(b, row_scale(b, s[2], reciprocal(b, s[0])), ratio),
                    row_scale(b, s[2], b.functional(Op::Mul, {reciprocal(b, s[0]), s[3]}))};
    });
    const SafeProgram safe = expect_safe(program, 1);
    EXPECT_EQ(count_carried(safe.program, kNothing), 2) << "of t and of 2*t";
    EXPECT_EQ(count_carried(safe.program, 0), 3) << "the sum of the scores themselves stays plain";
    expect_finite(safe.program);
}

TEST(SafetyOfMaps, SumsInsideSumsCarryTheirMaximaOutwards) {
    const Type blocks = list({kM, kK, kN}, block(kM, kN));
    Hand hand(small_dims());
    const ValueRef a = hand.top.input(blocks, {"A"});
    const Refs out = nest(hand, hand.top, {{kM}}, {a}, [&](Builder& b, const Refs& in) {
        const std::vector<Loop> loops{{kK, PortOut::ReducedSum}, {kN, PortOut::ReducedSum}};
        const Refs sum = nest(hand, b, loops, in, [](Builder& inner, const Refs& x) {
            const ValueRef e = exp_of(inner, x[0]);
            return Refs{row_sum(inner, e), row_sum(inner, inner.functional(Op::Mul, {e, x[0]}))};
        });
        return Refs{b.functional(Op::Mul, {sum[1], reciprocal(b, sum[0])})};
    });
    hand.top.output(out[0], "X");
    const BlockProgram program = hand.finish();
    for (const SharedExponent sharing : {SharedExponent::PerRow, SharedExponent::PerBlock}) {
        const SafeProgram safe = make_safe(program, sharing);
        EXPECT_TRUE(verify(safe.program).empty());
        EXPECT_EQ(count_carried(safe.program, kNothing), 2);
        EXPECT_EQ(count_carried(safe.program, 0), 4);
    }
}

// Lists of pairs: their exponents are collected, iterated over and broadcast beside them.
BlockProgram softmax_in_pieces(bool reduce_node) {
    Hand hand(small_dims());
    Builder& top = hand.top;
    const ValueRef a = top.input(kBlocks, {"A"});
    const auto map = [&](const std::vector<Loop>& loops, const Refs& in, const Body& body) {
        return nest(hand, top, loops, in, body)[0];
    };
    const ValueRef e =
        map({{kM}, {kN}}, {a}, [](Builder& b, const Refs& in) { return Refs{exp_of(b, in[0])}; });
    const Body sum_row = [](Builder& b, const Refs& in) { return Refs{row_sum(b, in[0])}; };
    const ValueRef sums = map({{kM}}, {e}, [&](Builder& b, const Refs& in) {
        if (!reduce_node) return nest(hand, b, {{kN, PortOut::ReducedSum}}, in, sum_row);
        return Refs{b.reduce(ReduceOp::Sum, kN, nest(hand, b, {{kN}}, in, sum_row)[0])};
    });
    const ValueRef inverse =
        map({{kM}}, {sums}, [](Builder& b, const Refs& in) { return Refs{reciprocal(b, in[0])}; });
    const ValueRef soft = map({{kM}, {kN}}, {e, inverse},
                              [](Builder& b, const Refs& in) { return Refs{row_scale(b, in[0], in[1])}; });
    top.output(soft, "X");
    return hand.finish();
}

TEST(SafetyOfMaps, ListsOfPairsKeepTheirExponentsBesideThem) {
    for (const bool reduce_node : {false, true}) {
        const BlockProgram program = softmax_in_pieces(reduce_node);
        const SafeProgram safe = expect_safe(program, 1);
        EXPECT_EQ(count_carried(safe.program, kNothing), 1);
        EXPECT_EQ(safe.program.graph->nodes().size(), program.graph->nodes().size())
            << "the exponent is applied where the result is made";
        expect_finite(safe.program);
        expect_close(safe.program, program, 300);
        expect_safe(program, 1, SharedExponent::PerBlock);
        expect_safe(safe.program, make_safe(safe.program).exponentials);
    }
}

TEST(SafetyOfMaps, AReductionOfListsTakesTheMaximumFirst) {
    // Sum over N of lists over L of outer(row_sum(exp(A[m,n])), B[l]), divided by the row sum.
    Hand hand(small_dims());
    const ValueRef a = hand.top.input(kBlocks, {"A"});
    const ValueRef w = hand.top.input(list({kL}, vector(kL)), {"B"});
    const Refs out = nest(hand, hand.top, {{kM}}, {a, w}, [&](Builder& b, const Refs& in) {
        const Refs lists = nest(hand, b, {{kN}}, in, [&](Builder& inner, const Refs& x) {
            const ValueRef e = exp_of(inner, x[0]);
            const Refs dots =
                nest(hand, inner, {{kL}}, {row_sum(inner, e), x[1]}, [](Builder& innermost, const Refs& y) {
                    return Refs{innermost.functional(Op::Outer, {y[0], y[1]})};
                });
            return Refs{dots[0], row_sum(inner, e)};
        });
        const ValueRef sum = b.reduce(ReduceOp::Sum, kN, lists[1]);
        const ValueRef products = b.reduce(ReduceOp::Sum, kN, lists[0]);
        return nest(hand, b, {{kL}}, {products, reciprocal(b, sum)},
                    [](Builder& inner, const Refs& x) { return Refs{row_scale(inner, x[0], x[1])}; });
    });
    hand.top.output(out[0], "X");
    const BlockProgram program = hand.finish();
    EXPECT_TRUE(verify(program).empty());
    const SafeProgram safe = expect_safe(program, 1);
    EXPECT_EQ(
        count(safe.program,
              [](const Node& node) { return node.is<Reduce>() && node.as<Reduce>()->op == ReduceOp::Max; }),
        1);
    expect_finite(safe.program);
    expect_safe(program, 1, SharedExponent::PerBlock);
}

TEST(SafetyOfMaps, AReductionOfListsLeavesConstantExponentsAlone) {
    // Sum over N of lists over L of outer(row_sum(A[m,n]), B[l]) * exp(block_max(B[l])).
    Hand hand(small_dims());
    const ValueRef a = hand.top.input(kBlocks, {"A"});
    const ValueRef v = hand.top.input(list({kL}, vector(kL)), {"B"});
    const ValueRef e = nest(hand, hand.top, {{kL}}, {v}, [](Builder& b, const Refs& in) {
        return Refs{exp_of(b, b.functional(Op::BlockMax, {in[0]}))};
    })[0];
    const Refs out = nest(hand, hand.top, {{kM}}, {a, v, e}, [&](Builder& b, const Refs& in) {
        const Refs lists = nest(hand, b, {{kN}, {kL}}, in, [](Builder& inner, const Refs& x) {
            const ValueRef product = inner.functional(Op::Outer, {row_sum(inner, x[0]), x[1]});
            return Refs{inner.elementwise(call(Fn::Mul, arg(0), arg(1)), {product, x[2]})};
        });
        const ValueRef sum = b.reduce(ReduceOp::Sum, kN, lists[0]);
        return nest(hand, b, {{kL}}, {sum, in[2]}, [](Builder& inner, const Refs& x) {
            return Refs{inner.elementwise(call(Fn::Div, arg(0), arg(1)), {x[0], x[1]})};
        });
    });
    hand.top.output(out[0], "X");
    const SafeProgram safe = expect_safe(hand.finish(), 1);
    EXPECT_EQ(count(safe.program, [](const Node& node) { return node.is<Reduce>(); }), 1);
    EXPECT_EQ(count_exponentials(safe.program), 1) << "the exponents cancel";
    expect_finite(safe.program);
}

TEST(SafetyOfMaps, PairsEndAtMaximaAndMiscellaneousOperators) {
    Hand hand(small_dims());
    Builder& top = hand.top;
    const ValueRef a = top.input(kBlocks, {"A"});
    const ValueRef e = nest(hand, top, {{kM}, {kN}}, {a},
                            [](Builder& b, const Refs& in) { return Refs{exp_of(b, in[0])}; })[0];
    const ValueRef odd = top.misc("odd", {e}, {kBlocks})[0];
    const Refs rows = nest(hand, top, {{kM}}, {e, odd}, [&](Builder& b, const Refs& in) {
        const Refs largest =
            nest(hand, b, {{kN, PortOut::ReducedMax}}, in, [](Builder& inner, const Refs& x) {
                return Refs{row_sum(inner, x[0]), row_sum(inner, x[1])};
            });
        const Refs listed = nest(hand, b, {{kN}}, {in[0]},
                                 [](Builder& inner, const Refs& x) { return Refs{row_sum(inner, x[0])}; });
        return Refs{b.functional(Op::Add, {largest[0], largest[1]}), b.reduce(ReduceOp::Max, kN, listed[0])};
    });
    top.output(rows[0], "X");
    top.output(rows[1], "Y");
    top.output(e, "Z");
    const BlockProgram program = hand.finish();
    const SafeProgram safe = expect_safe(program, 1);
    expect_safe(program, 1, SharedExponent::PerBlock);
    EXPECT_EQ(count_carried(safe.program, kNothing), 0);
}

TEST(SafetyOfMaps, AValueWithSeveralReadersIsMadePlainForThoseThatNeedIt) {
    // The exponential is a program output (plain) and is normalised as well (a pair).
    Hand hand(small_dims());
    Builder& top = hand.top;
    const ValueRef a = top.input(kBlocks, {"A"});
    const ValueRef e = nest(hand, top, {{kM}, {kN}}, {a},
                            [](Builder& b, const Refs& in) { return Refs{exp_of(b, in[0])}; })[0];
    const ValueRef soft = nest(hand, top, {{kM}, {kN}}, {e}, [](Builder& b, const Refs& in) {
        return Refs{row_scale(b, in[0], reciprocal(b, row_sum(b, in[0])))};
    })[0];
    top.output(e, "X");
    top.output(soft, "Y");
    const SafeProgram safe = expect_safe(hand.finish(), 1);
    const Tensors<double> found = evaluate(safe.program, random_doubles(safe.program, 5, 3000));
    for (const double x : found.at("Y").data) ASSERT_TRUE(std::isfinite(x));
}

TEST(SafetyOfMaps, UntouchedPartsAreShared) {
    Hand hand(small_dims());
    Builder& top = hand.top;
    const ValueRef a = top.input(kBlocks, {"A"});
    const Body halve = [](Builder& b, const Refs& in) {
        return Refs{b.elementwise(call(Fn::Mul, arg(0), number(0.5)), {in[0]})};
    };
    const ValueRef half = nest(hand, top, {{kM}, {kN}}, {a}, halve)[0];
    const ValueRef e = nest(hand, top, {{kM}, {kN}}, {half},
                            [](Builder& b, const Refs& in) { return Refs{exp_of(b, in[0])}; })[0];
    const ValueRef pair_half = nest(hand, top, {{kM}, {kN}}, {e}, halve)[0];
    top.output(nest(hand, top, {{kM}, {kN}}, {pair_half},
                    [](Builder& b, const Refs& in) {
                        return Refs{row_scale(b, in[0], reciprocal(b, row_sum(b, in[0])))};
                    })[0],
               "X");
    const BlockProgram program = hand.finish();
    const SafeProgram safe = expect_safe(program, 1);
    EXPECT_EQ(safe.program.graph->nodes()[1], program.graph->nodes()[1]) << "before the exponential";
    const Node* after = safe.program.graph->find(pair_half.node);
    ASSERT_NE(after, nullptr) << "a map whose ports stay keeps its id";
    EXPECT_EQ(after->as<Map>()->body, program.graph->find(pair_half.node)->as<Map>()->body);
}

TEST(SafetyOfMaps, WithoutExponentialsNothingChanges) {
    const BlockProgram program = in_loops({kBlocks}, {{kM}, {kN}}, [](Builder& b, const Refs& in) {
        return Refs{row_scale(b, in[0], row_sum(b, in[0]))};
    });
    const SafeProgram safe = make_safe(program);
    EXPECT_EQ(safe.exponentials, 0);
    EXPECT_EQ(safe.program.graph, program.graph);
    EXPECT_EQ(safe.program.next_id, program.next_id);
    EXPECT_TRUE(safe.made.empty());
}

}  // namespace

}  // namespace blockscope::test
