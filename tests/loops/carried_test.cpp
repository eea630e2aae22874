// Values that loops carry, and peeled loops.
#include <gtest/gtest.h>

#include <limits>

#include "core/print/print.h"
#include "tests/loops/hand_made.h"
#include "tests/support/listing_check.h"

namespace blockscope::test {
namespace {

using Values = std::vector<ValueRef>;
constexpr double kLowest = -std::numeric_limits<double>::infinity();

void expect_listing(HandMade& made, const std::string& text) {
    const BlockProgram program = made.program();
    EXPECT_EQ(listing(program), text);
    EXPECT_EQ(reader::check_listing(program, program.dims, 3), "");
}

ValueRef square(Builder& b, ValueRef x) {
    return b.elementwise(call(Fn::Pow, arg(0), number(2)), {x});
}

ValueRef apply(Builder& b, Fn fn, ValueRef x, ValueRef y) {
    return b.elementwise(call(fn, arg(0), arg(1)), {x, y});
}

TEST(Carried, NewValuesAreAllComputedBeforeOneIsAssigned) {
    HandMade made;
    const ValueRef x = made.input("X", "K:MN");
    const Values y = made.map(
        made.top, 'K', {{x, kEach}}, {carried(kLowest), carried(0)}, [](Builder& b, const Values& in) {
            const ValueRef largest = apply(b, Fn::Max, in[1], in[0]);
            const ValueRef scale =
                b.elementwise(call(Fn::Exp, call(Fn::Sub, arg(0), arg(1))), {in[1], largest});
            const ValueRef sum =
                b.elementwise(call(Fn::Add, call(Fn::Mul, arg(0), arg(1)), arg(2)), {in[2], scale, in[0]});
            return Values{largest, sum};
        });
    made.output(y[0], "Y");
    made.output(y[1], "Z");
    expect_listing(made, R"(t1 = -inf
t2 = 0
for k in range(K):
  t3 = load(X[k])
  t4 = max(t1,t3)
  t5 = exp(t1-t4)
  t6 = t2*t5+t3
  t1 = t4
  t2 = t6
store(t1,Y)
store(t2,Z)
)");
}

TEST(Carried, AValueIsReadBeforeItIsReplaced) {
    HandMade made;
    const ValueRef x = made.input("X", "K:MN");
    const Values y = made.map(made.top, 'K', {{x, kEach}}, {carried(0), carried(0), carried(0)},
                              [](Builder&, const Values& in) {
                                  return Values{in[0], in[1], in[2]};
                              });
    made.output(y[0], "A");
    made.output(y[1], "B");
    made.output(y[2], "C");
    expect_listing(made, R"(t1 = 0
t2 = 0
t3 = 0
for k in range(K):
  t4 = load(X[k])
  t3 = t2
  t2 = t1
  t1 = t4
store(t1,A)
store(t2,B)
store(t3,C)
)");
}

TEST(Carried, AValueIsAssignedAfterTheOthersHaveReadIt) {
    HandMade made;
    const ValueRef x = made.input("X", "K:MN");
    const Values y =
        made.map(made.top, 'K', {{x, kEach}}, {carried(0), carried(1)}, [](Builder& b, const Values& in) {
            return Values{in[2], apply(b, Fn::Add, in[1], in[0])};
        });
    made.output(y[0], "Y");
    made.output(y[1], "Z");
    expect_listing(made, R"(t1 = 0
t2 = 1
for k in range(K):
  t3 = load(X[k])
  t4 = t1+t3
  t1 = t2
  t2 = t4
store(t1,Y)
store(t2,Z)
)");
}

TEST(Carried, ASwapGoesThroughACopy) {
    HandMade made;
    const ValueRef x = made.input("X", "K:MN");
    const Values y = made.map(made.top, 'K', {{x, kEach}}, {kSum, carried(2), carried(3)},
                              [](Builder& b, const Values& in) {
                                  return Values{apply(b, Fn::Mul, in[0], in[1]), in[2], in[1]};
                              });
    made.output(y[0], "Y");
    expect_listing(made, R"(t1 = 2
t2 = 3
for k in range(K):
  t3 = load(X[k])
  t4 = t3*t1
  t5 += t4
  t6 = t1
  t1 = t2
  t2 = t6
store(t5,Y)
)");
}

TEST(Carried, AValueThatNeverChangesIsNotAssigned) {
    HandMade made;
    const ValueRef x = made.input("X", "K:MN");
    const Values y =
        made.map(made.top, 'K', {{x, kEach}}, {carried(0), kSum}, [](Builder&, const Values& in) {
            return Values{in[1], in[0]};
        });
    made.output(y[0], "Y");
    made.output(y[1], "Z");
    EXPECT_EQ(listing(made.program()), R"(t1 = 0
for k in range(K):
  t2 = load(X[k])
  t3 += t2
store(t1,Y)
store(t3,Z)
)");
}

TEST(Peeled, ElementZeroOfAnItemListIsStoredWhereItIsMade) {
    HandMade made;
    const ValueRef x = made.input("X", "MN:MN");
    const ValueRef y = made.map(made.top, 'M', {{x, kEach}}, {kList}, [&](Builder& b, const Values& in) {
        const ValueRef zero = square(b, first_of(in[0]));
        return made.map(
            b, 'N', {{in[0], kEach}, {zero, continues(0)}}, {kList},
            [](Builder& inner, const Values& item) { return Values{square(inner, item[0])}; }, 1);
    })[0];
    made.output(y, "Y");
    expect_listing(made, R"(forall m in range(M):
  t1 = load(X[m,0])
  t2 = t1**2
  store(t2,Y[m,0])
  forall n in range(1,N):
    t3 = load(X[m,n])
    t4 = t3**2
    store(t4,Y[m,n])
)");
}

TEST(Peeled, ElementZeroOfAListOfListsIsStoredByItsProducer) {
    HandMade made;
    const ValueRef x = made.input("X", "MN:MN");
    const auto row = [&](Builder& b, ValueRef list) {
        return made.map(b, 'N', {{list, kEach}}, {kList},
                        [](Builder& inner, const Values& item) { return Values{square(inner, item[0])}; });
    };
    const ValueRef zero = row(made.top, first_of(x))[0];
    const ValueRef y = made.map(
        made.top, 'M', {{x, kEach}, {zero, continues(0)}}, {kList},
        [&](Builder& b, const Values& in) { return row(b, in[0]); }, 1)[0];
    const ValueRef z = made.map(made.top, 'N', {{zero, kEach}}, {kSum}, [](Builder& b, const Values& in) {
        return Values{b.functional(FunctionalOp::RowSum, {in[0]})};
    })[0];
    made.output(y, "Y");
    made.output(z, "Z");
    EXPECT_EQ(listing(made.program()), R"(forall n in range(N):
  t1 = load(X[0,n])
  t2 = t1**2
  store(t2,Y[0,n])
forall m in range(1,M):
  forall n in range(N):
    t3 = load(X[m,n])
    t4 = t3**2
    store(t4,Y[m,n])
for n in range(N):
  t5 = load(Y[0,n])
  t6 += row_sum(t5)
store(t6,Z)
)");
}

TEST(Peeled, AnIntermediateHasTwoProducers) {
    HandMade made;
    const ValueRef x = made.input("X", "M:MN");
    const ValueRef zero = square(made.top, first_of(x));
    const ValueRef y = made.map(
        made.top, 'M', {{x, kEach}, {zero, continues(0)}}, {kList},
        [](Builder& b, const Values& in) { return Values{square(b, in[0])}; }, 1)[0];
    const ValueRef z = made.map(made.top, 'M', {{y, kEach}}, {kList},
                                [](Builder& b, const Values& in) { return Values{square(b, in[0])}; })[0];
    made.output(z, "Z");
    EXPECT_EQ(listing(made.program()), R"(t1 = load(X[0])
t2 = t1**2
store(t2,I1[0])
forall m in range(1,M):
  t3 = load(X[m])
  t4 = t3**2
  store(t4,I1[m])
forall m in range(M):
  t5 = load(I1[m])
  t6 = t5**2
  store(t6,Z[m])
)");
}

TEST(Peeled, ElementZeroThatIsAlreadySomewhereIsCopied) {
    HandMade made;
    const ValueRef x = made.input("X", "MN:MN");
    const ValueRef y = made.map(
        made.top, 'M', {{x, kEach}, {first_of(x), continues(0)}}, {kList},
        [](Builder&, const Values& in) { return Values{in[0]}; }, 1)[0];
    made.output(y, "Y");
    expect_listing(made, R"(forall n in range(N):
  t1 = load(X[0,n])
  store(t1,Y[0,n])
forall m in range(1,M):
  forall n in range(N):
    t2 = load(X[m,n])
    store(t2,Y[m,n])
)");
}

TEST(Peeled, SumsAndMaximaStartFromTheFirstSummand) {
    HandMade made;
    const ValueRef x = made.input("X", "MN:MN");
    const Values y = made.map(made.top, 'M', {{x, kEach}}, {kList, kList}, [&](Builder& b, const Values& in) {
        const ValueRef sum = b.functional(FunctionalOp::RowSum, {first_of(in[0])});
        const ValueRef largest = b.functional(FunctionalOp::RowMax, {first_of(in[0])});
        return made.map(
            b, 'N', {{in[0], kEach}, {sum, continues(0)}, {largest, continues(1)}}, {kSum, kMax},
            [](Builder& inner, const Values& item) {
                return Values{inner.functional(FunctionalOp::RowSum, {item[0]}),
                              inner.functional(FunctionalOp::RowMax, {item[0]})};
            },
            1);
    });
    made.output(y[0], "Y");
    made.output(y[1], "Z");
    expect_listing(made, R"(forall m in range(M):
  t1 = load(X[m,0])
  t2 = row_sum(t1)
  t3 = row_max(t1)
  t4 = t2
  t5 = t3
  for n in range(1,N):
    t6 = load(X[m,n])
    t7 = row_sum(t6)
    t4 = t4+t7
    t8 = row_max(t6)
    t5 = max(t5,t8)
  store(t4,Y[m])
  store(t5,Z[m])
)");
}

TEST(Peeled, ALoopWithOneBlockLeavesOnlyThePeeledIteration) {
    HandMade made;
    made.dims[1].block = made.dims[1].size;
    const ValueRef x = made.input("X", "N:N");
    const Values y = made.map(
        made.top, 'N', {{x, kEach}, {first_of(x), continues(0)}, {first_of(x), continues(1)}}, {kSum, kList},
        [](Builder&, const Values& in) {
            return Values{in[0], in[0]};
        },
        1);
    made.output(y[0], "Y");
    made.output(y[1], "Z");
    expect_listing(made, R"(t1 = load(X[0])
t2 = t1
store(t1,Z[0])
for n in range(1,N):
  t3 = load(X[n])
  t2 = t2+t3
  store(t3,Z[n])
store(t2,Y)
)");
}

}  // namespace
}  // namespace blockscope::test
