// Step by step: what every action does to the numbers, what is refused and by which theorem, undo and
// branches.
#include "core/napkin/session.h"

#include <gmock/gmock.h>

#include "core/diagram/term.h"
#include "tests/diagram/figures.h"

namespace blockscope::test {
namespace {

using namespace blockscope::circuit;
using Kind = CircuitAction::Kind;

std::map<std::string, std::string> formulas(const CircuitSession& session) {
    std::map<std::string, std::string> found;
    for (const CircuitNumbers::Number& number : session.numbers(session.current().id).numbers)
        found[number.name] = number.formula.text();
    return found;
}

// Figure 21, one action after the other.
TEST(CircuitSession, SplitsAttentionAsThePaperDoes) {
    const Flow flow = flow_from(kAttention);
    CircuitSession session(flow);
    const std::string whole = formulas(session)["M"];
    ASSERT_TRUE(session.act({Kind::Group, axis(flow, "q"), 64, {}}));
    EXPECT_FORMULA(session.current().analysis.resources.groups, "q·g_q^-1");
    ASSERT_TRUE(session.act({Kind::Stream, axis(flow, "x"), 8, {}}));
    const Resources& costs = session.current().analysis.resources;
    EXPECT_FORMULA(costs.per_group, "2·d·g_q + 2·d·x");
    EXPECT_FORMULA(costs.transferred, "2·d·q + 2·d·q·x·g_q^-1");
    EXPECT_FORMULA(costs.widest(1), "2·d·g_q + 2·d·s_x");
    ASSERT_TRUE(session.current().analysis.law);
    EXPECT_FORMULA(session.current().analysis.law->formula(), "4·d²·q·x·M^-1 + 2·d·q");
    EXPECT_EQ(session.current().title, "stream x in parts of 8");
    const Result<int> again = session.act({Kind::Stream, axis(flow, "x"), 8, {}});
    ASSERT_FALSE(again);
    EXPECT_EQ(again.problems().front().message, "x is streamed in parts of 8 already");
    EXPECT_NE(formulas(session)["M"], whole);
    // The number of a state stands beside that of the one before.
    for (const CircuitNumbers::Number& number : session.numbers(session.current().id).numbers) {
        if (number.name == "M") {
            EXPECT_LT(number.value, number.before);
        } else if (number.name == "H") {
            EXPECT_EQ(number.value, number.before);
        }
    }
}

// From softmax-contraction by composition and weaving (Appendix A.1): every step has its own diagram.
TEST(CircuitSession, ShowsTheTheoremsSteps) {
    const Flow flow = flow_from(kAttention);
    CircuitSession session(flow);
    ASSERT_TRUE(session.act({Kind::Stream, axis(flow, "x"), 8, {}}));
    const std::vector<TheoremStep>& steps = session.current().steps;
    ASSERT_EQ(steps.size(), 4u);
    const std::vector<std::size_t> sizes = {2, 3, 4, 4};
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].ops.size(), sizes[i]);
        EXPECT_THAT(verify(steps[i].diagram), testing::IsEmpty()) << to_string(steps[i].diagram);
    }
    EXPECT_EQ(steps[0].reason.theorem, "Appendix A.3.2");
    EXPECT_EQ(steps[3].reason.theorem, "Theorem 1, weaving");
    // SoftMax and a contraction of single rows; in the end weaved over queries and features.
    EXPECT_THAT(to_string(steps[0].diagram), testing::HasSubstr("softmax along x : [x] → [x]"));
    EXPECT_THAT(to_string(steps[3].diagram), testing::HasSubstr("softmax along x, weaved over q"));
    EXPECT_THAT(to_string(steps[2].diagram), testing::Not(testing::HasSubstr("weaved over q")));
}

