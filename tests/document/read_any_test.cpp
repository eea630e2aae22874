// Opening files of every kind.
#include <gmock/gmock.h>

#include "core/json/json_io.h"
#include "core/program/convert.h"
#include "tests/document/contents.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

const std::string kCommented =
    "# a comment\ndim M = 8 / 4\ndim K = 6 / 3\ninput X[M, K]\noutput Y = softmax(X)\n";

Content open(const std::string& text, const std::string& file) {
    Result<Content> content = read_any(text, file);
    if (!content) throw std::runtime_error(to_string(content.problems().front()));
    return std::move(content).value();
}

TEST(ReadAny, ProgramsAsText) {
    const Content content = open(kCommented, "/some/where/soft.max.bp");
    EXPECT_EQ(content.name, "soft.max");
    EXPECT_EQ(content.source, kCommented);
    ASSERT_TRUE(content.array);
    EXPECT_EQ(content.history.states().size(), 1U);
    EXPECT_EQ(content.origins.size(), content.program()->graph->nodes().size());
}

TEST(ReadAny, ArrayProgramsBecomeText) {
    const Content text = open(kCommented, "a.bp");
    const Content content = open(write_json(*text.array), "a.json");
    EXPECT_EQ(content.name, "a");
    EXPECT_THAT(content.source, testing::StartsWith("# a comment\n"));
    EXPECT_TRUE(identical(*content.program()->graph, *text.program()->graph));
    EXPECT_EQ(content.program()->dims, text.program()->dims);
}

TEST(ReadAny, BlockPrograms) {
    const Content text = open(kCommented, "a.bp");
    const Content content = open(write_json(*text.program()), "b.json");
    EXPECT_EQ(content.name, "b");
    EXPECT_FALSE(content.array);
    EXPECT_TRUE(identical(*content.program()->graph, *text.program()->graph));
}

TEST(ReadAny, TracesBecomeABranch) {
    const Trace trace = fuse(open(kCommented, "a.bp").program());
    ASSERT_GT(trace.steps.size(), 3U);
    const Content content = open(write_json(trace), "run.json");
    EXPECT_EQ(content.current, 0);
    ASSERT_EQ(content.history.branches().size(), 1U);
    EXPECT_EQ(content.history.branches()[0].stopped, trace.stopped);
    const Trace again = content.history.trace(content.history.branches()[0].tip);
    EXPECT_EQ(write_json(again), write_json(trace));
}

TEST(ReadAny, Documents) {
    const std::string text = write_document(rich_content());
    EXPECT_EQ(write_document(open(text, "d.blockscope")), text);
    EXPECT_EQ(write_document(open(" \n" + text, "d.blockscope")), text);
}

TEST(ReadAny, WhateverElseIsRefusedWithAPlace) {
    EXPECT_EQ(to_string(read_any("{\"format\": \"other\"}", "f").problems().front()),
              "f#/format: expected \"blockscope document\", \"blockscope array program\", \"blockscope block "
              "program\" or \"blockscope trace\"");
    EXPECT_FALSE(read_any("{", "f"));
    EXPECT_FALSE(read_any("", "f"));
    EXPECT_FALSE(
        read_any("\x7F"
                 "ELF",
                 "f"));
}

TEST(ReadAny, PreparedRunsTheAlgorithmOnce) {
    Content content = prepared(open(kCommented, "a.bp"));
    EXPECT_EQ(content.current, 0);
    EXPECT_EQ(content.branch, 1);
    EXPECT_EQ(content.history.branches()[0].name, "Algorithm");
    EXPECT_EQ(content.history.depth(content.history.branches()[0].tip),
              static_cast<int>(fuse(content.program()).steps.size()));
    const std::string text = write_document(content);
    EXPECT_EQ(write_document(prepared(std::move(content))), text);
}

TEST(ReadAny, PreparingCanBeStopped) {
    int steps = 0;
    const Content content = prepared(open(kCommented, "a.bp"), [&](const Step&) { return ++steps < 2; });
    EXPECT_EQ(content.history.states().size(), 3U);
    EXPECT_EQ(content.history.branches()[0].stopped, "");
}

}  // namespace
}  // namespace blockscope::test
