#include "app/circuit/circuit_look.h"

#include <QFontMetricsF>

#include "app/circuit/circuit_text.h"

namespace blockscope {

namespace {

constexpr double kThin = 1.3, kWide = 1.9;

}  // namespace

QPen CircuitLook::level_pen(int level) const {
    QPen pen(level_colour(level), level == 0 ? kThin : kWide);
    pen.setCapStyle(Qt::FlatCap);
    if (level == 2) pen.setDashPattern({5, 1.4});
    if (level == 3) pen.setDashPattern({1.6, 1.4});
    if (level >= 4) pen.setDashPattern({6, 1.4, 1.2, 1.4});
    return pen;
}

// The notation's orange, green and blue, darkened on white until they can be seen well.
CircuitLook circuit_look(const Theme& theme) {
    CircuitLook look;
    look.theme = theme;
    look.levels[0] = theme.ink;
    look.separator = mixed(theme.canvas, theme.ink, 0.45);
    look.glyph = theme.array;
    if (theme.dark) {
        look.levels[1] = "#f5a623", look.levels[2] = "#7ed321", look.levels[3] = "#5aa2f0";
        look.levels[4] = "#c9a3e8";
        look.mask = "#8a4a68", look.shade = "#3a3f48", look.learned = "#3d4a42";
        look.tints[0] = "#262338", look.tints[1] = "#302338", look.tints[2] = "#1d3324";
        look.tints[3] = "#22351f", look.tints[4] = "#383320";
    } else {
        look.levels[1] = "#c26a00", look.levels[2] = "#3f7f00", look.levels[3] = "#1f66c2";
        look.levels[4] = "#7d4aa0";
        look.mask = "#f9cbdf", look.shade = "#9aa0a8", look.learned = "#e8eeeb";
        look.tints[0] = "#f0eefa", look.tints[1] = "#f6eefa", look.tints[2] = "#eaf6ed";
        look.tints[3] = "#eaf2e6", look.tints[4] = "#fdfae6";
    }
    return look;
}

QFont circuit_font(circuit::LabelRole role) {
    using Role = circuit::LabelRole;
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setHintingPreference(QFont::PreferNoHinting);  // the same widths at every scale
    font.setPixelSize(static_cast<int>(circuit::letter_size(role)));
    font.setItalic(role == Role::Axis);
    font.setBold(role == Role::Bold || role == Role::Name);
    return font;
}

circuit::LabelMeasure circuit_measure() {
    return [](const std::string& text, circuit::LabelRole role) { return rich_size(text, role); };
}

}  // namespace blockscope
