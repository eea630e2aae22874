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

// The values that the picture draws red, other than inputs: their edges are buffered. An edge each.
void add_red(const Graph& graph, bool top, const ProgramNames& names, std::vector<ValueKey>& red) {
    const GraphIndex index(graph);
    for (const NodePtr& node : graph.nodes()) {
        for (std::size_t port = 0; port < node->inputs.size(); ++port) {
            const Node* producer = index.find(node->inputs[port].node);
            if (is_buffered(*producer, *node, static_cast<int>(port), top))
                red.push_back(names.key(node->inputs[port]));
        }
        if (const Map* map = node->as<Map>()) add_red(*map->body, false, names, red);
    }
}

std::vector<ValueKey> red_edges(const ProgramNames& names) {
    std::vector<ValueKey> red;
    add_red(*names.program().graph, true, names, red);
    return red;
}

std::set<ValueKey> red_values(const ProgramNames& names) {
    const std::vector<ValueKey> edges = red_edges(names);
    return {edges.begin(), edges.end()};
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
        for (const ValueKey& key : claims.unlisted) {
            const ProgramNames names = story.names(number - 1);
            EXPECT_TRUE(red_values(names).count(key)) << names.said_of(key).str();
            EXPECT_FALSE(red.count(key)) << names.said_of(key).str();
            EXPECT_FALSE(stored_values(before, names).count(key)) << names.said_of(key).str();
        }
        if (sentence.find("Removes a red edge") != std::string::npos) {
            EXPECT_LT(red_edges(story.names(number)).size(), red_edges(story.names(number - 1)).size());
            EXPECT_FALSE(claims.unlisted.empty());
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
        // Bytes alone say nothing: what they are of, or what comes of it.
        EXPECT_THAT(sentence, Not(testing::EndsWith("as before.")));
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

// How many operators make a value that is called so in a state.
std::size_t makers_of(const ProgramNames& names, const Graph& level, const std::string& said,
                      std::set<NodeId>& makers) {
    for (const NodePtr& node : level.nodes()) {
        for (std::size_t port = 0; port < node->outputs.size(); ++port)
            if (const ValueRef value{node->id, static_cast<std::uint16_t>(port)};
                names.said(value).str() == said)
                makers.insert(names.key(value).leaf);
        if (const Map* map = node->as<Map>()) makers_of(names, *map->body, said, makers);
    }
    return makers.size();
}

// A list of partial sums and what they add up to are two values with two names. Two operators that are called
// the same, as two products of one array, are said to be freed once each.
TEST_P(EverySample, NoValueIsFreedTwice) {
    const RunStory story = story_of(GetParam());
    std::map<std::string, std::size_t> times;
    for (int number = 1; number <= story.steps(); ++number) {
        const ProgramNames before = story.names(number - 1);
        const StepStory told = story.step(number);
        if (told.effect.str().find("no longer go") == std::string::npos) continue;
        std::set<std::string> said;
        for (const ValueRef& value : told.claims.freed)
            if (const std::string name = before.said(value).str();
                told.effect.str().find(name) != std::string::npos)
                said.insert(name);
        for (const std::string& each : said) {
            std::set<NodeId> makers;
            EXPECT_LE(++times[each], makers_of(before, *before.program().graph, each, makers))
                << GetParam() << " step " << number << ": " << each;
        }
    }
}

// What is joined is told apart, and called as in the list of matches: by the operator that makes the result.
TEST_P(EverySample, ThePartsThatAreJoinedHaveTwoNames) {
    const RunStory story = story_of(GetParam());
    for (int number = 1; number <= story.steps(); ++number) {
        const std::string done = story.step(number).done.str();
        const std::size_t first = done.find(" for "), second = done.find(" and "),
                          end = done.find(" are one now");
        if (first == std::string::npos || end == std::string::npos) continue;
        const std::string one = done.substr(first + 5, second - first - 5);
        const std::string other = done.substr(second + 5, end - second - 5);
        EXPECT_NE(one, other) << GetParam() << " step " << number << ": " << done;
        const ProgramNames names = story.names(number - 1);
        const std::vector<Role>& roles =
            story.trace().steps[static_cast<std::size_t>(number) - 1].match.roles;
        if (names.find(roles[0].node)->outputs.size() == 1) {
            EXPECT_THAT(one, testing::StartsWith(names.last_operator(roles[0].node).str())) << done;
        }
        if (other == "its sum") continue;
        EXPECT_THAT(other, HasSubstr(names.last_operator(roles[1].node).str())) << done;
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, EverySample, testing::ValuesIn(distinct_samples()),
                         [](const auto& sample) { return test_name(sample.param); });

TEST(StepStory, SaysWhatAStepPreparesBeforeItSaves) {
    const RunStory story = story_of("attention");
    EXPECT_EQ(story.step(2).sentence().str(),
              "The loops over M for x*(DD**-0.5) of S and exp(x) of P are one now, as each iteration needs "
              "only its "
              "counterpart. "
              "Saves no bytes yet: S still goes through memory. Step 10 uses this.");
    EXPECT_EQ(story.step(11).effect.str(), "Saves 33.6 MB: the exp(x) of P is read less often.");
    // A list of partial sums and its sum are two values.
    EXPECT_EQ(story.step(4).effect.str(),
              "Saves 16.4 kB: the summed row_sum of P no longer goes through memory.");
    EXPECT_EQ(story.step(8).effect.str(),
              "Saves 524 kB: the partial row_sum of P no longer goes through memory.");
    EXPECT_EQ(
        story.step(12).effect.str(),
        "Removes a red edge but no bytes: the list of the summed dot of O had one item, in local memory "
        "already.");
    EXPECT_EQ(story.step(13).effect.str(), "Moves as many bytes as before: S was in local memory already.");
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
