// Which state of a run the user's words mean.
#include "core/state/choose.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

const RunStates& attention() {
    static const RunStates run = states_of(fuse(block_sample("attention")));
    return run;
}

// "step 12" of a choice, or the problem's words.
std::string chosen(const std::string& words) {
    const Result<StateChoice> choice = parse_state_choice(words);
    if (!choice) return choice.problems().front().message.str();
    const Result<ChosenState> state = choose_state(attention(), *choice);
    if (!state) return state.problems().front().message.str();
    EXPECT_EQ(state->state.source(), attention().programs.at(static_cast<std::size_t>(state->step)));
    return state->name + " at " + std::to_string(state->step);
}

TEST(Choice, OfTheUsersWords) {
    struct Case {
        const char* words;
        const char* chosen;
    };
    for (const Case& each : {
             Case{"12", "step 12 at 12"},
             Case{"step 12", "step 12 at 12"},
             Case{"  step  12 ", "step 12 at 12"},
             Case{"0", "step 0 at 0"},
             Case{"last", "step 17 at 17"},
             Case{"last step", "step 17 at 17"},
             Case{"snapshot 1", "snapshot 1 at 15"},
             Case{"snapshot 2", "snapshot 2 at 17"},
             Case{"last snapshot", "snapshot 2 at 17"},
             Case{"snapshot last", "snapshot 2 at 17"},
             Case{"snapshot 0", "step 0 at 0"},
             Case{"18",
                  "there is no step 18; the run takes 17 steps, and step 0 is the initial block program"},
             Case{"step -1",
                  "there is no step -1; the run takes 17 steps, and step 0 is the initial block program"},
             Case{"snapshot 3",
                  "there is no snapshot 3; the run has 2, counted from 1, and 0 is the unfused program"},
             Case{"snapshot -1",
                  "there is no snapshot -1; the run has 2, counted from 1, and 0 is the unfused program"},
             Case{"Branch 2: last", "there is no branch 'Branch 2'; the run has one way only"},
         })
        EXPECT_EQ(chosen(each.words), each.chosen) << each.words;
}

TEST(Choice, OtherWordsAreRefused) {
    for (const char* words : {"", " ", "twelve", "step", "step x", "12x", "1 2", "snapshot", "best 1", ": 12",
                              "state 12", "99999999999", "step 1.5", "a: b: twelve"})
        EXPECT_THAT(chosen(words), testing::StartsWith("'" + std::string(words) + "' names no state: write"));
}

TEST(Choice, IsWrittenAsItIsRead) {
    for (const char* words : {"step 12", "last", "snapshot 2", "last snapshot", "best", "Branch 2: step 3",
                              "a: b: best", "Branch 2: last"}) {
        const Result<StateChoice> choice = parse_state_choice(words);
        ASSERT_TRUE(choice) << words;
        EXPECT_EQ(to_string(*choice), words);
    }
    EXPECT_EQ(parse_state_choice("Branch 2:")->branch, "Branch 2");
    EXPECT_EQ(to_string(*parse_state_choice("Branch 2:")), "Branch 2: last");
}

TEST(Choice, OfARunWithoutSteps) {
    const RunStates run = states_of({block_sample("attention"), {}, {}, {}});
    EXPECT_EQ(choose_state(run, StateChoice{})->step, 0);
    EXPECT_EQ(choose_state(run, StateChoice::last_snapshot())->name, "step 0");
    EXPECT_EQ(choose_state(run, StateChoice::best())->step, 0);
    EXPECT_THAT(choose_state(run, StateChoice::step(1)).problems().front().message,
                HasSubstr("the run takes 0 steps"));
}

TEST(Choice, IsInTheFormThatIsAskedFor) {
    const Form form = safe_form().kept_in(ElemType::F32);
    EXPECT_EQ(choose_state(attention(), StateChoice::step(3), form)->state.form(), form);
    EXPECT_EQ(choose_state(attention(), StateChoice::best(), form)->state.form(), form);
    for (const ChosenState& each : unfused_and_snapshots(attention(), form))
        EXPECT_EQ(each.state.form(), form);
}

TEST(Choice, OfAllThatAreComparedTakesTheUnfusedProgramAndTheSnapshots) {
    std::vector<std::string> names;
    for (const ChosenState& each : unfused_and_snapshots(attention())) names.push_back(each.name);
    EXPECT_THAT(names, testing::ElementsAre("step 0", "snapshot 1", "snapshot 2"));
}

// By default the least traffic; of states that are equally good the first.
TEST(BestState, IsTheOneWithTheLeastOfTheObjective) {
    const auto best = [](const Objective& objective) {
        return choose_state(attention(), StateChoice::best(), {}, objective)->name;
    };
    double least = INFINITY;
    std::string name;
    for (const ChosenState& each : unfused_and_snapshots(attention())) {
        if (moved_bytes(each.state) >= least) continue;
        least = moved_bytes(each.state);
        name = each.name;
    }
    EXPECT_EQ(chosen("best").substr(0, name.size()), name);
    EXPECT_NE(name, "step 0");
    EXPECT_EQ(best([](const State&) { return 1; }), "step 0");
    EXPECT_EQ(best([](const State& state) { return -moved_bytes(state); }), "step 0");
    const ProgramPtr second = attention().programs.at(15);
    EXPECT_EQ(best([&](const State& state) { return state.source() == second ? 5 : NAN; }), "snapshot 1");
    const Result<ChosenState> none =
        choose_state(attention(), StateChoice::best(), {}, [](const State&) { return NAN; });
    ASSERT_FALSE(none);
    EXPECT_THAT(none.problems().front().message, HasSubstr("no state of the run is the best"));
}

// A run that was stopped by hand between snapshots.
TEST(BestState, MayBeTheLastWithoutBeingASnapshot) {
    RunStates run = attention();
    run.programs.resize(17);
    run.snapshots = {15};
    const ProgramPtr last = run.programs.back();
    const Result<ChosenState> best = choose_state(
        run, StateChoice::best(), {}, [&](const State& state) { return state.source() == last ? 0 : 1; });
    EXPECT_EQ(best->name, "step 16");
}

}  // namespace
}  // namespace blockscope::test
