// Paints one answer of "why not?": the rules' numbers and a sentence of several lines.
#pragma once

#include <QAbstractItemView>
#include <QStyledItemDelegate>

namespace blockscope {

enum WhyRole : int {
    kWhyRulesRole = Qt::UserRole,  // "6a, 6b"
    kWhyAppliesRole,
};

class WhyDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit WhyDelegate(QAbstractItemView* view);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    int row_width() const;
    QRect text_rect(const QRect& row) const;

    const QAbstractItemView& view_;
};

}  // namespace blockscope
