#include "app/export/strip_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>

namespace blockscope {

namespace {

constexpr double kTitle = 28;         // the name's line
constexpr double kAfterTitle = 22;    // below all of the title
constexpr double kWordsGap = 4;       // above explanations and notes
constexpr double kNumberColumn = 34;  // of the step's number, left of rule and name
constexpr int kWrap = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

struct Export {
    Q_DECLARE_TR_FUNCTIONS(Export)
};

QFont font(int pixels, bool bold = false, bool italic = false) {
    QFont result = picture_font(TextRole::Label);
    result.setPixelSize(pixels);
    result.setBold(bold);
    result.setItalic(italic);
    return result;
}

double wrapped_height(const QFont& of, double width, const QString& text) {
    if (text.isEmpty()) return 0;
    return QFontMetricsF(of).boundingRect(QRectF(0, 0, width, 1e6), kWrap, text).height();
}

// Text that ends with an ellipsis where it would be wider than `width`.
QString elided(const QFont& of, const QString& text, double width) {
    return QFontMetricsF(of).elidedText(text, Qt::ElideRight, width);
}

void draw(QPainter& painter, const QFont& with, const QColor& colour, const QRectF& rect, int flags,
          const QString& text) {
    painter.setFont(with);
    painter.setPen(colour);
    painter.drawText(rect, flags, text);
}

QString explanation(const Stage& stage) {
    return QString::fromStdString(stage.explanation);
}
QString note(const Stage& stage) {
    return QString::fromStdString(stage.note).trimmed();
}

QString rule_line(const Stage& stage) {
    if (!stage.rule.empty()) return Export::tr("Rule %1").arg(QString::fromStdString(stage.rule));
    return stage.rewrites == 0
               ? Export::tr("Start")
               : Export::tr("Steps %1 to %2").arg(stage.number - stage.rewrites + 1).arg(stage.number);
}

QString buffered_line(const Stage& stage) {
    if (stage.rewrites == 0) return Export::tr("%1 buffered").arg(stage.buffered_after);
    return Export::tr("%1 → %2 buffered").arg(stage.buffered_before).arg(stage.buffered_after);
}

QString counts_line(const Derivation& derivation) {
    const Stage& last = derivation.stages.back();
    return Export::tr("%1 steps · buffered edges %2 → %3")
        .arg(last.number)
        .arg(derivation.stages.front().buffered_after)
        .arg(last.buffered_after);
}

QString title_of(const Stage& stage) {
    return QString::fromStdString(stage.title);
}

// The lines of a title beyond the first, for which the header has room.
double more_title(const Stage& stage, double width) {
    return std::max(
        0.0, wrapped_height(font(12, true), width, title_of(stage)) - QFontMetricsF(font(12, true)).height());
}

double header_room(const Stage& stage, double width) {
    return width - kNumberColumn - 12 - QFontMetricsF(font(11, true)).horizontalAdvance(buffered_line(stage));
}

QString rule_and_snapshot(const Stage& stage) {
    const QString rule = rule_line(stage);
    return stage.snapshot > 0 ? rule + Export::tr(" · snapshot %1").arg(stage.snapshot) : rule;
}

// Nothing can be pointed at on paper: what a narrow header has no room for gets a line of its own.
bool snapshot_below(const Stage& stage, double width) {
    return stage.snapshot > 0 &&
           QFontMetricsF(font(11)).horizontalAdvance(rule_and_snapshot(stage)) > header_room(stage, width);
}

double snapshot_height(const Stage& stage, double width) {
    return snapshot_below(stage, width) ? QFontMetricsF(font(11)).height() : 0;
}

}  // namespace

double strip_title_height(const Derivation& derivation, double width) {
    const Signs signs = signs_of(derivation);
    return kTitle + legend_size(signs, legend_columns(signs, width)).height + kAfterTitle +
           wrapped_height(font(11), width, QString::fromStdString(derivation.stopped));
}

double stage_words_height(const Stage& stage, double width) {
    double height = more_title(stage, width) + snapshot_height(stage, width);
    if (!stage.explanation.empty()) height += kWordsGap + wrapped_height(font(11), width, explanation(stage));
    if (!note(stage).isEmpty())
        height += kWordsGap + wrapped_height(font(11, false, true), width - 10, note(stage));
    return height;
}

void paint_strip_title(QPainter& painter, const Derivation& derivation, const Theme& theme,
                       const Rect& rect) {
    draw(painter, font(24, true), theme.ink, QRectF(rect.x, rect.y - 6, rect.width, 32),
         Qt::AlignLeft | Qt::AlignTop, QString::fromStdString(derivation.name));
    draw(painter, font(12), theme.ink, QRectF(rect.x, rect.y + 1, rect.width, 24),
         Qt::AlignRight | Qt::AlignVCenter, counts_line(derivation));
    const Signs signs = signs_of(derivation);
    const int columns = legend_columns(signs, rect.width);
    painter.save();
    painter.translate(rect.x, rect.y + kTitle);
    paint_legend(painter, theme, signs, columns);
    painter.restore();
    const double below = kTitle + legend_size(signs, columns).height;
    draw(painter, font(11), theme.faint,
         QRectF(rect.x, rect.y + below, rect.width, rect.height - below - kAfterTitle + 8), kWrap,
         QString::fromStdString(derivation.stopped));
}

void paint_stage_header(QPainter& painter, const Stage& stage, const Theme& theme, const Rect& rect) {
    const bool snapshot = stage.snapshot > 0;
    painter.setPen(QPen(snapshot ? theme.ink : theme.faint, snapshot ? 2 : 0.8));
    painter.drawLine(QPointF(rect.x, rect.y), QPointF(rect.right(), rect.y));
    draw(painter, font(22, true), theme.ink, QRectF(rect.x, rect.y + 4, kNumberColumn, 30),
         Qt::AlignLeft | Qt::AlignVCenter, QString::number(stage.number));
    const double x = rect.x + kNumberColumn + 4;
    const double width = rect.right() - x;
    const QString counts = buffered_line(stage);
    draw(painter, font(11, true), stage.buffered_after < stage.buffered_before ? theme.buffered : theme.faint,
         QRectF(x, rect.y + 12, width, 16), Qt::AlignRight | Qt::AlignVCenter, counts);
    const QString over = snapshot_below(stage, rect.width) ? rule_line(stage) : rule_and_snapshot(stage);
    const double room = header_room(stage, rect.width);
    draw(painter, font(11), theme.faint, QRectF(x, rect.y + 12, room, 16), Qt::AlignLeft | Qt::AlignVCenter,
         elided(font(11), over, room));
    draw(painter, font(12, true), theme.ink, QRectF(rect.x, rect.y + 36, rect.width, 1000), kWrap,
         title_of(stage));
}

void paint_stage_words(QPainter& painter, const Stage& stage, const Theme& theme, const Rect& rect) {
    double y = rect.y + more_title(stage, rect.width);
    if (snapshot_below(stage, rect.width)) {
        draw(painter, font(11), theme.faint, QRectF(rect.x, y, rect.width, 20), Qt::AlignLeft | Qt::AlignTop,
             Export::tr("Snapshot %1").arg(stage.snapshot));
        y += snapshot_height(stage, rect.width);
    }
    y += kWordsGap;
    if (!stage.explanation.empty()) {
        draw(painter, font(11), theme.ink, QRectF(rect.x, y, rect.width, 1000), kWrap, explanation(stage));
        y += wrapped_height(font(11), rect.width, explanation(stage)) + kWordsGap;
    }
    if (note(stage).isEmpty()) return;
    const double height = wrapped_height(font(11, false, true), rect.width - 10, note(stage));
    painter.setPen(QPen(theme.faint, 2));
    painter.drawLine(QPointF(rect.x + 1, y), QPointF(rect.x + 1, y + height));
    draw(painter, font(11, false, true), theme.ink, QRectF(rect.x + 10, y, rect.width - 10, height + 20),
         kWrap, note(stage));
}

void paint_page_foot(QPainter& painter, const Derivation& derivation, const Theme& theme, const Rect& page,
                     int number, int pages) {
    const QString text =
        Export::tr("%1, page %2 of %3").arg(QString::fromStdString(derivation.name)).arg(number).arg(pages);
    draw(painter, font(10), theme.faint, QRectF(page.x, page.bottom() - 34, page.width - 44, 16),
         Qt::AlignRight | Qt::AlignVCenter, text);
}

}  // namespace blockscope
