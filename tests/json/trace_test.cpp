// Traces: written, read by replaying, the same run; a trace that does not follow is refused.
#include <gmock/gmock.h>

#include "core/json/json_io.h"
#include "core/program/convert.h"
#include "tests/json/compare.h"

namespace blockscope::test {
namespace {

Trace traced(const std::string& text) {
    const Result<ArrayProgram> program = parse_program(text, "t.bp");
    if (!program) throw InternalError(to_string(program.problems().at(0)));
    return fuse(std::make_shared<const BlockProgram>(to_block_program(*program).program));
}

Trace attention() {
    return traced(
        "dim M = 10 / 4\ndim N = 9 / 3\ndim D = 6 / 3\ndim L = 8 / 4\ninput Q[M, D], K[N, D], V[N, L] : "
        "bf16\n"
        "S = Q @ K.T * D^-0.5\nP = softmax(S)\noutput O = P @ V\n");
}

std::string last_replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.rfind(from);
    if (at == std::string::npos) throw InternalError("the trace does not hold " + from);
    return text.replace(at, from.size(), to);
}

std::string problem_of_trace(const std::string& text) {
    const Result<Trace> read = read_trace(text, "f");
    return read ? "" : to_string(read.problems().at(0));
}

TEST(TraceJson, FusedAttentionRoundTrips) {
    const Trace trace = attention();
    EXPECT_EQ(trace.steps.size(), 17U);
    expect_round_trip(trace);
}

TEST(TraceJson, OtherExamplesRoundTrip) {
    expect_round_trip(
        traced("dim M = 10 / 4\ndim K = 9 / 3\ndim N = 8 / 3\ninput X[M, K], Y[K, N]\noutput Z = "
               "layernorm(X) @ Y\n"));
    expect_round_trip(
        traced("dim M = 10 / 4\ndim D = 9 / 3\ndim K = 8 / 3\ninput X[M, D], W[D, K], V[D, K], U[K, D]\nR = "
               "rmsnorm(X)\n"
               "output Y = (silu(R @ W) * (R @ V)) @ U\n"));
}

const std::string kWeighted =
    "dim M = 10 / 4\ndim D = 9 / 3\ndim N = 8 / 3\ninput X[M, D], w[D], W[D, N]\n"
    "output Y = rmsnorm(X, w) @ W\n";

// A trace says which rules its run tried; one that does not is the paper's, as traces were before there were
// others.
TEST(TraceJson, SayWhichRulesTheRunTried) {
    const Trace extended = traced(kWeighted);
    EXPECT_THAT(write_json(extended), testing::HasSubstr("\"rules\": \"extended\""));
    expect_round_trip(extended);
    EXPECT_EQ(read_trace(write_json(extended), "f")->rules, RuleSet{});
    const Trace paper = fuse(extended.initial, {}, kPaperRules);
    EXPECT_THAT(write_json(paper), testing::Not(testing::HasSubstr("\"rules\"")));
    expect_round_trip(paper);
    EXPECT_EQ(read_trace(write_json(paper), "f")->rules, kPaperRules);
    expect_round_trip(fuse(extended.initial, {}, {.rounding = true}));
}

TEST(TraceJson, TheEndOfARunIsCheckedAgainstItsRules) {
    Trace trace = traced(kWeighted);
    trace.steps.resize(5);  // the next one is rule 10
    trace.snapshots.clear();
    EXPECT_EQ(trace.steps.back().match.rule, (RuleId{1, 0}));
    EXPECT_THAT(problem_of_trace(write_json(trace)), testing::HasSubstr("the algorithm did not end here"));
    const std::string unknown =
        last_replaced(write_json(traced(kWeighted)), "\"rules\": \"extended\"", "\"rules\": \"all\"");
    EXPECT_THAT(problem_of_trace(unknown), testing::HasSubstr("f#/rules"));
}

// Every state of a run is a block program that can be saved.
TEST(TraceJson, StatesRoundTrip) {
    const Trace trace = attention();
    for (const Step& step : trace.steps) expect_round_trip(*step.after);
}

TEST(TraceJson, EmptyRunsRoundTrip) {
    Trace trace = attention();
    trace.steps.clear();
    trace.snapshots.clear();
    trace.stopped = {};
    expect_round_trip(trace);
}

TEST(TraceJson, TheFirstStepThatDoesNotFollowIsRefused) {
    const std::string text = write_json(attention());
    const std::string last = "f#/steps/16";
    EXPECT_THAT(problem_of_trace(last_replaced(text, "\"rule\": \"1\"", "\"rule\": \"2\"")),
                testing::StartsWith(last + ": rule 2 has no match with these roles"));
    EXPECT_THAT(problem_of_trace(last_replaced(text, "\"rule\": \"1\"", "\"rule\": \"20\"")),
                testing::StartsWith(last + "/rule: expected \"1\", \"2\""));
    EXPECT_THAT(problem_of_trace(last_replaced(text, "\"buffered_after\": ", "\"buffered_after\": 9")),
                testing::StartsWith(last + "/buffered_after: this step gives "));
    EXPECT_THAT(problem_of_trace(last_replaced(text, "\"removed\": [", "\"removed\": [1, ")),
                testing::StartsWith(last + "/removed: this step gives ["));
    EXPECT_THAT(problem_of_trace(last_replaced(text, "\"path\": [", "\"path\": [1, ")),
                testing::StartsWith(last + "/path: at this step the program has no maps with these ids"));
    EXPECT_THAT(problem_of_trace(last_replaced(text, "\"role\": \"", "\"role\": \"x")),
                testing::StartsWith(last + ": rule 1 has no match"));
    EXPECT_THAT(
        problem_of_trace(
            last_replaced(text, "\"roles\": [", "\"roles\": [{\"role\": \"producer\", \"node\": 9999}, ")),
        testing::StartsWith(last + "/roles/0: at this step the graph at the given path has no node n9999"));
}

// The first `steps` steps of a run, as if they were all of it.
Trace cut(Trace trace, std::size_t steps, std::vector<int> snapshots) {
    trace.steps.resize(steps);
    trace.snapshots = std::move(snapshots);
    return trace;
}

// The run's snapshots are [15, 17].
TEST(TraceJson, SnapshotsThatTheRunDeniesAreRefused) {
    const Trace trace = attention();
    const std::string last = "the algorithm ended behind step 17, so the last snapshot is there";
    const std::string others = "the algorithm takes its snapshots behind these numbers of steps: 15, 17";
    const std::pair<std::vector<int>, std::string> cases[] = {
        {{15, 17}, ""},
        {{17, 15, 17}, "/1: there is no step behind the snapshot before"},
        {{17, 17}, "/1: there is no step behind the snapshot before"},
        {{15, 15, 17}, "/1: expected a whole number from 16 to 17, found 15"},
        {{18, 15, 17}, "/0: expected a whole number from 0 to 17, found 18"},
        {{}, ": " + last},
        {{15}, ": " + last},
        {{17}, ": " + others}};
    for (const auto& [snapshots, problem] : cases) {
        Trace changed = trace;
        changed.snapshots = snapshots;
        EXPECT_EQ(problem_of_trace(write_json(changed)), problem.empty() ? "" : "f#/snapshots" + problem);
    }
}

// A run of which the algorithm made the end alone: its own states before that are no snapshots, except where
// the steps by hand complete a pass.
TEST(TraceJson, RunsThatBeganByHandRoundTrip) {
    const Trace trace = attention();
    for (std::size_t steps = 0; steps <= trace.steps.size(); ++steps) {
        Trace by_hand = cut(trace, steps, {});
        by_hand = fuse_on(std::move(by_hand));
        EXPECT_EQ(by_hand.snapshots, trace.snapshots) << steps;
        expect_round_trip(by_hand);
        expect_round_trip(fuse_on(by_hand));  // takes no snapshot twice
    }
    for (const Match& match : all_matches(*trace.state(3)))
        expect_round_trip(fuse_on(branch(trace, 3, match)));
}

TEST(TraceJson, AnEndThatIsNoneIsRefused) {
    const Trace whole = attention();
    ASSERT_EQ(whole.stopped, Text(kNothingMatches));
    const std::string problem = "f#/stopped: the algorithm did not end here: rules match in the last state";
    for (const std::size_t steps : {0U, 3U, 15U, 16U})
        EXPECT_EQ(problem_of_trace(write_json(cut(whole, steps, {}))), problem) << steps;
    Trace open = cut(whole, 3, {});
    open.stopped = {};
    EXPECT_EQ(problem_of_trace(write_json(open)), "");
}

TEST(TraceJson, AnEndBehindAStepNeedsOne) {
    const std::string applied =
        "f#/stopped: there is no step before this end that a rule could have been applied in";
    const std::string run =
        "f#/stopped: there is no step before this end that the run could have been stopped behind";
    const std::vector<std::pair<Text, std::string>> reasons = {{Text(kAppliedByHand), applied},
                                                               {Text(kChoicesApplied), applied},
                                                               {Text(kRunStopped), run},
                                                               {Text(kHistoryFull), run}};
    for (const auto& [reason, problem] : reasons) {
        Trace trace = cut(attention(), 3, {});
        trace.stopped = reason;
        EXPECT_EQ(problem_of_trace(write_json(trace)), "") << reason.str();
        trace.steps.clear();
        EXPECT_EQ(problem_of_trace(write_json(trace)), problem) << reason.str();
    }
}

TEST(TraceJson, ASnapshotThatIsNoneIsRefused) {
    Trace trace = attention();
    const std::vector<int> taken = trace.snapshots;
    ASSERT_EQ(taken, (std::vector<int>{15, 17}));
    for (int steps = 0; steps <= 17; ++steps) {
        const bool is_one = std::count(taken.begin(), taken.end(), steps) > 0;
        Trace stopped = cut(trace, 17, {steps});
        stopped.stopped = Text(kRunStopped);
        EXPECT_EQ(problem_of_trace(write_json(stopped)),
                  is_one ? ""
                         : "f#/snapshots/0: no snapshot of the algorithm can be here: rules besides "
                           "extensions match in this state")
            << steps;
    }
}

// Explanations are written anew, so that a better wording does not spoil old files.
TEST(TraceJson, ExplanationsAreNotCompared) {
    const std::string text = write_json(attention());
    const Result<Trace> read =
        read_trace(last_replaced(text, "\"explanation\": \"", "\"explanation\": \"Once upon a time. "), "f");
    ASSERT_TRUE(read);
    EXPECT_EQ(write_json(*read), text);
}

}  // namespace
}  // namespace blockscope::test
