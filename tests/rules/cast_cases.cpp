#include "tests/rules/rule_cases.h"

namespace blockscope::test {

namespace {

// S = K-map { op }, then T = K-map { a cast }, with replaceable parts. `narrow` casts to f16, `wide` to f32.
struct Cast {
    std::string scale = "map K i:A b:c";
    std::string op = "row_scale A c";
    std::string cast = "narrow s";
    std::string inputs;
    std::string tail;
};

std::string program(const Cast& c) {
    return "A: K|MK\nc: |M\n" + c.inputs + "s = " + c.scale + " {\n  t = " + c.op +
           "\n  -> t\n}\nt = map K i:s {\n  t = " + c.cast + "\n  -> t\n}\nO = out t\n" + c.tail;
}

std::vector<RuleCase> scale_cases() {
    Cast columns;
    columns.inputs = "w: K|K\n";
    columns.scale = "map K i:A i:w";
    columns.op = "col_scale A w";
    Cast per_block;
    per_block.inputs = "v: K|M\n";
    per_block.scale = "map K i:A i:v";
    per_block.op = "row_scale A v";
    Cast vector_first;
    vector_first.scale = "map K b:c i:A";
    Cast shift;
    shift.op = "row_shift A c";
    Cast more;
    more.cast = "exp s\n  u = narrow t";
    Cast no_cast;
    no_cast.cast = "exp s";
    Cast also_output;
    also_output.tail = "P = out s\n";
    Cast two_casts;
    two_casts.tail = "u = map K i:s {\n  t = wide s\n  -> t\n}\nP = out u\n";
    const std::string in_map =
        "A: MK|MK\nc: M|M\nm = map M i:A i:c {\n  s = map K i:A b:c {\n    t = row_scale A c\n    -> t\n  }\n"
        "  t = map K i:s {\n    t = narrow s\n    -> t\n  }\n  -> t\n}\nO = out m\n";
    const std::string unrelated =
        "A: K|MK\nc: |M\ns = map K i:A b:c {\n  t = row_scale A c\n  -> t\n}\n"
        "t = map K i:A {\n  t = narrow A\n  -> t\n}\nO = out t\nP = out s\n";
    return {
        {"pattern", "12", program({}), "s t", "", "row_scale("},
        {"columns", "12", program(columns), "s t", "", ""},
        {"a vector for each block", "12", program(per_block), "s t", "", ""},
        {"vector first", "12", program(vector_first), "s t", "", ""},
        {"inside a map", "12", in_map, "m/s m/t", "", ""},
        {"a shift", "12", program(shift), "s t", "is not a map of row_scale", ""},
        {"more than the cast", "12", program(more), "s t", "is not a map of a cast", ""},
        {"no cast", "12", program(no_cast), "s t", "is not a map of a cast", ""},
        {"also an output", "12", program(also_output), "s t", "others than", ""},
        {"two casts", "12", program(two_casts), "s t", "others than", ""},
        {"another value", "12", unrelated, "s t", "does not cast the result of", ""},
        {"one node", "12", program({}), "s", "needs a map of row_scale or col_scale", ""},
    };
}

std::vector<RuleCase> widening_cases() {
    const std::string head = "X: |MN\nx = narrow X\n";
    return {
        {"cast and function", "13", head + "f = wide x\ng = exp f\nO = out g\n", "f g", "", "exp("},
        {"used twice by the consumer", "13", head + "f = wide x\ng = mul2 f f\nO = out g\n", "f g", "", ""},
        {"second argument", "13", head + "f = wide x\ng = mul2 X f\nO = out g\n", "f g", "", ""},
        {"back again", "13", head + "f = wide x\ng = narrow f\nO = out g\n", "f g", "", ""},
        {"vectors", "13", "X: |M\nx = narrow X\nf = wide x\ng = square f\nO = out g\n", "f g", "", ""},
        {"narrowing", "13", "X: |MN\nf = narrow X\ng = exp f\nO = out g\n", "f g", "rounds, as its type", ""},
        {"the same type", "13", "X: |MN\nf = wide X\ng = exp f\nO = out g\n", "f g", "", ""},
        {"no cast", "13", "X: |MN\nf = exp X\ng = neg f\nO = out g\n", "f g", "is no cast", ""},
        {"two consumers", "13", head + "f = wide x\ng = exp f\nO = out g\nP = out f\n", "f g",
         "is used by more than", ""},
        {"functional consumer", "13", head + "f = wide x\ng = add f X\nO = out g\n", "f g",
         "is not elementwise", ""},
        {"one node", "13", head + "f = wide x\ng = exp f\nO = out g\n", "f",
         "needs two elementwise operators", ""},
    };
}

}  // namespace

std::vector<RuleCase> cast_rule_cases() {
    std::vector<RuleCase> all = scale_cases();
    const std::vector<RuleCase> widening = widening_cases();
    all.insert(all.end(), widening.begin(), widening.end());
    return all;
}

}  // namespace blockscope::test
