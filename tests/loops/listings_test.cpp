// Listings of programs: a table of what the text looks like for every feature of the representation, and
// programs that the table's notation has no words for.
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "core/program/convert.h"
#include "core/state/state.h"
#include "tests/loops/hand_made.h"
#include "tests/support/graph_text.h"
#include "tests/support/listing_check.h"
#include "tests/support/text_cases.h"

namespace blockscope::test {
namespace {

// With blocks that do not divide their dimensions.
BlockProgram ragged_program(const std::string& text) {
    BlockProgram program = *graph_from_text(text).program;
    const DimTable sizes = HandMade().dims;
    for (Dim& dim : program.dims)
        for (const Dim& size : sizes)
            if (dim.name == size.name) dim = size;
    return program;
}

TEST(ListingsOfPrograms, AreThoseOfTheTable) {
    const std::string table = BLOCKSCOPE_SOURCE_DIR "/tests/loops/listings.txt";
    EXPECT_GE(text_cases(table).size(), 28U);
    const auto print = [](const TextCase& text_case) {
        const BlockProgram program = ragged_program(text_case.input);
        const std::string text = listing(program, Form{}.as_in_paper());
        if (text_case.name.rfind("printed only", 0) != 0) {
            EXPECT_EQ(reader::check_listing(program, program.dims, 3), "") << text_case.name;
        }
        return lines_of(text);
    };
    EXPECT_EQ(said_otherwise(table, print), "");
}

TEST(ListingsOfPrograms, ACastNamesItsType) {
    const Result<ArrayProgram> array = parse_program(
        "dim M = 4 / 2\ndim N = 4 / 2\ninput X[M, N] : f32\noutput Y = cast(exp(cast(X, f16)), e4m3)\n",
        "cast");
    ASSERT_TRUE(array);
    const BlockProgram program = to_block_program(*array).program;
    const std::string text = listing(program);
    EXPECT_NE(text.find(" = f16(t"), std::string::npos) << text;
    EXPECT_NE(text.find(" = e4m3(t"), std::string::npos) << text;
    EXPECT_EQ(reader::check_listing(program, program.dims, 3), "");
}

ValueRef apply(Builder& b, Fn fn, ValueRef x, ValueRef y) {
    return b.elementwise(call(fn, arg(0), arg(1)), {x, y});
}

ValueRef exp_of(Builder& b, ValueRef x) {
    return b.elementwise(call(Fn::Exp, arg(0)), {x});
}

// forall m: forall n: body
ValueRef each_block(HandMade& made, Builder& builder, ValueRef x,
                    const std::function<ValueRef(Builder&, ValueRef)>& f) {
    return made.map(builder, 'M', {{x, kEach}}, {kList}, [&](Builder& b, const Values& row) {
        return made.map(b, 'N', {{row[0], kEach}}, {kList},
                        [&](Builder& inner, const Values& item) { return Values{f(inner, item[0])}; });
    })[0];
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

TEST(Lowering, IntermediatesSkipTheNamesOfDimensions) {
    HandMade made;
    made.dims.at(3).name = "I1";
    const ValueRef x = made.input("X", "MN:MN");
    made.output(each_block(made, made.top, each_block(made, made.top, x, square), exp_of), "Y");
    const std::string text = listing(made.program(), Form{}.as_in_paper());
    EXPECT_NE(text.find("store(t2,I2[m,n])"), std::string::npos) << text;
}

TEST(Carried, NewValuesAreAllComputedBeforeOneIsAssigned) {
    HandMade made;
    const ValueRef x = made.input("X", "K:MN");
    const Values y =
        made.map(made.top, 'K', {{x, kEach}}, {carried(-std::numeric_limits<double>::infinity()), carried(0)},
                 [](Builder& b, const Values& in) {
                     const ValueRef largest = apply(b, Fn::Max, in[1], in[0]);
                     const ValueRef scale =
                         b.elementwise(call(Fn::Exp, call(Fn::Sub, arg(0), arg(1))), {in[1], largest});
                     const ValueRef sum = b.elementwise(call(Fn::Add, call(Fn::Mul, arg(0), arg(1)), arg(2)),
                                                        {in[2], scale, in[0]});
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
