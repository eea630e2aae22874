#include "tests/rules/rule_cases.h"

namespace blockscope::test {

std::vector<RuleCase> elementwise_rule_cases() {
    const std::string chain = "X: |MN\nf = exp X\ng = neg f\nO = out g\n";
    std::string doubling = "X: |MN\na = mul2 X X\n";
    for (char c = 'b'; c < 'k'; ++c)
        doubling += std::string(1, c) + " = mul2 " + char(c - 1) + " " + char(c - 1) + "\n";
    return {
        {"chain", "9", chain, "f g", "", "-exp("},
        {"used twice by the consumer", "9", "X: |MN\nf = exp X\ng = mul2 f f\nO = out g\n", "f g", "",
         "exp(t1)*exp(t1)"},
        {"second argument", "9", "X: |MN\nY: |MN\nf = exp X\ng = mul2 Y f\nO = out g\n", "f g", "", ""},
        {"common argument", "9", "X: |MN\nf = exp X\ng = mul2 f X\nO = out g\n", "f g", "", "exp(t1)*t1"},
        {"inside a map", "9",
         "X: MN|MN\nm = map M i:X {\n  n = map N i:X {\n    f = square X\n    g = inverse f\n    -> g\n  }\n "
         " -> n\n}\nO = out m\n",
         "m/n/f m/n/g", "", "1/t1**2"},
        {"vectors", "9", "X: |M\nf = square X\ng = plus2 f X\nO = out g\n", "f g", "", ""},
        {"result used elsewhere", "9", chain + "P = out f\n", "f g", "is used by more than", ""},
        {"two consumers", "9", "X: |MN\nf = exp X\ng = neg f\nh = square f\nO = out g\nP = out h\n", "f g",
         "is used by more than", ""},
        {"functional consumer", "9", "X: |MN\nf = exp X\ng = add f X\nO = out g\n", "f g",
         "is not elementwise", ""},
        {"functional producer", "9", "X: |MN\nf = row_sum X\ng = exp f\nO = out g\n", "f g",
         "is not elementwise", ""},
        {"no edge", "9", "X: |MN\nf = exp X\ng = neg X\nO = out g\nP = out f\n", "f g", "does not feed", ""},
        {"one node", "9", chain, "f", "needs two elementwise operators", ""},
    };
}

}  // namespace blockscope::test
