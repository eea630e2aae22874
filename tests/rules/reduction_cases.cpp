#include "tests/rules/programs.h"
#include "tests/rules/rule_cases.h"

namespace blockscope::test {

std::vector<RuleCase> reduction_rule_cases() {
    return {
        {"row sum", "3", kRowSum, "u s", "",
         "for n in range(N):\n  t1 = load(X[n])\n  t2 += row_sum(t1)\nstore(t2,O)"},
        {"row max", "3", R"(
X: N|MN
u = map N i:X {t = row_max X; -> t}
s = max N u
O = out s)",
         "u s", "", "max("},
        {"blocks", "3", R"(
X: K|MK
Y: K|NK
u = map K i:X i:Y {t = dot X Y; -> t}
s = sum K u
O = out s)",
         "u s", "", "+= dot("},
        {"one of two outputs", "3", R"(
X: N|MN
u = map N i:X {e = exp X; t = row_sum e; -> e; -> t}
s = sum N u.1
O = out u
P = out s)",
         "u s", "", ""},
        {"inside a map", "3", R"(
X: MN|MN
a = map M i:X {u = map N i:X {t = row_sum X; -> t}; s = sum N u; -> s}
O = out a)",
         "a/u a/s", "", ""},
        {"value used inside too", "3", R"(
X: N|MN
u = map N i:X {t = row_sum X; w = exp t; -> t; -> w}
s = sum N u
O = out s
P = out u.1)",
         "u s", "", ""},
        {"other consumer", "3", std::string(kRowSum) + "P = out u\n", "u s", "something else than", ""},
        {"elements are lists", "3", R"(
X: XNM|MN
O = out X)",
         "X", "needs a map and the reduction", ""},
        {"list elements", "3", R"(
X: NM|M
u = map N i:X {w = map M i:X {t = exp X; -> t}; -> w}
s = sum N u
O = out s)",
         "u s", "makes a list", ""},
        {"reduction over another dimension", "3", R"(
X: MN|MN
u = map M i:X {-> X}
v = map M i:X {s = sum N X; -> s}
O = out u
P = out v)",
         "u v", "is not a reduction", ""},
        {"reduces an input", "3", R"(
X: N|MN
s = sum N X
O = out s)",
         "X s", "is not a map", ""},
        {"reduces another map", "3", R"(
X: N|MN
u = map N i:X {t = row_sum X; -> t}
v = map N i:X {t = row_max X; -> t}
s = sum N u
O = out s
P = out v)",
         "v s", "does not reduce a result of", ""},
        {"two reductions", "3", R"(
X: N|MN
u = map N i:X {t = row_sum X; -> t}
s = sum N u
r = max N u
O = out s
P = out r)",
         "u s", "something else than", ""},
    };
}

}  // namespace blockscope::test
