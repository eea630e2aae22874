// Charts. Each is a value with its data, and a free function that paints it on any device, so that the
// window, files and tests see the same chart.
#pragma once

#include <QByteArray>
#include <QColor>
#include <QPainter>
#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/theme.h"

namespace blockscope {

// Around a chart, in the window and in files, so that both show the same.
constexpr double kChartMargin = 12;

struct ChartStyle {
    Theme theme = Theme::light();
    double text = 12;      // height of labels in units
    int highlighted = -1;  // key of what is emphasised: the state that is current or pointed at
};

// A part of a chart that says something when it is pointed at.
struct ChartSpot {
    QPainterPath area;
    QString tip;   // plain text, also for screen readers
    int key = -1;  // of the state it is about; -1: of none
    int part = 0;  // which of the state's: the array of a bar; 0: the predicted point, 1: the measured one
};

// Paints a chart that fills `all` and returns its spots, the uppermost last.
using PaintChart = std::function<std::vector<ChartSpot>(QPainter&, const QRectF& all, const ChartStyle&)>;

// Charts as files. The same chart, style and size give the same bytes.
struct ChartFile {
    std::string title;        // for screen readers and PDF viewers
    std::string description;  // one sentence
    QSizeF size{760, 480};    // units
    double scale = 2;         // of PNG: pixels per unit
};

// In a format that is painted (app/files/file_formats.h); empty for others.
QByteArray chart_bytes(const std::string& format, const PaintChart& paint, const ChartStyle& style,
                       const ChartFile& file);

// ---- Shows a chart: tips where the pointer is, a click chooses the number under it and a double click goes
// to its state; the arrow keys go from spot to spot, Space and Return do the same as the clicks.

class ChartView : public QWidget {
    Q_OBJECT

public:
    explicit ChartView(QWidget* parent = nullptr);

    // `summary` is what a screen reader says of the whole chart.
    void show_chart(PaintChart paint, const QString& summary);
    void set_style(const ChartStyle& style);
    const ChartStyle& style_now() const { return style_; }
    const PaintChart& chart() const { return paint_; }
    const std::vector<ChartSpot>& spots() const { return spots_; }

    QSize sizeHint() const override { return {480, 320}; }
    QSize minimumSizeHint() const override { return {220, 150}; }

Q_SIGNALS:
    void chosen(int key, int part);  // of the clicked spot
    void opened(int key);            // of the spot that was clicked twice
    void pointed(int key);           // of the spot under the pointer; -1: none

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int spot_at(QPointF point) const;
    void point_at(int spot);
    void choose(int spot);

    PaintChart paint_;
    ChartStyle style_;
    std::vector<ChartSpot> spots_;  // of the last painting
    int pointed_ = -1;              // index of the spot
};

// ---- Charts of bars: the bytes that states move, and what is alive in local memory line by line.

// How the parts of a stack are told apart: a colour of Okabe and Ito's palette and a pattern.
constexpr int kSeriesLooks = 8;

QColor series_color(const Theme& theme, int index);
// Fills `rect` with the series' colour and its pattern (none, lines in four directions, dots), drawn as plain
// strokes so that every device and file has it.
void fill_series(QPainter& painter, const QRectF& rect, const Theme& theme, int index);

// Bytes that each state moves between global and local memory, one bar per state, one part per buffer.

// The part of the spot that a bar's total is.
constexpr int kTotalPart = -1;

struct TrafficBar {
    QString label;
    int key = -1;
    std::vector<double> parts;                          // bytes by series; as many as there are series
    std::vector<QString> tips;                          // of the parts
    std::vector<std::vector<std::string>> arrays = {};  // of the parts: names of buffers
};

struct TrafficBars {
    std::vector<QString> series;  // names of buffers, the last may stand for all others
    std::vector<TrafficBar> bars;
    QString missing;
};

std::vector<ChartSpot> paint_traffic_bars(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                          const TrafficBars& chart);

// What is alive in one processor's local memory, line by line of the listing.

// The keys of the spots that are no moment's: the largest amount, and the device's limit.
constexpr int kPeakKey = -4;
constexpr int kLimitKey = -5;

struct MemoryMoment {
    double bytes = 0;
    QString tip;        // the line, and what is alive there
    int line = -1;      // of the listing; the key of the moment's spot
    bool over = false;  // more than the device has
};

struct MemoryStrip {
    std::vector<MemoryMoment> moments;  // in the order of the listing
    double limit = 0;                   // of the device's local memory; 0: unknown, or of two places
    QString limit_name;                 // "1.00 MB of L2 cache"
    QStringList places = {};  // lines: how much each of two places has of its limit; empty: there is one
    QString tip = {};         // what is said where one of these two is pointed at
    QString missing;
};

std::vector<ChartSpot> paint_memory_strip(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                          const MemoryStrip& chart);

// ---- Charts of points: the roofline, and predicted against measured times.

// The roofline: attainable operations per second against operations per byte, both logarithmic, with the
// device's ceilings and the states as points.

struct RooflineCeiling {
    QString name;       // "DRAM 4.8 TB/s", "matrix f16 989 TFLOP/s"
    double rate = 0;    // bytes per second of a memory level, operations per second of a unit
    bool level = true;  // a memory level: a diagonal; else a unit: a horizontal line
    QString tip = {};   // what is said where its line or its name is pointed at
    QString title = {};
    QString derivation = {};  // where the rate comes from
};

// The key of the spots that ceilings are; their part is the ceiling's index.
constexpr int kCeilingKey = -3;

struct RooflinePoint {
    QString label;                   // "S3": snapshots; states by their step
    int key = -1;                    // of the state
    double intensity = 0;            // operations per byte from memory
    double predicted = 0;            // operations per second; 0: no prediction
    std::optional<double> measured;  // operations per second
    QString tip;
};

struct Roofline {
    std::vector<RooflineCeiling> ceilings;
    std::vector<RooflinePoint> points;  // in the order of the line that joins them
    QString missing;                    // instead of a chart: what is missing
};

// Predicted points are hollow, measured ones filled.
std::vector<ChartSpot> paint_roofline(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                      const Roofline& chart);

// Predicted against measured times, both logarithmic, with the diagonal on which they are equal.

struct ScatterPoint {
    QString label;
    int key = -1;
    double predicted = 0;  // seconds
    double measured = 0;   // seconds
    bool stale = false;    // measured with another program or other sizes: drawn faint
    QString tip;
};

// The key of the spot that the statistics are.
constexpr int kStatisticsKey = -2;

struct Scatter {
    std::vector<ScatterPoint> points;
    std::vector<QString> statistics;  // above it: coefficients and errors
    QString statistics_tip;           // what is said where they are pointed at
    QString title, missing;           // instead of a chart: that and what is missing
};

std::vector<ChartSpot> paint_scatter(QPainter& painter, const QRectF& all, const ChartStyle& style,
                                     const Scatter& chart);

// Ranges of values on an axis, linear or logarithmic, and their ticks.

struct Range {
    double from = 0;
    double to = 1;
    bool log = false;  // then from > 0

