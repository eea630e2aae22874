// Other sizes and other texts of the same program.
#include <gmock/gmock.h>

#include "core/diagram/step_tree.h"
#include "tests/document/contents.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

DimTable changed(DimTable dims, const std::string& name, std::int64_t size, std::int64_t block) {
    for (Dim& dim : dims)
        if (dim.name == name) dim.size = size, dim.block = block;
    return dims;
}

Content with(const Content& content, const DimTable& dims) {
    Result<Content> result = with_dims(content, dims);
    if (!result) throw std::runtime_error(to_string(result.problems().front()));
    return std::move(result).value();
}

void expect_sizes(const Content& content, const DimTable& dims) {
    for (const auto& [id, state] : content.history.states()) EXPECT_EQ(state->program->dims, dims);
    const Result<Content> again = read_document(write_document(content), "d");
    ASSERT_TRUE(again) << to_string(again.problems().front());
    EXPECT_EQ(write_document(*again), write_document(content));
}

// Sizes are put into states without applying steps anew: what stands there is what a step makes at these
// sizes.
void expect_steps_applied(const Content& content) {
    for (const auto& [id, state] : content.history.states()) {
        if (!state->step) continue;
        const ProgramPtr& before = content.history.state(state->parent).program;
        const Step step = checked_apply(before, state->step->match);
        EXPECT_EQ(state->step->before, before) << id;
        EXPECT_EQ(state->step->after, state->program) << id;
        EXPECT_TRUE(identical(*step.after->graph, *state->program->graph)) << id;
        EXPECT_EQ(step.after->dims, state->program->dims) << id;
        EXPECT_EQ(step.after->next_id, state->program->next_id) << id;
        EXPECT_EQ(step.made, state->step->made) << id;
        EXPECT_EQ(step.removed, state->step->removed) << id;
        EXPECT_EQ(step.explanation, state->step->explanation) << id;
    }
}

TEST(Sizes, StatesAreWhatTheirStepsMakeAtTheNewSizes) {
    for (const char* name : {"attention", "rmsnorm-swiglu", "gqa", "causal-attention"}) {
        SCOPED_TRACE(name);
        const Content content = run_algorithm(sample_content(name), 0);
        DimTable dims = content.program()->dims;
        for (Dim& dim : dims)
            if (dim.kind == DimKind::Blocked) dim = {dim.name, 96, dim.name == "D" ? 96 : 32, dim.kind};
        const Content made = with(content, dims);
        EXPECT_GT(made.history.states().size(), 10U);
        expect_sizes(made, dims);
        expect_steps_applied(made);
    }
}

TEST(Sizes, StepsStayAndTheTextChanges) {
    const Content content = rich_content();
    const DimTable dims = changed(changed(content.program()->dims, "M", 20, 5), "L", 16, 16);
    const Content made = with(content, dims);
    expect_sizes(made, dims);
    EXPECT_EQ(made.history.states().size(), content.history.states().size());
    EXPECT_EQ(made.history.branches(), content.history.branches());
    EXPECT_EQ(made.current, content.current);
    EXPECT_THAT(made.source, testing::HasSubstr("dim M = 20 / 5   # rows\n"));
    EXPECT_THAT(made.source, testing::HasSubstr("dim L = 16 / 16\n"));
    EXPECT_THAT(made.source, testing::HasSubstr("dim N = 9 / 3\n"));
    // All but the times that were measured of the program at its sizes.
    Content expected = content;
    expected.tilings = without_own_runs(content.tilings);
    EXPECT_EQ(write_document(with(made, content.program()->dims)), write_document(expected));
}

// Measured times of the program go with its sizes and its operators, not with a comment.
TEST(Sizes, MeasuredTilingsAreOfTheirSizes) {
    const Content content = rich_content();
    ASSERT_TRUE(content.tilings && content.tilings->run("", "a machine"));
    const Content larger = with(content, changed(content.program()->dims, "M", 20, 5));
    EXPECT_EQ(larger.tilings->run("", "a machine"), nullptr);
    EXPECT_NE(larger.tilings->run("G1", "a machine"), nullptr) << "a workload has its own sizes";
    EXPECT_EQ(larger.tilings->choices, content.tilings->choices);
    EXPECT_EQ(with_source(content, content.source + "# a comment\n", "t.bp")->tilings, content.tilings);
    const Content other = with_source(content, content.source + "output R = relu(O)\n", "t.bp").value();
    ASSERT_TRUE(other.tilings);
    EXPECT_EQ(other.tilings->run("", "a machine"), nullptr);
}

// Steps with the circuit stay as far as they are possible: groups of 4 rows, but not of 3 rows.
TEST(Sizes, StepsOfTheCircuitStayWhereTheyCan) {
    const Content content = rich_content();
    const Content larger = with(content, changed(content.program()->dims, "M", 20, 5));
    EXPECT_EQ(larger.circuit, content.circuit);
    const Content smaller = with(content, changed(content.program()->dims, "N", 2, 2));
    ASSERT_TRUE(smaller.circuit);
    EXPECT_EQ(smaller.circuit->count(), 4);  // without the stream of 3
    EXPECT_EQ(smaller.circuit->state(3).step.axis, "rows");
    EXPECT_EQ(smaller.circuit->current, 2);
    EXPECT_EQ(smaller.circuit->tip, 3);
    const Content none = with(content, changed(content.program()->dims, "M", 3, 3));
    EXPECT_EQ(none.circuit->count(), 1);  // all others come after the groups of 4
}

