#include "app/circuit/circuit_text.h"

#include <QFontMetricsF>
#include <cmath>

#include "app/circuit/circuit_look.h"

namespace blockscope {

namespace {

using circuit::LabelRole;
using circuit::TextRun;

QFont shifted(QFont font) {
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(font.pixelSize() * circuit::kShiftedSize))));
    return font;
}

struct Fonts {
    QFont plain, small;
    double height = 0, ascent = 0;
};

const Fonts& fonts_of(LabelRole role) {
    static const auto make = [](LabelRole wanted) {
        const QFont font = circuit_font(wanted);
        const QFontMetricsF metrics(font);
        return Fonts{font, shifted(font), metrics.height(), metrics.ascent()};
    };
    static const Fonts all[] = {make(LabelRole::Axis),  make(LabelRole::Name), make(LabelRole::Title),
                                make(LabelRole::Glyph), make(LabelRole::Bold), make(LabelRole::Number),
                                make(LabelRole::Tag)};
    return all[static_cast<int>(role)];
}

double width_of(const TextRun& run, const Fonts& fonts) {
    return QFontMetricsF(run.shift == 0 ? fonts.plain : fonts.small)
        .horizontalAdvance(QString::fromStdString(run.text));
}

}  // namespace

Size rich_size(const std::string& text, LabelRole role) {
    const Fonts& fonts = fonts_of(role);
    double width = 0;
    for (const TextRun& run : circuit::rich_text(text)) width += width_of(run, fonts);
    return {width, fonts.height};
}

void paint_rich(QPainter& painter, const Rect& box, const std::string& text, LabelRole role,
                const QColor& colour, bool overline) {
    const Fonts& fonts = fonts_of(role);
    const std::vector<TextRun> runs = circuit::rich_text(text);
    double x = box.left();
    const double base = box.top() + fonts.ascent;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const TextRun& run = runs[i];
        const double y = base - run.shift * fonts.ascent * (run.shift > 0 ? 0.4 : 0.18);
        const double width = width_of(run, fonts);
        painter.setFont(run.shift == 0 ? fonts.plain : fonts.small);
        painter.setPen(colour);
        painter.drawText(QPointF(x, y), QString::fromStdString(run.text));
        const bool last_name = i + 1 == runs.size() || runs[i + 1].shift >= 0;
        if (overline && run.shift <= 0 && last_name && (i == 0 || runs[i - 1].shift == 0) &&
            run.text.find_first_not_of("()*") != std::string::npos) {
            const QFontMetricsF metrics(painter.font());
            const bool tall = run.text.find_first_not_of("acegmnopqrsuvwxyz()*'") != std::string::npos;
            const double letters =
                (tall ? metrics.capHeight() : metrics.xHeight()) + (run.shift < 0 ? 1.6 : 2.0);
            painter.setPen(QPen(colour, 0.9));
            painter.drawLine(QPointF(x + 0.5, y - letters), QPointF(x + width - 0.5, y - letters));
            overline = false;
        }
        x += width;
    }
}

}  // namespace blockscope
