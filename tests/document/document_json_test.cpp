// Documents as text: what was read is what was written, byte for byte and state for state.
#include <gmock/gmock.h>

#include <sstream>

#include "core/json/json_io.h"
#include "tests/document/contents.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

Content read(const std::string& text) {
    Result<Content> content = read_document(text, "d.blockscope");
    if (!content) throw std::runtime_error(to_string(content.problems().front()));
    return std::move(content).value();
}

void expect_same(const Content& a, const Content& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.source, b.source);
    EXPECT_EQ(a.current, b.current);
    EXPECT_EQ(a.branch, b.branch);
    EXPECT_EQ(a.folds, b.folds);
    EXPECT_EQ(a.compared, b.compared);
    EXPECT_EQ(a.baseline, b.baseline);
    EXPECT_EQ(a.view, b.view);
    EXPECT_EQ(a.history.branches(), b.history.branches());
    EXPECT_EQ(a.history.next_state(), b.history.next_state());
    EXPECT_EQ(a.history.next_branch(), b.history.next_branch());
    ASSERT_EQ(a.history.states().size(), b.history.states().size());
    for (const auto& [id, state] : a.history.states()) {
        const HistoryState& other = b.history.state(id);
        EXPECT_EQ(state->parent, other.parent);
        EXPECT_EQ(state->depth, other.depth);
        EXPECT_EQ(state->snapshot, other.snapshot);
        EXPECT_EQ(state->note, other.note);
        EXPECT_EQ(state->tidy, other.tidy);
        EXPECT_EQ(state->program->dims, other.program->dims);
        EXPECT_TRUE(identical(*state->program->graph, *other.program->graph)) << id;
        if (state->step) {
            EXPECT_EQ(state->step->match, other.step->match);
        }
        EXPECT_EQ(a.history.children(id), b.history.children(id));
    }
}

void expect_round_trip(const Content& content) {
    const std::string text = write_document(content);
    const Content again = read(text);
    expect_same(content, again);
    EXPECT_EQ(write_document(again), text);
}

// A document says which rules its runs try; one that does not is the paper's.
TEST(DocumentJson, RunsTryTheRulesThatTheDocumentSays) {
    const std::string source =
        "dim M = 64 / 16\ndim D = 64 / 16\ndim N = 64 / 16\ninput X[M, D], w[D], W[D, N]\n"
        "output Y = rmsnorm(X, w) @ W\n";
    const Content content = prepared(content_of_source(source, "norm.bp").value());
    expect_round_trip(content);
    EXPECT_EQ(read(write_document(content)).history.rules(), RuleSet{});
    std::string old = write_document(content_of_source(source, "norm.bp").value());
    const std::string key = "\"rules\": \"extended\",";
    ASSERT_NE(old.find(key), std::string::npos);
    old.erase(old.find(key), key.size());
    const Content paper = prepared(read(old));
    EXPECT_EQ(paper.history.rules(), kPaperRules);
    for (const auto& [id, state] : paper.history.states()) {
        EXPECT_LE(state->step ? state->step->match.rule.number : 1, 9) << id;
    }
    expect_round_trip(paper);
}

TEST(DocumentJson, EverythingRoundTrips) {
    const Content content = rich_content();
    ASSERT_GE(content.history.branches().size(), 3U);
    expect_round_trip(content);
    expect_round_trip(rich_block_content());
}

TEST(DocumentJson, EverySampleWithItsRunRoundTrips) {
    for (const std::string& name : distinct_samples()) {
        SCOPED_TRACE(name);
        expect_round_trip(prepared(sample_content(name)));
    }
}

// Documents of versions that did not keep how the picture was looked at.
TEST(DocumentJson, WithoutAViewEverythingIsSeen) {
    Content content = rich_content();
    content.view = {};
    const std::string text = write_document(content);
    EXPECT_EQ(text.find("view"), std::string::npos);
    EXPECT_EQ(read(text).view, SavedView());
    EXPECT_EQ(write_document(read(text)), text);
}

TEST(DocumentJson, SourcesKeepEveryByte) {
    const std::string program = "dim M = 4 / 2\ninput X[M]\noutput Y = exp(X)";
    for (const std::string& source : {program, program + "\n", program + "\n\n\n", "# c\r\n" + program,
                                      "#\ttab \"quoted\" \\ \n" + program}) {
        const Content content = content_of_text(source);
        EXPECT_EQ(read(write_document(content)).source, source);
        expect_round_trip(content);
    }
}

// So that a change of one step changes one line for a tool that compares lines.
TEST(DocumentJson, EachStateHasOneLine) {
    Content content = rich_content();
    const std::string before = write_document(content);
    content.history.set_note(7, "a long note, " + std::string(300, 'x') + "\nof two lines");
    const std::string after = write_document(content);
    std::istringstream a(before), b(after);
    int differing = 0;
    for (std::string x, y; std::getline(a, x);) {
        ASSERT_TRUE(std::getline(b, y));
        if (x != y) ++differing;
    }
    EXPECT_EQ(differing, 1);
    for (const auto& [id, state] : content.history.states())
        EXPECT_THAT(after, testing::HasSubstr("\n    {\"id\": " + std::to_string(id)));
}

// Whatever is done after opening gives the same as if the document had never been closed: ids of states and
// branches go on where they were.
TEST(DocumentJson, WorkGoesOnAfterOpeningAsIfNothingHadHappened) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Random random(seed);
        Content content = seed % 2 == 0 ? rich_content() : rich_block_content();
        for (int i = 0; i < 8; ++i) content = random_change(random, std::move(content));
        Content reopened = read(write_document(content));
        expect_same(content, reopened);
        Random other = random;
        for (int i = 0; i < 8; ++i) {
            content = random_change(random, std::move(content));
            reopened = random_change(other, std::move(reopened));
            ASSERT_EQ(write_document(reopened), write_document(content))
                << "seed " << seed << ", action " << i;
        }
    }
}

// Ids of removed states and branches are not used again after opening.
TEST(DocumentJson, RemovedIdsStayUsed) {
    Content content = rich_content();
    ASSERT_TRUE(content.history.remove(3));
    content.current = 0;
    content.branch = 1;
    Content again = read(write_document(content));
    EXPECT_EQ(again.history.next_branch(), 4);
    EXPECT_EQ(again.history.next_state(), content.history.next_state());
}

TEST(DocumentJson, ReadingCanBeStopped) {
    int steps = 0;
    const Result<Content> content =
        read_document(write_document(rich_content()), "d", [&](const Step&) { return ++steps < 3; });
    ASSERT_FALSE(content);
    EXPECT_EQ(steps, 3);
    EXPECT_THAT(content.problems().front().message, testing::HasSubstr("cancelled"));
}

}  // namespace
}  // namespace blockscope::test
