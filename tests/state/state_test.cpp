// A state in a form: what it gives is what the functions below it give, made once and shared.
#include "core/state/state.h"

#include <gmock/gmock.h>

#include <thread>

#include "core/fusion/trace.h"
#include "core/loops/built_loops.h"
#include "core/program/convert.h"
#include "core/support/result.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

ProgramPtr fused_attention() {
    return fuse(block_sample("attention")).last();
}

std::string text_of(const LoopProgram& loops) {
    std::string text;
    for (const ListingLine& line : listing_lines(loops)) text += line.text + "\n";
    return text;
}

class StateOf : public testing::TestWithParam<std::string> {};

TEST_P(StateOf, EveryFormIsWhatThePassesMakeOfTheProgram) {
    const Trace trace = fuse(block_sample(GetParam()));
    for (const ProgramPtr& program : {trace.initial, trace.last()})
        for (const Form& form : {Form{}, Form{}.as_in_paper(), safe_form(), safe_form().as_in_paper(),
                                 safe_form(true, SharedExponent::PerBlock)}) {
            const State state(program, form);
            const BlockProgram expected = form.safe ? make_safe(*program, *form.safe).program : *program;
            EXPECT_TRUE(identical(*state.program()->graph, *expected.graph));
            const bool paper = form.loops == LoopForm::Paper;
            const LoopProgram loops = paper ? lower(expected) : built(lower(expected));
            EXPECT_EQ(listing(state), text_of(loops));
            EXPECT_EQ(listing(expected, {{}, {}, form.loops}), listing(state));
            EXPECT_EQ(state.counts().bytes(), count(loops).bytes());
            EXPECT_EQ(state.counts().flops, count(loops).flops);
            EXPECT_EQ(state.terms().size(), cost_terms(loops).size());
            EXPECT_EQ(state.alive().size(), state.listing().size());
            EXPECT_EQ(state.work().kernels.size(), loops.body.size());
        }
}

// All blocks `times` as large, or as large as the dimension; a half of them where it is 0.
DimTable with_blocks(DimTable dims, std::int64_t times) {
    for (Dim& dim : dims) {
        if (dim.kind != DimKind::Blocked) continue;
        dim.block = times > 0 ? std::min(dim.size, dim.block * times) : (dim.block + 1) / 2;
    }
    return dims;
}

TEST_P(StateOf, WithOtherBlocksItIsWhatItWouldBeMadeAnew) {
    const Trace trace = fuse(block_sample(GetParam()));
    for (const ProgramPtr& program : {trace.initial, trace.last()})
        for (const Form& form : {safe_form(), Form{}.kept_in(ElemType::F32), Form{}.as_in_paper()})
            for (const std::int64_t times : {0, 2, 8, 1'000'000}) {
                const State state(program, form);
                BlockProgram resized = *program;
                resized.dims = with_blocks(program->dims, times);
                const State other = state.with_dims(resized.dims);
                const State anew(std::move(resized), form);
                ASSERT_EQ(listing(other), listing(anew)) << times;
                EXPECT_EQ(counts_difference(anew.loops(), other.counts(), anew.counts()), "") << times;
                EXPECT_EQ(other.counts().local.bytes, anew.counts().local.bytes);
                EXPECT_EQ(other.exponentials(), anew.exponentials());
                EXPECT_EQ(other.made(), anew.made());
                ASSERT_EQ(other.alive().size(), anew.alive().size());
                for (std::size_t line = 0; line < anew.alive().size(); ++line) {
                    EXPECT_EQ(other.alive()[line].alive, anew.alive()[line].alive) << line;
                    EXPECT_EQ(other.alive()[line].registers, anew.alive()[line].registers) << line;
                    EXPECT_EQ(other.alive()[line].tiles, anew.alive()[line].tiles) << line;
                }
            }
}

TEST(State, LoopsAreSharedByBlockSizesUnlessThatLeavesOneBlockOrTwoOrHidesOthers) {
    const auto shared = [](const std::string& text, const std::string& dim, std::int64_t block) {
        const Result<ArrayProgram> read = parse_program(text, "");
        const State state(to_block_program(*read).program);
        DimTable dims = state.source()->dims;
        for (Dim& one : dims)
            if (one.name == dim) one.block = block;
        return same_loops(state.loops(), dims);
    };
    const std::string plain = "dim M = 64 / 16\ninput X[M, M]\noutput Y = exp(X)\n";
    EXPECT_TRUE(shared(plain, "M", 8));
    EXPECT_FALSE(shared(plain, "M", 32)) << "two blocks";
    EXPECT_FALSE(shared(plain, "M", 64)) << "one";
    // The first two rows see 58 columns: 15 of 16 blocks of 4, but all blocks of 16.
    const std::string masked =
        "dim M = 8 / 2\ndim N = 64 / 4\ninput X[M, N]\noutput Y = row_sum(exp(causal(X)))\n";
    EXPECT_TRUE(shared(masked, "N", 2));
    EXPECT_FALSE(shared(masked, "N", 16));
}

