#include <gmock/gmock.h>

#include <algorithm>

#include "tests/cli/runner.h"

namespace blockscope::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const char* const kUnsafeLine = "exp(";

int count(const std::string& text, const std::string& part) {
    int hits = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++hits;
    return hits;
}

TEST(Fuse, RulesOfThePaperOrMore) {
    const std::string file = sample("rmsnorm-matmul.bp");
    const std::string more = run_cli({"fuse", file}).out;
    const std::string paper = run_cli({"fuse", file, "--rules", "paper"}).out;
    EXPECT_THAT(more, testing::HasSubstr("10 move column scale"));
    EXPECT_THAT(paper, testing::Not(testing::HasSubstr("move column scale")));
    EXPECT_EQ(run_cli({"fuse", file, "--rules", "paper", "--allow-rounding"}).code, 2);
    const std::string fp8 = sample("fp8-attention.bp");
    EXPECT_THAT(run_cli({"fuse", fp8}).out, testing::Not(testing::HasSubstr("move scale past cast")));
    EXPECT_THAT(run_cli({"fuse", fp8, "--allow-rounding"}).out, testing::HasSubstr("move scale past cast"));
}

TEST(Fuse, SaysTheChaptersAndWhatTheLastStepDid) {
    const std::string all = run_cli({"fuse", sample("attention.bp")}).out;
    for (const char* title : {"Line the loops up", "Move the division behind the product",
                              "Fuse the inner loops", "One kernel, nothing stored in between"})
        EXPECT_EQ(count(all, std::string("      ") + title), 1) << title;
    EXPECT_THAT(all, HasSubstr("\nThis is Flash Attention: "));
    const std::string second = run_cli({"fuse", sample("attention.bp"), "--step", "2"}).out;
    EXPECT_THAT(second,
                HasSubstr("Step 2: The loops over M for x*(DD**-0.5) of S and exp(x) of P are one now"));
    EXPECT_THAT(second, HasSubstr("Step 10 uses this."));
    EXPECT_THAT(second, Not(HasSubstr("This is Flash Attention")));
    const std::string safe = run_cli({"fuse", sample("attention.bp"), "--safe"}).out;
    EXPECT_THAT(safe, HasSubstr("This is online softmax: t3 is the running maximum m"));
}

TEST(Fuse, ReportsOneLinePerStepThenTheFinalListing) {
    const Outcome outcome = run_cli({"fuse", sample("attention.bp")});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.err, IsEmpty());
    const std::vector<std::string> expected{"1", "1", "1", "1", "1", "1", "4", "3", "1",
                                            "1", "1", "1", "9", "3", "3", "6", "1"};
    std::vector<std::string> rules;
    for (const std::string& line : lines_of(outcome.out)) {
        const std::string number = std::to_string(rules.size() + 1);
        if (line.compare(0, 6, std::string(4 - number.size(), ' ') + number + "  ") != 0) continue;
        rules.push_back(line.substr(6, 1));
    }
    EXPECT_EQ(rules, expected);
    EXPECT_EQ(count(outcome.out, "── snapshot "), 2);
    const Outcome listing = run_cli({"fuse", sample("attention.bp"), "--format", "listing"});
    EXPECT_THAT(outcome.out, EndsWith("\n\n" + listing.out));
}

// Down to the program's own inputs and output.
TEST(Fuse, CountsBufferedEdgesBeforeAndAfter) {
    const Outcome outcome = run_cli({"fuse", sample("attention.bp")});
    EXPECT_THAT(outcome.out, HasSubstr("  14 → 14\n"));
    EXPECT_THAT(outcome.out, HasSubstr("  5 → 4\n── snapshot 2"));
}

TEST(Fuse, SaysThatItProvedEveryStep) {
    const Outcome outcome = run_cli({"fuse", sample("attention.bp")});
    EXPECT_THAT(outcome.out, HasSubstr("all 17 steps and the conversion proven (exact arithmetic, seed 1)"));
    const Outcome seeded = run_cli({"fuse", sample("attention.bp"), "--step", "3", "--seed", "7"});
    EXPECT_THAT(seeded.out, HasSubstr("all 3 steps and the conversion proven (exact arithmetic, seed 7)"));
}

