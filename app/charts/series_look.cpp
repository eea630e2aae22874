#include "app/charts/series_look.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace blockscope {

namespace {

enum class Pattern : std::uint8_t { None, Rising, Falling, Vertical, Horizontal, Dots };

Pattern pattern_of(int index) {
    constexpr Pattern patterns[] = {Pattern::None,     Pattern::Rising,     Pattern::Dots, Pattern::Falling,
                                    Pattern::Vertical, Pattern::Horizontal, Pattern::None, Pattern::Rising};
    return patterns[static_cast<std::size_t>(index) % std::size(patterns)];
}

// The first multiple of `step` from `at` on, as a number of steps.
int first_multiple(double at, double step) {
    return static_cast<int>(std::ceil(at / step));
}

// Lines at 45 degrees, cut at the edges of `r`.
void slanted(QPainter& painter, const QRectF& r, double step, bool rising) {
    for (int line = first_multiple(r.left() + r.top(), step); line * step < r.right() + r.bottom(); ++line) {
        // x + y = sum inside r; mirrored for rising = false.
        const double sum = line * step;
        const double x0 = std::max(r.left(), sum - r.bottom());
        const double x1 = std::min(r.right(), sum - r.top());
        if (x1 <= x0) continue;
        const auto x = [&](double at) { return rising ? at : r.left() + r.right() - at; };
        painter.drawLine(QPointF(x(x0), sum - x0), QPointF(x(x1), sum - x1));
    }
}

void dots(QPainter& painter, const QRectF& r, double step) {
    for (int row = first_multiple(r.top(), step); row * step < r.bottom() - 1; ++row)
        for (int column = first_multiple(r.left(), step); column * step < r.right() - 1; ++column) {
            const QPointF at(column * step, row * step);
            if (at.x() > r.left() + 1 && at.y() > r.top() + 1) painter.drawLine(at, at + QPointF(0.8, 0));
        }
}

}  // namespace

QColor series_color(const Theme& theme, int index) {
    static const char* const light[] = {"#0072b2", "#e69f00", "#00805d", "#a3478a",
                                        "#56b4e9", "#c2410c", "#8a8f98", "#b8a800"};
    static const char* const dark[] = {"#3d9bd6", "#e6b422", "#35b890", "#dd92c4",
                                       "#8ad0f5", "#ff8a5c", "#9aa3b0", "#e3d44a"};
    const auto i = static_cast<std::size_t>(index) % kSeriesLooks;
    return QColor(QLatin1String(theme.dark ? dark[i] : light[i]));
}

void fill_series(QPainter& painter, const QRectF& rect, const Theme& theme, int index) {
    if (rect.width() <= 0 || rect.height() <= 0) return;
    painter.save();
    painter.fillRect(rect, series_color(theme, index));
    const Pattern pattern = pattern_of(index);
    if (pattern != Pattern::None && rect.width() > 3 && rect.height() > 3) {
        QColor stroke = theme.canvas;
        stroke.setAlphaF(0.55F);
        painter.setPen(QPen(stroke, pattern == Pattern::Dots ? 1.8 : 1.1));
        constexpr double step = 6;
        if (pattern == Pattern::Rising || pattern == Pattern::Falling)
            slanted(painter, rect, step, pattern == Pattern::Rising);
        if (pattern == Pattern::Dots) dots(painter, rect, step);
        for (double x = rect.left() + step / 2; pattern == Pattern::Vertical && x < rect.right(); x += step)
            painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()));
        for (double y = rect.top() + step / 2; pattern == Pattern::Horizontal && y < rect.bottom(); y += step)
            painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    }
    painter.restore();
}

}  // namespace blockscope
