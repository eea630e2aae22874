#include "app/scene/canvas.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>

#include "app/scene/minimap.h"
#include "tests/scene/pictures.h"

namespace blockscope {
namespace {

PicturePtr shared(Picture picture) {
    return std::make_shared<const Picture>(std::move(picture));
}

class CanvasTest : public testing::Test {
protected:
    CanvasTest() {
        canvas.resize(600, 500);
        canvas.set_animated(false);
        canvas.show();
        canvas.show_picture(shared(test::small_picture()));
    }

    void mouse(QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {}) {
        const bool down = type != QEvent::MouseButtonRelease;
        QMouseEvent event(type, at, canvas.mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : button,
                          down ? button : Qt::NoButton, modifiers);
        QApplication::sendEvent(&canvas, &event);
    }
    void drag(QPointF from, QPointF to, Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {}) {
        mouse(QEvent::MouseButtonPress, from, button, modifiers);
        mouse(QEvent::MouseMove, (from + to) / 2, button, modifiers);
        mouse(QEvent::MouseMove, to, button, modifiers);
        mouse(QEvent::MouseButtonRelease, to, button, modifiers);
    }
    void wheel(QPointF at, QPoint pixels, QPoint angle, Qt::KeyboardModifiers modifiers = {}) {
        QWheelEvent event(at, canvas.mapToGlobal(at), pixels, angle, Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas, &event);
    }
    QPointF middle_of(int box) const { return canvas.box_rect(box).center(); }