    // 0 at `from`, 1 at `to`; beyond them outside 0 .. 1.
    double share(double value) const;
};

// The range of all finite values (for `log` of those above 0) with some room on both sides: whole powers or
// halves of ten for `log`; from 0 for linear ranges. 1 .. 10 or 0 .. 1 if there are none.
Range range_of(const std::vector<double>& values, bool log);

struct Tick {
    double value = 0;
    bool major = true;  // has a label
};

// Round values in the range: at most `most` major ones. Minor ones (2, 3, ... 9) on logarithmic ranges of few
// decades.
std::vector<Tick> ticks(const Range& range, int most);

// "0", "1.5 k", "200 M", "3.2 µ": three digits at most and an SI prefix.
QString short_number(double value);
// short_number() and the unit with the prefix at the unit: "1.5 kB", "3.2 µs".
QString with_unit(double value, const QString& unit);

// A rectangle with two axes, on which charts put their marks.

struct PlotAxis {
    Range range;
    QString title;  // "Arithmetic intensity"
    QString unit;   // of the tick labels: "FLOP/B"; may be empty
};

class Plot {
public:
    // Leaves room in `all` for the axes' labels, and `above` and `right` free of everything.
    Plot(QPainter& painter, const ChartStyle& style, const QRectF& all, PlotAxis x, PlotAxis y,
         double above = 0, double right = 0);

    // The grid, the tick labels and the titles.
    void paint_axes();
    const QRectF& inside() const { return inside_; }
    QPointF at(double x, double y) const { return {x_of(x), y_of(y)}; }
    double x_of(double x) const { return inside_.left() + x_.range.share(x) * inside_.width(); }
    double y_of(double y) const { return inside_.bottom() - y_.range.share(y) * inside_.height(); }
    // A line between two places, cut at the axes.
    void line(double x0, double y0, double x1, double y1);

private:
    void paint_x_axis();
    void paint_y_axis();

    QPainter& painter_;
    const ChartStyle& style_;
    PlotAxis x_, y_;
    QRectF inside_, all_;
};

// The font of labels; the same on every device.
QFont chart_font(const ChartStyle& style, double scale = 1);
// One line of text beside or in a chart.
void chart_text(QPainter& painter, const ChartStyle& style, const QRectF& rect, Qt::Alignment alignment,
                const QString& text, const QColor& color, double scale = 1);
double chart_text_width(const ChartStyle& style, const QString& text, double scale = 1);
// The parts in as many lines as they need, with `between` between those of a line.
std::vector<QString> chart_lines(const ChartStyle& style, const std::vector<QString>& parts,
                                 const QString& between, double width);
// In the middle of an empty chart: what is missing, and what to do.
void chart_message(QPainter& painter, const ChartStyle& style, const QRectF& all, const QString& title,
                   const QString& detail);

// Finds places for labels of points where they cover neither each other nor other points.

class LabelPlacer {
public:
    explicit LabelPlacer(const QRectF& inside) : inside_(inside) {}

    // place() and take() leave this rectangle alone from now on.
    void keep_free(const QRectF& rect) { taken_.push_back(rect); }
    // Takes the rectangle if nothing is in it yet; false if something is.
    bool take(const QRectF& rect);
    bool is_free(const QRectF& rect) const;  // and lies inside the chart
    // A rectangle of this size beside a point of `radius`, right of it if possible; taken from now on. None
    // if all eight places around are taken.
    std::optional<QRectF> place(QPointF point, double radius, QSizeF size);

private:
    QRectF inside_;
    std::vector<QRectF> taken_;
};

}  // namespace blockscope
