#include "app/panels/why_delegate.h"

#include <QPainter>
#include <QScrollBar>

#include "app/panels/step_look.h"

namespace blockscope {

namespace {

constexpr int kPad = 5;  // around a row's text
constexpr int kFlags = Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop;

}  // namespace

WhyDelegate::WhyDelegate(QAbstractItemView* view) : QStyledItemDelegate(view), view_(*view) {}

// As if there were a scroll bar: a row's height does not depend on whether there is one.
int WhyDelegate::row_width() const {
    return std::max(60, view_.width() - view_.verticalScrollBar()->sizeHint().width() - 2);
}

// The sentence stands under the rules' numbers, so that it has the whole width.
QRect WhyDelegate::text_rect(const QRect& row) const {
    const int head = QFontMetrics(view_.font()).height() + 6;
    QRect text = row.adjusted(kPad + 2, kPad + head, -kPad, -kPad);
    text.setWidth(row_width() - 2 * kPad - 2);
    return text;
}

QSize WhyDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const int width = row_width();
    const QRect room = text_rect(QRect(0, 0, width, 10000));
    const QRect text =
        QFontMetrics(view_.font()).boundingRect(room, kFlags, index.data(Qt::DisplayRole).toString());
    return {width, text.height() + room.top() + kPad + 2};
}

void WhyDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const {
    const Colors& colors = colors_of(view_);
    const bool applies = index.data(kWhyAppliesRole).toBool();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paint_row_ground(*painter, option, colors, 0);
    const QRect text = text_rect(option.rect);
    const double middle = (option.rect.top() + kPad + text.top()) / 2.0;
    const double size = QFontMetrics(view_.font()).ascent();
    paint_verdict(*painter, QRectF(text.left(), middle - size / 2, size, size),
                  applies ? Proof::Verdict::Proven : Proof::Verdict::Wrong, colors);
    painter->setFont(scaled_font(view_, 0.92, true));
    double x = text.left() + size + 6;
    const QStringList rules =
        index.data(kWhyRulesRole).toString().split(QStringLiteral(", "), Qt::SkipEmptyParts);
    for (const QString& rule : rules)
        x += paint_pill(*painter, {x, middle}, rule, applies ? colors.accent : colors.line,
                        applies ? colors.on_accent : colors.text) +
             4;
    painter->setFont(view_.font());
    painter->setPen(colors.text);
    painter->drawText(text, kFlags, index.data(Qt::DisplayRole).toString());
    painter->restore();
}

}  // namespace blockscope
