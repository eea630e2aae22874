// The widget around a chart: pointing, clicking, keys.
#include "app/charts/chart.h"

#include <gmock/gmock.h>

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

namespace blockscope {
namespace {

// Two squares side by side, with keys 3 and 4.
std::vector<ChartSpot> two_squares(QPainter&, const QRectF&, const ChartStyle&) {
    std::vector<ChartSpot> spots;
    for (int i = 0; i < 2; ++i) {
        QPainterPath area;
        area.addRect(20 + 50 * i, 20, 40, 40);
        spots.push_back({area, QStringLiteral("square %1").arg(i), 3 + i});
    }
    return spots;
}

class ChartViewTest : public testing::Test {
protected:
    ChartViewTest() {
        view_.resize(200, 100);
        view_.show_chart(two_squares, QStringLiteral("Two squares"));
        view_.grab();
        QObject::connect(&view_, &ChartView::chosen, [this](int key, int) { chosen_.push_back(key); });
        QObject::connect(&view_, &ChartView::opened, [this](int key) { opened_.push_back(key); });
        QObject::connect(&view_, &ChartView::pointed, [this](int key) { pointed_.push_back(key); });
    }
    void mouse(QEvent::Type type, QPointF at) {
        QMouseEvent event(type, at, at, Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&view_, &event);
    }
    void key(Qt::Key key) {
        QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
        QApplication::sendEvent(&view_, &event);
    }

    ChartView view_;
    std::vector<int> chosen_, opened_, pointed_;
};

TEST_F(ChartViewTest, a_click_chooses_what_is_under_it) {
    mouse(QEvent::MouseButtonPress, {80, 30});
    mouse(QEvent::MouseButtonPress, {180, 90});
    EXPECT_THAT(chosen_, testing::ElementsAre(4));
}

TEST_F(ChartViewTest, the_pointer_is_told_once_for_each_spot) {
    mouse(QEvent::MouseMove, {25, 25});
    mouse(QEvent::MouseMove, {30, 30});
    mouse(QEvent::MouseMove, {80, 30});
    mouse(QEvent::MouseMove, {180, 90});
    EXPECT_THAT(pointed_, testing::ElementsAre(3, 4, -1));
}

TEST_F(ChartViewTest, a_double_click_opens_what_is_under_it) {
    mouse(QEvent::MouseButtonDblClick, {80, 30});
    mouse(QEvent::MouseButtonDblClick, {180, 90});
    EXPECT_THAT(opened_, testing::ElementsAre(4));
}

TEST_F(ChartViewTest, arrow_keys_go_from_spot_to_spot_space_chooses_and_return_opens) {
    key(Qt::Key_Space);
    key(Qt::Key_Return);
    key(Qt::Key_Right);
    key(Qt::Key_Right);
    key(Qt::Key_Right);
    key(Qt::Key_Space);
    key(Qt::Key_Left);
    key(Qt::Key_Space);
    key(Qt::Key_Return);
    EXPECT_THAT(chosen_, testing::ElementsAre(4, 3));
    EXPECT_THAT(opened_, testing::ElementsAre(3));
    EXPECT_EQ(view_.accessibleName(), QStringLiteral("square 0"));
    EXPECT_EQ(view_.accessibleDescription(), QStringLiteral("Two squares"));
}

// What lies under the states' spots is no state's: it is reached backwards.
TEST_F(ChartViewTest, keys_begin_with_the_first_state) {
    const auto with_ceiling = [](QPainter& painter, const QRectF& all, const ChartStyle& style) {
        std::vector<ChartSpot> spots = two_squares(painter, all, style);
        spots.insert(spots.begin(), ChartSpot{spots[0].area, QStringLiteral("ceiling"), -3});
        return spots;
    };
    view_.show_chart(with_ceiling, {});
    view_.grab();
    for (const Qt::Key pressed : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Left, Qt::Key_Left, Qt::Key_Left})
        key(pressed);
    EXPECT_THAT(pointed_, testing::ElementsAre(3, 4, 3, -3));
}

}  // namespace
}  // namespace blockscope
