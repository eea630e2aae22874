// One operator at a time: which go through significand-exponent pairs, and how.
#include "core/exec/prove.h"
#include "core/graph/verify.h"
#include "tests/safety/cases.h"

namespace blockscope::test {

namespace {

ExprPtr exponential_of(ExprPtr x) {
    return call(Fn::Exp, std::move(x));
}
ExprPtr one_over() {
    return call(Fn::Div, number(1), arg(0));
}

// One item computed from blocks a and a2 (rows M, columns N), vectors c (along M) and r (along N), and a
// matrix w (rows L, columns N).
struct Operands {
    Builder& b;
    ValueRef a, a2, c, r, w;

    ValueRef exp(ValueRef x) { return b.elementwise(exponential_of(arg(0)), {x}); }
    ValueRef unary(Fn fn, ValueRef x) { return b.elementwise(call(fn, arg(0)), {x}); }
    ValueRef op(FunctionalOp op, ValueRef x) { return b.functional(op, {x}); }
    ValueRef op(FunctionalOp op, ValueRef x, ValueRef y) { return b.functional(op, {x, y}); }
    // Divides by the row sums: what an exponential left per row cancels.
    ValueRef normalised(ValueRef x, ValueRef by) {
        const ValueRef sum = op(FunctionalOp::RowSum, by);
        return op(FunctionalOp::RowScale, x, b.elementwise(one_over(), {sum}));
    }
    ValueRef normalised(ValueRef x) { return normalised(x, x); }
    // A block that shows a vector along its rows.
    ValueRef shown(ValueRef v) { return op(FunctionalOp::RowScale, a2, v); }
};

using Op = FunctionalOp;
using Make = std::function<ValueRef(Operands&)>;

struct Case {
    std::string name;
    int exponentials;
    bool finite;  // with inputs in the thousands; otherwise the result itself overflows, or a pair ends
    Make make;
    bool product = false;  // the result is a block of M x L, summed over N, instead of M x N
};

BlockProgram program_of(const Make& make, bool product = false) {
    const std::vector<Type> inputs{list({kM, kN}, block(kM, kN)), list({kM, kN}, block(kM, kN)),
                                   list({kM}, vector(kM)), list({kN}, vector(kN)),
                                   list({kL, kN}, block(kL, kN))};
    const std::vector<Loop> loops =
        product ? std::vector<Loop>{{kM}, {kL}, {kN, PortOut::ReducedSum}} : std::vector<Loop>{{kM}, {kN}};
    return in_loops(inputs, loops, [&](Builder& b, const Refs& in) {
        Operands operands{b, in[0], in[1], in[2], in[3], in[4]};
        return Refs{make(operands)};
    });
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"exp", 1, false, [](Operands& o) { return o.exp(o.a); }},
        {"softmax of a block", 1, true, [](Operands& o) { return o.normalised(o.exp(o.a)); }},
        {"exp twice", 2, true, [](Operands& o) { return o.normalised(o.exp(o.a), o.exp(o.a)); }},
        {"dot, left", 1, true,
         [](Operands& o) {
             const ValueRef e = o.exp(o.a);
             return o.normalised(o.op(Op::Dot, e, o.w), e);
         },
         true},
        {"dot, right", 1, false, [](Operands& o) { return o.op(Op::Dot, o.a, o.exp(o.w)); }, true},
        {"dot, both", 2, false,
         [](Operands& o) {
             const ValueRef e = o.exp(o.a);
             return o.normalised(o.op(Op::Dot, e, o.exp(o.w)), e);
         },
         true},
        {"add", 2, true, [](Operands& o) { return o.normalised(o.op(Op::Add, o.exp(o.a), o.exp(o.a2))); }},
        {"add, same exponent", 1, true,
         [](Operands& o) {
             const ValueRef e = o.exp(o.a);
             return o.normalised(o.op(Op::Add, e, e));
         }},
        {"add, one plain", 2, true,
         [](Operands& o) {
             const ValueRef sum = o.op(Op::Add, o.exp(o.a), o.a2);
             return o.normalised(sum, o.op(Op::Add, o.exp(o.a), o.op(Op::Mul, o.a2, o.a2)));
         }},
        {"add, one plain, on the left", 1, true,
         [](Operands& o) {
             const ValueRef square = o.op(Op::Mul, o.a2, o.a2);
             return o.normalised(o.op(Op::Add, square, o.exp(o.a)));
         }},
        {"add of vectors", 2, true,
         [](Operands& o) {
             const ValueRef e = o.exp(o.a);
             const ValueRef sum = o.op(Op::Add, o.op(Op::RowSum, e), o.op(Op::RowSum, o.exp(o.a2)));
             return o.op(Op::RowScale, e, o.b.elementwise(one_over(), {sum}));
         }},
        // The rows' largest significands may meet tiny ones, so that nothing is left of a row.
        {"mul", 2, false, [](Operands& o) { return o.normalised(o.op(Op::Mul, o.exp(o.a), o.exp(o.a2))); }},
        {"row_shift", 2, true,
         [](Operands& o) {
             return o.normalised(o.op(Op::RowShift, o.exp(o.a), o.op(Op::RowSum, o.exp(o.a2))));
         }},
        {"row_shift of a plain block", 1, true,
         [](Operands& o) {
             const ValueRef square = o.op(Op::Mul, o.a2, o.a2);
             return o.normalised(o.op(Op::RowShift, square, o.op(Op::RowSum, o.exp(o.a))));
         }},
        {"col_shift", 1, true,
         [](Operands& o) {
             const ValueRef r = o.b.elementwise(call(Fn::Mul, arg(0), arg(0)), {o.r});
             return o.normalised(o.op(Op::ColShift, o.exp(o.a), r));
         }},
        {"col_scale", 1, true,
         [](Operands& o) {
             const ValueRef e = o.exp(o.a);
             return o.normalised(o.op(Op::ColScale, e, o.r), e);
         }},
        {"row_scale", 1, true,
         [](Operands& o) {
             const ValueRef e = o.exp(o.a);
             return o.normalised(o.op(Op::RowScale, e, o.c), e);
         }},
        {"row_max", 1, false, [](Operands& o) { return o.shown(o.op(Op::RowMax, o.exp(o.a))); }},
        {"block_max", 1, false,
         [](Operands& o) {
             return o.b.elementwise(call(Fn::Mul, arg(0), arg(1)), {o.a, o.op(Op::BlockMax, o.exp(o.a))});
         }},
        {"outer", 2, false,
         [](Operands& o) {
             return o.op(Op::Outer, o.op(Op::RowSum, o.exp(o.a)), o.op(Op::RowSum, o.exp(o.w)));
         },
         true},
        {"a fourth root", 1, true,
         [](Operands& o) {
             const ValueRef e = o.exp(o.a);
             const ValueRef root = o.unary(Fn::Sqrt, o.unary(Fn::Sqrt, o.op(Op::RowSum, e)));
             const ValueRef fourth = o.b.elementwise(call(Fn::Pow, arg(0), number(-4)), {root});
             return o.op(Op::RowScale, e, fourth);
         }},
        {"a logarithm", 1, false,
         [](Operands& o) { return o.shown(o.unary(Fn::Log, o.op(Op::RowSum, o.exp(o.a)))); }},
        {"one more", 1, false,
         [](Operands& o) {
             return o.shown(
                 o.b.elementwise(call(Fn::Add, arg(0), number(1)), {o.op(Op::RowSum, o.exp(o.a))}));
         }},
        {"a third power", 1, false,
         [](Operands& o) {
             return o.shown(
                 o.b.elementwise(call(Fn::Pow, arg(0), number(1.0 / 3)), {o.op(Op::RowSum, o.exp(o.a))}));
         }},
        {"a quotient of vectors", 2, false,
         [](Operands& o) {
             return o.shown(
                 o.b.elementwise(call(Fn::Div, call(Fn::Mul, number(3), arg(0)), call(Fn::Neg, arg(1))),
                                 {o.op(Op::RowSum, o.exp(o.a)), o.op(Op::RowSum, o.exp(o.a2))}));
         }},
        {"exp of a vector", 1, true,
         [](Operands& o) {
             const ValueRef e = o.exp(o.c);
             const ValueRef scaled = o.op(Op::RowScale, o.a, e);
             return o.op(Op::RowScale, scaled, o.b.elementwise(one_over(), {e}));
         }},
        {"exp of a scalar, undone", 1, true,
         [](Operands& o) {
             const ValueRef e = o.exp(o.op(Op::BlockMax, o.a));
             const ValueRef scaled = o.b.elementwise(call(Fn::Mul, arg(0), arg(1)), {o.a, e});
             return o.b.elementwise(call(Fn::Div, arg(0), arg(1)), {scaled, e});
         }},
        {"scalar and vector exponents", 2, true,
         [](Operands& o) {
             const ValueRef scalar = o.exp(o.op(Op::BlockMax, o.a));
             const ValueRef e = o.exp(o.a2);
             return o.normalised(o.b.elementwise(call(Fn::Mul, arg(0), arg(1)), {e, scalar}));
         }},
        {"add, scalar and vector exponents", 2, true,
         [](Operands& o) {
             const ValueRef scalar = o.exp(o.op(Op::BlockMax, o.a));
             const ValueRef square = o.op(Op::Mul, o.a2, o.a2);
             const ValueRef scaled = o.b.elementwise(call(Fn::Mul, arg(0), arg(1)), {square, scalar});
             return o.normalised(o.op(Op::Add, scaled, o.exp(o.a2)));
         }},
        {"col_shift, scalar exponent", 1, true,
         [](Operands& o) {
             const ValueRef scalar = o.exp(o.op(Op::BlockMax, o.a));
             const ValueRef square = o.op(Op::Mul, o.a2, o.a2);
             const ValueRef scaled = o.b.elementwise(call(Fn::Mul, arg(0), arg(1)), {square, scalar});
             const ValueRef r = o.b.elementwise(call(Fn::Mul, arg(0), arg(0)), {o.r});
             return o.normalised(o.op(Op::ColShift, scaled, r));
         }},
        {"a sum of scalar exponents", 1, false,
         [](Operands& o) {
             const ValueRef scalar = o.exp(o.op(Op::BlockMax, o.a));
             const ValueRef scaled = o.b.elementwise(call(Fn::Mul, arg(0), arg(1)), {o.a, scalar});
             return o.op(Op::Dot, scaled, o.w);
         },
         true},
        {"exp of a scalar", 1, false,
         [](Operands& o) {
             return o.b.elementwise(call(Fn::Mul, arg(0), arg(1)), {o.a, o.exp(o.op(Op::BlockMax, o.a))});
         }},
    };
    return all;
}

