#include "core/graph/expr.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/support/result.h"

namespace blockscope {
namespace {

const DimTable kDims = {{"D", 128, 64, DimKind::Blocked}, {"K", 96, 32, DimKind::Blocked}};

std::string text(const ExprPtr& expr) {
    return to_string(*expr, {"t3", "t7", "t9"}, kDims);
}

ExprPtr power(ExprPtr base, double exponent) {
    return call(Fn::Pow, std::move(base), number(exponent));
}

// The expressions of the paper's listings, character by character.
TEST(ExprPrint, WritesWhatThePaperWrites) {
    const ExprPtr d = size_of({0});
    const ExprPtr k = size_of({1});
    EXPECT_EQ(text(call(Fn::Mul, arg(0), power(d, -0.5))), "t3*(DD**-0.5)");
    EXPECT_EQ(text(call(Fn::Exp, call(Fn::Mul, arg(0), power(d, -0.5)))), "exp(t3*(DD**-0.5))");
    EXPECT_EQ(text(call(Fn::Div, number(1), arg(1))), "1/t7");
    EXPECT_EQ(text(call(Fn::Div, call(Fn::Neg, arg(0)), k)), "-t3/KK");
    EXPECT_EQ(text(power(call(Fn::Sub, call(Fn::Div, arg(0), k), power(arg(1), 2)), -0.5)),
              "(t3/KK-t7**2)**(-0.5)");
    EXPECT_EQ(text(call(Fn::Div, number(1), call(Fn::Sqrt, arg(0)))), "1/sqrt(t3)");
    EXPECT_EQ(text(call(Fn::Div, arg(2), call(Fn::Add, number(1), call(Fn::Exp, call(Fn::Neg, arg(2)))))),
              "t9/(1+exp(-t9))");
}

struct Shape {
    ExprPtr expr;
    const char* text;
};

// Parentheses stand where Python needs them, for every pair of operators.
TEST(ExprPrint, KeepsTheTreeThroughPrecedence) {
    const ExprPtr a = arg(0);
    const ExprPtr b = arg(1);
    const ExprPtr c = arg(2);
    const std::vector<Shape> shapes = {
        {call(Fn::Sub, a, call(Fn::Sub, b, c)), "t3-(t7-t9)"},
        {call(Fn::Sub, call(Fn::Sub, a, b), c), "t3-t7-t9"},
        {call(Fn::Add, a, call(Fn::Add, b, c)), "t3+(t7+t9)"},
        {call(Fn::Mul, a, call(Fn::Add, b, c)), "t3*(t7+t9)"},
        {call(Fn::Div, a, call(Fn::Mul, b, c)), "t3/(t7*t9)"},
        {call(Fn::Div, call(Fn::Mul, a, b), c), "t3*t7/t9"},
        {call(Fn::Neg, call(Fn::Add, a, b)), "-(t3+t7)"},
        {call(Fn::Neg, call(Fn::Mul, a, b)), "-(t3*t7)"},
        {call(Fn::Mul, call(Fn::Neg, a), b), "-t3*t7"},
        {call(Fn::Mul, a, call(Fn::Neg, b)), "t3*(-t7)"},
        {call(Fn::Sub, a, call(Fn::Neg, b)), "t3-(-t7)"},
        {call(Fn::Pow, call(Fn::Neg, a), number(2)), "(-t3)**2"},
        {call(Fn::Neg, call(Fn::Pow, a, number(2))), "-t3**2"},
        {call(Fn::Pow, a, call(Fn::Pow, b, c)), "t3**(t7**t9)"},
        {call(Fn::Pow, call(Fn::Pow, a, b), c), "(t3**t7)**t9"},
        {call(Fn::Max, call(Fn::Add, a, b), number(0)), "max(t3+t7,0)"},
        {call(Fn::Mul, a, number(-2)), "t3*(-2)"},
        {call(Fn::Add, a, number(1e-6)), "t3+1e-06"},
        {number(-std::numeric_limits<double>::infinity()), "-inf"},
    };
    for (const Shape& shape : shapes) EXPECT_EQ(text(shape.expr), shape.text);
}

TEST(Expr, SubstitutesAndCounts) {
    const ExprPtr f = call(Fn::Exp, arg(0));
    const ExprPtr g = call(Fn::Div, arg(1), arg(0));
    EXPECT_EQ(text(substitute(g, {f, arg(2)})), "t9/exp(t3)");
    EXPECT_EQ(argument_count(*g), 2);
    EXPECT_EQ(argument_count(*number(1)), 0);
    EXPECT_EQ(tree_size(*g, 100), 3);
    EXPECT_EQ(tree_size(*g, 2), 2);
    EXPECT_TRUE(equal(*g, *call(Fn::Div, arg(1), arg(0))));
    EXPECT_FALSE(equal(*g, *call(Fn::Div, arg(0), arg(1))));
    EXPECT_FALSE(equal(*number(1), *size_of({0})));
}

TEST(Expr, RefusesTheWrongNumberOfArguments) {
    EXPECT_THROW(call(Fn::Add, arg(0)), InternalError);
    EXPECT_THROW(call(Fn::Exp, arg(0), arg(1)), InternalError);
}

// A tree of 2^60 nodes that shares its halves.
TEST(Expr, SharedTreesStaySmall) {
    ExprPtr expr = arg(0);
    for (int i = 0; i < 60; ++i) expr = call(Fn::Mul, expr, expr);
    EXPECT_EQ(tree_size(*expr, 1000), 1000);
}

}  // namespace
}  // namespace blockscope
