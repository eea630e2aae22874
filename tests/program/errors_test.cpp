// What is said about wrong programs: where, what was found, what is expected, and nothing twice.
#include <gtest/gtest.h>

#include "core/program/array_program.h"
#include "tests/support/text_cases.h"

namespace blockscope {
namespace {

const std::string kErrorDeclarations =
    "dim M = 64 / 16\n"
    "dim N = 48 / 16\n"
    "dim D = 32 / 16\n"
    "dim Big1 = 2147483647\n"
    "dim Big2 = 2147483647\n"
    "batch B = 2\n"
    "batch H = 3\n"
    "group G = 2\n"
    "input A[M, D], k[N], a[M], n[N], V[N, D], S9[M] : f32, F[M, D] : f16, S3[H, M, D], S2[B, M, D], S4[B, "
    "G, M, D]\n";

std::string errors_of(const std::string& text) {
    const Result<ArrayProgram> result = parse_program(text, "t");
    if (result) return "none";
    std::string errors;
    for (const Problem& problem : result.problems()) {
        errors += (errors.empty() ? "" : "\n") + to_string(problem);
    }
    return errors;
}

TEST(ErrorsOfPrograms, SayWhatIsFoundAndExpected) {
    const std::string table = BLOCKSCOPE_SOURCE_DIR "/tests/program/errors.txt";
    EXPECT_GE(test::text_cases(table).size(), 100u);
    const auto errors = [](const test::TextCase& text_case) {
        return test::lines_of(errors_of(kErrorDeclarations + text_case.input));
    };
    EXPECT_EQ(test::said_otherwise(table, errors), "");
}

// Between statements, while they are read and while their meaning is found.
TEST(Reading, EndsWhenNobodyWaitsForIt) {
    std::string text = kErrorDeclarations + "X0 = A";
    constexpr int kStatements = 50;
    for (int i = 1; i < kStatements; ++i)
        text += "\nX" + std::to_string(i) + " = exp(X" + std::to_string(i - 1) + ")";
    int asked = 0, stop_at = 1 << 30;
    const StopSign sign([&] { return ++asked >= stop_at; });
    parse_program(text, "t", sign);
    EXPECT_GE(asked, 2 * kStatements);
    for (const int at : {1, asked / 2, asked}) {
        stop_at = at;
        asked = 0;
        EXPECT_THROW(parse_program(text, "t", sign), Stopped);
        EXPECT_EQ(asked, at) << "at once";
    }
}

TEST(ErrorsOfEmptyPrograms, AskForAnOutput) {
    EXPECT_EQ(errors_of(""), "t:1:1: found no output; expected at least one, as in output O = P @ V");
    EXPECT_EQ(errors_of("# nothing\n\n"), errors_of(""));
}

TEST(ManyErrors, AreCutAfterFifty) {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "+\n";
    const Result<ArrayProgram> result = parse_program(text, "t");
    ASSERT_FALSE(result);
    ASSERT_EQ(result.problems().size(), 51u);
    EXPECT_EQ(result.problems().back().message, "further problems are not listed");
}

}  // namespace
}  // namespace blockscope
