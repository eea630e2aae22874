// Formulas with sizes put in give what the formulas themselves give.
#include "core/algebra/formula.h"

#include <gtest/gtest.h>

#include "core/support/result.h"

namespace blockscope::algebra {
namespace {

Formula symbol(const char* name, Rational exponent = 1) {
    return Formula::symbol(name, exponent);
}

// 2·q·d·x + 3·x·d·g^-1 + 5·g
Formula example() {
    return Formula::number(2) * symbol("q") * symbol("d") * symbol("x") +
           Formula::number(3) * symbol("x") * symbol("d") * symbol("g", -1) +
           Formula::number(5) * symbol("g");
}

TEST(SizedFormula, EqualsTheFormulaAtEveryChoice) {
    const Values at{{"d", 64}, {"x", 1000}};
    const SizedFormula sized(example(), {"g", "q"}, at);
    for (const double g : {1., 2., 128.})
        for (const double q : {1., 7., 64.}) {
            Values all = at;
            all["g"] = g;
            all["q"] = q;
            EXPECT_DOUBLE_EQ(sized.value({g, q}), example().value(all)) << g << " " << q;
        }
}

TEST(SizedFormula, TermsThatBecomeAlikeAreOne) {
    const Values at{{"a", 2}, {"b", 3}};
    EXPECT_EQ(SizedFormula(symbol("a") * symbol("g") + symbol("b") * symbol("g"), {"g"}, at),
              SizedFormula(Formula::number(5) * symbol("g"), {"g"}, {}));
}

TEST(SizedFormula, RootsAreKept) {
    const SizedFormula sized(symbol("M", Rational(-1, 2)) * symbol("n"), {"M"}, {{"n", 12}});
    EXPECT_DOUBLE_EQ(sized.value({16}), 3);
}

TEST(SizedFormula, AMissingValueIsSaid) {
    EXPECT_THROW(SizedFormula(symbol("a"), {"g"}, {}), InternalError);
}

}  // namespace
}  // namespace blockscope::algebra
