#include <gmock/gmock.h>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> selectors(const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"matches", sample("attention.bp")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<std::string> words;
    for (const std::string& line : lines_of(run_cli(arguments).out))
        words.push_back(line.substr(0, line.find(' ')));
    return words;
}

TEST(Matches, ListsWhatApplyTakes) {
    const auto choices = selectors({});
    EXPECT_THAT(choices, SizeIs(testing::Ge(6U)));
    for (const std::string& choice : choices) {
        const Outcome outcome = run_cli({"apply", sample("attention.bp"), choice});
        EXPECT_EQ(outcome.code, 0) << choice << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("the step and the conversion proven")) << choice;
    }
}

TEST(Matches, CanBeRestricted) {
    for (const std::string& choice : selectors({"--rule", "1"})) EXPECT_THAT(choice, StartsWith("1@"));
    for (const std::string& choice : selectors({"--path", "/"})) EXPECT_THAT(choice, Not(HasSubstr("/")));
    EXPECT_LT(selectors({"--dim", "M"}).size() + selectors({"--dim", "D"}).size(), selectors({}).size() + 1);
    EXPECT_THAT(run_cli({"matches", sample("attention.bp"), "--rule", "6"}).out,
                StartsWith("No rule applies"));
    EXPECT_THAT(selectors({"--at", "15", "--rule", "6"}), Not(IsEmpty()));
    EXPECT_EQ(run_cli({"matches", sample("attention.bp"), "--at", "17"}).out,
              "No rule applies at step 17.\n");
}

TEST(Apply, FollowsTheAlgorithmWhenToldTo) {
    const std::string choice = selectors({"--rule", "1"}).back();
    const Outcome outcome =
        run_cli({"apply", sample("attention.bp"), choice, "--then-fuse", "--format", "listing"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Outcome fused = run_cli({"fuse", sample("attention.bp"), "--format", "listing"});
    EXPECT_EQ(outcome.out, fused.out);
}

TEST(Apply, TakesSeveralChoicesInOrderAtAnyStep) {
    const std::string first = selectors({"--at", "15", "--rule", "7"}).front();
    const std::vector<std::string> once = {"apply",  sample("attention.bp"), first, "--at", "15", "--format",
                                           "listing"};
    const Outcome built = run_cli(once);
    EXPECT_THAT(built, ends(0, {"store(t10,O[m,0])"}, {"all 16 steps"}));
    EXPECT_THAT(built.out, Not(HasSubstr("range(1,"))) << "L has one block: nothing is left of its loop";
    std::vector<std::string> in_paper = once;
    in_paper.insert(in_paper.end(), {"--form", "paper"});
    EXPECT_THAT(run_cli(in_paper), ends(0, {"forall l in range(1,L):"}, {"all 16 steps"}));
    const Outcome twice = run_cli({"apply", sample("attention.bp"), first, first, "--at", "15"});
    EXPECT_EQ(twice.code, 2);
}

TEST(Apply, SaysWhyAChoiceIsNone) {
    const auto choices = selectors({"--rule", "1"});
    const std::string nodes = choices.front().substr(2);
    EXPECT_THAT(run_cli({"apply", sample("attention.bp"), "4@" + nodes}),
                ends(2, {}, {"rule 4 has no match at " + nodes, "\n  rule 4: "}));
}

TEST(Why, SaysThatAMatchApplies) {
    const std::string nodes = selectors({"--rule", "1"}).front().substr(2);
    EXPECT_THAT(run_cli({"why", sample("attention.bp"), "1", nodes}), ends(0, {"it applies"}));
}

TEST(Why, GivesTheFirstConditionThatFails) {
    const std::string nodes = selectors({"--rule", "1"}).front().substr(2);
    const std::string first = nodes.substr(0, nodes.find(','));
    const std::string second = nodes.substr(nodes.find(',') + 1);
    const Outcome outcome = run_cli({"why", sample("attention.bp"), "6", first, second});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, StartsWith("rules 6a, 6b, 6c: "));
    EXPECT_THAT(outcome.out, HasSubstr("\n  look at n"));
    EXPECT_THAT(outcome.out, Not(HasSubstr("it applies")));
}

TEST(Check, SaysWhatTheFileHolds) {
    const Outcome outcome = run_cli({"check", sample("attention.bp")});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(
        outcome.out,
        HasSubstr("OK: 3 inputs, 1 output, 4 dimensions; the block program has 7 top-level operators"));
}

TEST(Rules, TableHasAllOfThem) {
    const auto lines = lines_of(run_cli({"rules"}).out);
    EXPECT_THAT(lines, SizeIs(19));
    EXPECT_THAT(lines.front(), StartsWith("  1  "));
    EXPECT_THAT(lines.back(), StartsWith(" 14  "));
    for (std::size_t i = 0; i < lines.size(); ++i)
        EXPECT_EQ(lines[i].find("(not in the paper") != std::string::npos, i >= 14) << lines[i];
}

TEST(Rules, CardSaysConditionReasonUseAndSection) {
    const Outcome outcome = run_cli({"rules", "6"});
    EXPECT_EQ(outcome.code, 0);
    for (const char* part : {"Rule 6a: ", "Rule 6b: ", "Rule 6c: ", "Condition", "Reason", "Use", "Paper"}) {
        EXPECT_THAT(outcome.out, HasSubstr(part));
    }
    EXPECT_THAT(run_cli({"rules", "4"}).out, StartsWith("Rule 4: "));
}

TEST(Rules, CardSaysWhenTheAlgorithmTriesTheRule) {
    for (const auto& [rule, when] :
         {std::pair{"4", "tried by fuse\n"}, std::pair{"7a", "by hand only\n"},
          std::pair{"10", "tried by fuse, but not by fuse --rules paper\n"},
          std::pair{"12", "tried by fuse --allow-rounding\n"}, std::pair{"14", "by hand only\n"}})
        EXPECT_THAT(run_cli({"rules", rule}).out, HasSubstr(std::string("  Algorithm  ") + when)) << rule;
}

// A dimension that the program rotates stays one block of an even size, or is refused by name.
TEST(Sizes, OfRotatedDimensionsStayWhole) {
    const std::string file = sample("rotary-attention.bp");
    EXPECT_EQ(run_cli({"cost", file, "--set", "D=64"}).code, 0);
    for (const char* wrong : {"D=64/32", "D=7", "D=8/4"}) {
        const Outcome refused = run_cli({"cost", file, "--set", wrong});
        EXPECT_EQ(refused.code, 2) << wrong;
        EXPECT_THAT(refused.err, testing::HasSubstr("the program needs D in one block of an even size"));
    }
    EXPECT_EQ(run_cli({"cost", file, "--set", "D=256"}).code, 0);
}

}  // namespace
}  // namespace blockscope::test
