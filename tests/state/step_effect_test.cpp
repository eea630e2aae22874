// What a step changes, and whether it pays.
#include "core/state/step_effect.h"

#include <gmock/gmock.h>

#include "core/cost/models/model.h"
#include "core/program/convert.h"
#include "tests/support/samples.h"
#include "tests/support/side_by_side.h"

namespace blockscope::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

const Trace& decoder() {
    static const Trace trace = fuse(block_sample("decoder-block"));
    return trace;
}

// The first step whose rule is 6, which extends a map.
int first_extension(const Trace& trace) {
    for (std::size_t step = 0; step < trace.steps.size(); ++step)
        if (trace.steps[step].match.rule.number == 6) return static_cast<int>(step);
    throw std::runtime_error("no step extends a map");
}

// The numbers are those of the states, counted without the step.
TEST(StepEffect, HasTheCountsOfBothStates) {
    for (const Step& step : decoder().steps) {
        const StepEffect effect = effect_of(step);
        const State before(step.before), after(step.after);
        EXPECT_EQ(effect.bytes_before, before.counts().bytes());
        EXPECT_EQ(effect.bytes_after, after.counts().bytes());
        EXPECT_EQ(effect.operations_after, after.counts().flops.total());
        EXPECT_EQ(effect.tasks_before, before.counts().tasks);
        const bool worse = effect.costs_more() || effect.tasks_after < effect.tasks_before;
        EXPECT_EQ(warning_of(effect, step.after->dims).empty(), !worse);
    }
}

// Attention's extension is over one block, so that nothing is computed twice and nobody is warned of that.
TEST(StepEffect, OfAStepThatSavesHasNoWarning) {
    const Trace trace = fuse(block_sample("attention"));
    const StepEffect effect = effect_of(trace.steps.at(15), {}, settled_after(trace, 15));
    EXPECT_EQ(trace.steps.at(15).match.rule.number, 6);
    EXPECT_FALSE(effect.costs_more());
    EXPECT_LT(effect.bytes_after, effect.bytes_before);
}

TEST(StepEffect, OfFewerParallelTasksSaysHowMany) {
    const StepEffect effect{.tasks_before = 1024, .tasks_after = 32};
    EXPECT_EQ(warning_of(effect, {}).str(), "Leaves 32 parallel tasks of 1024.");
    EXPECT_THAT(warning_of({.tasks_before = 32, .tasks_after = 32}, {}).str(), IsEmpty());
    EXPECT_EQ(warning_of({.tasks_before = 8, .tasks_after = 1}, {}).str(),
              "Leaves one of 8 parallel tasks: nothing runs beside it.");
}

TEST(StepEffect, OfAnExtensionNamesWhatIsRepeated) {
    const Trace trace = fuse(block_sample("rmsnorm-swiglu"));
    const int first = first_extension(trace);
    const Step& step = trace.steps.at(static_cast<std::size_t>(first));
    EXPECT_EQ(settled_after(trace, first), trace.steps.at(static_cast<std::size_t>(first) + 1).after);
    EXPECT_EQ(settled_after(trace, 0), trace.steps.at(0).after);
    const StepEffect effect = effect_of(step, {}, settled_after(trace, first));
    ASSERT_FALSE(effect.repeated.empty());
    const std::int64_t blocks = step.after->dims.at(step.match.dim.value).blocks();
    EXPECT_NEAR(effect.repeated.front().times, static_cast<double>(blocks), 0.01);
    EXPECT_THAT(
        warning_of(effect, step.after->dims).str(),
        AllOf(testing::StartsWith("Computes "), HasSubstr(std::to_string(blocks) + " times over, to save"),
              HasSubstr("times as much traffic at these sizes. In bytes it pays only with ")));
}

// Its own traffic and that of the state behind it are not mixed up.
TEST(StepEffect, OfAnExtensionWhoseTrafficIsSavedAgainSaysBoth) {
    const Trace trace = fuse(block_sample("rmsnorm-swiglu"));
    bool found = false;
    for (std::size_t i = 0; i < trace.steps.size(); ++i) {
        const StepEffect effect = effect_of(trace.steps[i], {}, settled_after(trace, static_cast<int>(i)));
        const bool passing = effect.costs_more() && effect.bytes_at_once > effect.bytes_before &&
                             effect.bytes_after <= effect.bytes_before;
        const std::string warning = warning_of(effect, trace.steps[i].after->dims).str();
        EXPECT_EQ(warning.find("% more traffic at these sizes, which the steps behind it save again") !=
                      std::string::npos,
                  passing)
            << warning;
        found = found || passing;
    }
    EXPECT_TRUE(found);
}

