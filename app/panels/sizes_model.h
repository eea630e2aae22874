// Dimensions with their sizes and block sizes as a table that can be edited.
#pragma once

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include "app/document/document.h"

namespace blockscope {

class SizesModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Size, Block, Blocks, ColumnCount };

    explicit SizesModel(Document& document, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    // An int of at least 1; a block larger than its size shrinks with it. Changes the document.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void refresh();
    QString blocks_text(const Dim& dim) const;

    Document& document_;
    DimTable dims_;
};

// The next power of two above, or the one below, and 1 at least: 96 -> 128, 96 -> 64.
std::int64_t power_step(std::int64_t value, bool up);

// Spin boxes whose arrow keys go from power to power of two; any number can be typed.
class SizesDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;

Q_SIGNALS:
    void limited(const QString& why);  // a number that was typed was not taken as it is
};

}  // namespace blockscope