TEST(CircuitSession, RefusesByTheorem) {
    const Flow flow = flow_from(kAttention);
    CircuitSession session(flow);
    const std::vector<std::pair<CircuitAction, std::string>> wrong = {
        {{Kind::Stream, axis(flow, "q"), 8, {}}, "Section 2.4"},
        {{Kind::Group, axis(flow, "x"), 8, {}}, "Section 2.3"},
        {{Kind::Group, axis(flow, "q"), 0, {}}, "expected 1 to 4096"},
        {{Kind::Join, axis(flow, "q"), 0, {}}, "q is not split"},
        {{Kind::Relabel, axis(flow, "q"), 0, "x"}, "there is an axis x already"},
        {{Kind::Relabel, axis(flow, "q"), 0, "a b"}, "expected one without blanks"},
        {{Kind::Group, AxisId{99}, 8, {}}, "no such axis"}};
    for (const auto& [action, sentence] : wrong) {
        const Result<int> made = session.act(action);
        ASSERT_FALSE(made) << sentence;
        EXPECT_THAT(made.problems().front().message, testing::HasSubstr(sentence));
    }
    EXPECT_EQ(session.count(), 1);
}

TEST(CircuitSession, KeepsEveryBranch) {
    const Flow flow = flow_from(kMatmul);
    CircuitSession session(flow);
    ASSERT_TRUE(session.act({Kind::Group, axis(flow, "a"), 64, {}}));
    ASSERT_TRUE(session.act({Kind::Group, axis(flow, "c"), 64, {}}));
    EXPECT_EQ(session.path(2), (std::vector<int>{0, 1, 2}));
    session.back();
    ASSERT_TRUE(session.act({Kind::Stream, axis(flow, "b"), 1, {}}));
    EXPECT_EQ(session.tips(), (std::vector<int>{2, 3}));
    EXPECT_EQ(session.children(1), (std::vector<int>{2, 3}));
    session.back();
    session.on();
    EXPECT_EQ(session.current().id, 3);
    session.back();
    // The same action again is no new state.
    ASSERT_TRUE(session.act({Kind::Group, axis(flow, "c"), 64, {}}));
    EXPECT_EQ(session.current().id, 2);
    EXPECT_EQ(session.count(), 4);
    EXPECT_FALSE(session.can_go_on());
    session.back();
    session.on();
    EXPECT_EQ(session.current().id, 2);
    session.set_note(2, "square tiles");
    EXPECT_EQ(session.note(2), "square tiles");
    // The size that stands in the panel's field is none of joining's.
    const CircuitAction join{Kind::Join, axis(flow, "c"), 64, {}};
    EXPECT_EQ(step_of(*session.current().flow, join).size, 0);
    ASSERT_TRUE(session.act(join));
    EXPECT_EQ(session.current().analysis.plan, session.state(1).analysis.plan);
    session.go_to(0);
    session.back();
    EXPECT_EQ(session.current().id, 0);
    EXPECT_THROW(session.go_to(17), InternalError);
}

// Other sizes of the same axes: every branch and note is there again, what is not possible any more is not.
TEST(CircuitSession, IsReplayedWithOtherSizes) {
    const Flow flow = flow_from(kMatmul);
    CircuitSession session(flow);
    ASSERT_TRUE(session.act({Kind::Group, axis(flow, "a"), 64, {}}));
    session.set_note(1, "rows");
    ASSERT_TRUE(session.act({Kind::Group, axis(flow, "c"), 512, {}}));
    session.back();
    ASSERT_TRUE(session.act({Kind::Stream, axis(flow, "b"), 1, {}}));
    ASSERT_EQ(session.current().id, 3);

    Flow larger = flow;
    larger.axes[static_cast<std::size_t>(axis(flow, "a").value)].size = 8192;
    const CircuitSession again = CircuitSession::of(larger, possible(larger, session.tree())).value();
    EXPECT_EQ(again.count(), 4);
    EXPECT_EQ(again.current().id, 3);
    EXPECT_EQ(again.note(1), "rows");
    EXPECT_EQ(again.numbers(1).numbers[0].value, 128);  // 8192 / 64

    Flow smaller = flow;
    smaller.axes[static_cast<std::size_t>(axis(flow, "c").value)].size = 256;
    session.go_to(2);
    const CircuitSession less = CircuitSession::of(smaller, possible(smaller, session.tree())).value();
    EXPECT_EQ(less.count(), 3);
    EXPECT_EQ(less.current().id, 1);  // groups of 512 are not possible
    EXPECT_EQ(less.tips(), (std::vector<int>{2}));
}

