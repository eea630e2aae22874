// Sizes that symbols decide, in both notations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/import/size_formula.h"

namespace blockscope::test {
namespace {

using model::SizeFormula;

std::optional<std::int64_t> value_of(const std::string& text) {
    const auto formula = SizeFormula::parse(text);
    return formula ? formula->value({{"s0", 7}, {"s1", 3}}) : std::nullopt;
}

TEST(Formulas, AreComputed) {
    const std::pair<const char*, std::int64_t> table[] = {
        {"s0", 7},
        {"2*s0 + 1", 15},
        {"s0 - s1*2", 1},
        {"(s0 + 1)//s1", 2},
        {"s0 % s1", 1},
        {"s1**2", 9},
        {"-(-s0)", 7},
        {"Max(1, s0, s1)", 7},
        {"Min(s0, s1)", 3},
        {"((s0 - 1)//2) + 1", 4},
        {"Symbol('s0', positive=True, integer=True)", 7},
        {"Mul(Integer(2), Symbol('s0', integer=True))", 14},
        {"Add(Symbol('s0'), Symbol('s1'), Integer(-4))", 6},
        {"Mul(Rational(1, 2), Add(Symbol('s0'), Integer(1)))", 4},
        {"Pow(Symbol('s1'), Integer(2))", 9},
        {"torch.utils._sympy.functions.FloorDiv(Symbol('s0'), Integer(2))", 3},
        {"CeilDiv(Symbol('s0'), Integer(2))", 4},
        {"floor(Mul(Rational(1, 2), Symbol('s0')))", 3},
    };
    for (const auto& [text, value] : table) EXPECT_EQ(value_of(text), value) << text;
}

TEST(Formulas, WhatHasNoSizeHasNone) {
    for (const char* text : {"", "s0 +", "(s0", "s0)", "s2", "s0/2", "s1 - s0", "s0//0", "s0 % 0", "Sin(s0)",
                             "2 s0", "Symbol(s0)", "Symbol('s 0')", "Symbol('s0'", "Pow(2, 100)",
                             "99999999999999999999", "s0*9223372036854775807", "Add()", "FloorDiv(s0)"})
        EXPECT_EQ(value_of(text), std::nullopt) << text;
    EXPECT_FALSE(SizeFormula::parse(std::string(100'000, '(')));
    EXPECT_FALSE(SizeFormula::parse(std::string(4000, '-') + "1"));
}

TEST(Formulas, NameTheirSymbolsOnce) {
    EXPECT_THAT(SizeFormula::parse("s1*s0 + s1")->symbols(), testing::ElementsAre("s1", "s0"));
}

}  // namespace
}  // namespace blockscope::test
