#include "tests/safety/maps.h"

namespace blockscope::test {

namespace {

const Type kWeight = list({kL, kN}, block(kL, kN));  // B: a matmul's right operand
const Type kVector = list({kM}, vector(kM));

}  // namespace

ValueRef exp_of(Builder& b, ValueRef x) {
    return b.elementwise(call(Fn::Exp, arg(0)), {x});
}
ValueRef reciprocal(Builder& b, ValueRef x) {
    return b.elementwise(call(Fn::Div, number(1), arg(0)), {x});
}
ValueRef row_sum(Builder& b, ValueRef x) {
    return b.functional(Op::RowSum, {x});
}
ValueRef row_scale(Builder& b, ValueRef x, ValueRef c) {
    return b.functional(Op::RowScale, {x, c});
}

BlockProgram over_rows(const std::function<Refs(Hand&, Builder&, const Refs&)>& body) {
    Hand hand(small_dims());
    const Refs in{hand.top.input(kBlocks, {"A"}), hand.top.input(kWeight, {"B"}),
                  hand.top.input(kVector, {"C"}), hand.top.input(list({kL, kK}, block(kL, kK)), {"D"})};
    const Refs out = nest(hand, hand.top, {{kM}, {kL}}, in,
                          [&](Builder& b, const Refs& inner) { return body(hand, b, inner); });
    for (std::size_t i = 0; i < out.size(); ++i)
        hand.top.output(out[i], std::string(1, static_cast<char>('X' + i)));
    return hand.finish();
}

Refs exp_and_sums(Builder& b, const Refs& in) {
    const ValueRef e = exp_of(b, in[0]);
    return {row_sum(b, e), b.functional(Op::Dot, {e, in[1]})};
}

}  // namespace blockscope::test
