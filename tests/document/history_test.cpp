// The tree of states: what steps by hand, by the algorithm and one at a time leave behind.
#include <gmock/gmock.h>

#include "core/json/json_io.h"
#include "tests/document/contents.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

const char* const kText =
    "dim M = 10 / 4\ndim N = 9 / 3\ndim D = 6 / 3\ndim L = 8 / 4\ninput Q[M, D], K[N, D], V[N, L] : bf16\n"
    "S = Q @ K.T * D^-0.5\nP = softmax(S)\noutput O = P @ V\n";

StateId tip(const Content& content) {
    return content.history.branch(content.branch).tip;
}

// Every branch ends at a state of its own without children, and every state is on some branch.
void expect_sound(const Content& content) {
    const History& history = content.history;
    std::set<StateId> tips, reached;
    for (const Branch& branch : history.branches()) {
        EXPECT_TRUE(tips.insert(branch.tip).second);
        EXPECT_TRUE(history.children(branch.tip).empty());
        for (const StateId id : history.path(branch.tip)) reached.insert(id);
    }
    EXPECT_EQ(reached.size(), history.states().size());
    std::int64_t weight = 0;
    for (const auto& [id, state] : history.states())
        if (state->step) weight += step_weight(*state->step);
    EXPECT_EQ(history.weight(), weight);
    EXPECT_EQ(history.branch_through(content.current, content.branch), content.branch);
}

TEST(History, TheRunIsTheCoresOnEverySample) {
    for (const std::string& name : distinct_samples()) {
        SCOPED_TRACE(name);
        const Content content = prepared(sample_content(name));
        const Trace trace = fuse(content.program());
        EXPECT_EQ(write_json(content.history.trace(tip(content))), write_json(trace));
    }
}

// One step at a time leaves the same states, snapshots and reason as the run; so does stopping anywhere and
// going on.
TEST(History, StepByStepIsTheSameAsTheRun) {
    for (const std::string& name : distinct_samples()) {
        SCOPED_TRACE(name);
        const Content run = prepared(sample_content(name));
        Content stepped = sample_content(name);
        for (std::size_t i = 0; i < 2000 && stepped.history.branch(1).stopped.empty(); ++i)
            stepped = next_step(std::move(stepped));
        EXPECT_EQ(stepped.current, tip(run));
        stepped.current = 0;
        EXPECT_EQ(write_document(stepped), write_document(run));
    }
}

TEST(History, MatchesByHandLeaveTheSameStatesAsTheRun) {
    const Content run = prepared(content_of_text(kText));
    Content by_hand = content_of_text(kText);
    for (const StateId id : run.history.path(tip(run)))
        if (id != 0) by_hand = apply_match(std::move(by_hand), run.history.state(id).step->match);
    EXPECT_EQ(by_hand.history.branches().size(), 1U);
    EXPECT_EQ(by_hand.current, tip(run));
    // The run then adds nothing but what only it knows: the snapshots and why it ended.
    by_hand = run_algorithm(std::move(by_hand), 0);
    by_hand.current = 0;
    EXPECT_EQ(write_document(by_hand), write_document(run));
}

// Where the algorithm ends a run that was made by hand, the passes that were completed by hand are snapshots.
TEST(History, PassesByHandAreSnapshotsOfARunThatEnds) {
    const Content run = prepared(sample_content("attention"));
    Content by_hand = sample_content("attention");
    int snapshots = 0;
    for (const StateId id : run.history.path(tip(run))) {
        if (run.history.state(id).snapshot) ++snapshots;
        if (id != 0) by_hand = apply_match(std::move(by_hand), run.history.state(id).step->match);
    }
    ASSERT_EQ(snapshots, 2);
    const StateId from = by_hand.current;
    by_hand = run_algorithm(std::move(by_hand), from);
    by_hand.current = 0;
    EXPECT_EQ(write_document(by_hand), write_document(run));
}

TEST(History, AnotherMatchBeginsABranch) {
    Content content = prepared(content_of_text(kText));
    const StateId end = tip(content);
    content.current = 3;
    const std::vector<Match> matches = all_matches(*content.program());
    const Match chosen = content.history.state(4).step->match;
    const auto other =
        std::find_if(matches.begin(), matches.end(), [&](const Match& m) { return !(m == chosen); });
    ASSERT_NE(other, matches.end());
    content = apply_match(std::move(content), *other);
    EXPECT_EQ(content.branch, 2);
    EXPECT_EQ(content.history.branch(2).name, "Branch 2");
    EXPECT_EQ(content.history.branch(1).tip, end);
    EXPECT_NE(content.history.branch(1).stopped, "");
    EXPECT_EQ(content.history.branch(2).stopped, "");
    EXPECT_EQ(content.history.common_ancestor(content.current, end), 3);
    EXPECT_EQ(content.history.common_ancestor(2, end), 2);
    EXPECT_EQ(content.history.next(3, 1), 4);
    EXPECT_EQ(content.history.next(3, 2), content.current);
    EXPECT_FALSE(content.history.next(end, 1));
    EXPECT_FALSE(content.history.next(end, 2));
    EXPECT_EQ(content.history.branch_through(3, 2), 2);
    EXPECT_EQ(content.history.branch_through(5, 2), 1);
    EXPECT_EQ(content.history.depth(content.current), 4);
    EXPECT_THAT(content.history.children(3), testing::ElementsAre(4, content.current));
    expect_sound(content);
}