class Operator : public testing::TestWithParam<Case> {};

TEST_P(Operator, PerRow) {
    const BlockProgram program = program_of(GetParam().make, GetParam().product);
    const SafeProgram safe = expect_safe(program, GetParam().exponentials);
    expect_close(safe.program, program, 100);
    if (GetParam().finite) expect_finite(safe.program);
}

TEST_P(Operator, PerBlock) {
    const BlockProgram program = program_of(GetParam().make, GetParam().product);
    expect_safe(program, GetParam().exponentials, SharedExponent::PerBlock);
}

TEST_P(Operator, AgainStaysRight) {
    const SafeProgram once = make_safe(program_of(GetParam().make, GetParam().product));
    const SafeProgram twice = make_safe(once.program);
    expect_safe(once.program, twice.exponentials);
    if (GetParam().finite) expect_finite(twice.program);
}

void PrintTo(const Case& test, std::ostream* out) {
    *out << test.name;
}

INSTANTIATE_TEST_SUITE_P(Safety, Operator, testing::ValuesIn(cases()), [](const auto& test) {
    std::string name;
    for (const char c : test.param.name) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
});

// ---- expressions ------------------------------------------------------------------------------------

struct Expression {
    const char* name;
    int exponentials;  // of expr(x, y), both blocks
    ExprPtr expr;
};

