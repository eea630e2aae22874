// Blocks that the user has put elsewhere, and edges that are drawn as one.
#include "app/layout/moved.h"

#include <gmock/gmock.h>

#include "core/fusion/trace.h"
#include "tests/layout/picture_check.h"
#include "tests/support/samples.h"

namespace blockscope::test {
namespace {

Picture picture_of(const char* sample) {
    Layouter layouter;
    return fresh_picture(layouter, *block_sample(sample));
}

TEST(ShiftBoxes, MovesABlockWithAllThatIsInIt) {
    const Picture before = picture_of("attention");
    Picture after = before;
    const auto frame = static_cast<std::size_t>(
        *std::find_if(before.figure.roots.begin(), before.figure.roots.end(), [&](int root) {
            return before.figure.boxes[static_cast<std::size_t>(root)].kind == BoxKind::Frame;
        }));
    shift_boxes(after, {{before.figure.boxes[frame].id(), {40, -25}}});
    EXPECT_EQ(after.geometry.boxes[frame], before.geometry.boxes[frame].moved(40, -25));
    for (const int child : before.figure.boxes[frame].children)
        EXPECT_EQ(after.geometry.boxes[static_cast<std::size_t>(child)],
                  before.geometry.boxes[static_cast<std::size_t>(child)].moved(40, -25));
    for (std::size_t i = 0; i < before.figure.edges.size(); ++i) {
        const Edge& edge = before.figure.edges[i];
        const bool leaves = edge.container < 0 && static_cast<std::size_t>(edge.from.box) == frame;
        if (!leaves) continue;
        EXPECT_DOUBLE_EQ(after.geometry.edges[i].front().x, before.geometry.edges[i].front().x + 40);
        EXPECT_EQ(after.geometry.edges[i].back(), before.geometry.edges[i].back());
    }
}

TEST(ShiftBoxes, KeepsABlockInItsMap) {
    Picture picture = picture_of("attention");
    for (std::size_t i = 0; i < picture.figure.boxes.size(); ++i) {
        const int parent = picture.figure.boxes[i].parent;
        if (parent < 0) continue;
        Picture moved = picture;
        shift_boxes(moved, {{picture.figure.boxes[i].id(), {100'000, -100'000}}});
        const Rect& rect = moved.geometry.boxes[i];
        const Rect& frame = moved.geometry.boxes[static_cast<std::size_t>(parent)];
        EXPECT_LE(rect.right(), frame.right());
        EXPECT_GE(rect.top(), frame.top());
    }
}

TEST(ShiftBoxes, ThePictureGrowsWithIt) {
    Picture picture = picture_of("gemm-relu");
    const NodeId first = picture.figure.boxes.front().id();
    shift_boxes(picture, {{first, {-500, 0}}});
    EXPECT_LE(picture.geometry.bounds.left(), picture.geometry.boxes.front().left());
}

// Three and more values from one map to the next are one edge with a count.
TEST(Bundles, AreOfEdgesThatRunBesideEachOther) {
    int bundles = 0;
    for (const std::string& sample : distinct_samples()) {
        const Trace trace = fuse(block_sample(sample));
        for (const ProgramPtr& program : {trace.initial, trace.last()}) {
            const Figure figure = make_figure(*program, {}, plain_measure);
            std::map<int, int> members;
            for (const Edge& edge : figure.edges)
                if (edge.bundle >= 0) ++members[edge.bundle];
            for (const auto& [drawn, count] : members) {
                const Edge& one = figure.edges[static_cast<std::size_t>(drawn)];
                EXPECT_EQ(one.bundle, drawn);
                EXPECT_EQ(one.bundled, count);
                EXPECT_GE(count, 3);
                for (const Edge& edge : figure.edges) {
                    if (edge.bundle != drawn) continue;
                    EXPECT_EQ(edge.from.box, one.from.box);
                    EXPECT_EQ(edge.to.box, one.to.box);
                    EXPECT_EQ(edge.buffered, one.buffered);
                }
                ++bundles;
            }
        }
    }
    RecordProperty("bundles", bundles);
}

}  // namespace
}  // namespace blockscope::test
