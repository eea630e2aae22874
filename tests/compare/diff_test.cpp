#include "app/compare/diff.h"

#include <gmock/gmock.h>

#include "app/compare/compare_view.h"
#include "tests/export/run.h"

namespace blockscope::test {
namespace {

using Kind = Difference::Kind;

const Difference* about(const std::vector<Difference>& differences, NodeId node) {
    for (const Difference& difference : differences)
        for (const auto& side : {difference.before, difference.after})
            if (std::find(side.begin(), side.end(), node) != side.end()) return &difference;
    return nullptr;
}

class AttentionDiff : public testing::Test {
protected:
    const History& history() const { return run_.content->history; }
    // The first step of the run by this rule.
    const HistoryState& step_by(const std::string& rule) const {
        for (const StateId id : history().path(run_.content->current)) {
            const HistoryState& state = history().state(id);
            if (state.step && to_string(state.step->match.rule) == rule) return state;
        }
        throw InternalError("no step by rule " + rule);
    }
    std::vector<Difference> diff_of(const HistoryState& state) const {
        return diff_states(history(), state.parent, state.id);
    }
    FusedRun run_{"attention"};
};

TEST_F(AttentionDiff, AStateDoesNotDifferFromItself) {
    for (const auto& [id, state] : history().states()) EXPECT_TRUE(diff_states(history(), id, id).empty());
}

TEST_F(AttentionDiff, Rule1MakesOneMapOfTwo) {
    const HistoryState& state = step_by("1");
    const std::vector<Difference> differences = diff_of(state);
    const Difference* merged = about(differences, state.step->match.role("producer"));
    ASSERT_NE(merged, nullptr);
    EXPECT_EQ(merged->kind, Kind::Changed);
    EXPECT_EQ(merged->before.size(), 2U);
    EXPECT_EQ(merged->after, std::vector<NodeId>{state.step->made[0].made});
    EXPECT_EQ(merged, about(differences, state.step->match.role("consumer")));
    // The operators inside stay where they are: the map around them stands for both.
    EXPECT_EQ(count(differences).moved, 0);
    EXPECT_EQ(count(differences).removed + count(differences).added, 0);
}

TEST_F(AttentionDiff, Rule3TakesTheReductionIntoTheMap) {
    const HistoryState& state = step_by("3");
    const std::vector<Difference> differences = diff_of(state);
    const Difference* merged = about(differences, state.step->made[0].made);
    ASSERT_NE(merged, nullptr);
    EXPECT_EQ(merged->kind, Kind::Changed);
    EXPECT_EQ(merged->before.size(), 2U);
}

TEST_F(AttentionDiff, Rule4ReplacesTheScaleBeforeTheProductByOneBehind) {
    const DiffCounts counts = count(diff_of(step_by("4")));
    EXPECT_EQ(counts.removed, 1);
    EXPECT_EQ(counts.added, 1);
    EXPECT_GT(counts.changed, 0);
}

TEST_F(AttentionDiff, Rule6MovesOperatorsIntoTheMap) {
    const HistoryState& state = step_by("6a");
    const std::vector<Difference> differences = diff_of(state);
    EXPECT_EQ(count(differences).moved, 2);
    EXPECT_EQ(count(differences).removed + count(differences).added, 0);
    for (const Difference& difference : differences) {
        if (difference.kind != Kind::Moved) continue;
        std::vector<NodeId> before;
        std::vector<NodeId> after;
        ASSERT_TRUE(find_path(*state.step->before, difference.before.at(0), before));
        ASSERT_TRUE(find_path(*state.step->after, difference.after.at(0), after));
        EXPECT_EQ(after.size(), before.size() + 1);
    }
}

TEST_F(AttentionDiff, Rule9ComposesTwoOperators) {
    const HistoryState& state = step_by("9");
    const std::vector<Difference> differences = diff_of(state);
    ASSERT_EQ(differences.size(), 1U);
    EXPECT_EQ(differences[0].kind, Kind::Changed);
    EXPECT_EQ(differences[0].before.size(), 2U);
}

TEST_F(AttentionDiff, BackwardsIsTheSameTheOtherWayRound) {
    const StateId last = run_.content->current;
    const DiffCounts there = count(diff_states(history(), 0, last));
    const DiffCounts back = count(diff_states(history(), last, 0));
    EXPECT_EQ(there, (DiffCounts{back.added, back.removed, back.moved, back.changed}));
    EXPECT_GT(there.total(), 5);
}

TEST_F(AttentionDiff, EveryNodeHasItsPlaceInTheCorrespondence) {
    const Correspondence pairs = correspond(history(), 0, run_.content->current);
    for (const auto& [id, others] : pairs.forward)
        for (const NodeId other : others) EXPECT_THAT(pairs.backward.at(other), testing::Contains(id));
    for (const auto& [id, others] : pairs.backward)
        for (const NodeId other : others) EXPECT_THAT(pairs.forward.at(other), testing::Contains(id));
}

TEST(BranchDiff, TheSameRewriteOnTwoBranchesIsNoDifference) {
    FusedRun run("attention");
    Content content = *run.content;
    // The first two rewrites of the run in both orders: a and b where they commute.
    const ProgramPtr start = content.history.state(0).program;
    for (const Match& a : all_matches(*start))
        for (const Match& b : all_matches(*start)) {
            if (a == b) continue;
            const auto still = [](const ProgramPtr& program, const Match& match) {
                const std::vector<Match> all = all_matches(*program);
                return std::find(all.begin(), all.end(), match) != all.end();
            };
            if (!still(checked_apply(start, a).after, b) || !still(checked_apply(start, b).after, a))
                continue;
            content.current = 0;
            const Content ab = apply_match(apply_match(content, a), b);
            Content both = ab;
            both.current = 0;
            both = apply_match(apply_match(both, b), a);
            ASSERT_NE(both.current, ab.current);
            EXPECT_TRUE(diff_states(both.history, ab.current, both.current).empty());
            const StateId one = both.history.state(ab.current).parent;
            EXPECT_FALSE(diff_states(both.history, one, both.current).empty());
            for (const auto& [state, branch] : branches_of_states(both))
                EXPECT_EQ(branch, both.history.branch_through(state, both.branch)) << state;
            EXPECT_EQ(branches_of_states(both).size(), both.history.states().size());
            return;
        }
    FAIL() << "no two rewrites commute";
}

}  // namespace
}  // namespace blockscope::test
