#include "app/window/picture_view.h"

#include <gmock/gmock.h>

#include "app/scene/canvas.h"
#include "app/window/picture_lights.h"
#include "tests/window/window_support.h"

namespace blockscope {
namespace {

using test::TestWindow;

class Pictured : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(t.open_sample("attention"));
        ASSERT_TRUE(test::wait_until([&] { return view().picture() != nullptr; }));
    }
    PictureView& view() { return t.window.view(); }
    Document& document() { return t.window.document(); }
    // Waits until the canvas shows the document's state.
    bool settled() {
        return test::wait_until([&] {
            const auto known =
                t.window.services().pictures.known(document().snapshot(), document().content().current);
            return known && known == view().picture();
        });
    }
    TestWindow t;
};

TEST_F(Pictured, StepsForwardAndBackToTheVerySamePicture) {
    const PicturePtr first = view().picture();
    t.window.actions().trigger("step.forward");
    ASSERT_TRUE(settled());
    EXPECT_NE(view().picture(), first);
    t.window.actions().trigger("step.back");
    ASSERT_TRUE(settled());
    EXPECT_EQ(view().picture(), first);
}

TEST_F(Pictured, AClickSelectsAndItsLightComesBack) {
    const Picture& picture = *view().picture();
    const int box = picture.figure.roots.front();
    Q_EMIT view().canvas().clicked(box, -1, Qt::NoModifier);
    EXPECT_EQ(document().selection().nodes, std::set<NodeId>{picture.figure.boxes[box].id()});
    EXPECT_EQ(view().canvas().lights().boxes.at(box), Mark::Selected);
    const int other = picture.figure.roots.back();
    Q_EMIT view().canvas().clicked(other, -1, Qt::ShiftModifier);
    EXPECT_EQ(document().selection().nodes.size(), 2u);
    t.window.actions().trigger("edit.deselect");
    EXPECT_TRUE(document().selection().empty());
}

TEST_F(Pictured, ASelectedEdgeLightsItsWholeWay) {
    const Picture& picture = *view().picture();
    Q_EMIT view().canvas().clicked(-1, 0, Qt::NoModifier);
    ASSERT_TRUE(document().selection().value);
    const int edge = edge_of(picture, document().selection());
    const ValuePath path = value_path(picture.figure, edge);
    EXPECT_EQ(view().canvas().lights().edges, std::set<int>(path.edges.begin(), path.edges.end()));
    EXPECT_TRUE(bounds_of(picture, document().selection()));
}

TEST_F(Pictured, ArrowsGoFromNodeToNode) {
    t.window.actions().trigger("picture.down");
    ASSERT_EQ(document().selection().nodes.size(), 1u);
    const NodeId first = *document().selection().nodes.begin();
    t.window.actions().trigger("picture.down");
    EXPECT_NE(*document().selection().nodes.begin(), first);
}

TEST_F(Pictured, ADoubleClickFoldsAMapAndUndoUnfoldsIt) {
    const Picture& picture = *view().picture();
    int frame = -1;
    for (int i = 0; i < static_cast<int>(picture.figure.boxes.size()) && frame < 0; ++i)
        if (picture.figure.boxes[i].kind == BoxKind::Frame) frame = i;
    ASSERT_GE(frame, 0);
    const NodeId map = picture.figure.boxes[frame].id();
    Q_EMIT view().canvas().activated(frame);
    EXPECT_EQ(document().content().folds, Folds{map});
    ASSERT_TRUE(settled());
    EXPECT_EQ(view().picture()->figure.boxes[view().picture()->figure.find(map)].kind, BoxKind::Cloud);
    document().undo();
    EXPECT_TRUE(document().content().folds.empty());
}

TEST_F(Pictured, HoverIsSharedWithTheDocument) {
    const int box = view().picture()->figure.roots.front();
    Q_EMIT view().canvas().hovered(box, -1);
    EXPECT_EQ(document().hover().nodes.size(), 1u);
    Q_EMIT view().canvas().hovered(-1, -1);
    EXPECT_TRUE(document().hover().empty());
}

TEST_F(Pictured, AnotherDocumentIsFitted) {
    ASSERT_TRUE(t.open_sample("gemm-relu"));
    ASSERT_TRUE(settled());
    const Rect seen = view().canvas().visible();
    const Rect& bounds = view().picture()->geometry.bounds;
    EXPECT_LE(seen.left(), bounds.left());
    EXPECT_GE(seen.bottom(), bounds.bottom());
}

}  // namespace
}  // namespace blockscope
