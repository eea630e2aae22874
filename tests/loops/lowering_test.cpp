// What the text looks like for every feature of the representation, and that it means the same.
#include <gtest/gtest.h>

#include <limits>

#include "core/print/print.h"
#include "tests/loops/hand_made.h"
#include "tests/support/listing_check.h"

namespace blockscope::test {
namespace {

using Values = std::vector<ValueRef>;

ValueRef square(Builder& b, ValueRef x) {
    return b.elementwise(call(Fn::Pow, arg(0), number(2)), {x});
}

ValueRef exp_of(Builder& b, ValueRef x) {
    return b.elementwise(call(Fn::Exp, arg(0)), {x});
}

void expect_listing(HandMade& made, const std::string& text) {
    const BlockProgram program = made.program();
    EXPECT_EQ(listing(program), text);
    EXPECT_EQ(reader::check_listing(program, program.dims, 3), "");
}

// forall m: forall n: body
ValueRef each_block(HandMade& made, Builder& builder, ValueRef x,
                    const std::function<ValueRef(Builder&, ValueRef)>& f) {
    return made.map(builder, 'M', {{x, kEach}}, {kList}, [&](Builder& b, const Values& row) {
        return made.map(b, 'N', {{row[0], kEach}}, {kList},
                        [&](Builder& inner, const Values& item) { return Values{f(inner, item[0])}; });
    })[0];
}

TEST(Lowering, AnOutputThatIsReadInTheProgramIsLoadedFromItsBuffer) {
    HandMade made;
    const ValueRef x = made.input("X", "MN:MN");
    const ValueRef y = each_block(made, made.top, x, square);
    made.output(y, "Y");
    made.output(each_block(made, made.top, y, exp_of), "Z");
    expect_listing(made, R"(forall m in range(M):
  forall n in range(N):
    t1 = load(X[m,n])
    t2 = t1**2
    store(t2,Y[m,n])
forall m in range(M):
  forall n in range(N):
    t3 = load(Y[m,n])
    t4 = exp(t3)
    store(t4,Z[m,n])
)");
}

TEST(Lowering, AValueThatGoesToTwoOutputsIsStoredTwice) {
    HandMade made;
    const ValueRef y = each_block(made, made.top, made.input("X", "MN:MN"), square);
    made.output(y, "Y");
    made.output(y, "Z");
    expect_listing(made, R"(forall m in range(M):
  forall n in range(N):
    t1 = load(X[m,n])
    t2 = t1**2
    store(t2,Y[m,n])
    store(t2,Z[m,n])
)");
}

TEST(Lowering, AnInputThatIsAnOutputIsCopied) {
    HandMade made;
    made.output(made.input("X", "MN:MN"), "Y");
    expect_listing(made, R"(forall m in range(M):
  forall n in range(N):
    t1 = load(X[m,n])
    store(t1,Y[m,n])
)");
}

TEST(Lowering, PortsThatPassStraightThroughAreCopied) {
    HandMade made;
    const ValueRef x = made.input("X", "MN:MN");
    const ValueRef s = made.input("S", "N:N");
    const Values rows =
        made.map(made.top, 'M', {{x, kEach}, {s, kWhole}}, {kList, kList}, [&](Builder&, const Values& in) {
            return Values{in[0], in[1]};
        });
    made.output(rows[0], "Y");
    made.output(rows[1], "Z");
    expect_listing(made, R"(forall m in range(M):
  forall n in range(N):
    t1 = load(X[m,n])
    store(t1,Y[m,n])
  forall n in range(N):
    t2 = load(S[n])
    store(t2,Z[m,n])
)");
}

TEST(Lowering, AnItemIsLoadedInTheBodyWhereItBecameOne) {
    HandMade made;
    const ValueRef x = made.input("X", "M:MK");
    const ValueRef y = made.input("Y", "MN:NK");
    const ValueRef z =
        made.map(made.top, 'M', {{x, kEach}, {y, kEach}}, {kList}, [&](Builder& b, const Values& in) {
            return made.map(b, 'N', {{in[0], kWhole}, {in[1], kEach}}, {kList},
                            [&](Builder& inner, const Values& item) {
                                return Values{inner.functional(FunctionalOp::Dot, {item[0], item[1]})};
                            });
        })[0];
    made.output(z, "Z");
    EXPECT_EQ(listing(made.program()), R"(forall m in range(M):
  t1 = load(X[m])
  forall n in range(N):
    t2 = load(Y[m,n])
    t3 = dot(t1,t2)
    store(t3,Z[m,n])
)");
}

TEST(Lowering, OneLoadPerItemAndBody) {
    HandMade made;
    const ValueRef x = made.input("X", "MN:MN");
    const ValueRef y = made.map(made.top, 'M', {{x, kEach}}, {kList}, [&](Builder& b, const Values& in) {
        return made.map(b, 'N', {{in[0], kEach}, {in[0], kEach}}, {kList},
                        [&](Builder& inner, const Values& item) {
                            return Values{inner.functional(FunctionalOp::Mul, {item[0], item[1]})};
                        });
    })[0];
    made.output(y, "Y");
    expect_listing(made, R"(forall m in range(M):
  forall n in range(N):
    t1 = load(X[m,n])
    t2 = mul(t1,t1)
    store(t2,Y[m,n])
)");
}

TEST(Lowering, ScalarsAndSingleItemsHaveNoIndices) {
    HandMade made;
    const ValueRef s = made.input("S", ":");
    const ValueRef x = made.input("X", "N:N");
    const ValueRef r = exp_of(made.top, s);
    const ExprPtr product = call(Fn::Mul, arg(0), arg(1));
    const ValueRef y =
        made.map(made.top, 'N', {{x, kEach}, {r, kWhole}}, {kList}, [&](Builder& b, const Values& in) {
            return Values{b.elementwise(product, {in[0], in[1]})};
        })[0];
    made.output(r, "R");
    made.output(y, "Y");
    expect_listing(made, R"(t1 = load(S)
t2 = exp(t1)
store(t2,R)
forall n in range(N):
  t3 = load(X[n])
  t4 = t3*t2
  store(t4,Y[n])
)");
}

TEST(Lowering, ReducedMaximumStartsAtMinusInfinity) {
    HandMade made;
    const ValueRef x = made.input("X", "MN:MN");
    const Values y = made.map(made.top, 'M', {{x, kEach}}, {kList, kList}, [&](Builder& b, const Values& in) {
        return made.map(b, 'N', {{in[0], kEach}}, {kMax, kSum}, [&](Builder& inner, const Values& item) {
            const ValueRef largest = inner.functional(FunctionalOp::RowMax, {item[0]});
            return Values{largest, largest};
        });
    });
    made.output(y[0], "Y");
    made.output(y[1], "Z");
    expect_listing(made, R"(forall m in range(M):
  t1 = -inf
  for n in range(N):
    t2 = load(X[m,n])
    t3 = row_max(t2)
    t1 = max(t1,t3)
    t4 += t3
  store(t1,Y[m])
  store(t4,Z[m])
)");
}

TEST(Lowering, CollectedAndReducedOutputsOfOneSerialLoop) {
    HandMade made;
    const ValueRef x = made.input("X", "MN:MN");
    const Values y = made.map(made.top, 'M', {{x, kEach}}, {kList, kList}, [&](Builder& b, const Values& in) {
        return made.map(b, 'N', {{in[0], kEach}}, {kList, kSum}, [&](Builder& inner, const Values& item) {
            return Values{square(inner, item[0]), inner.functional(FunctionalOp::RowSum, {item[0]})};
        });
    });
    made.output(y[0], "Y");
    made.output(y[1], "Z");
    expect_listing(made, R"(forall m in range(M):
  for n in range(N):
    t1 = load(X[m,n])
    t2 = t1**2
    store(t2,Y[m,n])
    t3 += row_sum(t1)
  store(t3,Z[m])
)");
}

TEST(Lowering, SumsOfPassedItems) {
    HandMade made;
    const ValueRef x = made.input("X", "NM:M");
    const ValueRef y = made.map(made.top, 'M', {{made.input("W", "M:M"), kEach}, {x, kWhole}}, {kList},
                                [&](Builder& b, const Values& in) {
                                    const ValueRef sum = made.map(
                                        b, 'N', {{in[0], kWhole}}, {kSum},
                                        [](Builder&, const Values& item) { return Values{item[0]}; })[0];
                                    return Values{sum};
                                })[0];
    made.output(y, "Y");
    expect_listing(made, R"(forall m in range(M):
  t1 = load(W[m])
  for n in range(N):
    t2 += t1
  store(t2,Y[m])
)");
}

TEST(Lowering, ReductionsOfItemsAndOfLists) {
    HandMade made;
    const ValueRef x = made.input("X", "NM:M");
    made.output(made.top.reduce(ReduceOp::Sum, made.dim('N'), x), "Y");
    made.output(made.top.reduce(ReduceOp::Max, made.dim('N'), x), "Z");
    const ValueRef v = made.input("V", "N:");
    made.output(made.top.reduce(ReduceOp::Sum, made.dim('N'), v), "S");
    expect_listing(made, R"(forall m in range(M):
  for n in range(N):
    t1 = load(X[n,m])
    t2 += t1
  store(t2,Y[m])
forall m in range(M):
  t3 = -inf
  for n in range(N):
    t4 = load(X[n,m])
    t3 = max(t3,t4)
  store(t3,Z[m])
for n in range(N):
  t5 = load(V[n])
  t6 += t5
store(t6,S)
)");
}

TEST(Lowering, ADimensionNestedInItselfCountsItsVariables) {
    HandMade made;
    const ValueRef x = made.input("X", "MM:M");
    const ValueRef y = made.map(made.top, 'M', {{x, kEach}}, {kList}, [&](Builder& b, const Values& in) {
        return made.map(b, 'M', {{in[0], kEach}}, {kList},
                        [](Builder& inner, const Values& item) { return Values{square(inner, item[0])}; });
    })[0];
    const ValueRef z = made.map(made.top, 'M', {{y, kEach}}, {kList}, [&](Builder& b, const Values& in) {
        return Values{b.reduce(ReduceOp::Sum, made.dim('M'), in[0])};
    })[0];
    made.output(made.top.reduce(ReduceOp::Sum, made.dim('M'), z), "Z");
    EXPECT_EQ(listing(made.program()), R"(forall m in range(M):
  forall m2 in range(M):
    t1 = load(X[m,m2])
    t2 = t1**2
    store(t2,I1[m,m2])
forall m in range(M):
  for m2 in range(M):
    t3 = load(I1[m,m2])
    t4 += t3
  store(t4,I2[m])
for m in range(M):
  t5 = load(I2[m])
  t6 += t5
store(t6,Z)
)");
}

TEST(Lowering, VariablesAvoidOtherDimensionsAndTemporaries) {
    HandMade made;
    made.dims.push_back({"M2", 3, 2, DimKind::Blocked});
    const auto squares = [&](char name, ValueRef x) {
        return made.map(made.top, name, {{x, kEach}}, {kList}, [&](Builder& b, const Values& in) {
            return made.map(b, name, {{in[0], kEach}}, {kList}, [](Builder& inner, const Values& item) {
                return Values{square(inner, item[0])};
            });
        })[0];
    };
    made.output(squares('M', made.input("X", "MM:MM")), "Y");
    made.output(squares('T', made.input("Z", "TT:TT")), "W");
    expect_listing(made, R"(forall m in range(M):
  forall m3 in range(M):
    t1 = load(X[m,m3])
    t2 = t1**2
    store(t2,Y[m,m3])
forall t in range(T):
  forall t5 in range(T):
    t3 = load(Z[t,t5])
    t4 = t3**2
    store(t4,W[t,t5])
)");
}

TEST(Lowering, IntermediatesSkipTheNamesOfArrays) {
    HandMade made;
    const ValueRef x = made.input("I1", "MN:MN");
    made.output(each_block(made, made.top, each_block(made, made.top, x, square), exp_of), "I3");
    expect_listing(made, R"(forall m in range(M):
  forall n in range(N):
    t1 = load(I1[m,n])
    t2 = t1**2
    store(t2,I2[m,n])
forall m in range(M):
  forall n in range(N):
    t3 = load(I2[m,n])
    t4 = exp(t3)
    store(t4,I3[m,n])
)");
}

TEST(Lowering, IntermediatesSkipTheNamesOfDimensions) {
    HandMade made;
    made.dims.at(3).name = "I1";
    const ValueRef x = made.input("X", "MN:MN");
    made.output(each_block(made, made.top, each_block(made, made.top, x, square), exp_of), "Y");
    const std::string text = listing(made.program());
    EXPECT_NE(text.find("store(t2,I2[m,n])"), std::string::npos) << text;
}

TEST(Lowering, ColumnShiftAndScaleAreArithmetic) {
    HandMade made;
    const ValueRef x = made.input("X", "N:MN");
    const ValueRef w = made.input("W", "N:N");
    const ValueRef y =
        made.map(made.top, 'N', {{x, kEach}, {w, kEach}}, {kSum}, [](Builder& b, const Values& in) {
            const ValueRef shifted = b.functional(FunctionalOp::ColShift, {in[0], in[1]});
            const ValueRef scaled = b.functional(FunctionalOp::ColScale, {shifted, in[1]});
            return Values{b.functional(FunctionalOp::RowSum, {scaled})};
        })[0];
    made.output(y, "Y");
    expect_listing(made, R"(for n in range(N):
  t1 = load(X[n])
  t2 = load(W[n])
  t3 = t1+t2
  t4 = t3*t2
  t5 += row_sum(t4)
store(t5,Y)
)");
}

TEST(Lowering, ColumnOperatorsGetALineBeforeTheyAreSummed) {
    HandMade made;
    const ValueRef x = made.input("X", "N:NN");
    const ValueRef w = made.input("W", "N:N");
    const ValueRef y =
        made.map(made.top, 'N', {{x, kEach}, {w, kEach}}, {kSum}, [](Builder& b, const Values& in) {
            return Values{b.functional(FunctionalOp::ColShift, {in[0], in[1]})};
        })[0];
    made.output(y, "Y");
    EXPECT_EQ(listing(made.program()), R"(for n in range(N):
  t1 = load(X[n])
  t2 = load(W[n])
  t3 = t1+t2
  t4 += t3
store(t4,Y)
)");
}

}  // namespace
}  // namespace blockscope::test