    Canvas canvas;
};

TEST_F(CanvasTest, TheFirstPictureIsFitted) {
    const Rect seen = canvas.visible();
    const Rect& bounds = canvas.picture()->geometry.bounds;
    EXPECT_LE(seen.left(), bounds.left());
    EXPECT_GE(seen.right(), bounds.right());
    EXPECT_GE(seen.bottom(), bounds.bottom());
    EXPECT_EQ(canvas.camera().center, bounds.center());
}

// A number of the heat map is hit on its plate alone, and selects what it is of.
TEST_F(CanvasTest, ANumberOfTheHeatMapCanBeClicked) {
    const int box = canvas.picture()->figure.roots.front();
    Lights lights;
    lights.heated = true;
    lights.heat[box] = {1, "12 MB"};
    lights.edge_heat[0] = {0.5, "3 MB"};
    canvas.set_lights(lights);
    canvas.set_camera({canvas.picture()->geometry.bounds.center(), 1});
    std::vector<std::pair<int, int>> numbers;
    std::vector<std::pair<int, int>> clicked;
    QObject::connect(&canvas, &Canvas::number_clicked, [&](int b, int e) { numbers.emplace_back(b, e); });
    QObject::connect(&canvas, &Canvas::clicked, [&](int b, int e) { clicked.emplace_back(b, e); });
    const auto click = [&](QPointF at) {
        mouse(QEvent::MouseButtonPress, at, Qt::LeftButton);
        mouse(QEvent::MouseButtonRelease, at, Qt::LeftButton);
    };
    const QRectF rect = canvas.box_rect(box);
    click({rect.center().x(), rect.bottom() + 4});  // below the box, on its plate
    ASSERT_EQ(numbers.size(), 1U);
    EXPECT_EQ(numbers[0], std::pair(box, -1));
    EXPECT_EQ(clicked[0], std::pair(box, -1));
    click(rect.center());
    EXPECT_EQ(numbers.size(), 1U) << "the box itself is no number";
    const Point label = canvas.picture()->geometry.labels[0];
    const Camera camera = canvas.camera();
    click({(label.x - camera.center.x) * camera.scale + canvas.width() / 2.0,
           (label.y - camera.center.y) * camera.scale + canvas.height() / 2.0});
    ASSERT_EQ(numbers.size(), 2U);
    EXPECT_EQ(numbers[1], std::pair(-1, 0));
    lights.heated = false;
    canvas.set_lights(lights);
    click({rect.center().x(), rect.bottom() + 4});
    EXPECT_EQ(numbers.size(), 2U);
}

TEST_F(CanvasTest, ATrackpadsPinchZoomsAboutThePointer) {
    const QPointF at(280, 240);
    const Point held = to_picture(canvas.camera(), canvas.size(), at);
    const double scale = canvas.camera().scale;
    QNativeGestureEvent pinch(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, at, at,
                              canvas.mapToGlobal(at), 0.5, {});
    QApplication::sendEvent(&canvas, &pinch);
    EXPECT_NEAR(canvas.camera().scale, 1.5 * scale, 1e-9);
    const Point now = to_picture(canvas.camera(), canvas.size(), at);
    EXPECT_NEAR(now.x, held.x, 1e-6);
    EXPECT_NEAR(now.y, held.y, 1e-6);
}

// How much is Qt's to say, and what it says of touches that a test makes is more than their spread.
TEST_F(CanvasTest, TwoFingersOnAScreenZoomWhereTheyAre) {
    static QPointingDevice* screen = QTest::createTouchDevice();
    const QPoint middle(300, 250);
    const double scale = canvas.camera().scale;
    const auto fingers = [&](int apart, auto put) {
        QTest::qSleep(2);  // two touches at the same millisecond are one to Qt
        QTest::QTouchEventWidgetSequence touch = QTest::touchEvent(&canvas, screen, false);
        put(touch, 0, middle - QPoint(apart, 0));
        put(touch, 1, middle + QPoint(apart, 0));
        touch.commit();
    };
    fingers(50, [&](auto& touch, int finger, QPoint at) { touch.press(finger, at, &canvas); });
    for (int apart = 60; apart <= 100; apart += 10)
        fingers(apart, [&](auto& touch, int finger, QPoint at) { touch.move(finger, at, &canvas); });
    EXPECT_GT(canvas.camera().scale, 1.5 * scale);
    const double large = canvas.camera().scale;
    for (int apart = 90; apart >= 60; apart -= 10)
        fingers(apart, [&](auto& touch, int finger, QPoint at) { touch.move(finger, at, &canvas); });
    EXPECT_LT(canvas.camera().scale, large);
    fingers(60, [&](auto& touch, int finger, QPoint at) { touch.release(finger, at, &canvas); });
}

// A program of thousands of nodes is seen as a whole, and cannot be lost by zooming farther out.
TEST_F(CanvasTest, AVeryLargePictureFits) {
    const Rect wide{0, 0, 300'000, 900};
    Picture picture = test::small_picture();
    picture.geometry.bounds = wide;
    canvas.show_picture(shared(std::move(picture)));
    canvas.fit(false);
    EXPECT_LE(canvas.visible().left(), wide.left());
    EXPECT_GE(canvas.visible().right(), wide.right());
    const double scale = canvas.camera().scale;
    canvas.zoom(0.5);
    EXPECT_NEAR(canvas.camera().scale, scale, 0.05 * scale);
    canvas.zoom(2);
    EXPECT_NEAR(canvas.camera().scale, 2 * scale, 0.1 * scale);
}

TEST_F(CanvasTest, AFittedPictureStaysFittedWhenTheWidgetChanges) {
    canvas.resize(300, 250);
    EXPECT_LE(canvas.visible().top(), 0);
    canvas.zoom(2);
    const double scale = canvas.camera().scale;
    canvas.resize(310, 260);
    EXPECT_DOUBLE_EQ(canvas.camera().scale, scale);
}

TEST_F(CanvasTest, AFittedViewStandsStillWhileThePictureFitsInIt) {
    const Camera before = canvas.camera();
    canvas.show_picture(shared(test::rewritten_picture()));
    EXPECT_EQ(canvas.camera(), before);
    canvas.show_picture(shared(test::large_picture(10, 10)));
    EXPECT_LT(canvas.camera().scale, before.scale);
    EXPECT_GE(canvas.visible().bottom(), canvas.picture()->geometry.bounds.bottom());
    canvas.show_picture(shared(test::small_picture()));
    EXPECT_NEAR(canvas.camera().scale, before.scale, 1e-9);  // much smaller: fitted again
    canvas.zoom(2);
    const Camera chosen = canvas.camera();
    canvas.show_picture(shared(test::large_picture(10, 10)));
    EXPECT_EQ(canvas.camera(), chosen);
}

TEST_F(CanvasTest, ClickAndDoubleClickSayWhatIsThere) {
    std::vector<int> clicked, activated;
    QObject::connect(&canvas, &Canvas::clicked,
                     [&](int box, int, Qt::KeyboardModifiers) { clicked.push_back(box); });
    QObject::connect(&canvas, &Canvas::activated, [&](int box) { activated.push_back(box); });
    mouse(QEvent::MouseButtonPress, middle_of(4), Qt::LeftButton);
    mouse(QEvent::MouseButtonRelease, middle_of(4), Qt::LeftButton);
    mouse(QEvent::MouseButtonPress, {2, 2}, Qt::LeftButton);
    mouse(QEvent::MouseButtonRelease, {2, 2}, Qt::LeftButton);
    mouse(QEvent::MouseButtonDblClick, middle_of(4), Qt::LeftButton);
    mouse(QEvent::MouseButtonRelease, middle_of(4), Qt::LeftButton);
    EXPECT_EQ(clicked, (std::vector<int>{4, -1}));
    EXPECT_EQ(activated, (std::vector<int>{4}));
}

TEST_F(CanvasTest, HoverTellsBoxesAndEdges) {
    std::vector<std::pair<int, int>> seen;
    QObject::connect(&canvas, &Canvas::hovered, [&](int box, int edge) { seen.emplace_back(box, edge); });
    mouse(QEvent::MouseMove, middle_of(4), Qt::NoButton);
    const QPointF below = (middle_of(4) + middle_of(5)) / 2;
    mouse(QEvent::MouseMove, below, Qt::NoButton);
    mouse(QEvent::MouseMove, {1, 1}, Qt::NoButton);
    EXPECT_EQ(seen, (std::vector<std::pair<int, int>>{{4, -1}, {-1, 4}, {-1, -1}}));
}

// What was pointed at in the picture before is not pointed at for ever.
TEST_F(CanvasTest, AnotherPictureEndsHovering) {
    std::vector<std::pair<int, int>> seen;
    QObject::connect(&canvas, &Canvas::hovered, [&](int box, int edge) { seen.emplace_back(box, edge); });
    mouse(QEvent::MouseMove, middle_of(4), Qt::NoButton);
    canvas.show_picture(shared(test::small_picture()));
    EXPECT_EQ(seen, (std::vector<std::pair<int, int>>{{4, -1}, {-1, -1}}));
    canvas.show_picture(shared(test::small_picture()));
    EXPECT_EQ(seen.size(), 2U) << "nothing is pointed at any more";
}

TEST_F(CanvasTest, DraggingPansAndIsNoClick) {
    int clicks = 0;
    QObject::connect(&canvas, &Canvas::clicked, [&] { ++clicks; });
    for (const Qt::MouseButton button : {Qt::LeftButton, Qt::MiddleButton}) {
        const QPointF before = middle_of(4);
        drag({300, 250}, {340, 280}, button);
        EXPECT_EQ(middle_of(4), before + QPointF(40, 30));
        canvas.fit(false);
    }
    EXPECT_EQ(clicks, 0);
}

TEST_F(CanvasTest, ShiftDragSelectsBoxes) {
    std::vector<int> selected;
    QObject::connect(&canvas, &Canvas::boxes_selected,
                     [&](const std::vector<int>& boxes, Qt::KeyboardModifiers) { selected = boxes; });
    const QRectF around = canvas.box_rect(4) | canvas.box_rect(5);
    const Camera before = canvas.camera();
    drag(around.topLeft() - QPointF(3, 3), around.bottomRight() + QPointF(3, 3), Qt::LeftButton,
         Qt::ShiftModifier);
    EXPECT_EQ(selected, (std::vector<int>{4, 5}));
    EXPECT_EQ(canvas.camera(), before);
}

TEST_F(CanvasTest, TheWheelZoomsAboutThePointerAndATrackpadPans) {
    const QPointF at = middle_of(4);
    wheel(at, {}, {0, 120});
    EXPECT_NEAR(middle_of(4).x(), at.x(), 1e-6);
    EXPECT_NEAR(middle_of(4).y(), at.y(), 1e-6);
    const double scale = canvas.camera().scale;
    EXPECT_GT(scale, 1.05);
    wheel(at, {7, -9}, {56, -72});
    EXPECT_DOUBLE_EQ(canvas.camera().scale, scale);
    EXPECT_NEAR(middle_of(4).x(), at.x() + 7, 1e-6);
    wheel(at, {0, 20}, {0, 160}, Qt::ControlModifier);
    EXPECT_GT(canvas.camera().scale, scale);
}

// A notch of the wheel leads to where it would jump, on a way on which what is under the pointer stays there.
TEST_F(CanvasTest, TheWheelMovesTheViewSmoothly) {
    canvas.set_animated(true);
    const QPointF at = middle_of(4);
    const double before = canvas.visible().width;
    std::vector<double> widths;
    QObject::connect(&canvas, &Canvas::camera_changed, &canvas, [&] {
        widths.push_back(canvas.visible().width);
        EXPECT_NEAR(middle_of(4).x(), at.x(), 1e-6);
        EXPECT_NEAR(middle_of(4).y(), at.y(), 1e-6);
    });
    wheel(at, {}, {0, 120});
    EXPECT_TRUE(canvas.moving());
    EXPECT_DOUBLE_EQ(canvas.visible().width, before) << "nothing jumps";
    const double once = canvas.camera().scale;
    wheel(at, {}, {0, 120});
    const double twice = canvas.camera().scale;
    EXPECT_GT(twice, once) << "a second notch on the way adds to the first";
    ASSERT_TRUE(QTest::qWaitFor([&] { return !canvas.moving(); }, 20'000));
    EXPECT_TRUE(std::is_sorted(widths.rbegin(), widths.rend()));
    EXPECT_NEAR(canvas.visible().width, canvas.width() / twice, 1e-6);
}

TEST_F(CanvasTest, PanningPaintsWhatPaintingAfreshPaints) {
    canvas.show_picture(shared(test::large_picture(20, 20)));
    canvas.set_camera({{700, 500}, 0.8});
    canvas.grab();
    for (const QPoint by : {QPoint(40, 0), QPoint(-13, 57), QPoint(3, -120)}) {
        canvas.pan(by.x(), by.y());
        const QImage panned = canvas.grab().toImage();
        canvas.set_theme(canvas.theme());  // forgets all pixels
        const QImage fresh = canvas.grab().toImage();
        EXPECT_EQ(panned, fresh);
    }
}

TEST_F(CanvasTest, LightsRepaintWhatTheyTouch) {
    canvas.grab();
    Lights lights;
    lights.boxes[4] = Mark::Match;
    lights.around[2] = Mark::Hovered;
    lights.edges = {1};
    lights.hovered_edge = 0;
    canvas.set_lights(lights);
    const QImage lit = canvas.grab().toImage();
    canvas.set_theme(canvas.theme());
    EXPECT_EQ(lit, canvas.grab().toImage());
    canvas.set_lights({});
    const QImage dark = canvas.grab().toImage();
    canvas.set_theme(canvas.theme());
    EXPECT_EQ(dark, canvas.grab().toImage());
    EXPECT_NE(lit, dark);
}

TEST_F(CanvasTest, AnEdgeThatIsNoLongerHoveredIsPaintedAgain) {
    const QImage before = canvas.grab().toImage();
    Lights lights;
    lights.hovered_edge = 6;
    canvas.set_lights(lights);
    EXPECT_NE(canvas.grab().toImage(), before);
    canvas.set_lights({});
    EXPECT_EQ(canvas.grab().toImage(), before);
}

TEST_F(CanvasTest, ATransitionEndsWithThePictureThatWasAskedFor) {
    canvas.set_animated(true);
    const std::vector<Lineage> made = test::rewritten_lineage();
    canvas.show_picture(shared(test::rewritten_picture()), &made);
    EXPECT_TRUE(canvas.moving());
    canvas.set_animated(false);
    EXPECT_FALSE(canvas.moving());
    const QImage after = canvas.grab().toImage();
    Canvas other;
    other.resize(canvas.size());
    other.show_picture(shared(test::rewritten_picture()));
    other.set_camera(canvas.camera());
    EXPECT_EQ(after, other.grab().toImage());
}

TEST_F(CanvasTest, ATransitionRunsToItsEnd) {
    canvas.set_animated(true);
    const std::vector<Lineage> made = test::rewritten_lineage();
    canvas.show_picture(shared(test::rewritten_picture()), &made);
    while (canvas.moving()) QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const QImage ran = canvas.grab().toImage();
    canvas.set_theme(canvas.theme());
    EXPECT_EQ(ran, canvas.grab().toImage());
}

TEST_F(CanvasTest, WithoutAnimationsNothingMoves) {
    const std::vector<Lineage> made = test::rewritten_lineage();
    canvas.show_picture(shared(test::rewritten_picture()), &made);
    canvas.zoom(1.5);
    EXPECT_FALSE(canvas.moving());
}

TEST_F(CanvasTest, KeysMoveTheFocusAndTheViewFollows) {
    canvas.set_camera({{0, 0}, 4});
    canvas.focus_box(4);
    EXPECT_TRUE(QRectF(canvas.rect()).contains(middle_of(4)));
    canvas.move_focus(Direction::Down);
    EXPECT_EQ(canvas.focused_box(), 5);
    EXPECT_TRUE(QRectF(canvas.rect()).contains(middle_of(5)));
}

TEST_F(CanvasTest, TheFocusStaysAtItsNode) {
    canvas.focus_box(4);
    canvas.show_picture(shared(test::rewritten_picture()));
    EXPECT_EQ(canvas.focused_box(), canvas.picture()->figure.find(NodeId{11}));
}

TEST_F(CanvasTest, AMessageTakesThePlaceOfThePicture) {
    const QImage picture = canvas.grab().toImage();
    canvas.set_message(QStringLiteral("No program"), QStringLiteral("Open one, or choose a sample."));
    EXPECT_NE(canvas.grab().toImage(), picture);
    EXPECT_TRUE(canvas.accessibleDescription().contains(QStringLiteral("choose a sample")));
    canvas.show_picture(shared(test::small_picture()));
    EXPECT_EQ(canvas.grab().toImage(), picture);
}

TEST(CornerOver, IsWhereLeastIsCovered) {
    const QSize extent(80, 60);
    const QSize canvas(600, 500);
    const std::vector<Qt::Corner> corners = {Qt::TopLeftCorner, Qt::BottomRightCorner};
    const CornerPlace first = corner_over(canvas, extent, corners, {});
    EXPECT_TRUE(first.free);
    EXPECT_LT(first.at.x(), 20) << "the first of equal ones";
    EXPECT_LT(first.at.y(), 20);
    const CornerPlace second = corner_over(canvas, extent, corners, {{QRectF(0, 0, 40, 40)}});
    EXPECT_TRUE(second.free);
    EXPECT_GT(second.at.x(), canvas.width() / 2) << "something lies in the first";
    const QRectF large(0, 0, 200, 200), small(canvas.width() - 20, canvas.height() - 20, 20, 20);
    const CornerPlace least = corner_over(canvas, extent, corners, {{large}, {small}});
    EXPECT_FALSE(least.free);
    EXPECT_GT(least.at.x(), canvas.width() / 2) << "something lies in both";
    const CornerPlace ground = corner_over(canvas, extent, corners, {{large, 0.05, true}, {small, 10}});
    EXPECT_TRUE(ground.free) << "but for the ground of a map";
    EXPECT_FALSE(corner_over(canvas, extent, {Qt::TopLeftCorner}, {covered_end({30, 30})}).free);
}

// It is there while a part of the picture is out of sight, in a corner without blocks if there is one.
TEST_F(CanvasTest, TheMinimapStandsInAFreeCorner) {
    Minimap map(&canvas);
    const auto covers = [&](const QRect& place) {
        const Figure& figure = canvas.picture()->figure;
        for (std::size_t i = 0; i < figure.boxes.size(); ++i)
            if (figure.boxes[i].kind != BoxKind::Frame &&
                canvas.box_rect(static_cast<int>(i)).toRect().intersects(place))
                return true;
        return false;
    };
    const Rect bounds = canvas.picture()->geometry.bounds;
    for (const double x : {bounds.left(), bounds.center().x, bounds.right()}) {
        canvas.set_camera({{x, bounds.center().y}, 1.4});
        map.place();  // as when the camera rests
        if (corner_over(canvas.size(), map.size(), overview_corners(), covered_by(canvas, {})).free) {
            EXPECT_FALSE(covers(map.geometry())) << x;
        }
        EXPECT_TRUE(map.isVisible()) << "a part of the picture is out of sight at " << x;
    }
}

// A discreet one is there only where it covers nothing, not even an edge on its way around blocks.
TEST_F(CanvasTest, ADiscreetMinimapCoversNoBendOfAnEdge) {
    // Two boxes far apart, and an edge that goes around the lower right corner of what is seen.
    Picture picture = *canvas.picture();
    ASSERT_GE(picture.geometry.boxes.size(), 2U);
    Minimap map(&canvas);
    map.set_discreet(true);
    canvas.set_camera({picture.geometry.bounds.center(), 1.4});
    map.place();
    for (Rect& box : picture.geometry.boxes) box = {picture.geometry.bounds.left() - 300, 0, 10, 10};
    const auto at = [&](double x, double y) { return to_picture(canvas.camera(), canvas.size(), {x, y}); };
    const double right = canvas.width() - 20, bottom = canvas.height() - 20;
    const Point begin = at(-50, 100), end = at(right, -50), bend = at(right, bottom), left = at(-50, bottom);
    for (Curve& edge : picture.geometry.edges)
        edge = {begin, begin, left, left, left, bend, bend, bend, end, end};
    const auto show = [&](const Picture& shown) {
        canvas.show_picture(std::make_shared<const Picture>(shown), nullptr);
        canvas.set_camera({picture.geometry.bounds.center(), 1.4});
        map.place();
        return map.isVisible() ? map.geometry() : QRect();
    };
    const QRect first = show(picture);
    EXPECT_FALSE(first.contains(QPoint(canvas.width() - 20, canvas.height() - 20)));
    for (Curve& edge : picture.geometry.edges) edge = {begin, begin, begin, begin};
    const QRect second = show(picture);
    EXPECT_TRUE(second.contains(QPoint(canvas.width() - 20, canvas.height() - 20))) << "nothing is there";
}

TEST_F(CanvasTest, TheMinimapMovesTheCanvas) {
    Minimap map(&canvas);
    EXPECT_FALSE(map.isVisible());  // everything is in view
    canvas.set_camera({{60, 60}, 4});
    EXPECT_TRUE(map.isVisible());
    const Point before = canvas.camera().center;
    const QPointF corner(map.width() - 8, map.height() - 8);
    QMouseEvent press(QEvent::MouseButtonPress, corner, map.mapToGlobal(corner), Qt::LeftButton,
                      Qt::LeftButton, {});
    QApplication::sendEvent(&map, &press);
    EXPECT_GT(canvas.camera().center.x, before.x + 100);
    EXPECT_GT(canvas.camera().center.y, before.y + 200);
    map.set_wanted(false);
    EXPECT_FALSE(map.isVisible());
}

}  // namespace
}  // namespace blockscope
