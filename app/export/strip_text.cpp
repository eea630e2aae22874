#include "app/export/strip_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>

namespace blockscope {

namespace {

constexpr double kWordsGap = 4;       // above explanations and notes
constexpr double kNumberColumn = 34;  // of the step's number, left of rule and name
constexpr int kWrap = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

QString tr(const char* text) {
    return QCoreApplication::translate("Export", text);
}

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
    if (!stage.rule.empty()) return tr("Rule %1").arg(QString::fromStdString(stage.rule));
    return stage.rewrites == 0
               ? tr("Start")
               : tr("Steps %1 to %2").arg(stage.number - stage.rewrites + 1).arg(stage.number);
}

QString buffered_line(const Stage& stage) {
    if (stage.rewrites == 0) return tr("%1 buffered").arg(stage.buffered_after);
    return tr("%1 → %2 buffered").arg(stage.buffered_before).arg(stage.buffered_after);
}

QString counts_line(const Derivation& derivation) {
    const Stage& last = derivation.stages.back();
    return tr("%1 steps · buffered edges %2 → %3")
        .arg(last.number)
        .arg(derivation.stages.front().buffered_after)
        .arg(last.buffered_after);
}

// A small box as it glows in the pictures, with what that means. Returns where the next one begins.
double paint_key(QPainter& painter, const Theme& theme, double x, double y, Mark mark, const QString& text) {
    const QColor colour = mark == Mark::Made ? theme.made : theme.match;
    QPen pen(colour, 2);
    pen.setCapStyle(Qt::FlatCap);
    if (mark == Mark::Match) pen.setDashPattern({4, 2});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(x, y + 2, 22, 12), 5, 5);
    draw(painter, font(11), theme.faint, QRectF(x + 30, y, 400, 16), Qt::AlignLeft | Qt::AlignVCenter, text);
    return x + 30 + QFontMetricsF(font(11)).horizontalAdvance(text) + 24;
}

}  // namespace

double strip_title_height(const Derivation& derivation, double width) {
    return 74 + wrapped_height(font(11), width, QString::fromStdString(derivation.stopped));
}

double stage_words_height(const Stage& stage, double width) {
    double height = 0;
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
    double x = paint_key(painter, theme, rect.x, rect.y + 32, Mark::Match, tr("matched by the next step"));
    x = paint_key(painter, theme, x, rect.y + 32, Mark::Made, tr("made by this step"));
    painter.setPen(QPen(theme.buffered, 2.2));
    painter.drawLine(QPointF(x, rect.y + 40), QPointF(x + 22, rect.y + 40));
    draw(painter, font(11), theme.faint, QRectF(x + 30, rect.y + 32, 400, 16),
         Qt::AlignLeft | Qt::AlignVCenter, tr("buffered: through global memory"));
    draw(painter, font(11), theme.faint, QRectF(rect.x, rect.y + 52, rect.width, rect.height - 60), kWrap,
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
    const double counts_width = QFontMetricsF(font(11, true)).horizontalAdvance(counts);
    draw(painter, font(11, true), stage.buffered_after < stage.buffered_before ? theme.buffered : theme.faint,
         QRectF(x, rect.y + 12, width, 16), Qt::AlignRight | Qt::AlignVCenter, counts);
    QString over = rule_line(stage);
    if (snapshot) over += tr(" · snapshot %1").arg(stage.snapshot);
    draw(painter, font(11), theme.faint, QRectF(x, rect.y + 12, width - counts_width - 8, 16),
         Qt::AlignLeft | Qt::AlignVCenter, elided(font(11), over, width - counts_width - 8));
    draw(painter, font(12, true), theme.ink, QRectF(rect.x, rect.y + 34, rect.width, 18),
         Qt::AlignLeft | Qt::AlignVCenter,
         elided(font(12, true), QString::fromStdString(stage.title), rect.width));
}

void paint_stage_words(QPainter& painter, const Stage& stage, const Theme& theme, const Rect& rect) {
    double y = rect.y + kWordsGap;
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
        tr("%1, page %2 of %3").arg(QString::fromStdString(derivation.name)).arg(number).arg(pages);
    draw(painter, font(10), theme.faint, QRectF(page.x, page.bottom() - 34, page.width - 44, 16),
         Qt::AlignRight | Qt::AlignVCenter, text);
}

}  // namespace blockscope
