#include "app/window/picture_view.h"

#include <gmock/gmock.h>

#include <QInputDialog>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

#include "app/document/files.h"
#include "app/panels/array_view.h"
#include "app/scene/canvas.h"
#include "app/shell/progress.h"
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
            const auto known = t.window.services().pictures.known(
                document().snapshot(), document().content().current, view().shape());
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

TEST_F(Pictured, WhatIsRevealedIsUnfoldedAndLargeEnoughToRead) {
    t.window.actions().trigger("step.end");
    t.window.actions().trigger("view.fold_all");
    ASSERT_TRUE(settled());
    view().canvas().set_camera({{-400, -400}, 0.1});
    NodeId inner;  // within all maps
    for (const NodePtr& node : document().content().program()->graph->nodes())
        for (const Map* map = node->as<Map>(); map;) {
            const Map* next = nullptr;
            for (const NodePtr& child : map->body->nodes()) {
                if (child->is<Map>()) next = child->as<Map>();
                if (!child->is<Map>() && !child->is<Input>() && !child->is<Output>()) inner = child->id;
            }
            map = next;
        }
    ASSERT_TRUE(inner);
    document().reveal(inner);
    ASSERT_TRUE(settled());
    const int box = view().picture()->figure.find(inner);
    ASSERT_EQ(view().picture()->figure.boxes[box].id(), inner) << "no cloud hides it";
    EXPECT_EQ(document().selection().nodes, std::set<NodeId>{inner});
    EXPECT_TRUE(QRectF(view().canvas().rect()).contains(view().canvas().box_rect(box)));
    EXPECT_GE(view().canvas().camera().scale, 0.8);
    const Camera camera = view().canvas().camera();
    document().reveal(inner);
    EXPECT_EQ(view().canvas().camera(), camera) << "it is seen well already";
    document().undo();
    EXPECT_FALSE(document().content().folds.empty());
}

TEST_F(Pictured, HowItIsLookedAtIsSavedButNoReasonToSave) {
    t.window.actions().trigger("step.forward");
    const QString path = t.folder.filePath(QStringLiteral("a.blockscope"));
    ASSERT_TRUE(settled());
    ASSERT_TRUE(t.window.opener().save(path));
    const Camera camera{{31.4159, 271.828}, 1.7};
    view().canvas().set_camera(camera);
    const NodeId node = view().picture()->figure.boxes[0].id();
    document().select({{node}, {}, {}});
    t.window.actions().trigger("view.edge_labels");
    const bool labels = t.settings.edge_labels();
    EXPECT_FALSE(document().modified());
    EXPECT_FALSE(t.window.opener().has_unsaved_work());
    ASSERT_TRUE(t.window.opener().save(path));
    const std::string saved = *read_file(path);

    ASSERT_TRUE(t.open_sample("softmax"));
    t.settings.set_edge_labels(!labels);
    ASSERT_TRUE(test::wait_until([&] { return view().picture()->figure.find(node) < 0 || settled(); }));
    t.window.open_file(path);
    ASSERT_TRUE(test::wait_until([&] { return document().path() == path; }));
    ASSERT_TRUE(settled());
    EXPECT_EQ(view().canvas().camera(), camera);
    EXPECT_EQ(document().selection().nodes, std::set<NodeId>{node});
    EXPECT_EQ(t.settings.edge_labels(), labels);
    EXPECT_FALSE(document().modified());
    ASSERT_TRUE(t.window.opener().save(path));
    EXPECT_EQ(*read_file(path), saved);
}

TEST_F(Pictured, AFittedViewIsSavedAsSuch) {
    view().canvas().zoom(2);
    EXPECT_TRUE(document().view().camera);
    t.window.actions().trigger("view.fit");
    EXPECT_FALSE(document().view().camera);
}

