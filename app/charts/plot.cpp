#include "app/charts/plot.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <utility>

namespace blockscope {

namespace {

constexpr double kGap = 6;  // between ticks' labels and what they stand beside

QColor grid_color(const ChartStyle& style, bool major) {
    return mixed(style.theme.canvas, style.theme.faint, major ? 0.28 : 0.12);
}

double widest_label(const ChartStyle& style, const PlotAxis& axis) {
    double widest = 0;
    for (const Tick& tick : ticks(axis.range, 6))
        if (tick.major)
            widest = std::max(widest, chart_text_width(style, with_unit(tick.value, axis.unit), 0.92));
    return widest;
}

}  // namespace

Plot::Plot(QPainter& painter, const ChartStyle& style, const QRectF& all, PlotAxis x, PlotAxis y,
           double above, double right)
    : painter_(painter), style_(style), x_(std::move(x)), y_(std::move(y)), all_(all) {
    const double line = style.text * 1.5;
    const double left = widest_label(style, y_) + kGap + (y_.title.isEmpty() ? 4 : line + 4);
    const double below = line + kGap + (x_.title.isEmpty() ? 0 : line);
    inside_ = all.adjusted(left, above + line * 0.5, -right - line, -below);
    if (inside_.width() < 10) inside_.setWidth(10);
    if (inside_.height() < 10) inside_.setHeight(10);
}

void Plot::paint_axes() {
    painter_.save();
    paint_x_axis();
    paint_y_axis();
    painter_.setPen(QPen(mixed(style_.theme.canvas, style_.theme.faint, 0.7), 1));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRect(inside_);
    painter_.restore();
}

void Plot::paint_x_axis() {
    const double line = style_.text * 1.5;
    double free_from = -1e9;
    for (const Tick& tick : ticks(x_.range, 6)) {
        const double x = x_of(tick.value);
        painter_.setPen(QPen(grid_color(style_, tick.major), 1));
        painter_.drawLine(QPointF(x, inside_.top()), QPointF(x, inside_.bottom()));
        if (!tick.major) continue;
        const QString text = with_unit(tick.value, x_.unit);
        const double width = chart_text_width(style_, text, 0.92);
        // At the ends of the axis it would be cut off.
        const double left =
            std::clamp(x - width / 2, all_.left(), std::max(all_.left(), all_.right() - width));
        if (left < free_from) continue;
        chart_text(painter_, style_, {left, inside_.bottom() + kGap * 0.5, width, line}, Qt::AlignCenter,
                   text, style_.theme.faint, 0.92);
        free_from = left + width + kGap;
    }
    if (!x_.title.isEmpty())
        chart_text(painter_, style_,
                   {inside_.left(), inside_.bottom() + line + kGap * 0.5, inside_.width(), line},
                   Qt::AlignCenter, x_.title, style_.theme.ink);
}

void Plot::paint_y_axis() {
    const double line = style_.text * 1.5;
    const int most = std::clamp(static_cast<int>(inside_.height() / (line * 1.6)), 2, 8);
    for (const Tick& tick : ticks(y_.range, most)) {
        const double y = y_of(tick.value);
        painter_.setPen(QPen(grid_color(style_, tick.major), 1));
        painter_.drawLine(QPointF(inside_.left(), y), QPointF(inside_.right(), y));
        if (tick.major)
            chart_text(
                painter_, style_, {all_.left(), y - line / 2, inside_.left() - all_.left() - kGap, line},
                Qt::AlignRight | Qt::AlignVCenter, with_unit(tick.value, y_.unit), style_.theme.faint, 0.92);
    }
    if (y_.title.isEmpty()) return;
    painter_.save();
    painter_.translate(all_.left() + line / 2, inside_.center().y());
    painter_.rotate(-90);
    chart_text(painter_, style_, {-inside_.height() / 2, -line / 2, inside_.height(), line}, Qt::AlignCenter,
               y_.title, style_.theme.ink);
    painter_.restore();
}

void Plot::line(double x0, double y0, double x1, double y1) {
    QPointF a = at(x0, y0);
    QPointF b = at(x1, y1);
    // Liang and Barsky: the part of a .. b between the edges.
    double from = 0;
    double to = 1;
    const QPointF d = b - a;
    const auto cut = [&](double p, double q) {
        if (p == 0) return q >= 0;
        const double t = q / p;
        if (p < 0)
            from = std::max(from, t);
        else
            to = std::min(to, t);
        return from <= to;
    };
    const bool seen = cut(-d.x(), a.x() - inside_.left()) && cut(d.x(), inside_.right() - a.x()) &&
                      cut(-d.y(), a.y() - inside_.top()) && cut(d.y(), inside_.bottom() - a.y());
    if (seen) painter_.drawLine(a + from * d, a + to * d);
}

QFont chart_font(const ChartStyle& style, double scale) {
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(style.text * scale))));
    return font;
}

void chart_text(QPainter& painter, const ChartStyle& style, const QRectF& rect, Qt::Alignment alignment,
                const QString& text, const QColor& color, double scale) {
    painter.setFont(chart_font(style, scale));
    painter.setPen(color);
    painter.drawText(rect, static_cast<int>(alignment) | Qt::TextSingleLine,
                     QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, rect.width() + 0.5));
}

double chart_text_width(const ChartStyle& style, const QString& text, double scale) {
    return QFontMetricsF(chart_font(style, scale)).horizontalAdvance(text);
}

std::vector<QString> chart_lines(const ChartStyle& style, const std::vector<QString>& parts,
                                 const QString& between, double width) {
    std::vector<QString> lines;
    for (const QString& part : parts) {
        const QString longer = lines.empty() ? part : lines.back() + between + part;
        if (!lines.empty() && chart_text_width(style, longer) <= width)
            lines.back() = longer;
        else
            lines.push_back(part);
    }
    return lines;
}

void chart_message(QPainter& painter, const ChartStyle& style, const QRectF& all, const QString& title,
                   const QString& detail) {
    const double line = style.text * 1.8;
    const double y = all.center().y() - line;
    chart_text(painter, style, {all.left(), y, all.width(), line}, Qt::AlignCenter, title, style.theme.ink,
               1.15);
    painter.setFont(chart_font(style));
    painter.setPen(style.theme.faint);
    painter.drawText(QRectF(all.left() + 20, y + line, all.width() - 40, all.bottom() - y - line),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, detail);
}

}  // namespace blockscope
