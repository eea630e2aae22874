// What a sentence about a step says is so: bytes, what goes through memory, and which step it names.
#include "core/story/step_story.h"

#include <gmock/gmock.h>

#include "core/cost/models/model.h"
#include "tests/story/stories.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// The values that the picture draws red, other than inputs: their edges are buffered.
void add_red(const Graph& graph, bool top, const ProgramNames& names, std::set<ValueKey>& red) {
    const GraphIndex index(graph);
    for (const NodePtr& node : graph.nodes()) {
        for (std::size_t port = 0; port < node->inputs.size(); ++port) {
            const Node* producer = index.find(node->inputs[port].node);
            if (is_buffered(*producer, *node, static_cast<int>(port), top))
                red.insert(names.key(node->inputs[port]));
        }
        if (const Map* map = node->as<Map>()) add_red(*map->body, false, names, red);
    }
}

std::set<ValueKey> red_values(const ProgramNames& names) {
    std::set<ValueKey> red;
    add_red(*names.program().graph, true, names, red);
    return red;
}

int lines_with(const State& state, const std::string& what) {
    int lines = 0;
    for (const ListingLine& line : state.listing())
        if (line.text.find(what) != std::string::npos) ++lines;
    return lines;
}

std::int64_t loaded_bytes(const State& state, NodeId input) {
    std::int64_t bytes = 0;
    for (const BufferTraffic& each : state.counts().buffers) {
        const Buffer& buffer = state.loops().buffers[static_cast<std::size_t>(each.buffer)];
        if (buffer.kind == Buffer::Kind::Input && buffer.node == input) bytes += each.loads.bytes;
    }
    return bytes;
}

constexpr std::size_t kLongestSentence = 230;  // bytes

class EverySample : public testing::TestWithParam<std::string> {};

TEST_P(EverySample, SentencesAgreeWithStatesPicturesAndListings) {
    const RunStory story = story_of(GetParam());
    for (int number = 1; number <= story.steps(); ++number) {
        const Step& step = story.trace().steps[static_cast<std::size_t>(number) - 1];
        const StepStory told = story.step(number);
        const StepClaims& claims = told.claims;
        const std::string sentence = told.sentence().str();
        SCOPED_TRACE(GetParam() + " step " + std::to_string(number) + ": " + sentence);
        const State before(step.before), after(step.after);

        EXPECT_EQ(claims.bytes_before, before.counts().bytes());
        EXPECT_EQ(claims.bytes_after, after.counts().bytes());
        EXPECT_EQ(claims.launches_after, after.counts().launches);
        const std::int64_t saved = before.counts().bytes() - after.counts().bytes();
        const std::string amount = bytes_text_of(static_cast<double>(std::abs(saved)));
        if (saved > 0) {
            EXPECT_THAT(sentence, HasSubstr("Saves " + amount));
        }
        if (saved < 0) {
            EXPECT_THAT(sentence, HasSubstr("Moves " + amount + " more"));
        }
        if (saved == 0) {
            EXPECT_THAT(sentence, Not(HasSubstr("Saves " + amount)));
        }

        // Red in the picture and stored in the listing, or neither.
        const std::set<ValueKey> red = red_values(story.names(number));
        for (const ValueRef& value : claims.still_stored) {
            EXPECT_TRUE(red.count(story.names(number - 1).key(value))) << to_string(value.node);
            EXPECT_GT(lines_with(after, "store("), 0);
        }
        for (const ValueRef& value : claims.freed) {
            const ValueKey key = story.names(number - 1).key(value);
            EXPECT_TRUE(red_values(story.names(number - 1)).count(key)) << to_string(value.node);
            EXPECT_FALSE(red.count(key)) << to_string(value.node);
        }
        const int rule = step.match.rule.number;
        if (!claims.freed.empty() && (rule == 1 || rule == 3)) {
            EXPECT_LT(lines_with(after, "store("), lines_with(before, "store(")) << "nothing is stored less";
        }
        for (const ValueRef& value : claims.kept) {
            EXPECT_TRUE(red.count(story.names(number - 1).key(value))) << to_string(value.node);
        }
        if (!claims.still_stored.empty() && claims.freed.empty()) {
            EXPECT_THAT(step.explanation.str(), Not(HasSubstr("in local memory instead")));
        }

        for (const ValueRef& value : claims.read_less) {
            const Node* input = story.names(number - 1).find(value.node);
            if (input && input->is<Input>()) {
                EXPECT_LT(loaded_bytes(after, value.node), loaded_bytes(before, value.node));
            }
        }
        // A call may stand as "exp(...)"; a formula is never cut off.
        EXPECT_THAT(sentence, Not(testing::ContainsRegex("[^(][.][.][.]")));
        // Two lines of a window 1280 pixels wide, in type of 125%.
        EXPECT_LE(sentence.size(), kLongestSentence);
        if (!claims.used_by) continue;
        ASSERT_GT(*claims.used_by, number);
        ASSERT_LE(*claims.used_by, story.steps());
        EXPECT_THAT(sentence, HasSubstr("Step " + std::to_string(*claims.used_by) + " uses this."));
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, EverySample, testing::ValuesIn(distinct_samples()),
                         [](const auto& sample) { return test_name(sample.param); });

TEST(StepStory, SaysWhatAStepPreparesBeforeItSaves) {
    const RunStory story = story_of("attention");
    EXPECT_EQ(
        story.step(2).sentence().str(),
        "The loops over M for S and exp(x) of P are one now, as each iteration needs only its counterpart. "
        "Saves no bytes yet: S still goes through memory. Step 10 uses this.");
    EXPECT_EQ(story.step(11).effect.str(), "Saves 33.6 MB: the exp(x) of P is read less often.");
    EXPECT_EQ(story.step(7).done.str(), "row_scale of P comes after dot of O now");
    EXPECT_EQ(story.step(7).because.str(), "diag(c) A B = diag(c) (A B)");
    EXPECT_THAT(story.step(17).effect.str(), HasSubstr("no longer goes through memory"));
}

// What fuses two loops uses what brought them side by side.
TEST(StepStory, NamesTheStepThatUsesWhatWasBroughtTogether) {
    const RunStory story = story_of("attention");
    EXPECT_EQ(used_by(story.trace(), 2), 10);
    EXPECT_EQ(used_by(story.trace(), 3), 11);
    EXPECT_EQ(used_by(story.trace(), 16), 17);
    EXPECT_EQ(used_by(story.trace(), 17), std::nullopt);
}

TEST(StepStory, EveryRuleHasAShortNameAReasonAndASentence) {
    std::set<std::string> names;
    for (const Rule& rule : rules()) {
        EXPECT_LE(rule.short_name.str().size(), 24U) << rule.name;
        EXPECT_FALSE(rule.because.empty()) << rule.name;
        ASSERT_TRUE(rule.done) << rule.name;
        names.insert(rule.short_name.str());
    }
    // The variants of rules 6 and 7 share theirs.
    EXPECT_EQ(names.size(), rules().size() - 4);
}

}  // namespace
}  // namespace blockscope::test
