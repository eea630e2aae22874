#include "tests/rules/programs.h"
#include "tests/rules/rule_cases.h"

namespace blockscope::test {

std::vector<RuleCase> sibling_rule_cases() {
    return {
        {"common input", "2", kSiblings, "u v", "", "t1 = load(X[m])\n  t2 = exp(t1)"},
        {"common intermediate", "2", R"(
X: M|M
a = misc sort X : M|M
u = map M i:a {t = exp a; -> t}
v = map M i:a {t = neg a; -> t}
O = out u
P = out v)",
         "u v", "", ""},
        {"one iterates and one takes all", "2", R"(
X: M|M
u = map M i:X {t = exp X; -> t}
v = map M b:X:all i:X {w = map M i:all:X {t = neg X; -> t}; -> w}
O = out u
P = out v)",
         "u v", "", ""},
        {"common broadcast input", "2", R"(
X: M|M
Y: M|M
c: |M
u = map M i:X b:c {t = mul X c; -> t}
v = map M i:Y b:c {t = add Y c; -> t}
O = out u
P = out v)",
         "u v", "", ""},
        {"both reduce", "2", R"(
X: N|MN
u = map N i:X {t = row_sum X; +> t}
v = map N i:X {t = row_max X; ^> t}
O = out u
P = out v)",
         "u v", "", ""},
        {"consumer between them", "2", R"(
X: M|M
u = map M i:X {t = exp X; -> t}
w = map M i:u {t = neg u; -> t}
v = map M i:X {t = neg X; -> t}
O = out w
P = out v)",
         "u v", "", ""},
        {"other dimension", "2", R"(
X: MN|MN
u = map M i:X {w = map N i:X {t = exp X; -> t}; -> w}
Y: N|N
v = map N i:Y b:X {t = exp Y; -> t}
O = out u
P = out v)",
         "u v", "run over different dimensions", ""},
        {"no common parent", "2", R"(
X: M|M
Y: M|M
u = map M i:X {t = exp X; -> t}
v = map M i:Y {t = exp Y; -> t}
O = out u
P = out v)",
         "u v", "have no common parent", ""},
        {"one needs the other", "2", R"(
X: M|M
u = map M i:X {t = exp X; -> t}
v = map M i:X i:u {t = mul X u; -> t}
O = out v)",
         "u v", "are not siblings", ""},
        {"one needs the other through a third", "2", R"(
X: M|M
u = map M i:X {t = exp X; -> t}
w = misc sort u : M|M
v = map M i:X i:w {t = mul X w; -> t}
O = out v)",
         "u v", "are not siblings", ""},
        {"not maps", "2", R"(
X: N|MN
a = sum N X
b = sum N X
O = out a
P = out b)",
         "a b", "are not both maps", ""},
    };
}

}  // namespace blockscope::test