TEST_F(Pictured, FoldsToAnyDepth) {
    t.window.actions().trigger("step.end");
    ASSERT_TRUE(settled());
    t.window.actions().trigger("view.fold_depth");
    auto* dialog = view().findChild<QInputDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->intMaximum(), 3)
        << "attention ends with three maps in each other, two of them drawn as one";
    dialog->setIntValue(2);
    dialog->accept();
    EXPECT_EQ(document().content().folds, folds_at_depth(*document().content().program(), 2));
    EXPECT_FALSE(document().content().folds.empty());
}

TEST_F(Pictured, AnotherDocumentIsFitted) {
    ASSERT_TRUE(t.open_sample("gemm-relu"));
    ASSERT_TRUE(settled());
    const Rect seen = view().canvas().visible();
    const Rect& bounds = view().picture()->geometry.bounds;
    EXPECT_LE(seen.left(), bounds.left());
    EXPECT_GE(seen.bottom(), bounds.bottom());
}

// It has its place as soon as something is selected, not only when the window has another size.
TEST_F(Pictured, TheWayToTheSelectionIsShownAtOnce) {
    auto* way = t.window.findChild<Breadcrumb*>();
    ASSERT_TRUE(way && way->isHidden());
    const Picture& picture = *t.window.view().picture();
    const auto inner = std::find_if(picture.figure.boxes.begin(), picture.figure.boxes.end(),
                                    [](const Box& box) { return box.parent >= 0; });
    ASSERT_NE(inner, picture.figure.boxes.end());
    t.window.document().select({{inner->id()}, {}, {}});
    const auto seen = [&] {
        const QList<QToolButton*> parts = way->findChildren<QToolButton*>();
        return std::count_if(parts.begin(), parts.end(), [&](const QToolButton* part) {
            return part->isVisible() && way->rect().contains(part->geometry());
        });
    };
    EXPECT_TRUE(test::wait_until([&] { return seen() >= 3; })) << "the program, the map, what is in it";
}

TEST_F(Pictured, AFoldedMapIsCalledAsBeforeOnTheWay) {
    const auto* way = t.window.findChild<Breadcrumb*>();
    const std::vector<Box>& boxes = view().picture()->figure.boxes;
    const auto map = std::find_if(boxes.begin(), boxes.end(), [](const Box& box) {
        return box.kind == BoxKind::Frame && box.parent < 0;
    });
    ASSERT_NE(map, boxes.end());
    const NodeId id = map->id();
    const QString name = QString::fromStdString(map->corner) + QStringLiteral("-map");
    const auto last = [&] {
        const QList<QToolButton*> parts = way->findChildren<QToolButton*>();
        return parts.isEmpty() ? QString() : parts.last()->text();
    };
    document().select({{id}, {}, {}});
    EXPECT_TRUE(test::wait_until([&] { return last() == name; })) << last().toStdString();
    document().toggle_fold(id);
    ASSERT_TRUE(settled());
    const Picture& folded = *view().picture();
    ASSERT_EQ(folded.figure.boxes[static_cast<std::size_t>(folded.figure.find(id))].kind, BoxKind::Cloud);
    EXPECT_TRUE(test::wait_until([&] { return last() == name; })) << last().toStdString();
}

// A preview is no state: it says so, and what the match would make is marked.
TEST_F(Pictured, APreviewIsToldFromTheState) {
    const auto* chip = view().findChild<QLabel*>(QStringLiteral("picture_chip"));
    ASSERT_NE(chip, nullptr);
    const PicturePtr before = view().picture();
    const auto is_marked = [&] {
        const auto& boxes = view().canvas().lights().boxes;
        return std::any_of(boxes.begin(), boxes.end(), [&](const auto& lit) {
            const NodeId id = view().picture()->figure.boxes[static_cast<std::size_t>(lit.first)].id();
            return lit.second == Mark::Made && before->figure.find(id) < 0;
        });
    };
    EXPECT_FALSE(chip->isVisible());
    document().set_preview(all_matches(*document().content().program()).front());
    ASSERT_TRUE(test::wait_until([&] { return view().picture() != before; }));
    EXPECT_TRUE(chip->isVisible());
    EXPECT_TRUE(is_marked());
    const Figure& figure = view().picture()->figure;
    for (std::size_t i = 0; i < figure.boxes.size(); ++i)
        EXPECT_TRUE(figure.boxes[i].kind == BoxKind::Frame ||
                    !view().canvas().box_rect(static_cast<int>(i)).intersects(chip->geometry()))
            << "it covers " << figure.boxes[i].label;
    document().set_preview({});
    ASSERT_TRUE(test::wait_until([&] { return view().picture() == before; }));
    EXPECT_FALSE(chip->isVisible());
    EXPECT_FALSE(is_marked());
}