// What a document keeps is all that a session needs; states that are known already are taken over.
TEST(CircuitSession, IsItsTree) {
    const Flow flow = flow_from(kMatmul);
    CircuitSession session(flow);
    ASSERT_TRUE(session.act({Kind::Relabel, axis(flow, "a"), 512, "rows"}));
    ASSERT_TRUE(session.act({Kind::Group, axis(flow, "a"), 64, {}}));
    session.back();
    ASSERT_TRUE(session.act({Kind::Stream, axis(flow, "b"), 4, {}}));
    session.back();
    session.set_note(2, "rows");
    EXPECT_EQ(session.tree().state(2).step.axis, "rows");  // its name by then
    EXPECT_EQ(session.tree().tip, 3);
    const Result<CircuitSession> again = CircuitSession::of(flow, session.tree());
    ASSERT_TRUE(again);
    EXPECT_EQ(again->tree(), session.tree());
    for (int id = 0; id < session.count(); ++id) {
        EXPECT_EQ(again->state(id).title, session.state(id).title);
        EXPECT_EQ(again->state(id).analysis.plan, session.state(id).analysis.plan);
        EXPECT_FORMULA(again->state(id).analysis.resources.transferred,
                       session.state(id).analysis.resources.transferred.text());
    }
    StepTree shorter = session.tree();
    shorter.states.pop_back();
    shorter.tip = 2;
    ASSERT_TRUE(session.has_all(shorter));
    EXPECT_FALSE(CircuitSession::of(flow, shorter)->has_all(session.tree()));
    EXPECT_EQ(session.shown_as(shorter).tree(), shorter);
    const Result<CircuitSession> longer = CircuitSession::of(flow, session.tree(), &session);
    EXPECT_EQ(longer->shared(3), session.shared(3));
    // The first step that is not possible, and why.
    StepTree wrong = session.tree();
    wrong.states[2].step.axis = "a";
    const std::optional<Misstep> found = misstep(flow, wrong);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->state, 2);
    EXPECT_EQ(found->sentence, "there is no axis a; there are rows, b, c");
    EXPECT_FALSE(CircuitSession::of(flow, wrong));
    EXPECT_FALSE(misstep(flow, session.tree()));
    EXPECT_EQ(possible(flow, session.tree()), session.tree());
    EXPECT_EQ(possible(flow, wrong).count(), 3);  // without state 2, which becomes 3's place
}

TEST(CircuitSession, NumbersHaveTheFormulasBefore) {
    const Flow flow = flow_from(kMatmul);
    CircuitSession session(flow);
    ASSERT_TRUE(session.act({Kind::Group, axis(flow, "a"), 64, {}}));
    const CircuitNumbers::Number groups = session.numbers(1).numbers[0];
    EXPECT_FORMULA(groups.formula_before, "1");
    EXPECT_FORMULA(groups.formula, "a·g_a^-1");
}

TEST(CircuitSession, RelabelsAxes) {
    const Flow flow = flow_from(kMatmul);
    CircuitSession session(flow);
    ASSERT_TRUE(session.act({Kind::Group, axis(flow, "a"), 64, {}}));
    ASSERT_TRUE(session.act({Kind::Relabel, axis(flow, "a"), 128, "rows"}));
    EXPECT_FORMULA(session.current().analysis.resources.groups, "rows·g_rows^-1");
    EXPECT_EQ(session.numbers(session.current().id).numbers[0].value, 2);
}

}  // namespace
}  // namespace blockscope::test
