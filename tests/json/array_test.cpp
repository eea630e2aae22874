// Array programs: what is written is read back as the same program, and written again as the same bytes.
#include <gmock/gmock.h>

#include "core/json/json_io.h"
#include "core/program/convert.h"
#include "tests/json/compare.h"
#include "tests/program/operator_cases.h"

namespace blockscope::test {
namespace {

TEST(Json, EveryOperatorRoundTripsInArraysAndInBlocks) {
    int programs = 0;
    std::vector<OperatorCase> cases = every_operator_case();
    for (OperatorCase& c : cases) {
        SCOPED_TRACE(c.name);
        separate_names(c.program);
        expect_round_trip(to_block_program(c.program).program);
        if (!check_program(c.program).empty()) continue;  // conversion takes more than the language
        expect_round_trip(c.program);
        ++programs;
    }
    EXPECT_GT(programs, 100);
}

// Everything that an operator can say beyond its operands.
TEST(ArrayJson, TextProgramsRoundTrip) {
    const char* texts[] = {
        "# Attention.\n# In \xc3\xa4 line.\ndim M = 4096 / 128\ndim N = 4096 / 128\ndim D = 128 / 128\ndim L "
        "= 128 / 128\n"
        "input Q[M, D], K[N, D], V[N, L] : bf16\nS = Q @ K.T * D^-0.5\nP = softmax(S)\noutput O = P @ V\n",
        "dim M = 7 / 3\ndim K = 9 / 2\ninput X[M, K], W[K] : e4m3\ninput C[M] : f32\nA = rmsnorm(X, W)\nB = "
        "X * W\n"
        "dim E = 6 / 6\nbatch H = 2\ninput Q[H, M, E], P[M, E] : f32\n"
        "output T = rope_interleaved(rope(Q, P, P), P, P)\n"
        "output R = layernorm(X)\noutput S = gelu(A) + X\noutput U = row_max(B)\n",
    };
    for (const char* text : texts) {
        const Result<ArrayProgram> program = parse_program(text, "t.bp");
        ASSERT_TRUE(program) << to_string(program.problems().at(0));
        expect_round_trip(*program);
    }
}

std::vector<std::string> problems_of(const std::string& text) {
    const Result<ArrayProgram> read = read_array_program(text, "f");
    std::vector<std::string> found;
    if (!read) {
        for (const Problem& problem : read.problems()) found.push_back(to_string(problem));
    }
    return found;
}

// Problems of the program, which check_program finds, have their place in the file.
TEST(ArrayJson, ProblemsOfTheProgramHavePlaces) {
    const std::string head = R"({"format": "blockscope array program", "version": 1, "comment": [], "dims": [
        {"name": "M", "size": 8, "block": 4, "kind": "blocked"}], "ops": [
        {"kind": "input", "name": "X", "source": "array", "batch": [], "axes": ["M"], "elem": "f32"},)";
    EXPECT_THAT(problems_of(head + R"({"kind": "transpose", "operands": [0]},
        {"kind": "matmul", "operands": [0, 0]}], "outputs": [{"name": "Y", "op": 2}]})"),
                testing::ElementsAre(testing::StartsWith("f#/ops/1: "), testing::StartsWith("f#/ops/2: ")));
}

}  // namespace
}  // namespace blockscope::test
