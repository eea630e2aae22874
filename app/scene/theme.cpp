#include "app/scene/theme.h"

#include <QFontMetricsF>
#include <cmath>

namespace blockscope {

namespace {

// How far the fill of the outermost frame is from the canvas; each level goes this share of what is left.
constexpr double kFrameShare = 0.24;

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

}  // namespace

// Hues of Okabe and Ito's palette (blue, bluish green, vermillion, orange, sky blue, reddish purple),
// darkened where a line has to be seen on white.
Theme Theme::light() {
    Theme t;
    t.canvas = "#fdfdfc", t.ink = "#1d2430", t.faint = "#5a6472";
    t.box = "#e4f0fa", t.box_rim = "#0072b2";
    t.formula = "#e1f4ec", t.formula_rim = "#00805d";
    t.array = "#ffffff", t.array_rim = "#3d4653";
    t.opaque = "#eceae6", t.opaque_rim = "#6b655c";
    t.frame_rim = "#566173", t.frame_fill = "#d3dae6";
    t.buffered = "#d1341f";
    t.selected = "#0060c0", t.hovered = "#5a6472", t.value = "#e69f00";
    t.match = "#b06f00", t.culprit = "#c2410c", t.made = "#00805d", t.search = "#a3478a";
    t.removed = "#c2410c", t.added = "#00805d", t.moved = "#0072b2", t.changed = "#a3478a";
    t.cold = "#fff3dc", t.hot = "#f08a3c";
    return t;
}

Theme Theme::dark_theme() {
    Theme t;
    t.dark = true;
    t.canvas = "#15181e", t.ink = "#e8ecf2", t.faint = "#a2acba";
    t.box = "#17364c", t.box_rim = "#56b4e9";
    t.formula = "#143b31", t.formula_rim = "#35b890";
    t.array = "#242932", t.array_rim = "#b4bdca";
    t.opaque = "#35322d", t.opaque_rim = "#aaa294";
    t.frame_rim = "#8e9aad", t.frame_fill = "#39445a";
    t.buffered = "#ff6a4d";
    t.selected = "#6ab7ff", t.hovered = "#a2acba", t.value = "#e6b422";
    t.match = "#f0b13c", t.culprit = "#ff8a5c", t.made = "#3ccfa2", t.search = "#dd92c4";
    t.removed = "#ff8a5c", t.added = "#3ccfa2", t.moved = "#56b4e9", t.changed = "#dd92c4";
    t.cold = "#33271a", t.hot = "#ff9d4d";
    return t;
}

QColor frame_fill(const Theme& theme, int depth) {
    return mixed(theme.canvas, theme.frame_fill, 1 - std::pow(1 - kFrameShare, depth + 1));
}

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto channel = [&](double x, double y) { return static_cast<float>(x + (y - x) * share); };
    return QColor::fromRgbF(channel(a.redF(), b.redF()), channel(a.greenF(), b.greenF()),
                            channel(a.blueF(), b.blueF()), channel(a.alphaF(), b.alphaF()));
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a);
    const double y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

QFont picture_font(TextRole role) {
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setHintingPreference(QFont::PreferNoHinting);  // the same widths at every scale
    font.setPixelSize(role == TextRole::Label ? 13 : role == TextRole::Corner ? 12 : 10);
    font.setItalic(role == TextRole::Corner);
    return font;
}

Measure qt_measure() {
    return [](const std::string& text, TextRole role) {
        const QFontMetricsF metrics(picture_font(role));
        return Size{metrics.horizontalAdvance(QString::fromStdString(text)), metrics.height()};
    };
}

}  // namespace blockscope
