// Runs as data: branches, stopping, replaying, and the search that skips what it has tried.
#include <gmock/gmock.h>

#include <deque>

#include "core/exec/prove.h"
#include "core/fusion/trace.h"
#include "core/support/result.h"
#include "tests/fusion/examples.h"

namespace blockscope::test {
namespace {

ProgramPtr share(BlockProgram program) {
    return std::make_shared<const BlockProgram>(std::move(program));
}

std::vector<std::string> rule_names(const Trace& trace) {
    std::vector<std::string> names;
    for (const Step& step : trace.steps) names.push_back(to_string(step.match.rule));
    return names;
}

// The chain of section 4.1, tried from the start after every step: what the algorithm has to find.
std::optional<Match> first_match(const BlockProgram& program, const std::vector<NodeId>& path) {
    const GraphPtr graph = graph_at(program, path);
    const GraphIndex index(*graph);
    for (const RuleId id :
         std::vector<RuleId>{{8, 0}, {8, 's'}, {4, 0}, {5, 0}, {9, 0}, {3, 0}, {1, 0}, {2, 0}}) {
        const std::vector<Match> matches = matches_in(rule(id), {program.dims, index}, path);
        if (!matches.empty()) return matches.front();
    }
    return std::nullopt;
}

TEST(Fuse, TakesTheFirstMatchOfTheChainAtEveryStep) {
    for (const BlockProgram& program : {attention(), layernorm_matmul(), rmsnorm_swiglu()}) {
        for (const Step& step : fuse(share(program)).steps) {
            if (step.match.rule.number == 6) {
                EXPECT_FALSE(first_match(*step.before, step.match.path));
                continue;
            }
            EXPECT_EQ(first_match(*step.before, step.match.path), step.match);
        }
    }
}

TEST(Fuse, StepsShareStatesAndAgreeWithTheirMatches) {
    const Trace trace = fuse(share(attention()));
    for (std::size_t i = 1; i < trace.steps.size(); ++i)
        EXPECT_EQ(trace.steps[i].before, trace.steps[i - 1].after);
    EXPECT_EQ(trace.state(0), trace.initial);
    EXPECT_EQ(trace.last(), trace.steps.back().after);
    EXPECT_THAT(trace.stopped, testing::HasSubstr("No rule matches"));
}

// "The only remaining buffered edges are those that are incident with input or output nodes."
TEST(Fuse, RemovesEveryBufferedEdgeButThoseOfInputsAndOutputs) {
    const std::vector<std::pair<BlockProgram, int>> examples = {
        {attention(), 4}, {layernorm_matmul(), 3}, {rmsnorm_swiglu(), 5}};
    for (const auto& [program, arrays] : examples) {
        const Trace trace = fuse(share(program));
        EXPECT_EQ(buffered_edges(*trace.last()), arrays);
        EXPECT_GT(buffered_edges(*trace.initial), 2 * arrays);
        for (const Match& match : all_matches(*trace.last()))
            EXPECT_EQ(match.rule.number, 7) << "only what is offered by hand is left";
    }
}

TEST(Fuse, ARewriteKeepsTheIdsOfWhatItDoesNotTouch) {
    for (const Step& step : fuse(share(rmsnorm_swiglu())).steps) {
        for (const Lineage& lineage : step.made) {
            EXPECT_GE(lineage.made.value, step.before->next_id);
            EXPECT_LT(lineage.made.value, step.after->next_id);
            EXPECT_FALSE(lineage.from.empty());
            std::vector<NodeId> path;
            for (const NodeId from : lineage.from)
                EXPECT_TRUE(find_path(*step.before, from, path)) << to_string(from);
            EXPECT_TRUE(find_path(*step.after, lineage.made, path)) << to_string(lineage.made);
        }
        std::vector<NodeId> path;
        for (const NodeId removed : step.removed) EXPECT_FALSE(find_path(*step.after, removed, path));
    }
}

TEST(Fuse, StopsWhenTheObserverSaysSo) {
    int seen = 0;
    const Trace trace = fuse(share(attention()), [&](const Step&) { return ++seen < 5; });
    EXPECT_EQ(trace.steps.size(), 5u);
    EXPECT_THAT(trace.stopped, testing::HasSubstr("stopped"));
    EXPECT_TRUE(trace.snapshots.empty());
}

TEST(Fuse, IsDeterministic) {
    const Trace a = fuse(share(layernorm_matmul()));
    const Trace b = fuse(share(layernorm_matmul()));
    EXPECT_EQ(rule_names(a), rule_names(b));
    EXPECT_TRUE(identical(*a.last()->graph, *b.last()->graph));
}

TEST(Branch, LeavesTheAlgorithmAndRunsOnToTheEnd) {
    const Trace trace = fuse(share(attention()));
    const Prover prover(*trace.initial, 3);
    for (int step = 0; step < static_cast<int>(trace.steps.size()); ++step) {
        for (const Match& match : all_matches(*trace.state(step))) {
            const Trace branched = branch(trace, step, match);
            EXPECT_EQ(branched.steps.size(), static_cast<std::size_t>(step) + 1);
            EXPECT_EQ(branched.state(step), trace.state(step)) << "common states are shared";
            EXPECT_FALSE(prover.check(*branched.last()))
                << "step " << step << " rule " << to_string(match.rule);
            const Trace finished = fuse_on(branched);
            EXPECT_FALSE(prover.check(*finished.last()))
                << "step " << step << " rule " << to_string(match.rule);
            EXPECT_EQ(finished.snapshots.back(), static_cast<int>(finished.steps.size()));
        }
    }
}

TEST(Replay, GivesTheSameProgramAndRefusesAnother) {
    Trace trace = fuse(share(layernorm_matmul()));
    EXPECT_TRUE(identical(*replay(trace).last()->graph, *trace.last()->graph));
    trace.initial = share(attention());
    EXPECT_THROW(replay(trace), InternalError);
}

TEST(CheckedApply, RefusesAMatchOfAnotherProgram) {
    const Trace trace = fuse(share(attention()));
    Match match = trace.steps[10].match;
    EXPECT_THROW(checked_apply(trace.initial, match), InternalError);
}

}  // namespace
}  // namespace blockscope::test
