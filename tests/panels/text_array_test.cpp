#include <gmock/gmock.h>

#include <QPushButton>
#include <filesystem>

#include "app/figure/figure.h"
#include "app/panels/array_view.h"
#include "app/scene/canvas.h"
#include "tests/panels/text_support.h"
#include "tests/support/decoder_stack.h"

namespace blockscope {
namespace {

using test::Desk;

std::vector<std::string> samples() {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(BLOCKSCOPE_SOURCE_DIR) + "/samples"))
        if (entry.path().extension() == ".bp") names.push_back(entry.path().stem().string());
    return names;
}

TEST(ArrayFigure, ShowsEveryOperatorOutputAndArrayOfEverySample) {
    for (const std::string& name : samples()) {
        const ArrayProgram program = parse_program(test::sample_source(name), name).value();
        const Figure figure = make_array_figure(program, plain_measure);
        ASSERT_EQ(figure.boxes.size(), program.ops.size() + program.outputs.size()) << name;
        EXPECT_EQ(figure.roots.size(), figure.boxes.size());
        std::size_t edges = program.outputs.size();
        for (std::size_t i = 0; i < program.ops.size(); ++i) {
            const Box& box = figure.boxes[i];
            EXPECT_EQ(array_op(program, box.id()), static_cast<int>(i));
            EXPECT_EQ(figure.find(array_box(static_cast<int>(i))), static_cast<int>(i));
            EXPECT_FALSE(box.label.empty()) << name << " " << i;
            edges += program.ops[i].operands.size();
        }
        ASSERT_EQ(figure.edges.size(), edges) << name;
        for (const Edge& edge : figure.edges) {
            EXPECT_TRUE(edge.buffered);
            EXPECT_NE(edge.label.find('['), std::string::npos);
            EXPECT_EQ(figure.boxes[static_cast<std::size_t>(edge.from.box)].id(), edge.value.node);
            EXPECT_EQ(figure.boxes[static_cast<std::size_t>(edge.to.box)].id(), edge.consumer);
        }
    }
}

TEST(ArrayFigure, CallsThingsByTheirNames) {
    const ArrayProgram program = parse_program(test::sample_source("attention"), "attention").value();
    const Figure figure = make_array_figure(program, plain_measure);
    std::vector<std::string> labels;
    for (const Box& box : figure.boxes) labels.push_back(box.label);
    EXPECT_THAT(labels, testing::IsSupersetOf({"Q[M,D]", "softmax", "matmul", "O[M,L]"}));
    EXPECT_THAT(figure.edges, testing::Contains(testing::Field(&Edge::label, "S[M,N] bf16")));
    EXPECT_EQ(array_op(program, NodeId{}), -1);
    EXPECT_EQ(array_op(program, NodeId{1000}), -1);
}

TEST(ArrayLinks, LeadFromOperatorsToNodesAndBackInEveryState) {
    for (const std::string& name : samples()) {
        Content content = test::fused_sample(name);
        const ArrayLinks initial = array_links(content);
        for (const Origin& origin : content.origins) {
            EXPECT_EQ(initial.nodes.at(origin.op).count(origin.node), 1U);
            EXPECT_EQ(initial.ops.at(origin.node).count(origin.op), 1U);
        }
        for (const auto& [id, state] : content.history.states()) {
            content.current = id;
            const ArrayLinks links = array_links(content);
            for (const auto& [op, nodes] : initial.nodes)
                EXPECT_EQ(links.nodes.count(op), 1U) << name << " " << op;
            for (const auto& [op, nodes] : links.nodes)
                for (const NodeId node : nodes) EXPECT_EQ(links.ops.at(node).count(op), 1U);
        }
    }
}

