#include "app/charts/chart.h"

#include <QAccessible>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "app/files/painting.h"

namespace blockscope {

namespace {

void paint_file(QPainter& painter, const PaintChart& paint, const ChartStyle& style, const ChartFile& file) {
    const QRectF all(QPointF(0, 0), file.size);
    painter.fillRect(all, style.theme.canvas);
    paint(painter, all.adjusted(kChartMargin, kChartMargin, -kChartMargin, -kChartMargin), style);
}

}  // namespace

QByteArray chart_bytes(const std::string& format, const PaintChart& paint, const ChartStyle& style,
                       const ChartFile& file) {
    PaintedFile painting;
    painting.size = file.size;
    painting.scale = file.scale;
    painting.title = file.title;
    painting.description = file.description;
    painting.kind = "chart";
    painting.paint = [&](QPainter& painter, double, VectorDevice*) {
        paint_file(painter, paint, style, file);
    };
    return write_painting(format, painting);
}

ChartView::ChartView(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
}

void ChartView::show_chart(PaintChart paint, const QString& summary) {
    paint_ = std::move(paint);
    pointed_ = -1;
    spots_.clear();
    setAccessibleDescription(summary);
    update();
}

void ChartView::set_style(const ChartStyle& style) {
    style_ = style;
    update();
}

void ChartView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), style_.theme.canvas);
    if (!paint_) return;
    const QRectF all(rect());
    spots_ = paint_(painter, all.adjusted(kChartMargin, kChartMargin, -kChartMargin, -kChartMargin), style_);
    if (pointed_ >= static_cast<int>(spots_.size())) pointed_ = -1;
    if (pointed_ < 0 || !hasFocus()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style_.theme.selected, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(spots_[static_cast<std::size_t>(pointed_)].area);
}

int ChartView::spot_at(QPointF point) const {
    for (int i = static_cast<int>(spots_.size()) - 1; i >= 0; --i)
        if (spots_[static_cast<std::size_t>(i)].area.contains(point)) return i;
    return -1;
}

void ChartView::point_at(int spot) {
    if (spot == pointed_) return;
    pointed_ = spot;
    Q_EMIT pointed(spot < 0 ? -1 : spots_[static_cast<std::size_t>(spot)].key);
    update();
}

bool ChartView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int spot = spot_at(help->pos());
    if (spot < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), spots_[static_cast<std::size_t>(spot)].tip, this);
    return true;
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
    const int spot = spot_at(event->position());
    setCursor(spot >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    point_at(spot);
}

void ChartView::mousePressEvent(QMouseEvent* event) {
    choose(spot_at(event->position()));
}

void ChartView::mouseDoubleClickEvent(QMouseEvent* event) {
    const int spot = spot_at(event->position());
    if (spot >= 0) Q_EMIT opened(spots_[static_cast<std::size_t>(spot)].key);
}

void ChartView::choose(int spot) {
    if (spot < 0 || spot >= static_cast<int>(spots_.size())) return;
    const ChartSpot chosen_spot = spots_[static_cast<std::size_t>(spot)];
    Q_EMIT chosen(chosen_spot.key, chosen_spot.part);
}

void ChartView::leaveEvent(QEvent*) {
    point_at(-1);
}

void ChartView::keyPressEvent(QKeyEvent* event) {
    const int count = static_cast<int>(spots_.size());
    const bool next = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    const bool before = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    const bool open = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (count > 0 && event->key() == Qt::Key_Space) return choose(pointed_);
    if (count == 0 || (!next && !before && !open)) return QWidget::keyPressEvent(event);
    if (open) {
        if (pointed_ >= 0) Q_EMIT opened(spots_[static_cast<std::size_t>(pointed_)].key);
        return;
    }
    // The first one is a state's, if there is one: ceilings lie before them.
    const auto state =
        std::find_if(spots_.begin(), spots_.end(), [](const ChartSpot& s) { return s.key >= 0; });
    if (pointed_ < 0)
        point_at(state == spots_.end() ? 0 : static_cast<int>(state - spots_.begin()));
    else
        point_at(next ? std::min(pointed_ + 1, count - 1) : std::max(pointed_ - 1, 0));
    const ChartSpot& spot = spots_[static_cast<std::size_t>(pointed_)];
    const QPoint at = mapToGlobal(spot.area.boundingRect().center().toPoint());
    QToolTip::showText(at, spot.tip, this);
    setAccessibleName(spot.tip);
    QAccessibleEvent changed(this, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&changed);
}

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

