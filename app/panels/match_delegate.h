// Paints the rows of the list of matches: a rule with its count, a match on two lines.
#pragma once

#include <QStyledItemDelegate>

namespace blockscope {

class MatchDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit MatchDelegate(QWidget* view);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paint_rule(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    void paint_match(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    int unit() const;

    const QWidget& view_;
};

}  // namespace blockscope