TEST(ArrayView, SelectsTheNodesOfAnOperatorAndFollowsTheSelection) {
    Desk desk;
    desk.open("attention");
    ArrayView view(desk.document, desk.services);
    EXPECT_EQ(view.canvas().picture(), nullptr) << "a hidden view costs nothing";
    view.show();
    ASSERT_TRUE(test::wait_until([&] { return view.canvas().picture() != nullptr; }));
    const Content& content = desk.document.content();
    const auto& ops = content.array->ops;
    const auto softmax =
        static_cast<int>(std::find_if(ops.begin(), ops.end(),
                                      [](const ArrayOp& op) { return op.kind == ArrayOpKind::Softmax; }) -
                         ops.begin());
    view.select_op(softmax);
    std::set<NodeId> expected;
    for (const Origin& origin : content.origins)
        if (origin.op == softmax) expected.insert(origin.node);
    EXPECT_EQ(desk.document.selection().nodes, expected);
    EXPECT_EQ(view.canvas().lights().boxes, (std::map<int, Mark>{{softmax, Mark::Selected}}));
    view.select_op(-1);
    EXPECT_TRUE(desk.document.selection().empty());
    EXPECT_TRUE(view.canvas().lights().boxes.empty());
}

// What a test asks of the links of a program that takes a moment.
struct LargeLinks : Desk {
    LargeLinks() {
        document.reset(content_of_source(print_program(decoder_stack(4)), "stack.bp").value(), {});
    }
    CurrentLinks& links = CurrentLinks::of(document);
    bool found() {
        return test::wait_until([&] { return !links.work().busy(); });
    }
};

TEST(ArrayLinks, OfALargeProgramCanBeCancelledAndFoundAgain) {
    LargeLinks desk;
    CurrentLinks& links = desk.links;
    EXPECT_TRUE(links.links().ops.empty()) << "later";
    ASSERT_TRUE(links.work().busy());
    EXPECT_FALSE(links.work().title().isEmpty());
    links.cancel();
    EXPECT_TRUE(links.given_up());
    EXPECT_FALSE(links.work().busy());
    EXPECT_TRUE(links.links().ops.empty());
    EXPECT_FALSE(links.work().busy()) << "not before it is asked for";
    links.find_again();
    EXPECT_FALSE(links.given_up());
    ASSERT_TRUE(desk.found());
    EXPECT_EQ(links.links().ops, array_links(desk.document.content()).ops);
    links.cancel();
    const Match match = all_matches(*desk.document.content().program()).front();
    desk.document.apply(match);
    desk.document.wait();
    links.links();
    EXPECT_FALSE(links.given_up()) << "of another state";
    EXPECT_TRUE(links.work().busy());
}

TEST(ArrayLinks, EndWhenNobodyWaitsForThem) {
    const Content content = test::fused_sample("attention");
    EXPECT_FALSE(array_links(content).ops.empty());
    EXPECT_THROW(array_links(content, StopSign([] { return true; })), Stopped);
}

TEST(ArrayView, SaysThatTheLinksWereGivenUpAndFindsThemAgain) {
    LargeLinks desk;
    ArrayView view(desk.document, desk.services);
    view.resize(700, 500);
    view.show();
    ASSERT_TRUE(test::wait_until([&] { return view.canvas().picture() != nullptr; }));
    desk.links.cancel();
    const auto buttons = view.findChildren<QPushButton*>();
    const auto again = std::find_if(buttons.begin(), buttons.end(), [](const QPushButton* button) {
        return button->isVisible() && button->text() == QStringLiteral("Again");
    });
    ASSERT_NE(again, buttons.end());
    (*again)->click();
    EXPECT_FALSE(desk.links.given_up());
    EXPECT_FALSE((*again)->isVisible());
    ASSERT_TRUE(desk.found());
    view.select_op(3);
    EXPECT_FALSE(desk.document.selection().empty());
}

TEST(ArrayView, SaysWhyThereIsNothingToShow) {
    Desk desk;
    ArrayView view(desk.document, desk.services);
    desk.document.reset(content_of_blocks(*test::fused_sample("attention").program(), "blocks"), {});
    EXPECT_EQ(view.canvas().picture(), nullptr);
}

}  // namespace
}  // namespace blockscope
