#include "tests/rules/rule_cases.h"

namespace blockscope::test {

namespace {

// S = K-map { before }, T = K-map { op }, then P = N-map { K-map { dot }; sum over K }, with replaceable
// parts.
struct Chain {
    std::string before = "row_scale";
    std::string vector = "w: K|K\n";
    std::string columns = "map K i:s i:w";  // how T takes its inputs
    std::string columns_body = "    t = {op} s w\n    -> t\n";
    std::string matmul = "map N b:t i:B";  // how P takes its inputs
    std::string dots = "map K i:t i:B";
    std::string dot = "dot t B";
    std::string tail;
};

std::string program(const Chain& c, const std::string& op) {
    std::string body = c.columns_body;
    if (const std::size_t at = body.find("{op}"); at != std::string::npos) body.replace(at, 4, op);
    return "A: K|MK\nB: NK|NK\nc: |M\n" + c.vector + "s = map K i:A b:c {\n  t = " + c.before +
           " A c\n  -> t\n}\nt = " + c.columns + " {\n" + body + "}\np = " + c.matmul +
           " {\n  k = " + c.dots + " {\n    t = " + c.dot +
           "\n    -> t\n  }\n  r = sum K k\n  -> r\n}\nO = out p\n" + c.tail;
}

// Another matmul that reads T.
std::string matmul(const std::string& name) {
    return name +
           " = map N b:t i:B {\n  k = map K i:t i:B {\n    t = dot t B\n    -> t\n  }\n  r = sum K k\n"
           "  -> r\n}\n" +
           name + "O = out " + name + "\n";
}

// S = K-map { row_scale }, T along columns, U along columns, then the matmul.
std::string norm(const std::string& first, const std::string& second) {
    return "A: K|MK\nB: NK|NK\nc: |M\nw: K|K\nv: K|K\ns = map K i:A b:c {\n  t = row_scale A c\n  -> t\n}\n"
           "u = map K i:s i:w {\n  t = " +
           first + " s w\n  -> t\n}\nt = map K i:u i:v {\n  t = " + second +
           " u v\n  -> t\n}\np = map N b:t i:B {\n  k = map K i:t i:B {\n    t = dot t B\n    -> t\n  }\n"
           "  r = sum K k\n  -> r\n}\nO = out p\n";
}

std::vector<RuleCase> cases(const std::string& rule, const std::string& op) {
    const std::string other = op == "col_scale" ? "col_shift" : "col_scale";
    Chain shifted;
    shifted.before = "row_shift";
    Chain vector_first;
    vector_first.columns = "map K i:w i:s";
    Chain shared_right;
    shared_right.vector += "W: K|NK\n";
    shared_right.matmul = "map N b:t b:W";
    shared_right.dots = "map K i:t i:W";
    shared_right.dot = "dot t W";
    shared_right.tail = "P = out B\n";
    Chain right_first;
    right_first.matmul = "map N i:B b:t";
    right_first.dots = "map K i:B i:t";
    Chain two;
    two.tail = matmul("q");
    Chain also_output;
    also_output.tail = "P = out t\n";
    Chain more;
    more.columns_body = "    e = exp s\n    t = {op} e w\n    -> t\n";
    Chain not_dot;
    not_dot.matmul = "map N b:t b:c";
    not_dot.dots = "map K i:t b:c";
    not_dot.dot = "row_scale t c";
    not_dot.tail = "P = out B\n";
    Chain no_rows;
    no_rows.columns = "map K i:A i:w";
    no_rows.columns_body = "    t = {op} A w\n    -> t\n";
    no_rows.tail = "P = out s\n";
    return {
        {"behind a row_scale", rule, program({}, op), "t p", "", ""},
        {"behind a row_shift", rule, program(shifted, op), "t p", "", ""},
        {"its map alone", rule, program({}, op), "t", "", ""},
        {"behind its twin", rule, norm(other, op), "t p", "", ""},
        {"vector first", rule, program(vector_first, op), "t p", "", ""},
        {"right operand the same in every iteration", rule, program(shared_right, op), "t p", "", ""},
        {"right operand listed first", rule, program(right_first, op), "t p", "", ""},
        {"two matmuls", rule, program(two, op), "t p q", "", ""},
        {"another operator", rule, program({}, other), "t p", "is not a map of " + op, ""},
        {"more than the operator", rule, program(more, op), "t p", "and nothing else", ""},
        {"also an output", rule, program(also_output, op), "t p", "is not a matrix multiplication", ""},
        {"no matmul", rule, program(not_dot, op), "t p", "is not a matrix multiplication", ""},
        {"nothing along rows before", rule, program(no_rows, op), "t p",
         "is no row_scale, row_shift or " + other, ""},
        {"behind another of its kind", rule, norm(op, op), "t p", "is no row_scale, row_shift or " + other,
         ""},
        {"an operator that reads nothing of it", rule, program({}, op), "s t", "is not a map of " + op, ""},
    };
}

}  // namespace

std::vector<RuleCase> column_rule_cases() {
    std::vector<RuleCase> all = cases("10", "col_scale");
    const std::vector<RuleCase> shifts = cases("11", "col_shift");
    all.insert(all.end(), shifts.begin(), shifts.end());
    return all;
}

}  // namespace blockscope::test
