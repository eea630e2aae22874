#include "tests/rules/rule_cases.h"

namespace blockscope::test {

namespace {

// Two consecutive maps over M, as one paragraph.
const char* const kChain = R"(
X: M|M
u = map M i:X {
  t = exp X
  -> t
}
v = map M i:u {
  t = neg u
  -> t
}
O = out v
)";

const char* const kSiblings = R"(
X: M|M
u = map M i:X {
  t = exp X
  -> t
}
v = map M i:X {
  t = neg X
  -> t
}
O = out u
P = out v
)";

const char* const kRowSum = R"(
X: N|MN
u = map N i:X {
  t = row_sum X
  -> t
}
s = sum N u
O = out s
)";

std::vector<RuleCase> rule1() {
    return {
        {"chain", "1", kChain, "u v", "", "t2 = exp(t1)\n  t3 = -t2\n  store(t3,O[m])"},
        {"result also an output", "1", std::string(kChain) + "P = out u\n", "u v", "", "store(t2,P[m])"},
        {"nested lists", "1", R"(
X: MN|MN
u = map M i:X {
  w = map N i:X {
    t = exp X
    -> t
  }
  -> w
}
v = map M i:u {
  w = map N i:u {
    t = row_sum u
    -> t
  }
  s = sum N w
  -> s
}
O = out v)",
         "u v", "", ""},
        {"used twice by the consumer", "1", R"(
X: M|M
u = map M i:X {
  t = exp X
  -> t
}
v = map M i:u i:X {
  t = mul2 u u
  a = add t X
  -> a
}
O = out v)",
         "u v", "", ""},
        {"consumer reduces", "1", R"(
X: N|MN
u = map N i:X {
  t = exp X
  -> t
}
v = map N i:u {
  t = row_sum u
  +> t
}
O = out v)",
         "u v", "", "t3 += row_sum(t2)"},
        {"inside a map", "1", R"(
X: MN|MN
a = map M i:X {
  u = map N i:X {
    t = exp X
    -> t
  }
  v = map N i:u {
    t = neg u
    -> t
  }
  -> v
}
O = out a)",
         "a/u a/v", "", ""},
        {"several outputs", "1", R"(
X: M|MN
u = map M i:X {
  t = exp X
  s = row_sum t
  -> t
  -> s
}
v = map M i:u i:u.1 {
  t = row_scale u u.1
  -> t
}
O = out v
P = out u.1)",
         "u v", "", ""},
        {"other dimension", "1", R"(
X: M|M
Y: N|N
u = map M i:X {
  t = exp X
  -> t
}
v = map N i:Y {
  t = exp Y
  -> t
}
O = out u
P = out v)",
         "u v", "run over different dimensions", ""},
        {"broadcast edge", "1", R"(
X: M|M
u = map M i:X {
  t = exp X
  -> t
}
v = map M i:X b:u {
  w = map M i:u b:X {
    t = mul u X
    -> t
  }
  -> w
}
O = out v)",
         "u v", "needs the whole list", ""},
        {"indirect path", "1", R"(
X: M|M
u = map M i:X {
  t = exp X
  -> t
}
w = misc sort u : M|M
v = map M i:u i:w {
  t = mul u w
  -> t
}
O = out v)",
         "u v", "indirect path", ""},
        {"reduced result", "1", R"(
X: N|MN
Y: N|MN
u = map N i:X {
  t = row_sum X
  +> t
}
v = map N i:Y b:u {
  t = row_scale Y u
  -> t
}
O = out v)",
         "u v", "needs the finished sum", ""},
        {"no edge", "1", kSiblings, "u v", "no edge leads from", ""},
        {"not a map", "1", kRowSum, "u s", "is not a map", ""},
        {"one node", "1", kChain, "u", "needs two maps", ""},
    };
}

