// Which state of a run the user's words mean.
#include "core/state/choose.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "core/program/convert.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;

const RunStates& attention() {
    static const RunStates run = states_of(fuse(block_sample("attention")));
    return run;
}

ProgramPtr program_of(const std::string& text) {
    const Result<ArrayProgram> program = parse_program(text, "test.bp");
    return std::make_shared<const BlockProgram>(to_block_program(program.value()).program);
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

// By default the least traffic, of all steps; of states that are equally good the first.
TEST(BestState, IsTheOneWithTheLeastOfTheObjective) {
    const auto best = [](const Objective& objective) {
        return choose_state(attention(), StateChoice::best(), {}, objective)->name;
    };
    double least = INFINITY;
    std::size_t step = 0;
    for (std::size_t i = 0; i < attention().programs.size(); ++i) {
        const double bytes = moved_bytes(State(attention().programs[i]));
        if (bytes >= least) continue;
        least = bytes;
        step = i;
    }
    EXPECT_EQ(choose_state(attention(), StateChoice::best())->step, static_cast<int>(step));
    EXPECT_NE(step, 0U);
    EXPECT_EQ(best([](const State&) { return 1; }), "step 0");
    EXPECT_EQ(best([](const State& state) { return -moved_bytes(state); }), "step 0");
    const auto only = [&](std::size_t at) {
        const ProgramPtr program = attention().programs.at(at);
        return best([program](const State& state) { return state.source() == program ? 5 : NAN; });
    };
    EXPECT_EQ(only(15), "snapshot 1");
    EXPECT_EQ(only(16), "step 16");
    const Result<ChosenState> none =
        choose_state(attention(), StateChoice::best(), {}, [](const State&) { return NAN; });
    ASSERT_FALSE(none);
    EXPECT_THAT(none.problems().front().message, HasSubstr("no state of the run is the best"));
}

// The decoder block's last state moves many times what the best one moves.
TEST(BestState, OfTheDecoderBlockIsNotTheLast) {
    const RunStates run = states_of(fuse(block_sample("decoder-block")));
    const Ranking ranking = rank(run, safe_form(), moved_bytes);
    EXPECT_TRUE(ranking.all_steps);
    EXPECT_EQ(ranking.states.size(), run.programs.size());
    EXPECT_TRUE(std::is_sorted(ranking.states.begin(), ranking.states.end(),
                               [](const RatedState& a, const RatedState& b) { return a.value < b.value; }));
    const int last = static_cast<int>(run.programs.size()) - 1;
    EXPECT_NE(ranking.best().step, last);
    EXPECT_GT(ranking.at(last)->value, 5 * ranking.best().value);
    EXPECT_EQ(ranking.at(last + 1), nullptr);
}

// Attention's plain form is cheaper and overflows: it is no candidate, unless it is asked for, and what
// safety costs is known.
TEST(BestState, IsNoPlainFormThatCanOverflow) {
    const Objective plain_is_cheap = [](const State& state) { return state.form().safe ? 5 : 1; };
    const Ranking ranking = rank(attention(), computable_form({}), plain_is_cheap);
    for (const RatedState& rated : ranking.states) {
        EXPECT_TRUE(rated.form.safe) << rated.name;
        EXPECT_EQ(rated.value, 5) << rated.name;
    }
    EXPECT_EQ(ranking.plain, 1);
    const Ranking unsafe = rank(attention(), computable_form({}, false), plain_is_cheap);
    EXPECT_FALSE(unsafe.best().form.safe);
    EXPECT_EQ(unsafe.best().value, 1);
    EXPECT_FALSE(unsafe.plain);
    // By traffic, too, though the plain form is what is listed.
    const Ranking traffic = rank(attention(), computable_form({}), moved_bytes);
    for (const RatedState& rated : traffic.states) {
        const ProgramPtr program = attention().programs.at(static_cast<std::size_t>(rated.step));
        EXPECT_EQ(rated.value, moved_bytes(State(program, safe_form()))) << rated.name;
    }
    EXPECT_GT(traffic.at(0)->value, moved_bytes(State(attention().programs.front())))
        << "exponents are stored";
    const ProgramPtr best = attention().programs.at(static_cast<std::size_t>(traffic.best().step));
    EXPECT_EQ(traffic.plain, moved_bytes(State(best)));
    EXPECT_EQ(choose_state(attention(), StateChoice::best())->step, traffic.best().step);
}

// Both forms of a state without exponentials are one program, which is called plain.
TEST(BestState, WithoutExponentialsIsPlain) {
    const RunStates run = states_of(fuse(block_sample("rmsnorm-swiglu")));
    const Ranking ranking = rank(run, computable_form({}), moved_bytes);
    for (const RatedState& rated : ranking.states) EXPECT_FALSE(rated.form.safe) << rated.name;
    EXPECT_FALSE(ranking.plain);
}

// 3,000 operators, as many states: counting them all would take minutes.
TEST(BestState, OfALongRunIsSoughtAmongTheSnapshots) {
    std::string text = "dim M = 8 / 4\ndim N = 8 / 4\ninput X[M, N]\nY0 = X + 1\n";
    for (int i = 1; i < 3000; ++i)
        text += "Y" + std::to_string(i) + " = Y" + std::to_string(i - 1) + " + 1\n";
    text += "output Z = Y2999 * 2\n";
    const RunStates run = states_of(fuse(program_of(text)));
    const Ranking ranking = rank(run, {}, moved_bytes);
    EXPECT_FALSE(ranking.all_steps);
    EXPECT_EQ(ranking.best().step, static_cast<int>(run.programs.size()) - 1);
    EXPECT_NE(ranking.at(0), nullptr);
    EXPECT_EQ(ranking.at(1), nullptr);
}

TEST(Objectives, AreListedByTheirKind) {
    for (const ObjectiveRow& row : objectives()) EXPECT_EQ(&objective_row(row.kind), &row);
    EXPECT_EQ(objective_row(ObjectiveKind::Time).name, "time");
}

}  // namespace
}  // namespace blockscope::test
