#include "app/panels/match_delegate.h"

#include <QPainter>

#include "app/panels/match_list.h"
#include "app/panels/step_look.h"

namespace blockscope {

namespace {

constexpr int kSide = 10;  // to the left and right of everything

// A triangle that points down when the group is open.
void paint_arrow(QPainter& painter, QPointF middle, double size, bool open, const QColor& color) {
    painter.save();
    painter.translate(middle);
    if (open) painter.rotate(90);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF{{-size * 0.35, -size * 0.5}, {size * 0.45, 0}, {-size * 0.35, size * 0.5}});
    painter.restore();
}

}  // namespace

MatchDelegate::MatchDelegate(QWidget* view) : QStyledItemDelegate(view), view_(*view) {}

int MatchDelegate::unit() const {
    return std::max(8, QFontInfo(view_.font()).pixelSize());
}

QSize MatchDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const bool match = index.data(kMatchIndexRole).toInt() >= 0;
    return {unit() * 12, match ? unit() * 3 + 4 : unit() * 2 + 4};
}

void MatchDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paint_row_ground(*painter, option, colors_of(view_), 4);
    if (index.data(kMatchIndexRole).toInt() >= 0)
        paint_match(*painter, option, index);
    else
        paint_rule(*painter, option, index);
    painter->restore();
}

void MatchDelegate::paint_rule(QPainter& painter, const QStyleOptionViewItem& option,
                               const QModelIndex& index) const {
    const Colors& colors = colors_of(view_);
    const int count = index.data(kCountRole).toInt();
    const QRectF box = QRectF(option.rect).adjusted(kSide, 0, -kSide, 0);
    const double middle = box.center().y();
    if (count > 0)
        paint_arrow(painter, {box.left() + unit() * 0.4, middle}, unit() * 0.6,
                    option.state & QStyle::State_Open, colors.muted);
    painter.setFont(scaled_font(view_, 0.92, true));
    const double start = box.left() + unit();
    paint_pill(painter, {start, middle}, index.data(kRuleRole).toString(),
               count > 0 ? colors.accent : colors.line, count > 0 ? colors.on_accent : colors.muted);
    const QString right = count > 0 ? QString::number(count) : MatchList::tr("why not?");
    painter.setFont(scaled_font(view_, 0.92));
    painter.setPen(count > 0 ? colors.muted : colors.accent);
    painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, right);
    const double taken = QFontMetricsF(painter.font()).horizontalAdvance(right) + 8;
    painter.setFont(scaled_font(view_, 1, count > 0));
    painter.setPen(count > 0 ? colors.text : colors.muted);
    const QRectF name = box.adjusted(unit() * 4, 0, -taken, 0);
    painter.drawText(name, Qt::AlignVCenter,
                     QFontMetricsF(painter.font())
                         .elidedText(index.data(Qt::DisplayRole).toString(), Qt::ElideRight, name.width()));
}

void MatchDelegate::paint_match(QPainter& painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
    const Colors& colors = colors_of(view_);
    QRectF box = QRectF(option.rect).adjusted(kSide + unit() * 1.0, 3, -kSide, -3);
    const double half = box.height() / 2;
    if (index.data(kNextRole).toBool()) {  // a bar at the left and words at the right
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.accent);
        painter.drawRoundedRect(QRectF(box.left() - 1, box.top() + 3, 3, box.height() - 6), 1.5, 1.5);
        painter.setFont(scaled_font(view_, 0.8, true));
        const QString text = MatchList::tr("next");
        const double width = pill_width(painter.font(), text);
        paint_pill(painter, {box.right() - width, box.top() + half * 0.5 + 1}, text, colors.tint,
                   colors.accent);
        box.setRight(box.right() - width - 6);
    }
    box.setLeft(box.left() + unit() * 0.7);
    const auto line = [&](double top, const QString& text, Qt::TextElideMode mode) {
        painter.drawText(QRectF(box.left(), top, box.width(), half), Qt::AlignVCenter,
                         QFontMetricsF(painter.font()).elidedText(text, mode, box.width()));
    };
    painter.setFont(scaled_font(view_, 1));
    painter.setPen(colors.text);
    line(box.top(), index.data(Qt::DisplayRole).toString(), Qt::ElideRight);
    painter.setFont(scaled_font(view_, 0.88));
    painter.setPen(colors.muted);
    line(box.top() + half, index.data(kDetailRole).toString(), Qt::ElideRight);
}

}  // namespace blockscope
