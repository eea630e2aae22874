#include "tests/rules/rule_cases.h"

namespace blockscope::test {

namespace {

// S = K-map { op }, then P = N-map { K-map { dot }; sum }, with replaceable parts.
struct Parts {
    std::string op = "row_scale";
    std::string scale = "map K i:A b:c";  // how S takes its inputs
    std::string scale_body = "    t = {op} A c\n    -> t\n";
    std::string matmul = "map N b:s i:B";  // how P takes its inputs
    std::string dots = "map K i:s i:B";
    std::string dot = "dot s B";
    std::string inputs;
    std::string tail;
};

std::string program(const Parts& p) {
    std::string body = p.scale_body;
    if (const std::size_t at = body.find("{op}"); at != std::string::npos) body.replace(at, 4, p.op);
    return "A: K|MK\nB: NK|NK\nc: |M\n" + p.inputs + "s = " + p.scale + " {\n" + body + "}\np = " + p.matmul +
           " {\n  k = " + p.dots + " {\n    t = " + p.dot +
           "\n    -> t\n  }\n  r = sum K k\n  -> r\n}\nO = out p\n" + p.tail;
}

std::string with(Parts p, const std::string& op) {
    p.op = op;
    return program(p);
}

// Another matmul that reads `left`.
std::string matmul(const std::string& name, const std::string& left) {
    return name + " = map N b:" + left + " i:B {\n  k = map K i:" + left + " i:B {\n    t = dot " + left +
           " B\n    -> t\n  }\n  r = sum K k\n  -> r\n}\n" + name + "O = out " + name + "\n";
}

const char* const kInsideMap = R"(
A: MK|MK
B: NK|NK
c: M|M
m = map M i:A b:B i:c {
  s = map K i:A b:c {
    t = {op} A c
    -> t
  }
  p = map N b:s i:B {
    k = map K i:s i:B {
      t = dot s B
      -> t
    }
    r = sum K k
    -> r
  }
  -> p
}
O = out m)";

std::string inside_map(const std::string& op) {
    std::string text = kInsideMap;
    return text.replace(text.find("{op}"), 4, op);
}

// The cases that rules 4 (row_scale) and 5 (row_shift) share.
std::vector<RuleCase> swap_cases(const std::string& rule, const std::string& op) {
    const std::string other = op == "row_scale" ? "row_shift" : "row_scale";
    Parts swapped_ports;
    swapped_ports.scale = "map K b:c i:A";
    Parts swapped_operands;
    swapped_operands.matmul = "map N i:B b:s";
    swapped_operands.dots = "map K i:B i:s";
    Parts computed_vector;
    computed_vector.inputs = "g = exp c\n";
    computed_vector.scale = "map K i:A b:g";
    computed_vector.scale_body = "    t = {op} A g\n    -> t\n";
    Parts shared_right;
    shared_right.matmul = "map N b:s b:W";
    shared_right.dots = "map K i:s i:W";
    shared_right.dot = "dot s W";
    shared_right.inputs = "W: K|NK\n";
    Parts per_block;
    per_block.inputs = "v: K|M\n";
    per_block.scale = "map K i:A i:v";
    per_block.scale_body = "    t = {op} A v\n    -> t\n";
    Parts more;
    more.scale_body = "    e = exp A\n    t = {op} e c\n    -> t\n";
    Parts not_dot;
    not_dot.dots = "map K i:s b:c";
    not_dot.dot = "row_scale s c";
    not_dot.matmul = "map N b:s i:B b:c";
    Parts also_output;
    also_output.tail = "P = out s\n";
    Parts also_matmul;
    also_matmul.tail = matmul("q", "s");
    return {
        {"pattern", rule, with({}, op), "s p", "", op == "row_scale" ? "row_scale(" : "outer("},
        {"vector first", rule, with(swapped_ports, op), "s p", "", ""},
        {"right operand listed first", rule, with(swapped_operands, op), "s p", "", ""},
        {"vector computed in the graph", rule, with(computed_vector, op), "s p", "", ""},
        {"right operand the same in every iteration", rule, with(shared_right, op), "s p", "", ""},
        {"inside a map", rule, inside_map(op), "m/s m/p", "", ""},
        {"another operator", rule, with({}, other), "s p", "is not a map of " + op, ""},
        {"also an output", rule, with(also_output, op), "s p", "has 2 consumers", ""},
        {"two matmuls", rule, with(also_matmul, op), "s p", "has 2 consumers", ""},
        {"a vector for each block", rule, with(per_block, op), "s p",
         "takes another vector in every iteration", ""},
        {"more than the operator", rule, with(more, op), "s p", "and nothing else", ""},
        {"no matmul", rule, with(not_dot, op), "s p", "is not a matrix multiplication", ""},
        {"only one node", rule, with({}, op), "s", "needs a map of " + op, ""},
    };
}

// S is the right operand: dot(B, s).
RuleCase right_operand_case(const std::string& rule, const std::string& op) {
    return {"right operand",
            rule,
            "A: K|NK\nB: MK|MK\nc: |N\ns = map K i:A b:c {\n  t = " + op +
                " A c\n  -> t\n}\np = map M i:B b:s {\n  k = map K i:B i:s {\n"
                "    t = dot B s\n    -> t\n  }\n  r = sum K k\n  -> r\n}\nO = out p\n",
            "s p",
            "takes its right operand from",
            ""};
}

std::vector<RuleCase> copy_cases(const std::string& rule, const std::string& op) {
    const std::string head =
        "A: K|MK\nB: NK|NK\nc: |M\ns = map K i:A b:c {\n  t = " + op + " A c\n  -> t\n}\n";
    const std::string other_op = op == "row_scale" ? "row_shift" : "row_scale";
    std::string other = head;
    other.replace(other.find(op), op.size(), other_op);
    const std::string sorted = "w = misc sort s : K|MK\nW = out w\n";
    const std::string right =
        "p = map M i:D2 b:s {\n  k = map K i:D2 i:s {\n    t = dot D2 s\n    -> t\n  }\n  r = sum K k\n  -> "
        "r\n}\nP = out p\n";
    return {
        {"two matmuls", rule, head + matmul("p", "s") + matmul("q", "s"), "s", "", ""},
        {"three matmuls", rule, head + matmul("p", "s") + matmul("q", "s") + matmul("r", "s"), "s", "", ""},
        {"two matmuls and an output", rule, head + matmul("p", "s") + matmul("q", "s") + "P = out s\n", "s",
         "", ""},
        {"two matmuls and another operator", rule, head + matmul("p", "s") + sorted + matmul("q", "s"), "s",
         "", ""},
        {"with the consumers named", rule, head + matmul("p", "s") + matmul("q", "s"), "s p q", "", ""},
        {"one matmul", rule, head + matmul("p", "s"), "s", "feeds 1 matrix multiplications", ""},
        {"one matmul and an output", rule, head + matmul("p", "s") + "P = out s\n", "s", "feeds 1 matrix",
         ""},
        {"another operator", rule, other + matmul("p", "s") + matmul("q", "s"), "s", "is not a map of " + op,
         ""},
        {"no matmul", rule, head + sorted + "P = out s\n", "s", "feeds 0 matrix", ""},
        {"an operator instead", rule, head + matmul("p", "s") + matmul("q", "s"), "p",
         "is not a map of " + op, ""},
        {"right operand of one", rule, "D2: MK|MK\n" + head + matmul("q", "s") + right, "s", "feeds 1 matrix",
         ""},
    };
}

}  // namespace

std::vector<RuleCase> linearity_rule_cases() {
    std::vector<RuleCase> all = swap_cases("4", "row_scale");
    all.push_back(right_operand_case("4", "row_scale"));
    all.push_back(right_operand_case("5", "row_shift"));
    for (const auto& cases :
         {swap_cases("5", "row_shift"), copy_cases("8", "row_scale"), copy_cases("8s", "row_shift")})
        all.insert(all.end(), cases.begin(), cases.end());
    return all;
}

}  // namespace blockscope::test