TEST(Fuse, DoesNotProveWhenAskedNotTo) {
    const Outcome outcome = run_cli({"fuse", sample("attention.bp"), "--no-prove"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, Not(HasSubstr("proven (")));
    EXPECT_THAT(outcome.out, HasSubstr("not proven, as asked"));
}

TEST(Fuse, PrintsOnlyTheFormatOnStdout) {
    for (const char* format : {"listing", "text", "dot", "json"}) {
        const Outcome outcome = run_cli({"fuse", sample("attention.bp"), "--format", format});
        EXPECT_EQ(outcome.code, 0) << format;
        EXPECT_THAT(outcome.out, Not(HasSubstr("proven"))) << format;
        EXPECT_THAT(outcome.out, Not(HasSubstr("snapshot"))) << format;
        EXPECT_THAT(outcome.err, HasSubstr("all 17 steps")) << format;
        EXPECT_THAT(outcome.out, EndsWith("\n")) << format;
    }
}

TEST(Fuse, ShowsAnyStepOrSnapshot) {
    const auto listing = [](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"fuse", sample("attention.bp"), "--format", "listing"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_cli(arguments).out;
    };
    const std::string last = listing({});
    EXPECT_EQ(listing({"--step", "17"}), last);
    EXPECT_EQ(listing({"--snapshot", "2"}), last);
    EXPECT_EQ(listing({"--snapshot", "last"}), last);
    EXPECT_EQ(listing({"--snapshot", "1"}), listing({"--step", "15"}));
    const std::string first = listing({"--step", "0"});
    EXPECT_EQ(count(first, "store("), 9) << first;
    EXPECT_EQ(count(last, "store("), 1) << last;
    // D has one block: the paper stores its one product and then the sum of it, the built form the product.
    const std::string in_paper = listing({"--step", "0", "--form", "paper"});
    EXPECT_EQ(count(in_paper, "store("), 10) << in_paper;
}

TEST(Fuse, AllPrintsEveryStateSetApart) {
    const Outcome outcome = run_cli({"fuse", sample("attention.bp"), "--all", "--format", "listing"});
    EXPECT_THAT(outcome.out, StartsWith("# step 0: the initial block program\n"));
    EXPECT_THAT(outcome.out, HasSubstr("# step 7: rule 4\n"));
    EXPECT_EQ(count(outcome.out, "# step "), 18);
    const std::string last = run_cli({"fuse", sample("attention.bp"), "--format", "listing"}).out;
    EXPECT_THAT(outcome.out, EndsWith("\n" + last));
}

TEST(Fuse, ShowsTheSafeForm) {
    const Outcome safe = run_cli({"fuse", sample("attention.bp"), "--safe", "--format", "listing"});
    EXPECT_EQ(safe.code, 0);
    EXPECT_THAT(safe.err, HasSubstr("the safe form proven"));
    EXPECT_THAT(safe.out, HasSubstr("= -inf"));
    EXPECT_THAT(safe.out, HasSubstr(kUnsafeLine));
    const Outcome per_block = run_cli({"fuse", sample("attention.bp"), "--per-block", "--format", "listing"});
    EXPECT_EQ(per_block.code, 0);
    EXPECT_NE(per_block.out, safe.out);

    const Outcome all = run_cli({"fuse", sample("attention.bp"), "--all", "--safe", "--format", "listing"});
    EXPECT_THAT(all.err, HasSubstr("all safe forms proven"));
    EXPECT_THAT(all.out, HasSubstr("# step 0: the initial block program, safe form"));
    EXPECT_THAT(all.out, HasSubstr("# step 17: rule 1, safe form\n" + safe.out));
}

TEST(Fuse, ReadsStdinAndEveryForm) {
    const std::string expected = run_cli({"fuse", sample("attention.bp"), "--format", "listing"}).out;
    for (const char* form : {"text", "json", "block-json"}) {
        const std::string text = run_cli({"convert", sample("attention.bp"), "--to", form}).out;
        const Outcome outcome = run_cli({"fuse", "-", "--format", "listing"}, text);
        EXPECT_EQ(outcome.code, 0) << form << outcome.err;
        EXPECT_EQ(outcome.out, expected) << form;
    }
}

TEST(Replay, RepeatsATrace) {
    const std::string trace = run_cli({"fuse", sample("attention.bp"), "--all", "--format", "json"}).out;
    const Outcome again = run_cli({"replay", "-", "--all", "--format", "json"}, trace);
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.out, trace);
    const Outcome report = run_cli({"replay", "-"}, trace);
    EXPECT_THAT(report.out, HasSubstr("all 17 steps proven"));
    EXPECT_THAT(report.out, HasSubstr("── snapshot 2"));
}

}  // namespace
}  // namespace blockscope::test
