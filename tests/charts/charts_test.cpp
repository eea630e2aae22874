// Charts as values: what is painted, where it can be pointed at, and as files.
#include <gmock/gmock.h>

#include <QImage>
#include <QPainter>
#include <QXmlStreamReader>

#include "app/charts/chart_export.h"
#include "app/charts/memory_strip.h"
#include "app/charts/roofline.h"
#include "app/charts/scatter.h"
#include "app/charts/traffic_bars.h"

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

PaintChart paint_of(const Roofline& chart) {
    return [chart](QPainter& p, const QRectF& all, const ChartStyle& s) {
        return paint_roofline(p, all, s, chart);
    };
}

TEST(Roofline, has_a_spot_for_every_prediction_and_measurement) {
    const auto spots = spots_of(paint_of(roofline()));
    ASSERT_EQ(spots.size(), 3u);
    EXPECT_EQ(spots[0].key, 0);
    EXPECT_EQ(spots[1].key, 7);
    EXPECT_EQ(spots[2].key, 7);
    EXPECT_EQ(spots[1].tip, QStringLiteral("second"));
    // More operations per byte is further right; measured lower than predicted is further down.
    EXPECT_GT(spots[1].area.boundingRect().center().x(), spots[0].area.boundingRect().center().x());
    EXPECT_GT(spots[2].area.boundingRect().center().y(), spots[1].area.boundingRect().center().y());
}

TEST(Roofline, points_on_the_roof_lie_on_the_line) {
    Roofline chart = roofline();
    chart.points = {{QStringLiteral("a"), 0, 1, 1e11, {}, {}}, {QStringLiteral("b"), 1, 10, 1e12, {}, {}}};
    const auto spots = spots_of(paint_of(chart));
    const QPointF a = spots[0].area.boundingRect().center();
    const QPointF b = spots[1].area.boundingRect().center();
    EXPECT_GT(b.x(), a.x() + 20);
    EXPECT_LT(b.y(), a.y() - 20);
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
    ASSERT_EQ(spots.size(), 3u);  // the part of no bytes has none
    const auto width = [&](std::size_t i) { return spots[i].area.boundingRect().width(); };
    EXPECT_NEAR(width(1) / width(0), 3, 0.01);
    EXPECT_NEAR(width(2) / width(0), 1, 0.01);
    EXPECT_EQ(spots[2].key, 1);
}

TEST(MemoryStrip, has_a_spot_for_every_line) {
    MemoryStrip chart;
    chart.moments = {{100, QStringLiteral("x"), 4}, {400, QStringLiteral("y"), 5}};
    chart.limit = 300;
    chart.limit_name = QStringLiteral("300 B");
    const auto spots = spots_of([&](QPainter& p, const QRectF& all, const ChartStyle& s) {
        return paint_memory_strip(p, all, s, chart);
    });
    ASSERT_EQ(spots.size(), 2u);
    EXPECT_EQ(spots[1].key, 5);
    EXPECT_EQ(spots[1].tip, QStringLiteral("y"));
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

TEST(ChartExport, files_are_the_same_each_time_and_well_formed) {
    const PaintChart paint = paint_of(roofline());
    const ChartFile file{"Roofline", "Operations per second against operations per byte", {640, 400}, 2};
    for (const char* format : {"svg", "pdf", "png"}) {
        const QByteArray bytes = chart_bytes(format, paint, {}, file);
        EXPECT_GT(bytes.size(), 1000) << format;
        EXPECT_EQ(bytes, chart_bytes(format, paint, {}, file)) << format;
    }
    EXPECT_TRUE(chart_bytes("gif", paint, {}, file).isEmpty());
    EXPECT_EQ(QImage::fromData(chart_png(paint, {}, file)).size(), QSize(1280, 800));

    QXmlStreamReader xml(chart_svg(paint, {}, file));
    QString text;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::Characters) text += xml.text();
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("DRAM")));
    EXPECT_TRUE(text.contains(QStringLiteral("S1")));
}

}  // namespace
}  // namespace blockscope
