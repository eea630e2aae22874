// Ranges, ticks and numbers of axes; places of labels.
#include "app/charts/chart.h"

#include <gmock/gmock.h>

#include <cmath>

namespace blockscope {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

std::vector<double> majors(const Range& range, int most) {
    std::vector<double> values;
    for (const Tick& tick : ticks(range, most))
        if (tick.major) values.push_back(tick.value);
    return values;
}

TEST(Range, linear_ticks_are_round_and_few) {
    EXPECT_THAT(majors({0, 80, false}, 6), ElementsAre(0, 20, 40, 60, 80));
    EXPECT_THAT(majors({0, 1, false}, 6), ElementsAre(0, DoubleNear(0.2, 1e-12), DoubleNear(0.4, 1e-12),
                                                      DoubleNear(0.6, 1e-12), DoubleNear(0.8, 1e-12), 1));
    for (const double to : {0.3, 7.0, 12.5, 999.0, 1e15})
        for (const int most : {2, 4, 8}) EXPECT_LE(majors({0, to, false}, most).size(), 8u) << to;
}

TEST(Range, logarithmic_ticks_are_powers_of_ten) {
    EXPECT_THAT(majors({1, 1000, true}, 6), ElementsAre(1, 10, 100, 1000));
    EXPECT_THAT(majors({1, 1e12, true}, 4).size(), testing::Le(4u));
    // Less than a decade still has two labels.
    EXPECT_GE(majors({1.5, 6, true}, 6).size(), 2u);
}

TEST(Range, holds_all_values_with_room) {
    const Range log = range_of({3, 700, 0, -1, NAN}, true);
    EXPECT_LT(log.from, 3);
    EXPECT_GT(log.to, 700);
    EXPECT_GT(log.share(3), 0);
    EXPECT_LT(log.share(700), 1);
    const Range linear = range_of({5, 97}, false);
    EXPECT_EQ(linear.from, 0);
    EXPECT_GE(linear.to, 97);
    EXPECT_EQ(range_of({}, true).from, 1);
    EXPECT_GE(range_of({0}, false).to, 1);
}

TEST(Range, numbers_have_three_digits_and_a_prefix) {
    const QString space(QChar(0xa0));
    EXPECT_EQ(short_number(0), QStringLiteral("0"));
    EXPECT_EQ(short_number(1536), QStringLiteral("1.54") + space + QStringLiteral("k"));
    EXPECT_EQ(short_number(999.6), QStringLiteral("1") + space + QStringLiteral("k"));
    EXPECT_EQ(with_unit(3.2e-6, QStringLiteral("s")),
              QStringLiteral("3.2") + space + QStringLiteral("\u00b5s"));
    EXPECT_EQ(with_unit(989e12, QStringLiteral("FLOP/s")),
              QStringLiteral("989") + space + QStringLiteral("TFLOP/s"));
    EXPECT_EQ(with_unit(-20, QStringLiteral("B")), QStringLiteral("-20") + space + QStringLiteral("B"));
}

TEST(LabelPlacer, labels_cover_nothing) {
    const QRectF inside(0, 0, 200, 200);
    LabelPlacer placer(inside);
    std::vector<QRectF> placed;
    int refused = 0;
    for (int i = 0; i < 40; ++i) {
        const QPointF point(60 + 13 * (i % 8), 60 + 17 * (i / 8));
        const auto rect = placer.place(point, 4, {24, 12});
        if (!rect) {
            ++refused;
            continue;
        }
        EXPECT_TRUE(inside.contains(*rect));
        for (const QRectF& other : placed) EXPECT_FALSE(other.intersects(*rect));
        placed.push_back(*rect);
    }
    EXPECT_GT(placed.size(), 8u);
    EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace blockscope