TEST(Sizes, EveryWayToWriteADimension) {
    const Content content = content_of_text(
        "dim B = 2\nbatch H = 3\ndim  M=8/4\n\tdim N = 6\t/ 3\r\ndim K = 5\n"
        "input X[B, H, M, K], Y[B, H, N, K]\noutput Z = X @ Y.T\n");
    DimTable dims = content.program()->dims;
    for (Dim& dim : dims) {
        dim.size *= 4;
        dim.block = dim.kind == DimKind::Blocked ? dim.size / 2 : 1;
    }
    const Content made = with(content, dims);
    expect_sizes(made, dims);
    EXPECT_EQ(made.source,
              "dim B = 8\nbatch H = 12\ndim  M=32 / 16\n\tdim N = 24 / 12\r\ndim K = 20 / 10\n"
              "input X[B, H, M, K], Y[B, H, N, K]\noutput Z = X @ Y.T\n");
}

TEST(Sizes, AllSamples) {
    for (const std::string& name : sample_names()) {
        SCOPED_TRACE(name);
        const Content content = sample_content(name);
        DimTable dims = content.program()->dims;
        for (Dim& dim : dims) {
            dim.size *= 2;
            if (dim.kind == DimKind::Blocked) dim.block = dim.size / 2;
        }
        dims = fitted(dims, *content.program());
        expect_sizes(with(content, dims), dims);
    }
}

// With its text, and without: what is refused there says why.
TEST(Sizes, RotationsKeepTheirDimensionWhole) {
    const Content content = sample_content("rotary-attention");
    const Content blocks = content_of_blocks(*content.program(), "rotary");
    for (const Content& one : {content, blocks}) {
        expect_sizes(with(one, changed(one.program()->dims, "D", 64, 64)),
                     changed(one.program()->dims, "D", 64, 64));
        const auto refused = with_dims(one, changed(one.program()->dims, "D", 128, 64));
        ASSERT_FALSE(refused);
        EXPECT_THAT(refused.problems().front().message.str(),
                    testing::HasSubstr("in one block of an even size"));
    }
}

TEST(Sizes, BlockProgramsToo) {
    const Content content = rich_block_content();
    const DimTable dims = changed(content.program()->dims, "N", 12, 6);
    const Content made = with(content, dims);
    expect_sizes(made, dims);
    EXPECT_EQ(made.history.states().size(), content.history.states().size());
}

TEST(Sizes, WhatTheProgramRefusesIsRefused) {
    for (const Content& content : {rich_content(), rich_block_content()}) {
        const DimTable& dims = content.program()->dims;
        EXPECT_FALSE(with_dims(content, changed(dims, "M", 10, 11)));
        EXPECT_FALSE(with_dims(content, changed(dims, "M", 0, 0)));
        EXPECT_FALSE(with_dims(content, changed(dims, "M", 3'000'000'000, 4)));
        EXPECT_FALSE(
            with_dims(content, changed(changed(dims, "M", 2'147'483'647, 4), "D", 2'147'483'647, 4)));
        EXPECT_FALSE(with_dims(content, {}));
        DimTable renamed = dims;
        renamed[0].name = "Z";
        EXPECT_FALSE(with_dims(content, renamed));
    }
}

TEST(Sizes, CanBeStopped) {
    const Content content = rich_content();
    int steps = 0;
    const auto made = with_dims(content, changed(content.program()->dims, "M", 20, 5),
                                [&](const Step&) { return ++steps < 2; });
    ASSERT_FALSE(made);
    EXPECT_EQ(steps, 2);
    EXPECT_THAT(made.problems().front().message, testing::HasSubstr("cancelled"));
}

TEST(Source, AnotherProgramBeginsAnew) {
    const Content content = rich_content();
    std::string source = content.source;
    source.replace(source.find("softmax(S)"), 10, "exp(S)");
    const Result<Content> made = with_source(content, source, "a.bp");
    ASSERT_TRUE(made);
    EXPECT_EQ(made->history.states().size(), 1U);
    EXPECT_EQ(made->source, source);
    EXPECT_EQ(made->current, 0);
}

TEST(Source, AnotherCommentKeepsTheSteps) {
    const Content content = rich_content();
    const Result<Content> made = with_source(content, "# new\n" + content.source, "a.bp");
    ASSERT_TRUE(made);
    EXPECT_EQ(made->history.states().size(), content.history.states().size());
    EXPECT_EQ(made->name, content.name);
    EXPECT_EQ(made->array->comment.size(), content.array->comment.size() + 1);
}

TEST(Source, ProblemsHaveTheirPlace) {
    const Result<Content> made = with_source(rich_content(), "dim M = 4\noutput Y = Z\n", "a.bp");
    ASSERT_FALSE(made);
    EXPECT_EQ(made.problems().front().place.line, 2);
}

}  // namespace
}  // namespace blockscope::test