INSTANTIATE_TEST_SUITE_P(Samples, StateOf, testing::ValuesIn(sample_names()),
                         [](const auto& sample) { return test_name(sample.param); });

TEST(State, ElementTypesAreThoseOfTheForm) {
    const ProgramPtr program = fused_attention();  // declared in bf16
    const State declared(program), wide(program, Form{}.kept_in(ElemType::F32));
    EXPECT_EQ(wide.counts().bytes(), 2 * declared.counts().bytes());
    EXPECT_EQ(listing(wide), listing(declared));
    const State engine(program, {{}, {ElemType::BF16, ElemType::F32}, LoopForm::Built});
    EXPECT_EQ(engine.counts().inputs, declared.counts().inputs);
    EXPECT_EQ(engine.counts().outputs, wide.counts().outputs);
    EXPECT_EQ(declared.in_form(wide.form()), wide);
    EXPECT_NE(declared, wide);
}

TEST(State, WithNothingToMakeSafeTheSafeFormIsTheProgramItself) {
    const ProgramPtr program = block_sample("matmul");
    const State safe(program, safe_form());
    EXPECT_EQ(safe.program(), program);
    EXPECT_EQ(safe.exponentials(), 0);
}

// Lines of the safe form are shown at the program's own nodes.
TEST(State, NodesOfTheSafeFormStandForTheProgramsOwn) {
    const ProgramPtr program = fused_attention();
    const State safe(program, safe_form());
    EXPECT_EQ(safe.exponentials(), 1);
    int made = 0;
    for (const ListingLine& line : safe.listing()) {
        std::vector<NodeId> path;
        EXPECT_TRUE(find_path(*program, safe.origin(line.node), path)) << line.text;
        made += safe.origin(line.node) != line.node;
    }
    EXPECT_GT(made, 0);
    const NodeId own = State(program).origin(program->graph->nodes().front()->id);
    EXPECT_EQ(own, program->graph->nodes().front()->id);
}

TEST(State, WhatIsMadeIsShared) {
    const ProgramPtr program = fused_attention();
    const State one(program, safe_form()), other(program, safe_form());
    EXPECT_EQ(one, other);
    EXPECT_EQ(&one.loops(), &other.loops());
    EXPECT_EQ(&one.counts(), &other.counts());
    EXPECT_EQ(&one.listing(), &other.listing());
    const State typed = one.in_form(one.form().kept_in(ElemType::F32));
    EXPECT_EQ(typed.program(), one.program()) << "made safe once";
    EXPECT_NE(&typed.loops(), &one.loops());
    const State copy(*program, safe_form());
    EXPECT_NE(copy, one) << "another program, though it says the same";
}

TEST(State, ReferencesLastAsLongAsAnyStateOfTheirs) {
    const ProgramPtr program = fused_attention();
    std::optional<State> kept = State(program);
    const std::vector<ListingLine>& lines = kept->listing();
    const State other(program);
    kept.reset();
    EXPECT_EQ(&other.listing(), &lines);
}

TEST(State, AfterTheLastAllIsMadeAnewAndIsTheSame) {
    const ProgramPtr program = fused_attention();
    std::string before;
    {
        const State state(program, safe_form());
        before = listing(state);
        EXPECT_GT(program.use_count(), 1);
    }
    EXPECT_EQ(program.use_count(), 1) << "nothing keeps a program that nobody asks for";
    EXPECT_EQ(listing(State(program, safe_form())), before);
}

TEST(State, ThreadsShareWhatTheyAskFor) {
    const ProgramPtr program = fuse(block_sample("decoder-block")).last();
    std::vector<const Counts*> seen(8);
    const State held(program, safe_form().kept_in(ElemType::F16));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < seen.size(); ++i)
        threads.emplace_back([&, i] {
            const State mine(program, safe_form().kept_in(ElemType::F16));
            seen[i] = &mine.counts();
            const State brief(program, Form{}.kept_in(i % 2 ? ElemType::F16 : ElemType::F32));
            EXPECT_GT(brief.work().kernels.size(), 0U);
        });
    for (std::thread& thread : threads) thread.join();
    for (const Counts* counts : seen) EXPECT_EQ(counts, &held.counts());
}

TEST(State, WithoutAProgramIsRefused) {
    EXPECT_THROW(State{ProgramPtr()}, InternalError);
}

}  // namespace
}  // namespace blockscope::test