std::vector<RuleCase> rule2() {
    return {
        {"common input", "2", kSiblings, "u v", "", "t1 = load(X[m])\n  t2 = exp(t1)"},
        {"common intermediate", "2", R"(
X: M|M
a = misc sort X : M|M
u = map M i:a {
  t = exp a
  -> t
}
v = map M i:a {
  t = neg a
  -> t
}
O = out u
P = out v)",
         "u v", "", ""},
        {"one iterates and one takes all", "2", R"(
X: M|M
u = map M i:X {
  t = exp X
  -> t
}
v = map M b:X:all i:X {
  w = map M i:all:X {
    t = neg X
    -> t
  }
  -> w
}
O = out u
P = out v)",
         "u v", "", ""},
        {"common broadcast input", "2", R"(
X: M|M
Y: M|M
c: |M
u = map M i:X b:c {
  t = mul X c
  -> t
}
v = map M i:Y b:c {
  t = add Y c
  -> t
}
O = out u
P = out v)",
         "u v", "", ""},
        {"both reduce", "2", R"(
X: N|MN
u = map N i:X {
  t = row_sum X
  +> t
}
v = map N i:X {
  t = row_max X
  ^> t
}
O = out u
P = out v)",
         "u v", "", ""},
        {"consumer between them", "2", R"(
X: M|M
u = map M i:X {
  t = exp X
  -> t
}
w = map M i:u {
  t = neg u
  -> t
}
v = map M i:X {
  t = neg X
  -> t
}
O = out w
P = out v)",
         "u v", "", ""},
        {"other dimension", "2", R"(
X: MN|MN
u = map M i:X {
  w = map N i:X {
    t = exp X
    -> t
  }
  -> w
}
Y: N|N
v = map N i:Y b:X {
  t = exp Y
  -> t
}
O = out u
P = out v)",
         "u v", "run over different dimensions", ""},
        {"no common parent", "2", R"(
X: M|M
Y: M|M
u = map M i:X {
  t = exp X
  -> t
}
v = map M i:Y {
  t = exp Y
  -> t
}
O = out u
P = out v)",
         "u v", "have no common parent", ""},
        {"one needs the other", "2", R"(
X: M|M
u = map M i:X {
  t = exp X
  -> t
}
v = map M i:X i:u {
  t = mul X u
  -> t
}
O = out v)",
         "u v", "are not siblings", ""},
        {"one needs the other through a third", "2", R"(
X: M|M
u = map M i:X {
  t = exp X
  -> t
}
w = misc sort u : M|M
v = map M i:X i:w {
  t = mul X w
  -> t
}
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

std::vector<RuleCase> rule3() {
    return {
        {"row sum", "3", kRowSum, "u s", "",
         "for n in range(N):\n  t1 = load(X[n])\n  t2 += row_sum(t1)\nstore(t2,O)"},
        {"row max", "3", R"(
X: N|MN
u = map N i:X {
  t = row_max X
  -> t
}
s = max N u
O = out s)",
         "u s", "", "max("},
        {"blocks", "3", R"(
X: K|MK
Y: K|NK
u = map K i:X i:Y {
  t = dot X Y
  -> t
}
s = sum K u
O = out s)",
         "u s", "", "+= dot("},
        {"one of two outputs", "3", R"(
X: N|MN
u = map N i:X {
  e = exp X
  t = row_sum e
  -> e
  -> t
}
s = sum N u.1
O = out u
P = out s)",
         "u s", "", ""},
        {"inside a map", "3", R"(
X: MN|MN
a = map M i:X {
  u = map N i:X {
    t = row_sum X
    -> t
  }
  s = sum N u
  -> s
}
O = out a)",
         "a/u a/s", "", ""},
        {"value used inside too", "3", R"(
X: N|MN
u = map N i:X {
  t = row_sum X
  w = exp t
  -> t
  -> w
}
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
u = map N i:X {
  w = map M i:X {
    t = exp X
    -> t
  }
  -> w
}
s = sum N u
O = out s)",
         "u s", "makes a list", ""},
        {"reduction over another dimension", "3", R"(
X: MN|MN
u = map M i:X {
  -> X
}
v = map M i:X {
  s = sum N X
  -> s
}
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
u = map N i:X {
  t = row_sum X
  -> t
}
v = map N i:X {
  t = row_max X
  -> t
}
s = sum N u
O = out s
P = out v)",
         "v s", "does not reduce a result of", ""},
        {"two reductions", "3", R"(
X: N|MN
u = map N i:X {
  t = row_sum X
  -> t
}
s = sum N u
r = max N u
O = out s
P = out r)",
         "u s", "something else than", ""},
    };
}

}  // namespace

std::vector<RuleCase> fusion_rule_cases() {
    std::vector<RuleCase> all = rule1();
    for (const auto& cases : {rule2(), rule3()}) all.insert(all.end(), cases.begin(), cases.end());
    return all;
}

}  // namespace blockscope::test
