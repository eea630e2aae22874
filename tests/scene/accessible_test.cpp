#include <gtest/gtest.h>

#include <QAccessible>

#include "app/scene/canvas.h"
#include "tests/scene/pictures.h"

namespace blockscope {
namespace {

class CanvasForScreenReaders : public testing::Test {
protected:
    CanvasForScreenReaders() {
        canvas.resize(600, 500);
        canvas.show_picture(std::make_shared<const Picture>(test::small_picture()));
        root = QAccessible::queryAccessibleInterface(&canvas);
    }

    Canvas canvas;
    QAccessibleInterface* root = nullptr;
};

TEST_F(CanvasForScreenReaders, BoxesAreItsChildrenByName) {
    ASSERT_TRUE(root);
    EXPECT_EQ(root->role(), QAccessible::Canvas);
    const auto edges = static_cast<int>(canvas.picture()->figure.edges.size());
    ASSERT_GT(edges, 0);
    ASSERT_EQ(root->childCount(), 4 + edges);
    EXPECT_EQ(root->child(0)->text(QAccessible::Name), "Q(M,D) n1");
    QAccessibleInterface* map = root->child(2);
    EXPECT_EQ(map->role(), QAccessible::Grouping);
    ASSERT_EQ(map->childCount(), 2);
    EXPECT_EQ(map->child(0)->text(QAccessible::Name), "dot n11");
    EXPECT_EQ(map->child(0)->parent(), map);
    EXPECT_EQ(map->parent(), root);
    EXPECT_EQ(root->indexOfChild(map), 2);
}

TEST_F(CanvasForScreenReaders, EdgesFollowByTheirEndsAndWhatTheyCarry) {
    const Figure& figure = canvas.picture()->figure;
    for (std::size_t i = 0; i < figure.edges.size(); ++i) {
        QAccessibleInterface* edge = root->child(4 + static_cast<int>(i));
        ASSERT_TRUE(edge);
        const Box& from = figure.boxes[static_cast<std::size_t>(figure.edges[i].from.box)];
        const QString name = edge->text(QAccessible::Name);
        EXPECT_TRUE(name.startsWith(QStringLiteral("edge from ") +
                                    QString::fromStdString(from.label.empty() ? from.corner : from.label)))
            << name.toStdString();
        EXPECT_TRUE(name.endsWith(edge_words(figure.edges[i])));
        EXPECT_EQ(edge->parent(), root);
        EXPECT_FALSE(edge->rect().isNull());
    }
}

TEST_F(CanvasForScreenReaders, RectanglesAreWhereTheBoxesAre) {
    const QRect rect = root->child(2)->rect();
    EXPECT_TRUE(rect.contains(root->child(2)->child(0)->rect()));
    const QPoint middle = root->child(2)->child(0)->rect().center();
    QAccessibleInterface* found = root->childAt(middle.x(), middle.y());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->childAt(middle.x(), middle.y()), root->child(2)->child(0));
}

TEST_F(CanvasForScreenReaders, AnotherPictureHasItsOwn) {
    root->child(2)->child(1);
    canvas.show_picture(std::make_shared<const Picture>(test::rewritten_picture()));
    EXPECT_EQ(root->child(2)->child(1)->text(QAccessible::Name), "exp(x/8) n15");
}

TEST_F(CanvasForScreenReaders, SelectionIsAState) {
    Lights lights;
    lights.boxes[0] = Mark::Selected;
    canvas.set_lights(lights);
    EXPECT_TRUE(root->child(0)->state().selected);
    EXPECT_FALSE(root->child(1)->state().selected);
}

}  // namespace
}  // namespace blockscope
