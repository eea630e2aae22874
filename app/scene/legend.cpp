#include "app/scene/legend.h"

#include <QFontMetricsF>

#include "app/scene/corner.h"
#include "app/scene/legend_entries.h"

namespace blockscope {

namespace {

constexpr double kMargin = 12;
constexpr double kRowGap = 6;
constexpr double kTextGap = 10;  // between picture and text
constexpr double kColumnGap = 18;
constexpr double kPictureScale = 0.7;

QFont text_font() {
    QFont font = picture_font(TextRole::Label);
    font.setPixelSize(11);
    return font;
}

Size cell() {
    return {kLegendCell.width * kPictureScale, kLegendCell.height * kPictureScale};
}

int rows(std::size_t entries, int columns) {
    return (static_cast<int>(entries) + columns - 1) / columns;
}

double text_width(const std::vector<LegendEntry>& entries) {
    const QFontMetricsF metrics(text_font());
    double result = 0;
    for (const LegendEntry& entry : entries) result = std::max(result, metrics.horizontalAdvance(entry.text));
    return std::ceil(result);
}

}  // namespace

Size legend_size(int columns) {
    const std::vector<LegendEntry> entries = legend_entries();
    const double column = cell().width + kTextGap + text_width(entries);
    const int count = rows(entries.size(), columns);
    return {2 * kMargin + columns * column + (columns - 1) * kColumnGap,
            2 * kMargin + count * cell().height + (count - 1) * kRowGap};
}

void paint_legend(QPainter& painter, const Theme& theme, int columns) {
    const std::vector<LegendEntry> entries = legend_entries();
    const Size size = legend_size(columns);
    const double width = text_width(entries);
    const int count = rows(entries.size(), columns);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(mixed(theme.canvas, theme.frame_rim, 0.45), 1));
    painter.setBrush(theme.canvas);
    painter.drawRoundedRect(QRectF(0.5, 0.5, size.width - 1, size.height - 1), 8, 8);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const int column = static_cast<int>(i) / count;
        const int row = static_cast<int>(i) % count;
        const double x = kMargin + column * (cell().width + kTextGap + width + kColumnGap);
        const double y = kMargin + row * (cell().height + kRowGap);
        painter.save();
        painter.translate(x, y);
        painter.setClipRect(QRectF(-2, -2, cell().width + 4, cell().height + 4), Qt::IntersectClip);
        painter.scale(kPictureScale, kPictureScale);
        // As at scale 1: a legend has every detail.
        paint(painter, entries[i].picture, theme, entries[i].lights,
              {-4, -4, kLegendCell.width + 8, kLegendCell.height + 8}, 1);
        painter.restore();
        painter.setFont(text_font());
        painter.setPen(theme.ink);
        painter.drawText(QRectF(x + cell().width + kTextGap, y, width + 4, cell().height),
                         Qt::AlignLeft | Qt::AlignVCenter, entries[i].text);
    }
    painter.restore();
}

Legend::Legend(QWidget* parent, int columns) : QWidget(parent), columns_(columns) {
    setAccessibleName(tr("Legend"));
    QStringList meanings;
    for (const LegendEntry& entry : legend_entries()) meanings << entry.text;
    setAccessibleDescription(meanings.join(QStringLiteral("; ")));
    resize(sizeHint());
    if (parent) new InCorner(this, Qt::BottomLeftCorner);
}

void Legend::set_theme(const Theme& theme) {
    theme_ = theme;
    update();
}

QSize Legend::sizeHint() const {
    const Size size = legend_size(columns_);
    return {static_cast<int>(std::ceil(size.width)), static_cast<int>(std::ceil(size.height))};
}

void Legend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paint_legend(painter, theme_, columns_);
}

// A click on the card is no click on the picture below it.
void Legend::mousePressEvent(QMouseEvent*) {}

}  // namespace blockscope