namespace {

// The multiple of 1, 2 or 5 times a power of ten that is at least `step`.
double round_step(double step) {
    const double power = std::pow(10, std::floor(std::log10(step)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= step * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

std::vector<Tick> linear_ticks(const Range& range, int most) {
    std::vector<Tick> made;
    const double width = range.to - range.from;
    if (!(width > 0)) return made;
    const double step = round_step(width / std::max(1, most - 1));
    for (auto i = static_cast<std::int64_t>(std::ceil(range.from / step - 1e-9));
         static_cast<double>(i) * step <= range.to + step * 1e-9; ++i)
        made.push_back({static_cast<double>(i) * step, true});
    return made;
}

std::vector<Tick> log_ticks(const Range& range, int most) {
    std::vector<Tick> made;
    const int first = static_cast<int>(std::floor(std::log10(range.from) + 1e-9));
    const int last = static_cast<int>(std::ceil(std::log10(range.to) - 1e-9));
    const int every = std::max(1, (last - first + most) / std::max(1, most));
    const bool fine = last - first <= 4;
    const auto inside = [&](double value) {
        return value >= range.from * (1 - 1e-9) && value <= range.to * (1 + 1e-9);
    };
    for (int power = first; power <= last; ++power) {
        const double decade = std::pow(10.0, power);
        if (inside(decade)) made.push_back({decade, (power - first) % every == 0});
        for (int digit = 2; fine && digit <= 9; ++digit)
            if (inside(digit * decade)) made.push_back({digit * decade, false});
    }
    // Less than a decade may hold no power of ten at all: then 2 and 5 have labels too.
    const auto majors = std::count_if(made.begin(), made.end(), [](const Tick& t) { return t.major; });
    if (majors >= 2) return made;
    for (Tick& tick : made) {
        const double digit = tick.value / std::pow(10.0, std::floor(std::log10(tick.value) + 1e-9));
        if (std::abs(digit - 2) < 1e-6 || std::abs(digit - 5) < 1e-6) tick.major = true;
    }
    return made;
}

struct Prefixed {
    double value;
    const char* prefix;
};

Prefixed prefixed(double value) {
    static const char* const prefixes[] = {"p", "n", "\u00b5", "m", "", "k", "M", "G", "T", "P", "E"};
    constexpr int unit = 4;
    int prefix = unit;
    double scaled = std::abs(value);
    while (scaled >= 999.5 && prefix + 1 < static_cast<int>(std::size(prefixes))) scaled /= 1000, ++prefix;
    while (scaled > 0 && scaled < 0.9995 && prefix > 0) scaled *= 1000, --prefix;
    return {std::copysign(scaled, value), prefixes[prefix]};
}

QString digits(double value) {
    const double size = std::abs(value);
    const int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    QString text = QLocale().toString(value, 'f', decimals);
    if (decimals == 0) return text;
    const QString point = QLocale().decimalPoint();
    if (!text.contains(point)) return text;
    while (text.endsWith(QLatin1Char('0'))) text.chop(1);
    if (text.endsWith(point)) text.chop(point.size());
    return text;
}

}  // namespace

double Range::share(double value) const {
    if (log) return std::log(value / from) / std::log(to / from);
    return (value - from) / (to - from);
}

Range range_of(const std::vector<double>& values, bool log) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double value : values) {
        if (!std::isfinite(value) || (log && value <= 0)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (low > high) return log ? Range{1, 10, true} : Range{0, 1, false};
    if (!log) {
        low = std::min(low, 0.0);
        if (!(high > low)) high = low + 1;
        const double step = round_step((high - low) / 5);
        return {std::floor(low / step) * step, std::ceil(high * 1.02 / step) * step, false};
    }
    const auto half = [](double exponent, bool up) {
        return std::pow(10.0, (up ? std::ceil(exponent * 2) : std::floor(exponent * 2)) / 2);
    };
    return {half(std::log10(low) - 0.1, false), half(std::log10(high) + 0.1, true), true};
}

std::vector<Tick> ticks(const Range& range, int most) {
    return range.log ? log_ticks(range, most) : linear_ticks(range, most);
}

QString short_number(double value) {
    const Prefixed made = prefixed(value);
    const QString prefix = QString::fromUtf8(made.prefix);
    return prefix.isEmpty() ? digits(made.value) : digits(made.value) + QChar(0xa0) + prefix;
}

QString with_unit(double value, const QString& unit) {
    const Prefixed made = prefixed(value);
    return digits(made.value) + QChar(0xa0) + QString::fromUtf8(made.prefix) + unit;
}

bool LabelPlacer::is_free(const QRectF& rect) const {
    if (!inside_.contains(rect)) return false;
    return std::none_of(taken_.begin(), taken_.end(), [&](const QRectF& t) { return t.intersects(rect); });
}

bool LabelPlacer::take(const QRectF& rect) {
    if (!is_free(rect)) return false;
    taken_.push_back(rect);
    return true;
}

std::optional<QRectF> LabelPlacer::place(QPointF point, double radius, QSizeF size) {
    const double gap = radius + 3;
    const double w = size.width();
    const double h = size.height();
    const QPointF corners[] = {
        {gap, -h / 2},
        {-gap - w, -h / 2},
        {-w / 2, -gap - h},
        {-w / 2, gap},
        {gap * 0.7, -gap - h + 4},
        {gap * 0.7, gap - 4},
        {-gap * 0.7 - w, -gap - h + 4},
        {-gap * 0.7 - w, gap - 4},
    };
    for (const QPointF& corner : corners) {
        const QRectF rect(point + corner, size);
        if (take(rect)) return rect;
    }
    return {};
}

}  // namespace blockscope