const std::vector<Expression>& expressions() {
    const ExprPtr x = arg(0);
    const ExprPtr y = arg(1);
    static const std::vector<Expression> all{
        {"exp(x)*2", 1, call(Fn::Mul, exponential_of(x), number(2))},
        {"-exp(x)", 1, call(Fn::Neg, exponential_of(x))},
        {"1/exp(x)", 1, call(Fn::Div, number(1), exponential_of(x))},
        {"exp(x)/exp(y)", 1, call(Fn::Div, exponential_of(x), exponential_of(y))},
        {"exp(x)*exp(y)*y", 1, call(Fn::Mul, call(Fn::Mul, exponential_of(x), exponential_of(y)), y)},
        {"y/exp(x)", 1, call(Fn::Div, y, exponential_of(x))},
        {"exp(x)**2", 1, call(Fn::Pow, exponential_of(x), number(2))},
        {"sqrt(exp(x)*y*y)", 1, call(Fn::Sqrt, call(Fn::Mul, call(Fn::Mul, exponential_of(x), y), y))},
        {"exp(x*y+x)", 1, exponential_of(call(Fn::Add, call(Fn::Mul, x, y), x))},
        {"exp(exp(x))", 1, exponential_of(exponential_of(x))},
        {"exp(x)**y", 0, call(Fn::Pow, exponential_of(x), y)},
        {"x/(1+exp(-x))", 0, call(Fn::Div, x, call(Fn::Add, number(1), exponential_of(call(Fn::Neg, x))))},
        {"exp(x)/(1+exp(x))", 0,
         call(Fn::Div, exponential_of(x), call(Fn::Add, number(1), exponential_of(x)))},
        {"exp(x)-exp(y)", 0, call(Fn::Sub, exponential_of(x), exponential_of(y))},
        {"max(exp(x),y)", 0, call(Fn::Max, exponential_of(x), y)},
        {"log(exp(x))", 0, call(Fn::Log, exponential_of(x))},
        {"x*exp(2)", 0, call(Fn::Mul, x, exponential_of(number(2)))},
    };
    return all;
}

