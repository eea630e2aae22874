#include "app/window/sample_card.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>

namespace blockscope {
namespace {

constexpr int kMargin = 14;
constexpr int kGap = 10;
constexpr int kArrow = 20;  // between the two pictures
constexpr int kTextLines = 4;

void paint_arrow(QPainter& painter, const QRect& area, const QColor& color) {
    painter.setPen(QPen(color, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF tip(area.center().x() + 6, area.center().y());
    painter.drawLine(tip - QPointF(12, 0), tip);
    painter.drawLine(tip - QPointF(4, 4), tip);
    painter.drawLine(tip - QPointF(4, -4), tip);
}

// As many whole lines as there is room for; the last one says that there is more.
QString fitted(const QString& text, const QFont& font, int width) {
    QTextLayout layout(text, font);
    layout.beginLayout();
    QStringList lines;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        if (lines.size() + 1 == kTextLines) {
            lines << QFontMetrics(font).elidedText(text.mid(line.textStart()), Qt::ElideRight, width);
            break;
        }
        lines << text.mid(line.textStart(), line.textLength()).trimmed();
    }
    layout.endLayout();
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

SampleCard::SampleCard(const Sample& sample, Thumbnails& thumbnails, Appearance& appearance, QWidget* parent)
    : QAbstractButton(parent), sample_(sample), thumbnails_(thumbnails), appearance_(appearance) {
    setText(sample.title);
    setProperty("program_data", true);
    setAccessibleName(sample.title);
    setAccessibleDescription(sample.comment.join(QLatin1Char(' ')));
    setToolTip(accessibleDescription());
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
}

QSize SampleCard::sizeHint() const {
    const int line = QFontMetrics(appearance_.font()).height();
    return {2 * Thumbnails::kWidth + kArrow + 2 * kMargin,
            Thumbnails::kHeight + 2 * kMargin + 2 * kGap + line + kTextLines * line + 4};
}

void SampleCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
    QAbstractButton::keyPressEvent(event);
}

void SampleCard::paintEvent(QPaintEvent*) {
    const Colors& c = appearance_.colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lit = hasFocus() || underMouse();
    painter.setPen(QPen(lit ? c.accent : c.line, hasFocus() ? 2 : 1));
    painter.setBrush(isDown() ? c.tint : c.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 10, 10);
    const QRect inner = rect().adjusted(kMargin, kMargin, -kMargin, -kMargin);
    paint_pictures(painter, QRect(inner.topLeft(), QSize(inner.width(), Thumbnails::kHeight)));
    paint_text(painter, inner.adjusted(0, Thumbnails::kHeight + kGap, 0, 0));
}

void SampleCard::paint_pictures(QPainter& painter, const QRect& area) {
    const Colors& c = appearance_.colors();
    const Thumbnail thumbnail = thumbnails_.of(sample_, devicePixelRatioF());
    const int width = (area.width() - kArrow) / 2;
    const QRect left(area.topLeft(), QSize(width, area.height()));
    const QRect right = left.translated(width + kArrow, 0);
    const auto place = [&](const QRect& frame, const QImage& image) {
        QPainterPath path;
        path.addRoundedRect(frame, 6, 6);
        painter.fillPath(path, appearance_.theme().canvas);
        if (image.isNull()) return;
        const QSizeF size = QSizeF(image.size()) / image.devicePixelRatio();
        const QPointF corner = QRectF(frame).center() - QPointF(size.width() / 2, size.height() / 2);
        painter.drawImage(corner, image);
    };
    place(left, thumbnail.before);
    place(right, thumbnail.after);
    paint_arrow(painter, QRect(left.right(), area.top(), kArrow, area.height()), c.muted);
}

void SampleCard::paint_text(QPainter& painter, const QRect& area) {
    const Colors& c = appearance_.colors();
    QFont bold = appearance_.font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(c.text);
    const int line = QFontMetrics(bold).height();
    painter.drawText(area, Qt::AlignLeft | Qt::AlignTop, sample_.title);
    painter.setFont(appearance_.font());
    painter.setPen(c.muted);
    const QRect rest = area.adjusted(0, line + 4, 0, 0);
    painter.setClipRect(rest);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignTop,
                     fitted(sample_.comment.join(QLatin1Char(' ')), painter.font(), rest.width()));
}

}  // namespace blockscope
