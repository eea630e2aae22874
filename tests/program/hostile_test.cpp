// Every text of tests/hostile/text.txt is refused, and the first thing said about it is what the table holds.
// Texts of megabytes are made here.
#include <gtest/gtest.h>

#include "core/program/array_program.h"
#include "core/program/syntax.h"
#include "tests/support/text_cases.h"

namespace blockscope {
namespace {

const std::string kHostileTexts = BLOCKSCOPE_SOURCE_DIR "/tests/hostile/text.txt";

std::string first_problem(const std::string& text, const std::string& file) {
    const Result<ArrayProgram> result = parse_program(text, file);
    return result ? "accepted" : to_string(result.problems()[0]);
}

TEST(HostileText, IsRefusedAsExpected) {
    EXPECT_GE(test::text_cases(kHostileTexts).size(), 80u);
    const auto refusal = [](const test::TextCase& text_case) {
        const std::string said = first_problem(text_case.input, "f");
        EXPECT_NE(said, "accepted") << text_case.name;
        return std::vector{said};
    };
    EXPECT_EQ(test::said_otherwise(kHostileTexts, refusal), "");
}

std::string repeated(const std::string& start, const std::string& part, std::size_t size) {
    std::string text = start;
    text.reserve(size);
    while (text.size() + part.size() <= size) text += part;
    return text;
}

TEST(HugeTexts, AreRefusedAboveTheLimit) {
    EXPECT_EQ(first_problem(std::string(kMaxTextBytes + 1, ' '), "t"),
              "t:1:1: found a text of 67108865 bytes; at most 67108864 (64 MiB) are allowed");
}

TEST(HugeTexts, AreReadUpToTheLimit) {
    const std::string program = "dim M = 4\ninput A[M, M]\noutput A\n";
    EXPECT_EQ(first_problem(repeated(program, " ", kMaxTextBytes), "t"), "accepted");
    EXPECT_EQ(first_problem(repeated(program + "#", "x", kMaxTextBytes), "t"), "accepted");
    EXPECT_EQ(first_problem(repeated(program, "\n", kMaxTextBytes), "t"), "accepted");
}

TEST(HugeTexts, AreRefusedForWhatIsWrong) {
    const std::string start = "dim M = 4\ninput A[M, M]\n";
    constexpr std::size_t size = std::size_t{8} << 20;
    const auto refused = [&](const std::string& head, const std::string& part, const std::string& problem) {
        const std::string found = first_problem(repeated(start + head, part, size), "t");
        EXPECT_NE(found.find(problem), std::string::npos) << found;
    };
    refused("output O = ", "(", "nested more than 128 levels");
    refused("output O = A", ".T", "nested more than 128 levels");
    refused("output O = ", "1+", "nested more than 128 levels");
    refused("output O = ", "exp(A, ", "nested more than 128 levels");
    refused("output O = max(", "A,", "at most 64 arguments");
    refused("input B[", "M,", "at most 8 dimensions");
    refused("input B[M]", ", C[M]", "too large");
    refused("", "x", "longer than 256 bytes");
    refused("output O = A * ", "1", "is not a number");
    refused("output O = custom(\"", "x", "no closing quote");
    refused("", "X = A + 1\n", "too large");
    refused("", "?\n", "no part of the language");
}

TEST(ManyOperators, AreRefusedAboveTheLimit) {
    std::string text = "dim M = 4\ninput A0[M, M]\n";
    for (int i = 0; i < 100'000; ++i) {
        text += "A" + std::to_string(i + 1) + " = A" + std::to_string(i) + " + 1\n";
    }
    EXPECT_EQ(first_problem(text + "output A100000\n", "t"),
              "t:100002:18: found more than 100000 array operators; expected fewer");
}

}  // namespace
}  // namespace blockscope
