#include <gmock/gmock.h>

#include <QListView>

#include "app/panels/search_panel.h"
#include "app/shell/code_view.h"
#include "tests/panels/text_support.h"

namespace blockscope {
namespace {

using test::Desk;
using test::PanelDesk;

std::vector<NodeId> find(const BlockProgram& program, const std::string& text, bool regular = false) {
    return search(program, {text, regular}).value();
}

class Search : public testing::Test {
protected:
    Content content = test::fused_sample("attention");
    const BlockProgram& initial = *content.history.state(0).program;
    const BlockProgram& fused = *content.history.state(content.history.branch(1).tip).program;

    void expect_all(const std::vector<NodeId>& found, const BlockProgram& program,
                    const std::function<bool(const Node&)>& condition) const {
        const ProgramLinks links(std::make_shared<const BlockProgram>(program));
        EXPECT_FALSE(found.empty());
        for (const NodeId node : found) EXPECT_TRUE(condition(*links.find(node))) << to_string(node);
    }
};

TEST_F(Search, FindsInputsByName) {
    const std::vector<NodeId> found = find(initial, "input q");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(initial.graph->find(found[0])->as<Input>()->name, "Q");
    EXPECT_EQ(find(initial, to_string(found[0])), found) << "by id";
}

TEST_F(Search, FindsOperators) {
    const std::vector<NodeId> dots = find(fused, "op:dot");
    EXPECT_EQ(dots.size(), 2U);
    expect_all(dots, fused, [](const Node& node) { return node.as<Functional>()->op == FunctionalOp::Dot; });
    expect_all(find(fused, "op:exp"), fused, [](const Node& node) { return node.is<Elementwise>(); });
    expect_all(find(fused, "op:map"), fused, [](const Node& node) { return node.is<Map>(); });
}

TEST_F(Search, FindsTypesAndSurroundings) {
    expect_all(find(fused, "type:vector"), fused, [&](const Node& node) {
        return to_string(node.outputs.at(0), fused.dims).find("vector") != std::string::npos;
    });
    const ProgramLinks links(std::make_shared<const BlockProgram>(fused));
    const auto d =
        std::find_if(fused.dims.begin(), fused.dims.end(), [](const Dim& dim) { return dim.name == "D"; });
    for (const NodeId node : find(fused, "in:d")) {
        bool inside = false;
        for (const NodeId map : links.path(node))
            inside = inside || fused.dims[links.find(map)->as<Map>()->dim.value].name == d->name;
        EXPECT_TRUE(inside);
    }
    EXPECT_EQ(find(fused, "op:dot in:D").size(), 1U) << "all words have to match";
    EXPECT_TRUE(find(fused, "op:dot in:NOWHERE").empty());
}

TEST_F(Search, FindsWhatGoesThroughGlobalMemory) {
    EXPECT_GT(find(initial, "buffered").size(), find(fused, "buffered").size());
    expect_all(find(fused, "buffered op:input"), fused, [](const Node& node) { return node.is<Input>(); });
}

TEST_F(Search, ProgramInputsAreBufferedEvenIfTheyAreOneItem) {
    const Content scaled =
        content_of_source("dim M = 64 / 16\ninput s[], X[M, M]\noutput Y = X * s\n", "scaled.bp").value();
    EXPECT_EQ(find(*scaled.program(), "buffered op:input").size(), 2U);
}

TEST_F(Search, TakesRegularExpressions) {
    EXPECT_EQ(find(fused, " dot\\b", true), find(fused, "op:dot"));
    EXPECT_EQ(find(fused, "^n\\d+ input [QK]T? ", true).size(), 2U);
    EXPECT_TRUE(find(fused, "^dot$", true).empty());
}

TEST_F(Search, BadQueriesSayWhatIsExpectedWhere) {
    const Result<std::vector<NodeId>> open = search(fused, {"dot(", true});
    ASSERT_FALSE(open);
    EXPECT_EQ(open.problems()[0].place.column, 5);
    EXPECT_NE(open.problems()[0].message.str().find("character 5"), std::string::npos)
        << open.problems()[0].message;
    const Result<std::vector<NodeId>> key = search(fused, {"dot size:4", false});
    ASSERT_FALSE(key);
    EXPECT_EQ(key.problems()[0].place.column, 5);
    EXPECT_NE(key.problems()[0].message.str().find("expected op:"), std::string::npos);
    EXPECT_TRUE(find(fused, "dot(").empty()) << "no regular expression unless asked for";
}

TEST_F(Search, EveryNodeOfEverySampleIsFoundByItsId) {
    for (const char* name : {"layernorm-matmul", "rmsnorm-swiglu", "gqa"}) {
        const Content sample = test::fused_sample(name);
        for (const auto& [id, state] : sample.history.states())
            for (const NodePtr& node : state->program->graph->nodes())
                EXPECT_EQ(find(*state->program, to_string(node->id)), std::vector<NodeId>{node->id});
    }
}

TEST(SearchPanel, LightsMatchesAndGoesThroughThem) {
    PanelDesk<SearchPanel> desk("attention");
    SearchPanel& panel = desk.panel;
    desk.document.end();
    panel.look_for(QStringLiteral("op:dot"));
    ASSERT_EQ(panel.found().size(), 2U);
    EXPECT_EQ(panel.status(), QStringLiteral("2 matches"));
    const QAbstractItemModel& rows = *panel.findChild<QListView*>()->model();
    ASSERT_EQ(rows.rowCount(), 2);
    EXPECT_EQ(rows.index(0, 0).data().toString(), QStringLiteral("dot  in M, L, N, D"));
    EXPECT_EQ(rows.index(1, 0).data().toString(), QStringLiteral("dot  in M, L, N"));
    EXPECT_EQ(desk.document.glow().kind, Glow::Kind::Search);
    EXPECT_EQ(desk.document.glow().nodes, panel.found());
    desk.actions.trigger("edit.find_next");
    EXPECT_EQ(desk.document.selection().nodes, std::set<NodeId>{panel.found()[0]});
    panel.go(-1);
    EXPECT_EQ(desk.document.selection().nodes, std::set<NodeId>{panel.found()[1]})
        << "from the first to the last";
    EXPECT_EQ(panel.status(), QStringLiteral("2 of 2"));
    panel.look_for(QStringLiteral("("), true);
    EXPECT_TRUE(panel.status().contains(QStringLiteral("regular expression")));
    EXPECT_EQ(desk.document.glow().kind, Glow::Kind::None);
}

TEST(SearchPanel, SaysHowToReadARegularExpression) {
    PanelDesk<SearchPanel> desk("attention");
    SearchPanel& panel = desk.panel;
    panel.look_for(QStringLiteral("do.*t"));
    EXPECT_EQ(panel.status(),
              QStringLiteral("Nothing in this state matches. It is read as it stands; .* reads "
                             "it as a regular expression."));
    panel.look_for(QStringLiteral("nosuch"));
    EXPECT_EQ(panel.status(), QStringLiteral("Nothing in this state matches."));
    panel.look_for(QStringLiteral("no.*such"), true);
    EXPECT_EQ(panel.status(), QStringLiteral("Nothing in this state matches."));
}

TEST(SearchPanel, LooksAgainInEveryState) {
    PanelDesk<SearchPanel> desk("attention");
    desk.panel.look_for(QStringLiteral("buffered"));
    const std::size_t before = desk.panel.found().size();
    desk.document.end();
    EXPECT_LT(desk.panel.found().size(), before);
}

// Behind another tab it costs no step any time.
TEST(SearchPanel, LooksAgainOnlyWhenItIsAsked) {
    PanelDesk<SearchPanel> desk("attention");
    SearchPanel& panel = desk.panel;
    panel.look_for(QStringLiteral("buffered"));
    const std::vector<NodeId> first = panel.found();
    panel.hide();
    desk.document.end();
    EXPECT_EQ(panel.found(), first);
    panel.show();
    const std::vector<NodeId> last = panel.found();
    EXPECT_NE(last, first);
    EXPECT_EQ(desk.document.glow().nodes, last);
    panel.hide();
    EXPECT_EQ(desk.document.glow().kind, Glow::Kind::None);
    desk.document.home();
    desk.actions.trigger("edit.find_next");
    EXPECT_EQ(panel.found(), first);
    EXPECT_EQ(desk.document.selection().nodes, std::set<NodeId>{first[0]});
    desk.document.end();
    EXPECT_EQ(desk.document.glow().kind, Glow::Kind::None) << "those of another state";
}

}  // namespace
}  // namespace blockscope
