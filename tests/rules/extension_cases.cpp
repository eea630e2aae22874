#include "tests/rules/rule_cases.h"

namespace blockscope::test {

namespace {

// (a): U = Y-map makes a list that the X-map V takes whole and iterates over inside.
const char* const kA = R"(
A: Y|MY
B: XY|XY
u = map Y i:A {
  t = exp A
  -> t
}
v = map X b:u i:B {
  w = map Y i:u i:B {
    t = dot u B
    +> t
  }
  -> w
}
O = out v
)";

// (b): U and V's inner map iterate over the same input.
const char* const kB = R"(
A: Y|MY
B: XY|XY
u = map Y i:A {
  t = row_sum A
  +> t
}
g = exp u
v = map X b:A b:g i:B {
  w = map Y i:A i:B {
    t = dot A B
    +> t
  }
  s = row_scale w g
  -> s
}
O = out v
)";

// (c): the same with a value that is made in the graph.
const char* const kC = R"(
A0: Y|MY
B: XY|XY
A = misc sort A0 : Y|MY
u = map Y i:A {
  t = row_sum A
  +> t
}
g = exp u
v = map X b:A b:g i:B {
  w = map Y i:A i:B {
    t = dot A B
    +> t
  }
  s = row_scale w g
  -> s
}
O = out v
)";

// (c) without a miscellaneous operator: the common value comes from a map over another dimension.
const char* const kCMap = R"(
A0: YN|MY
B: XY|XY
A = map Y i:A0 {
  n = sum N A0
  -> n
}
u = map Y i:A {
  t = row_sum A
  +> t
}
g = exp u
v = map X b:A b:g i:B {
  w = map Y i:A i:B {
    t = dot A B
    +> t
  }
  s = row_scale w g
  -> s
}
O = out v
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

// The same level inside a map over K, which broadcasts everything.
std::string inside_map(const std::string& level, const std::string& inputs) {
    std::string head;
    std::string body;
    for (std::size_t start = 1; start < level.size();) {
        const std::size_t end = level.find('\n', start);
        const std::string line = level.substr(start, end - start);
        start = end + 1;
        if (line.find(": ") != std::string::npos && line.find(" = ") == std::string::npos)
            head += line + "\n";
        else if (line.find("= out") == std::string::npos)
            body += "  " + line + "\n";
    }
    return head + "Z: K|K\nk = map K i:Z" + inputs + " {\n" + body + "  -> v\n}\nO = out k\n";
}

std::vector<RuleCase> six(const std::string& variant, const std::string& base, const std::string& inputs) {
    const std::string rule = "6" + variant;
    const std::string other = variant == "a" ? "b" : "a";
    return {
        {"pattern", rule, base, "v u", "", "forall x in range(X):"},
        {"only the map named", rule, base, "v", "", ""},
        {"inside a map", rule, inside_map(base, inputs), "k/v k/u", "", ""},
        {"other order of ports", rule,
         replaced(base, variant == "a" ? "b:u i:B" : "b:A b:g i:B",
                  variant == "a" ? "i:B b:u" : "i:B b:g b:A"),
         "v u", "", ""},
        {"reduced result", rule,
         replaced(base, variant == "a" ? "  -> w\n}\nO" : "  -> s\n}\nO",
                  variant == "a" ? "  +> w\n}\nO" : "  +> s\n}\nO"),
         "v u", "", ""},
        {"another output", rule, base + "P = out u\n", "v u", "does not make every output", ""},
        {"something follows", rule, replaced(base, "O = out v", "z = misc sort v : X|MX\nO = out z"), "v u",
         "does not come last", ""},
        {"the situation of another variant", rule, variant == "a" ? kB : kA, "v u", "directly inside", ""},
        {"iterates over an intermediate", rule,
         replaced(
             base, "B: XY|XY\n",
             "B0: XY|XY\nB = map X i:B0 {\n  y = map Y i:B0 {\n    t = exp B0\n    -> t\n  }\n  -> y\n}\n"),
         "v u", "iterates over a list that is made inside the graph", ""},
        {"miscellaneous operator", rule,
         replaced(base, "B: XY|XY\n", "B: XY|XY\nq: Y|MY\nz = misc sort q : Y|MY\n"), "v u",
         "cannot take a miscellaneous operator in", ""},
        {"the outer map alone", rule, base, "u", "does not come last", ""},
    };
}

std::vector<RuleCase> seven(const std::string& variant, const std::string& base, const std::string& inputs) {
    const std::string rule = "7" + variant;
    const std::string reduced = variant == "a" ? replaced(base, "  -> w\n}\nO", "  +> w\n}\nO")
                                               : replaced(base, "  -> s\n}\nO", "  +> s\n}\nO");
    const std::string sorted = replaced(base, "O = out v", "z = misc sort v : X|MX\nO = out z");
    return {
        {"pattern", rule, base, "v u", "", "for"},
        {"only the map named", rule, base, "v", "", "range(1,X)"},
        {"inside a map", rule, inside_map(base, inputs), "k/v k/u", "", ""},
        {"something follows", rule, sorted, "v u", "", ""},
        {"reduced result", rule, reduced, "v u", "", "range(1,X)"},
        {"another output", rule, base + "P = out u\n", "v u", "", ""},
        {"the situation of another variant", rule, variant == "a" ? kB : kA, "v u", "directly inside", ""},
        {"the outer map alone", rule, base, "u", "no other map could fuse", ""},
        {"no map", rule, "X: N|MN\ns = sum N X\nO = out s\n", "s", "is not a map", ""},
        {"no inner map", rule,
         "A: Y|MY\nB: X|M\nu = map Y i:A {\n  t = exp A\n  -> t\n}\nv = map X i:B b:u {\n  t = exp B\n  -> "
         "t\n}\n"
         "O = out u\nP = out v\n",
         "v", "no other map", ""},
        {"two other nodes", rule, "X: N|MN\ns = sum N X\nr = max N X\nO = out s\nP = out r\n", "s r",
         "is not a map", ""},
        {"three nodes", rule, "X: N|MN\ns = sum N X\nr = max N X\nO = out s\nP = out r\n", "s r X",
         "needs the map to peel", ""},
    };
}

}  // namespace

std::vector<RuleCase> extension_rule_cases() {
    std::vector<RuleCase> all;
    for (const auto& cases :
         {six("a", kA, " b:A b:B"), six("b", kB, " b:A b:B"), six("c", kCMap, " b:A0 b:B"),
          seven("a", kA, " b:A b:B"), seven("b", kB, " b:A b:B"), seven("c", kC, " b:A0 b:B")})
        all.insert(all.end(), cases.begin(), cases.end());
    return all;
}

}  // namespace blockscope::test
