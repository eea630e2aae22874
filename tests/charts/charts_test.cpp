// Charts as values: what is painted, where it can be pointed at, and as files.
#include <gmock/gmock.h>

#include <QImage>
#include <QPainter>
#include <QXmlStreamReader>

#include "app/charts/chart.h"

namespace blockscope {
namespace {

constexpr QRectF kAll(0, 0, 640, 400);

std::vector<ChartSpot> spots_of(const PaintChart& paint, const ChartStyle& style = {}) {
    QImage image(640, 400, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    return paint(painter, kAll, style);
}

Roofline roofline() {
    Roofline chart;
    chart.ceilings = {{QStringLiteral("DRAM"), 1e11, true}, {QStringLiteral("matrix"), 1e13, false}};
    chart.points = {{QStringLiteral("S0"), 0, 1, 1e11, {}, QStringLiteral("first")},
                    {QStringLiteral("S1"), 7, 400, 9e12, 5e12, QStringLiteral("second")}};
    return chart;
}

// Those of states, without the ceilings'.
std::vector<ChartSpot> points_of(std::vector<ChartSpot> spots) {
    std::erase_if(spots, [](const ChartSpot& spot) { return spot.key == kCeilingKey; });
    return spots;
}

PaintChart paint_of(const Roofline& chart) {
    return [chart](QPainter& p, const QRectF& all, const ChartStyle& s) {
        return paint_roofline(p, all, s, chart);
    };
}

TEST(Roofline, has_a_spot_for_every_prediction_and_measurement) {
    const auto spots = points_of(spots_of(paint_of(roofline())));
    ASSERT_EQ(spots.size(), 3u);
    EXPECT_EQ(spots[0].key, 0);
    EXPECT_EQ(spots[1].key, 7);
    EXPECT_EQ(spots[2].key, 7);
    EXPECT_EQ(spots[1].tip, QStringLiteral("second"));
    // More operations per byte is further right; measured lower than predicted is further down.
    EXPECT_GT(spots[1].area.boundingRect().center().x(), spots[0].area.boundingRect().center().x());
    EXPECT_GT(spots[2].area.boundingRect().center().y(), spots[1].area.boundingRect().center().y());
}

// A line with its name is one spot, under those of the states: both can be pointed at wherever they are seen.
TEST(Roofline, has_a_spot_for_every_ceiling_that_is_seen) {
    Roofline chart = roofline();
    chart.ceilings[0].tip = QStringLiteral("memory");
    const auto spots = spots_of(paint_of(chart));
    ASSERT_EQ(spots.size(), 5u);
    for (int i : {0, 1}) {
        const ChartSpot& spot = spots[static_cast<std::size_t>(i)];
        EXPECT_EQ(spot.key, kCeilingKey);
        EXPECT_EQ(spot.part, i);
        EXPECT_TRUE(kAll.contains(spot.area.boundingRect())) << i;
    }
    EXPECT_EQ(spots[0].tip, QStringLiteral("memory"));
    // The first state lies on the diagonal: it is above it.
    const QPointF on_both = spots[2].area.boundingRect().center();
    EXPECT_TRUE(spots[0].area.contains(on_both));
    EXPECT_FALSE(spots[1].area.contains(on_both));
    chart.ceilings.push_back({QStringLiteral("far below"), 1, false});
    EXPECT_EQ(spots_of(paint_of(chart)).size(), 5u) << "one that is not seen has none";
}

TEST(Roofline, points_on_the_roof_lie_on_the_line) {
    Roofline chart = roofline();
    chart.points = {{QStringLiteral("a"), 0, 1, 1e11, {}, {}}, {QStringLiteral("b"), 1, 10, 1e12, {}, {}}};
    const auto spots = points_of(spots_of(paint_of(chart)));
    const QPointF a = spots[0].area.boundingRect().center();
    const QPointF b = spots[1].area.boundingRect().center();
    EXPECT_GT(b.x(), a.x() + 20);
    EXPECT_LT(b.y(), a.y() - 20);
}

// Ceilings that are nearly equal: every name is there, and none over another.
TEST(Roofline, names_of_close_ceilings_do_not_cover_each_other) {
    Roofline chart = roofline();
    chart.ceilings = {{QStringLiteral("L2 one"), 1.02e11, true},
                      {QStringLiteral("L3 two"), 1e11, true},
                      {QStringLiteral("matrix three"), 1e13, false},
                      {QStringLiteral("vector four"), 1.01e13, false},
                      {QStringLiteral("special five"), 0.99e13, false}};
    const ChartStyle style;
    const auto ink_of = [&](const std::vector<int>& kept) {
        Roofline some = chart;
        for (std::size_t i = 0; i < some.ceilings.size(); ++i)
            if (std::count(kept.begin(), kept.end(), static_cast<int>(i)) == 0)
                some.ceilings[i].name = QStringLiteral(" ");
        QImage image(640, 400, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        paint_roofline(painter, kAll, style, some);
        return image;
    };
    // Each name adds about as much ink to all others as it has on its own.
    const auto difference = [](const QImage& a, const QImage& b) {
        int count = 0;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x) count += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
        return count;
    };
    const QImage none = ink_of({});
    const QImage all = ink_of({0, 1, 2, 3, 4});
    int alone = 0;
    for (int i = 0; i < 5; ++i) {
        const int own = difference(ink_of({i}), none);
        EXPECT_GT(own, 60) << i;
        alone += own;
    }
    EXPECT_GT(difference(all, none), 0.9 * alone);
}

// A level whose diagonal is above the roof from the start has no name, one that is short has it beside: none
// of them leaves the plot, whose key stands above it.
TEST(Roofline, names_stay_inside_the_plot) {
    Roofline chart;
    chart.ceilings = {{QStringLiteral("a cache that is much faster"), 1e12, true},
                      {QStringLiteral("a memory with a long name"), 3e10, true},
                      {QStringLiteral("unit"), 2e11, false}};
    chart.points = {{QStringLiteral("0"), 0, 4, 1e11, {}, {}}, {QStringLiteral("1"), 1, 60, 1.5e11, {}, {}}};
    const auto painted = [&](const Roofline& some) {
        QImage image(640, 400, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        paint_roofline(painter, kAll, {}, some);
        return image;
    };
    Roofline plain = chart;
    for (RooflineCeiling& ceiling : plain.ceilings) ceiling.name = QStringLiteral(" ");
    const QImage with = painted(chart), without = painted(plain);
    QRect inked;
    for (int y = 0; y < with.height(); ++y)
        for (int x = 0; x < with.width(); ++x)
            if (with.pixel(x, y) != without.pixel(x, y)) inked |= QRect(x, y, 1, 1);
    ASSERT_FALSE(inked.isEmpty());
    EXPECT_GT(inked.top(), 25) << "below the key";
    EXPECT_GT(inked.left(), 60) << "right of the axis";
    EXPECT_LT(inked.bottom(), 360);
}

TEST(Roofline, without_points_says_what_is_missing) {
    Roofline chart;
    chart.missing = QStringLiteral("No device is chosen.");
    EXPECT_TRUE(spots_of(paint_of(chart)).empty());
}

TEST(TrafficBars, widths_are_in_the_ratio_of_bytes) {
    TrafficBars chart;
    chart.series = {QStringLiteral("Q"), QStringLiteral("I1")};
    chart.bars = {{QStringLiteral("0"), 0, {100, 300}, {QStringLiteral("a"), QStringLiteral("b")}},
                  {QStringLiteral("1"), 1, {100, 0}, {QStringLiteral("c"), QStringLiteral("d")}}};
    const auto spots = spots_of([&](QPainter& p, const QRectF& all, const ChartStyle& s) {
        return paint_traffic_bars(p, all, s, chart);
    });
    ASSERT_EQ(spots.size(), 5u);  // the part of no bytes has none; each bar's total has one
    const auto width = [&](std::size_t i) { return spots[i].area.boundingRect().width(); };
    EXPECT_NEAR(width(1) / width(0), 3, 0.01);
    EXPECT_NEAR(width(3) / width(0), 1, 0.01);
    EXPECT_EQ(spots[3].key, 1);
    EXPECT_EQ(spots[2].part, kTotalPart);
    EXPECT_EQ(spots[4].part, kTotalPart);
    EXPECT_EQ(spots[4].key, 1);
    EXPECT_EQ(spots[2].tip, QStringLiteral("0: ") + with_unit(400, QStringLiteral("B")));
}

TEST(MemoryStrip, has_a_spot_for_every_line) {
    MemoryStrip chart;
    chart.moments = {{100, QStringLiteral("x"), 4}, {400, QStringLiteral("y"), 5}};
    chart.limit = 300;
    chart.limit_name = QStringLiteral("300 B");
    const auto spots = spots_of([&](QPainter& p, const QRectF& all, const ChartStyle& s) {
        return paint_memory_strip(p, all, s, chart);
    });
    ASSERT_EQ(spots.size(), 4u);
    EXPECT_EQ(spots[1].key, 5);
    EXPECT_EQ(spots[1].tip, QStringLiteral("y"));
    // What stands above it: the largest amount, and the limit, which is a line, too.
    EXPECT_EQ(spots[2].key, kPeakKey);
    EXPECT_EQ(spots[3].key, kLimitKey);
    EXPECT_FALSE(spots[2].area.intersects(spots[3].area));
    EXPECT_FALSE(spots[2].area.intersects(spots[1].area));
    EXPECT_TRUE(spots[3].area.intersects(spots[1].area));
    chart.limit = 0;
    EXPECT_EQ(spots_of([&](QPainter& p, const QRectF& all, const ChartStyle& s) {
                  return paint_memory_strip(p, all, s, chart);
              }).size(),
              3u)
        << "a device without a limit";
}

TEST(Scatter, equal_times_lie_on_the_diagonal) {
    Scatter chart;
    chart.points = {{QStringLiteral("a"), 0, 1e-3, 1e-3, false, {}},
                    {QStringLiteral("b"), 1, 1e-2, 1e-2, false, {}},
                    {QStringLiteral("c"), 2, 1e-2, 3e-3, true, {}}};
    const auto spots = spots_of(
        [&](QPainter& p, const QRectF& all, const ChartStyle& s) { return paint_scatter(p, all, s, chart); });
    ASSERT_EQ(spots.size(), 3u);
    const auto at = [&](std::size_t i) { return spots[i].area.boundingRect().center(); };
    EXPECT_NEAR(at(2).x(), at(1).x(), 1e-6);
    EXPECT_GT(at(2).y(), at(1).y());  // faster than predicted is below the diagonal
}

TEST(Scatter, its_statistics_are_a_spot) {
    Scatter chart;
    chart.points = {{QStringLiteral("a"), 0, 1e-3, 1e-3, false, {}}};
    chart.statistics = {QStringLiteral("Pearson 0.999")};
    chart.statistics_tip = QStringLiteral("what they are made of");
    const auto spots = spots_of(
        [&](QPainter& p, const QRectF& all, const ChartStyle& s) { return paint_scatter(p, all, s, chart); });
    ASSERT_EQ(spots.size(), 2u);
    EXPECT_EQ(spots[0].key, kStatisticsKey);
    EXPECT_EQ(spots[0].tip, chart.statistics_tip);
    EXPECT_FALSE(spots[0].area.intersects(spots[1].area));
}

// What stands above the scatter takes as many lines as it needs, and nothing of it is cut.
TEST(Scatter, statistics_are_broken_into_lines) {
    const ChartStyle style;
    const std::vector<QString> parts = {QStringLiteral("Pearson 0.999"), QStringLiteral("Spearman 1.000"),
                                        QStringLiteral("regret of the model's pick 0.0 %")};
    const QString between = QStringLiteral("  \u00b7  ");
    EXPECT_EQ(chart_lines(style, parts, between, 2000).size(), 1U);
    for (const double width : {120.0, 240.0, 320.0}) {
        const std::vector<QString> lines = chart_lines(style, parts, between, width);
        QString all;
        for (const QString& line : lines) all += (all.isEmpty() ? QString() : between) + line;
        EXPECT_EQ(all, QStringList(parts.begin(), parts.end()).join(between));
        for (const QString& line : lines)
            EXPECT_TRUE(chart_text_width(style, line) <= width || !line.contains(between)) << width;
    }
}

TEST(ChartExport, files_are_the_same_each_time_and_well_formed) {
    const PaintChart paint = paint_of(roofline());
    const ChartFile file{"Roofline", "Operations per second against operations per byte", {640, 400}, 2};
    for (const char* format : {"svg", "pdf", "png"}) {
        const QByteArray bytes = chart_bytes(format, paint, {}, file);
        EXPECT_GT(bytes.size(), 1000) << format;
        EXPECT_EQ(bytes, chart_bytes(format, paint, {}, file)) << format;
    }
    EXPECT_TRUE(chart_bytes("gif", paint, {}, file).isEmpty());
    EXPECT_EQ(QImage::fromData(chart_bytes("png", paint, {}, file)).size(), QSize(1280, 800));

    QXmlStreamReader xml(chart_bytes("svg", paint, {}, file));
    QString text;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::Characters) text += xml.text();
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("DRAM")));
    EXPECT_TRUE(text.contains(QStringLiteral("S1")));
}

}  // namespace
}  // namespace blockscope
