#include "tests/rules/rule_cases.h"

namespace blockscope::test {

namespace {

// m = M-map { N-map { line } } over X (M,N), then w, its transpose.
std::string program(const std::string& line, const std::string& tail = "") {
    return "X: MN|MN\nY: MN|MN\nc: M|M\nr: N|N\nm = map M i:X i:Y i:c b:r {\n  n = map N i:X i:Y b:c i:r {\n "
           "   " +
           line + "\n    -> t\n  }\n  -> n\n}\nw = misc transpose m : NM|NM\nO = out w\n" + tail;
}

const char* const kProduct = R"(
A: MK|MK
B: NK|NK
m = map M i:A b:B {
  n = map N b:A i:B {
    k = map K i:A i:B {
      t = dot A B
      -> t
    }
    s = sum K k
    -> s
  }
  -> n
}
w = misc transpose m : NM|NM
O = out w
)";

}  // namespace

std::vector<RuleCase> transpose_rule_cases() {
    const std::string product = kProduct;
    return {
        {"product", "14", product, "m w", "", "dot("},
        {"product that is also needed as it is", "14", product + "P = out m\n", "m w", "", ""},
        {"elementwise", "14", program("t = exp X"), "m w", "", "exp("},
        {"two matrices", "14", program("t = add X Y"), "m w", "", ""},
        {"the same matrix twice", "14", program("t = mul X X"), "m w", "", ""},
        {"rows become columns", "14", program("t = row_scale X c"), "m w", "", ""},
        {"columns become rows", "14", program("t = col_shift X r"), "m w", "", ""},
        {"columns scaled", "14", program("t = col_scale X r"), "m w", "", ""},
        {"where the operand is transposed already", "14",
         program("t = exp X", "x = misc transpose X : NM|NM\nP = out x\n"), "m w", "", ""},
        {"an input", "14", program("t = exp X", "x = misc transpose X : NM|NM\nP = out x\n"), "X x",
         "is an input", ""},
        {"two operators", "14", program("e = exp X\n    t = row_scale e c"), "m w",
         "or one operator on each block", ""},
        {"an operator of rows that makes a block", "14", program("t = outer c r"), "m w",
         "or one operator on each block", ""},
        {"another type", "14", program("t = narrow X"), "m w", "is not of the type", ""},
        {"no transpose", "14", program("t = exp X", "s = misc sort m : MN|MN\nP = out s\n"), "m s",
         "is not a transpose", ""},
        {"another result", "14", program("t = exp X", "p = misc sort X : MN|MN\nP = out p\n"), "p w",
         "is not", ""},
        {"one node", "14", program("t = exp X"), "w", "needs an operator in maps of its own", ""},
    };
}

}  // namespace blockscope::test