TEST(SafetyOfExpressions, ExponentialsComeOutOfProductsOnly) {
    for (const Expression& expression : expressions()) {
        SCOPED_TRACE(expression.name);
        const int arguments = argument_count(*expression.expr);
        const BlockProgram program = program_of([&](Operands& o) {
            return o.b.elementwise(expression.expr, arguments == 1 ? Refs{o.a} : Refs{o.a, o.a2});
        });
        const SafeProgram safe = expect_safe(program, expression.exponentials);
        expect_safe(program, expression.exponentials, SharedExponent::PerBlock);
        EXPECT_EQ(safe.program.graph == program.graph, expression.exponentials == 0);
    }
}

// The same with an operand that is a pair already: (s,t) from an exponential, in x's place.
TEST(SafetyOfExpressions, PairsGoThroughProductsOnly) {
    for (const Expression& expression : expressions()) {
        SCOPED_TRACE(expression.name);
        const int arguments = argument_count(*expression.expr);
        const BlockProgram program = program_of([&](Operands& o) {
            const ValueRef e = o.exp(o.a);
            return o.b.elementwise(expression.expr, arguments == 1 ? Refs{e} : Refs{e, o.a2});
        });
        expect_safe(program, expression.exponentials + 1);
        expect_safe(program, expression.exponentials + 1, SharedExponent::PerBlock);
    }
}

