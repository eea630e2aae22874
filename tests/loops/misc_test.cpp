// Miscellaneous operators take and give whole arrays.
#include <gtest/gtest.h>

#include "core/print/print.h"
#include "tests/loops/hand_made.h"
#include "tests/support/listing_check.h"

namespace blockscope::test {
namespace {

using Values = std::vector<ValueRef>;

void expect_listing(HandMade& made, const std::string& text) {
    const BlockProgram program = made.program();
    EXPECT_EQ(listing(program), text);
    EXPECT_EQ(reader::check_listing(program, program.dims, 3), "");
}

ValueRef squares(HandMade& made, char dim, ValueRef x) {
    return made.map(made.top, dim, {{x, kEach}}, {kList}, [](Builder& b, const Values& in) {
        return Values{b.elementwise(call(Fn::Pow, arg(0), number(2)), {in[0]})};
    })[0];
}

TEST(Misc, ReadsAndWritesBuffers) {
    HandMade made;
    const ValueRef x = made.input("X", "M:M");
    const ValueRef y = squares(made, 'M', x);
    const Values sorted = made.top.misc("sort", {x, y}, {made.type("N:N"), made.type("M:M")});
    made.output(squares(made, 'N', sorted[0]), "Y");
    made.output(sorted[1], "Z");
    made.output(sorted[1], "W");
    expect_listing(made, R"(forall m in range(M):
  t1 = load(X[m])
  t2 = t1**2
  store(t2,I1[m])
I2,Z = sort(X,I1)
forall m in range(M):
  t3 = load(Z[m])
  store(t3,W[m])
forall n in range(N):
  t4 = load(I2[n])
  t5 = t4**2
  store(t5,Y[n])
)");
}

TEST(Misc, AnItemGoesThroughABufferToo) {
    HandMade made;
    const ValueRef s = made.input("S", ":");
    const ValueRef r = made.top.elementwise(call(Fn::Exp, arg(0)), {s});
    const ValueRef q = made.top.misc("odd", {r, s}, {made.type(":")})[0];
    made.output(made.top.elementwise(call(Fn::Exp, arg(0)), {q}), "Q");
    made.output(q, "P");
    expect_listing(made, R"(t1 = load(S)
t2 = exp(t1)
store(t2,I1)
P = odd(I1,S)
t3 = load(P)
t4 = exp(t3)
store(t4,Q)
)");
}

TEST(Misc, InsideALoopItWorksOnWhatTheIndicesSelect) {
    HandMade made;
    const ValueRef x = made.input("X", "MN:N");
    const ValueRef z = made.map(made.top, 'M', {{x, kEach}}, {kList}, [&](Builder& b, const Values& in) {
        return b.misc("sort", {in[0]}, {made.type("N:N")});
    })[0];
    const ValueRef sum = made.map(made.top, 'M', {{z, kEach}}, {kSum}, [&](Builder& b, const Values& in) {
        return b.misc("total", {in[0]}, {made.type(":")});
    })[0];
    made.output(sum, "S");
    expect_listing(made, R"(forall m in range(M):
  I1[m] = sort(X[m])
for m in range(M):
  I2[m] = total(I1[m])
  t1 = load(I2[m])
  t2 += t1
store(t2,S)
)");
}

TEST(Misc, ATemporaryOfOutsideIsSpilledForIt) {
    HandMade made;
    const ValueRef s = made.input("S", ":");
    const ValueRef r = made.top.elementwise(call(Fn::Exp, arg(0)), {s});
    const ValueRef x = made.input("X", "MN:N");
    const ValueRef z =
        made.map(made.top, 'M', {{x, kEach}, {r, kWhole}}, {kList}, [&](Builder& b, const Values& in) {
            return b.misc("tilt", {in[0], in[1]}, {made.type("N:N")});
        })[0];
    made.output(z, "Z");
    expect_listing(made, R"(t1 = load(S)
t2 = exp(t1)
forall m in range(M):
  store(t2,I1[m])
  Z[m] = tilt(X[m],I1[m])
)");
}

}  // namespace
}  // namespace blockscope::test
