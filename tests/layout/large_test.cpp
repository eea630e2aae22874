// Containers that Graphviz would take long for, and ones with nothing in them. What these promise is that
// they end.
#include <gmock/gmock.h>

#include "core/program/convert.h"
#include "tests/layout/picture_check.h"
#include "tests/support/decoder_stack.h"

namespace blockscope {
namespace {

using testing::IsEmpty;

// `count` operators in a row; each also reads what came `skip` before it.
Figure chain(int count, int skip) {
    Figure figure;
    for (int i = 0; i < count; ++i) {
        Box box;
        box.nodes = {NodeId{static_cast<std::uint32_t>(i + 1)}};
        box.size = {60, 28};
        box.detail = "operator " + std::to_string(i);
        figure.boxes.push_back(box);
        figure.roots.push_back(i);
        figure.box_of[static_cast<std::uint32_t>(i + 1)] = i;
        for (const int from : {i - 1, i - skip}) {
            if (from < 0) continue;
            Edge edge;
            edge.from = {from, -1};
            edge.to = {i, -1};
            edge.value = {figure.boxes[static_cast<std::size_t>(from)].id()};
            edge.consumer = box.id();
            figure.edges.push_back(edge);
        }
    }
    return figure;
}

TEST(LargePictures, ChainWithSkips) {
    Layouter layouter;
    const Figure figure = chain(2000, 40);
    const Picture picture{figure, layouter.fresh(figure)};
    EXPECT_THAT(test::problems(picture), IsEmpty());
}

// The chain in a map, between an input and an output: the frame is taller than Graphviz's tables can be.
TEST(LargePictures, ChainInAFrame) {
    const Figure inside = chain(2000, 40);
    Figure figure;
    const auto add = [&](BoxKind kind, std::uint32_t id) {
        Box box;
        box.kind = kind;
        box.nodes = {NodeId{id}};
        box.size = {60, 28};
        figure.roots.push_back(static_cast<int>(figure.boxes.size()));
        figure.boxes.push_back(box);
    };
    add(BoxKind::Input, 3001);
    add(BoxKind::Frame, 3002);
    add(BoxKind::Output, 3003);
    figure.boxes[1].in = {Port{}};
    figure.boxes[1].out = {Port{}};
    const int first = 3;
    for (Box box : inside.boxes) {
        box.parent = 1;
        figure.boxes[1].children.push_back(static_cast<int>(figure.boxes.size()));
        figure.boxes.push_back(std::move(box));
    }
    for (Edge edge : inside.edges) {
        edge.container = 1;
        edge.from.box += first;
        edge.to.box += first;
        figure.edges.push_back(edge);
    }
    const auto connect = [&](int container, End from, End to) {
        Edge edge;
        edge.container = container;
        edge.from = from;
        edge.to = to;
        figure.edges.push_back(edge);
    };
    connect(-1, {0, -1}, {1, 0});
    connect(1, {1, 0}, {first, -1});
    connect(1, {first + 1999, -1}, {1, 0});
    connect(-1, {1, 0}, {2, -1});
    Layouter layouter;
    const Picture picture{figure, layouter.fresh(figure)};
    EXPECT_GT(picture.geometry.bounds.height, 65535);
    EXPECT_THAT(test::problems(picture), IsEmpty());
}

TEST(LargePictures, StackOfDecoders) {
    Layouter layouter;
    const BlockProgram program = to_block_program(decoder_stack(4)).program;
    ASSERT_GT(node_count(program), 2000);
    EXPECT_THAT(test::problems(test::fresh_picture(layouter, program)), IsEmpty());
}

// Between its parts, each of which takes a fraction of the whole; the same layouter goes on with the next.
TEST(LargePictures, ALayoutThatNobodyWaitsForEnds) {
    int asked = 0, stop_at = 1 << 30;
    Layouter layouter(StopSign([&] { return ++asked >= stop_at; }));
    const Figure figure = make_figure(to_block_program(decoder_stack(1)).program, {}, plain_measure);
    const Geometry whole = layouter.fresh(figure);
    const int parts = asked;
    EXPECT_GT(parts, 5);
    for (const int at : {1, parts / 2, parts}) {
        asked = 0;
        stop_at = at;
        EXPECT_THROW(layouter.fresh(figure), Stopped);
        EXPECT_EQ(asked, at) << "at once";
    }
    stop_at = 1 << 30;
    EXPECT_EQ(layouter.fresh(figure).boxes, whole.boxes);
}

TEST(SmallPictures, NothingAtAll) {
    Layouter layouter;
    const Figure figure;
    const Picture picture{figure, layouter.fresh(figure)};
    EXPECT_THAT(test::problems(picture), IsEmpty());
    EXPECT_THAT(test::problems({figure, layouter.follow(figure, picture, {})}), IsEmpty());
    EXPECT_THAT(test::problems({figure, layouter.fold(figure, picture)}), IsEmpty());
}

}  // namespace
}  // namespace blockscope