// The very same, to the pixel: the camera, too, which the steps move where a picture outgrows the view.
TEST_F(Pictured, GoingBackLooksAsItDidBefore) {
    std::vector<Camera> cameras = {view().canvas().camera()};
    std::vector<bool> fitted = {view().canvas().is_fitted()};
    while (document().can_forward()) {
        t.window.actions().trigger("step.forward");
        ASSERT_TRUE(settled());
        cameras.push_back(view().canvas().camera());
        fitted.push_back(view().canvas().is_fitted());
    }
    ASSERT_EQ(cameras.size(), 18u);
    EXPECT_NE(cameras.front(), cameras.back()) << "the last picture is much smaller than the first";
    for (std::size_t step = cameras.size() - 1; step-- > 0;) {
        t.window.actions().trigger("step.back");
        ASSERT_TRUE(settled());
        EXPECT_EQ(view().canvas().camera(), cameras[step]) << step;
        EXPECT_EQ(view().canvas().is_fitted(), fitted[step]) << step;
    }
    EXPECT_FALSE(document().view().camera) << "what the view chooses by itself it chooses again";
    // Who has looked elsewhere meanwhile stays there.
    view().canvas().set_camera({view().canvas().camera().center, 2});
    const Camera chosen = view().canvas().camera();
    t.window.actions().trigger("step.forward");
    ASSERT_TRUE(settled());
    EXPECT_EQ(view().canvas().camera().scale, chosen.scale);
}

// A step that nobody could see would look as if the key did nothing.
TEST_F(Pictured, AStepOutOfSightIsGoneTo) {
    t.window.actions().trigger("step.end");
    t.window.actions().trigger("step.back");
    ASSERT_TRUE(settled());
    Canvas& canvas = view().canvas();
    canvas.set_camera({{-4000, -4000}, 1});
    t.window.actions().trigger("step.forward");
    ASSERT_TRUE(settled());
    const std::vector<Lineage>& made = document().content().state().step->made;
    const auto seen = [&](const Lineage& line) {
        const int box = view().picture()->figure.find(line.made);
        return box >= 0 && QRectF(canvas.rect()).intersects(canvas.box_rect(box));
    };
    EXPECT_TRUE(std::any_of(made.begin(), made.end(), seen));
    const Camera camera = canvas.camera();
    t.window.actions().trigger("step.back");
    ASSERT_TRUE(settled());
    t.window.actions().trigger("step.forward");
    ASSERT_TRUE(settled());
    EXPECT_EQ(canvas.camera().center.x, camera.center.x) << "what is seen stays where it is";
    EXPECT_EQ(canvas.camera().center.y, camera.center.y);
}

TEST_F(Pictured, ThePresentationSaysWhichStepItShows) {
    const auto* caption = view().findChild<QLabel*>(QStringLiteral("step_caption"));
    ASSERT_NE(caption, nullptr);
    t.window.actions().trigger("step.forward");
    EXPECT_FALSE(caption->isVisible());
    t.window.actions().trigger("view.presentation");
    EXPECT_TRUE(caption->isVisible());
    EXPECT_TRUE(caption->text().startsWith(QStringLiteral("Step 1 of 17 · rule 1: fuse loops")));
    EXPECT_FALSE(view().canvas().geometry().intersects(caption->geometry())) << "it covers nothing";
    t.window.actions().trigger("step.back");
    EXPECT_TRUE(caption->text().startsWith(QStringLiteral("Initial program")));
    t.window.actions().trigger("edit.deselect");
    EXPECT_FALSE(caption->isVisible());
}

