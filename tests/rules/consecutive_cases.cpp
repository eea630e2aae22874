#include "tests/rules/programs.h"
#include "tests/rules/rule_cases.h"

namespace blockscope::test {

std::vector<RuleCase> consecutive_rule_cases() {
    return {
        {"chain", "1", kChain, "u v", "", "t2 = exp(t1)\n  t3 = -t2\n  store(t3,O[m])"},
        {"result also an output", "1", std::string(kChain) + "P = out u\n", "u v", "", "store(t2,P[m])"},
        {"nested lists", "1", R"(
X: MN|MN
u = map M i:X {w = map N i:X {t = exp X; -> t}; -> w}
v = map M i:u {w = map N i:u {t = row_sum u; -> t}; s = sum N w; -> s}
O = out v)",
         "u v", "", ""},
        {"used twice by the consumer", "1", R"(
X: M|M
u = map M i:X {t = exp X; -> t}
v = map M i:u i:X {t = mul2 u u; a = add t X; -> a}
O = out v)",
         "u v", "", ""},
        {"consumer reduces", "1", R"(
X: N|MN
u = map N i:X {t = exp X; -> t}
v = map N i:u {t = row_sum u; +> t}
O = out v)",
         "u v", "", "t3 += row_sum(t2)"},
        {"inside a map", "1", R"(
X: MN|MN
a = map M i:X {u = map N i:X {t = exp X; -> t}; v = map N i:u {t = neg u; -> t}; -> v}
O = out a)",
         "a/u a/v", "", ""},
        {"several outputs", "1", R"(
X: M|MN
u = map M i:X {t = exp X; s = row_sum t; -> t; -> s}
v = map M i:u i:u.1 {t = row_scale u u.1; -> t}
O = out v
P = out u.1)",
         "u v", "", ""},
        {"other dimension", "1", R"(
X: M|M
Y: N|N
u = map M i:X {t = exp X; -> t}
v = map N i:Y {t = exp Y; -> t}
O = out u
P = out v)",
         "u v", "run over different dimensions", ""},
        {"broadcast edge", "1", R"(
X: M|M
u = map M i:X {t = exp X; -> t}
v = map M i:X b:u {w = map M i:u b:X {t = mul u X; -> t}; -> w}
O = out v)",
         "u v", "needs the whole list", ""},
        {"indirect path", "1", R"(
X: M|M
u = map M i:X {t = exp X; -> t}
w = misc sort u : M|M
v = map M i:u i:w {t = mul u w; -> t}
O = out v)",
         "u v", "indirect path", ""},
        {"reduced result", "1", R"(
X: N|MN
Y: N|MN
u = map N i:X {t = row_sum X; +> t}
v = map N i:Y b:u {t = row_scale Y u; -> t}
O = out v)",
         "u v", "needs the finished sum", ""},
        {"no edge", "1", kSiblings, "u v", "no edge leads from", ""},
        {"not a map", "1", kRowSum, "u s", "is not a map", ""},
        {"one node", "1", kChain, "u", "needs two maps", ""},
    };
}

}  // namespace blockscope::test
