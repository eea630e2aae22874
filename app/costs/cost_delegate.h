// Cells of the costs table: under each number a bar as long as its share of the column's largest; what
// exceeds a limit has a sign, what is out of date is faint.
#pragma once

#include <QStyledItemDelegate>

namespace blockscope {

class CostDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace blockscope
