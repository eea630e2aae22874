// JSON text and values: what is refused before any format is looked at, and how numbers print.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "core/json/reader.h"

namespace blockscope::json {
namespace {

std::string refusal(const std::string& text) {
    const Result<Value> value = parse(text, "f");
    return value ? "" : to_string(value.problems().at(0));
}

std::string nested(std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

TEST(JsonValue, PrintsWhatItRead) {
    const std::string text =
        "{\"a\": [1, -2, 0.5, 1e+30, true, false, null], \"\xc3\xa4\\\"\\n\\u0001\": {}}\n";
    const Result<Value> value = parse(text, "f");
    ASSERT_TRUE(value);
    EXPECT_EQ(print(*value), text);
}

TEST(JsonValue, BreaksLinesThatAreTooLong) {
    const Array row(20, Value("abcd"));
    const std::string text = print(Object{{"x", 1}, {"rows", Array{row, Array{1, 2}}}});
    EXPECT_THAT(text, testing::StartsWith("{\n  \"x\": 1,\n  \"rows\": [\n    [\n      \"abcd\",\n"));
    EXPECT_THAT(text, testing::EndsWith("\n    ],\n    [1, 2]\n  ]\n}\n"));
    std::size_t start = 0;
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
        EXPECT_LE(end - start, 100U);
        start = end + 1;
    }
    EXPECT_EQ(print(*parse(text, "f")), text);
}

TEST(JsonValue, DoublesReadBackAsTheSameNumber) {
    const double numbers[] = {0.0,     -0.0,
                              0.1,     -0.5,
                              1e-5,    1e-300,
                              5e-324,  1.7976931348623157e308,
                              1.0 / 3, 123456789012345680000.0,
                              1e22,    9007199254740993.0,
                              -1e15,   2.5e-8,
                              1e100};
    for (const double number : numbers) {
        const Result<Value> read = parse(print(Array{number}), "f");
        ASSERT_TRUE(read);
        Report report("f");
        const Reader reader(*read, report);
        const auto back = reader.at(0).number();
        ASSERT_TRUE(back) << print(Array{number});
        EXPECT_EQ(std::signbit(*back), std::signbit(number));
        EXPECT_EQ(*back, number);
    }
    EXPECT_EQ(print(0.1), "0.1\n");
    EXPECT_EQ(print(-0.5), "-0.5\n");
    EXPECT_EQ(print(2.0), "2\n");
}

TEST(JsonValue, RefusesInfinityWhenPrinting) {
    EXPECT_THROW(print(std::numeric_limits<double>::infinity()), InternalError);
    EXPECT_THROW(print(std::nan("")), InternalError);
}

TEST(JsonValue, DepthEndsAt128) {
    EXPECT_EQ(refusal(nested(128)), "");
    EXPECT_THAT(refusal(nested(129)),
                testing::EndsWith("nested more than 128 deep, the most that is allowed"));
    EXPECT_THAT(refusal(nested(3'000'000)), testing::HasSubstr("nested more than 128 deep"));
}

TEST(JsonValue, KeysAreUnique) {
    EXPECT_EQ(refusal("{\"a\": {\"b\": 1, \"b\": 2}}"),
              "f#/a/b: the key \"b\" appears twice in this object; once is allowed");
}

TEST(JsonValue, ObjectsHaveAtMost64Keys) {
    std::string text = "{";
    for (int i = 0; i < 65; ++i) text += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":0";
    EXPECT_THAT(refusal(text + "}"), testing::HasSubstr("more than 64 keys"));
}

TEST(JsonValue, FilesOfOtherProgramsMayHaveMoreKeys) {
    std::string text = "{";
    for (int i = 0; i < 200; ++i) text += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":0";
    const TextLimits many = {.keys = 200, .key_bytes = 300};
    EXPECT_TRUE(parse(text + "}", "f", many));
    const auto said = [&](const std::string& end) {
        return to_string(parse(text + end, "f", many).problems().front());
    };
    EXPECT_THAT(said(",\"k\":0}"), testing::HasSubstr("more than 200 keys"));
    text.replace(text.find("k70"), 3, "k199");
    EXPECT_EQ(said("}"), "f#/k199: the key \"k199\" appears twice in this object; once is allowed");
    text.replace(text.find("k199"), 4, "k3");
    EXPECT_EQ(said("}"), "f#/k3: the key \"k3\" appears twice in this object; once is allowed");
}

TEST(JsonValue, KeysHaveAtMost256Bytes) {
    EXPECT_EQ(refusal("{\"" + std::string(256, 'k') + "\": 1}"), "");
    EXPECT_THAT(refusal("{\"" + std::string(257, 'k') + "\": 1}"), testing::HasSubstr("has 257 bytes"));
}

TEST(JsonValue, SizeEndsAt64MiB) {
    EXPECT_EQ(refusal(std::string(kMaxBytes - 1, ' ') + "1"), "");
    EXPECT_THAT(refusal(std::string(kMaxBytes, ' ') + "1"), testing::HasSubstr("(64 MiB) are allowed"));
}

TEST(JsonValue, ValuesEndAtEightMillion) {
    std::string text = "[0";
    for (std::size_t i = 0; i < kMaxValues; ++i) text += ",0";
    EXPECT_THAT(refusal(text + "]"), testing::HasSubstr("more than 8000000 values"));
}

TEST(JsonValue, MessagesStayShortAndPrintable) {
    const std::string message = refusal("[\"" + std::string(1'000'000, 'x') + "\xff\"]");
    EXPECT_LT(message.size(), 500U);
    EXPECT_THAT(message, testing::StartsWith("f#/0: this is not JSON: parse error at line 1, column"));
    for (const char c : refusal("{\"a\": \"\xff\x01\"}")) EXPECT_TRUE(c >= 0x20 && c < 0x7f);
}

TEST(JsonValue, PointersEscapeTheirTokens) {
    EXPECT_THAT(refusal("{\"a/b~c\": [0, nul]}"), testing::StartsWith("f#/a~1b~0c/1: "));
}

TEST(JsonValue, WritersBuildDocumentsMemberByMember) {
    Value value = {{"name", "M"}, {"blocked", true}, {"size", std::size_t{128}}};
    value["parts"]["of"].push_back(2.0);
    value["parts"]["of"].push_back(json::Array{});
    value["name"] = "N";
    EXPECT_EQ(print_line(value), R"({"name": "N", "blocked": true, "size": 128, "parts": {"of": [2, []]}})");
    EXPECT_THROW(value["name"]["x"], InternalError);
    EXPECT_THROW(value.push_back(1), InternalError);
}

// The form of `--json`, which others compare byte by byte.
TEST(JsonValue, IndentsEveryElementAndMember) {
    Value value = {{"none", json::Object{}},
                   {"texts", json::Array{"a\x1b\xff", Value()}},
                   {"numbers", json::Array{2.0, -0.0, 1e14, 1e15, 0.0001, 0.00001, 1.5e300, INFINITY, 7}}};
    EXPECT_EQ(print_indented(value), R"({
  "none": {},
  "texts": [
    "a\u001b�",
    null
  ],
  "numbers": [
    2.0,
    -0.0,
    100000000000000.0,
    1e+15,
    0.0001,
    1e-05,
    1.5e+300,
    null,
    7
  ]
})");
}

TEST(JsonReader, CollectsProblemsWithTheirPlaces) {
    const Result<Value> value = parse("{\"a\": [1, \"x\"], \"b\": 3, \"c\": 1.5}", "f");
    Report report("f");
    const Reader reader(*value, report);
    EXPECT_FALSE(reader.object({"a", "b", "d", "e?"}));
    const Reader a = reader.member("a");
    EXPECT_TRUE(a.array(0, 2));
    EXPECT_EQ(a.at(0).integer(0, 5), 1);
    EXPECT_FALSE(a.at(1).integer(0, 5));
    EXPECT_FALSE(reader.member("b").integer(4, 5));
    EXPECT_FALSE(reader.member("d").string(3));
    std::vector<std::string> found;
    for (const Problem& problem : report.problems()) found.push_back(to_string(problem));
    EXPECT_THAT(found,
                testing::ElementsAre("f#/c: found the unknown key \"c\"; the keys here are a, b, d, e",
                                     "f: the key \"d\" is missing",
                                     "f#/a/1: expected a whole number from 0 to 5, found the string \"x\"",
                                     "f#/b: expected a whole number from 4 to 5, found 3"));
}

TEST(JsonReader, KeepsTheFirstFiftyProblems) {
    Report report("f");
    for (int i = 0; i < 100; ++i) report.add("/" + std::to_string(i), std::string("wrong"));
    ASSERT_EQ(report.problems().size(), kMaxProblems);
    EXPECT_EQ(report.problems().back().place.pointer, "/49");
}

}  // namespace
}  // namespace blockscope::json