TEST(SafetyOfExpressions, ScalarsSpreadOverBlocksKeepTheirOwnExponents) {
    const BlockProgram program = program_of([](Operands& o) {
        const ValueRef scalar = o.exp(o.op(Op::BlockMax, o.a));
        return o.b.elementwise(call(Fn::Mul, call(Fn::Div, arg(0), arg(1)), exponential_of(arg(1))),
                               {o.a2, scalar});
    });
    expect_safe(program, 1);
}

// ---- what comes out ---------------------------------------------------------------------------------

TEST(SafetyOfExpressions, AnExponentialIsShiftedByItsRowMaximum) {
    const SafeProgram safe = expect_safe(program_of([](Operands& o) { return o.normalised(o.exp(o.a)); }), 1);
    EXPECT_EQ(count(safe.program, Op::RowMax), 1);
    EXPECT_EQ(count(safe.program, Op::RowShift), 1);
    EXPECT_EQ(count_exponentials(safe.program), 1) << "the exponents cancel before the store";
}

TEST(SafetyOfExpressions, AnExponentialIsShiftedByItsBlockMaximum) {
    const SafeProgram safe = expect_safe(program_of([](Operands& o) { return o.normalised(o.exp(o.a)); }), 1,
                                         SharedExponent::PerBlock);
    EXPECT_EQ(count(safe.program, Op::BlockMax), 1);
    EXPECT_EQ(count(safe.program, Op::RowMax), 0);
    EXPECT_EQ(count_exponentials(safe.program), 1);
}

TEST(SafetyOfExpressions, WhatIsNeverPositiveIsSafeAlready) {
    const BlockProgram program = program_of([](Operands& o) {
        const ValueRef z = o.op(Op::RowMax, o.a);
        const ValueRef shifted = o.op(Op::RowShift, o.a, o.unary(Fn::Neg, z));
        return o.normalised(o.exp(shifted));
    });
    const SafeProgram safe = make_safe(program);
    EXPECT_EQ(safe.exponentials, 0);
    EXPECT_EQ(safe.program.graph, program.graph);
    expect_finite(program);
}

TEST(SafetyOfExpressions, AShiftByAnotherBlocksMaximumIsNotSafe) {
    expect_safe(program_of([](Operands& o) {
                    const ValueRef z = o.op(Op::RowMax, o.a2);
                    const ValueRef shifted = o.op(Op::RowShift, o.a, o.unary(Fn::Neg, z));
                    return o.normalised(o.exp(shifted));
                }),
                1);
    expect_safe(program_of([](Operands& o) {
                    const ValueRef shifted = o.op(Op::RowShift, o.a, o.op(Op::RowMax, o.a));
                    return o.normalised(o.exp(shifted));
                }),
                1);
}

TEST(SafetyOfExpressions, ElementTypesStay) {
    const Type half = Type(Item::block(kM, kN), ElemType::BF16);
    const Type wide = Type(Item::block(kM, kN), ElemType::F32);
    const BlockProgram program =
        in_loops({list({kM, kN}, half), list({kM, kN}, wide)}, {{kM}, {kN}}, [](Builder& b, const Refs& in) {
            const ExprPtr of_second = call(Fn::Mul, number(2), exponential_of(arg(1)));
            Elementwise cast{exponential_of(arg(0)), ElemType::F16};
            return Refs{b.elementwise(of_second, {in[0], in[1]}), {b.add(cast, {in[0]})}};
        });
    const SafeProgram safe = make_safe(program);
    EXPECT_EQ(safe.exponentials, 2);
    EXPECT_TRUE(verify(safe.program).empty());
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(safe.program.graph->outputs()[i]->inputs.size(), 1u);
    EXPECT_FALSE(compare_exact(program, safe.program, program.dims, 3));
}

}  // namespace

}  // namespace blockscope::test
