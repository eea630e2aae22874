#include "app/costs/cost_delegate.h"

#include <QPainter>
#include <algorithm>

#include "app/costs/cost_table.h"
#include "app/panels/step_look.h"

namespace blockscope {

namespace {

constexpr int kBar = 3;  // pixels

double largest_of(const QModelIndex& index) {
    double largest = 0;
    for (int row = 0; row < index.model()->rowCount(); ++row) {
        const QModelIndex other = index.siblingAtRow(row);
        if (!other.data(CostTable::StaleRole).toBool())  // of other sizes
            largest = std::max(largest, other.data(CostTable::NumberRole).toDouble());
    }
    return largest;
}

bool has_bar(int column) {
    return column != CostTable::State && column != CostTable::Launches && column != CostTable::Tasks;
}

}  // namespace

QSize CostDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(10, kBar + 2);
}

void CostDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    QStyleOptionViewItem shown = option;
    const Colors& colors = colors_of(*option.widget);
    const Theme theme = theme_of(*option.widget);
    const bool over = index.data(CostTable::OverRole).toBool();
    QStyledItemDelegate::initStyleOption(&shown, index);
    const bool stale = index.data(CostTable::StaleRole).toBool();
    if (stale) shown.palette.setColor(QPalette::Text, colors.muted);
    if (over) shown.text = QStringLiteral("\u26a0\u00a0") + shown.text;
    option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &shown, painter, option.widget);
    const double number = index.data(CostTable::NumberRole).toDouble();
    const double largest = has_bar(index.column()) && !stale ? largest_of(index) : 0;
    if (largest <= 0 || number <= 0) return;
    const QRectF room = QRectF(option.rect).adjusted(8, 0, -6, 0);
    const double width = std::max(1.0, room.width() * number / largest);
    QColor color = over                                         ? colors.bad
                   : index.column() == CostTable::Intermediates ? theme.buffered
                                                                : colors.accent;
    color.setAlphaF(0.65F);
    painter->fillRect(QRectF(room.right() - width, option.rect.bottom() - kBar, width, kBar - 1), color);
}

}  // namespace blockscope