// The match that is there already leads to the state that is there already.
TEST(History, TheSameMatchIsTheSameState) {
    Content content = prepared(content_of_text(kText));
    const std::size_t states = content.history.states().size();
    content = apply_match(std::move(content), content.history.state(1).step->match);
    EXPECT_EQ(content.current, 1);
    EXPECT_EQ(content.branch, 1);
    EXPECT_EQ(content.history.states().size(), states);
}

TEST(History, TheRunExtendsTheBranchThatEndsThere) {
    Content content = prepared(content_of_text(kText));
    content.current = 3;
    content = apply_match(std::move(content), all_matches(*content.program()).back());
    ASSERT_EQ(content.branch, 2);
    const StateId made = content.current;
    content = run_algorithm(std::move(content), made);
    EXPECT_EQ(content.branch, 2);
    EXPECT_EQ(content.current, made);
    EXPECT_EQ(content.history.branches().size(), 2U);
    EXPECT_NE(content.history.branch(2).stopped, "");
    expect_sound(content);
}

TEST(History, RemovingABranchKeepsWhatOthersLeadThrough) {
    Content content = rich_content();
    const std::size_t before = content.history.states().size();
    const std::vector<StateId> second = content.history.path(content.history.branch(2).tip);
    ASSERT_TRUE(content.history.remove(2));
    EXPECT_EQ(content.history.states().size(), before - 2);
    EXPECT_TRUE(content.history.has(3));
    EXPECT_FALSE(content.history.has(second.back()));
    EXPECT_EQ(content.history.children(3), std::vector<StateId>{4});
    ASSERT_TRUE(content.history.remove(1));
    EXPECT_FALSE(content.history.remove(3));
    EXPECT_EQ(content.history.branches().size(), 1U);
    content.branch = 3;
    expect_sound(content);
}

// The same words as on the command line, on the branch that is shown or on one that is named.
TEST(History, AStateIsChosenOnABranch) {
    const Content content = rich_content();
    const History& history = content.history;
    const auto chosen = [&](const std::string& words) {
        return choose_state(history, content.branch, *parse_state_choice(words));
    };
    for (const Branch& branch : history.branches()) {
        const std::vector<StateId> way = history.path(branch.tip);
        EXPECT_EQ(*chosen(branch.name + ": last"), branch.tip);
        int snapshots = 0;
        for (std::size_t step = 0; step < way.size(); ++step) {
            EXPECT_EQ(*chosen(branch.name + ": step " + std::to_string(step)), way[step]);
            if (!history.state(way[step]).snapshot) continue;
            EXPECT_EQ(*chosen(branch.name + ": snapshot " + std::to_string(++snapshots)), way[step]);
        }
        EXPECT_EQ(*chosen(branch.name + ": snapshot 0"), 0);
    }
    EXPECT_EQ(*chosen("last"), tip(content));
    const std::string names = "'" + history.branches().front().name + "'";
    EXPECT_THAT(chosen("nowhere: 1").problems().front().message,
                testing::HasSubstr("there is no branch 'nowhere'; there is " + names));
    EXPECT_THAT(chosen("step 9999").problems().front().message,
                testing::HasSubstr("there is no step 9999; the run takes "));
}

TEST(History, TheBestStateIsTheObjectives) {
    const Content content = prepared(sample_content("attention"));
    const StateId end = tip(content);
    const auto best = [&](const Objective& objective) {
        return *choose_state(content.history, content.branch, StateChoice::best(), objective);
    };
    const ProgramPtr last = content.history.state(end).program;
    EXPECT_EQ(best([&](const State& state) { return state.source() == last ? 0 : 1; }), end);
    EXPECT_EQ(best([&](const State& state) { return state.source() == last ? 1 : 0; }), 0);
}

TEST(History, CopiesDoNotShareWhatOneChanges) {
    const Content before = rich_content();
    const std::string text = write_document(before);
    Content after = before;
    EXPECT_TRUE(after.history.same(before.history));
    after.history.set_note(1, "other");
    EXPECT_FALSE(after.history.same(before.history));
    after.history.remove(2);
    after = apply_match(std::move(after), all_matches(*after.program()).front());
    EXPECT_EQ(write_document(before), text);
}

TEST(History, StaysSoundUnderAnyActions) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Random random(seed);
        Content content = rich_content();
        for (int i = 0; i < 15; ++i) {
            content = random_change(random, std::move(content));
            expect_sound(content);
            ASSERT_FALSE(HasFailure()) << "seed " << seed << ", action " << i;
        }
    }
}

}  // namespace
}  // namespace blockscope::test