// The condition holds exactly: with so many blocks the step adds no traffic, with one more it does.
TEST(StepEffect, SaysWithHowManyBlocksItPays) {
    int found = 0;
    for (const char* sample : {"rmsnorm-swiglu", "gated-mlp", "decoder-block"}) {
        const Trace trace = fuse(block_sample(sample));
        const int first = first_extension(trace);
        const ProgramPtr& settled = settled_after(trace, first);
        const Step& step = trace.steps.at(static_cast<std::size_t>(first));
        const StepEffect effect = effect_of(step, {}, settled);
        if (!effect.pays) continue;
        ++found;
        const auto added = [&](std::int64_t blocks) {
            const auto bytes = [&](BlockProgram program) {
                Dim& dim = program.dims.at(effect.pays->dim.value);
                dim.block = (dim.size + blocks - 1) / blocks;
                const State state(std::move(program));
                return state.counts().bytes();
            };
            return bytes(*settled) - bytes(*step.before);
        };
        EXPECT_LE(added(effect.pays->blocks), 0) << sample;
        if (effect.pays->blocks < effect.pays->blocks_now) {
            EXPECT_GT(added(effect.pays->blocks + 1), 0) << sample;
        }
    }
    EXPECT_GT(found, 0);
}

// A model that takes as long as the listing moves bytes: the nearest number of blocks with which the step
// pays is found, and a nearer one of the same dimension does not pay.
TEST(StepEffect, SaysWithWhichBlocksItPaysInTime) {
    const Trace trace = fuse(block_sample("rmsnorm-swiglu"));
    const int first = first_extension(trace);
    const ProgramPtr& settled = settled_after(trace, first);
    const Step& step = trace.steps.at(static_cast<std::size_t>(first));
    const auto seconds = [](const State& state) { return static_cast<double>(state.counts().bytes()); };
    const TimeCondition condition = time_condition_of(step, settled, {}, {seconds, seconds});
    EXPECT_FALSE(condition.settled);
    ASSERT_TRUE(condition.with.has_value());
    const auto added = [&](std::int64_t blocks) {
        const auto with = [&](BlockProgram program) {
            Dim& dim = program.dims.at(condition.with->dim.value);
            dim.block = (dim.size + blocks - 1) / blocks;
            return seconds(State(std::move(program)));
        };
        return with(*settled) - with(*step.before);
    };
    EXPECT_LE(added(condition.with->blocks), 0);
    EXPECT_GT(added(condition.with->blocks_now), 0);
    ASSERT_LT(condition.with->blocks, condition.with->blocks_now);
    for (std::int64_t nearer = condition.with->blocks * 2; nearer < condition.with->blocks_now; nearer *= 2)
        EXPECT_GT(added(nearer), 0) << nearer;
    EXPECT_THAT(condition_text(condition, step.after->dims).str(),
                testing::StartsWith("It is predicted to pay with "));
}

TEST(StepEffect, SaysThatNoBlocksMakeItPayInTime) {
    const Trace trace = fuse(block_sample("rmsnorm-swiglu"));
    const int first = first_extension(trace);
    const Step& step = trace.steps.at(static_cast<std::size_t>(first));
    const GraphPtr before = step.before->graph;
    const auto slower = [&](const State& state) { return state.source()->graph == before ? 1.0 : 2.0; };
    const TimeCondition never = time_condition_of(step, settled_after(trace, first), {}, {slower, slower});
    EXPECT_FALSE(never.with.has_value());
    EXPECT_GE(never.tried.size(), 2u);
    EXPECT_THAT(
        condition_text(never, step.after->dims).str(),
        MatchesRegex("With no other number of blocks of .* or . that was tried is it predicted to pay\\."));
    // An extension that the steps behind it make up for.
    const auto faster = [&](const State& state) { return state.source()->graph == before ? 2.0 : 1.0; };
    const TimeCondition settled = time_condition_of(step, settled_after(trace, first), {}, {faster, faster});
    EXPECT_TRUE(settled.settled);
    EXPECT_EQ(condition_text(settled, step.after->dims).str(),
              "The steps behind it, before the next extension, make up for it.");
}

// A long program takes long to count at each number of blocks: that nothing was tried is said.
TEST(StepEffect, OfALongProgramTriesNoBlocks) {
    const ArrayProgram many = side_by_side(std::vector<ArrayProgram>(60, read_sample("attention")));
    const Trace trace = fuse(std::make_shared<const BlockProgram>(to_block_program(many).program));
    const Step& step = trace.steps.front();
    int asked = 0;
    const auto count = [&](const State&) { return static_cast<double>(++asked); };
    const TimeCondition condition = time_condition_of(step, step.after, {}, {count, count});
    EXPECT_TRUE(condition.too_long);
    EXPECT_EQ(asked, 0);
    EXPECT_EQ(condition_text(condition, step.after->dims).str(),
              "Other blocks were not tried, as the program is so long.");
}

TEST(StepEffect, WritesTimesShortly) {
    EXPECT_EQ(times_text(8), "8");
    EXPECT_EQ(times_text(7.94), "7.9");
    EXPECT_EQ(times_text(31.7), "32");
}

}  // namespace
}  // namespace blockscope::test