// The last state of the decoder block: 76 pictures follow one another.
class LatePicture : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(t.open_sample("decoder-block"));
        ASSERT_TRUE(test::wait_until([&] { return view().picture() != nullptr; }));
        bar = view().findChild<ProgressOverlay*>();
        ASSERT_NE(bar, nullptr);
        first = view().picture();
    }
    PictureView& view() { return t.window.view(); }
    Document& document() { return t.window.document(); }
    bool is_late() {
        return test::wait_until([&] { return bar->isVisible() || view().picture() != first; }) &&
               bar->isVisible();
    }
    void cancel() { bar->findChild<QPushButton*>()->click(); }

    TestWindow t;
    ProgressOverlay* bar = nullptr;
    PicturePtr first;
};

TEST_F(LatePicture, IsAnnouncedAndCancelGoesBackToWhatIsShown) {
    const QRect canvas = view().canvas().geometry();
    const Camera camera = view().canvas().camera();
    t.window.actions().trigger("step.end");
    ASSERT_TRUE(is_late());
    EXPECT_EQ(view().canvas().geometry(), canvas) << "the bar moves nothing";
    EXPECT_NE(document().content().current, 0);
    const auto* share = bar->findChild<QProgressBar*>();
    ASSERT_TRUE(test::wait_until([&] { return share->value() > 0 || !bar->isVisible(); }));
    ASSERT_TRUE(bar->isVisible());
    EXPECT_LT(share->value(), share->maximum());
    cancel();
    EXPECT_EQ(document().content().current, 0);
    EXPECT_FALSE(bar->isVisible());
    EXPECT_EQ(view().picture(), first);
    EXPECT_EQ(view().canvas().camera(), camera);
    EXPECT_TRUE(document().can_undo()) << "the way there and back";
}

TEST_F(LatePicture, IsNoLongerAnnouncedWhenItIsThere) {
    t.window.actions().trigger("step.end");
    ASSERT_TRUE(is_late());
    ASSERT_TRUE(test::wait_until([&] { return view().picture() != first; }));
    EXPECT_FALSE(bar->isVisible());
    EXPECT_FALSE(bar->waiting());
}

TEST_F(LatePicture, GoesWithItsDocument) {
    t.window.actions().trigger("step.end");
    ASSERT_TRUE(is_late());
    document().close();
    EXPECT_FALSE(bar->waiting());
    ASSERT_TRUE(t.open_sample("softmax"));
    ASSERT_TRUE(test::wait_until([&] { return view().picture() && !bar->waiting(); }));
    EXPECT_FALSE(bar->isVisible());
}

// The array program's own picture can be long in coming, too.
TEST(ArrayPicture, CanBeCancelledAndComesWithTheNextStep) {
    TestWindow t;
    ASSERT_TRUE(t.open_sample("attention"));
    t.window.actions().trigger("panel.array");
    auto* array = t.window.findChild<ArrayView*>();
    ASSERT_NE(array, nullptr);
    auto* bar = array->findChild<ProgressOverlay*>();
    ASSERT_NE(bar, nullptr);
    ASSERT_TRUE(bar->waiting());
    bar->findChild<QPushButton*>()->click();
    EXPECT_FALSE(bar->waiting());
    for (int i = 0; i < 20; ++i) QCoreApplication::processEvents(QEventLoop::AllEvents, 10);
    EXPECT_EQ(array->canvas().picture(), nullptr);
    t.window.actions().trigger("step.forward");
    ASSERT_TRUE(test::wait_until([&] { return array->canvas().picture() != nullptr; }));
    EXPECT_FALSE(bar->waiting());
}

}  // namespace
}  // namespace blockscope
