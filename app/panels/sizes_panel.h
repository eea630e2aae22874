// What a state costs at its sizes, as texts for a table: numbers with units, and the formulas behind them.
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QWidget>
#include <vector>

#include "app/document/document.h"
#include "app/shell/progress.h"
#include "app/shell/services.h"
#include "core/state/state.h"

class QLabel;
class QTableView;
class QTableWidget;

namespace blockscope {

struct CostRow {
    QString name;    // "Traffic"
    QString value;   // "4.43 GB"
    QString detail;  // the exact number and the formula
    double number = 0;
    int column = 0;  // of CostTable, which derives it
};

// Traffic with global memory, arithmetic, local memory, launches, parallel tasks: always these five.
std::vector<CostRow> cost_rows(const State& state);

// "12.3× less", "1.50× more", "same".
QString compared_text(double number, double before);

// "4.43 GB": three digits, powers of ten. `unit` is "B" or "FLOP".
QString quantity_text(std::int64_t number, const QString& unit);

// Dimensions with their sizes and block sizes as a table that can be edited.
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

// Sizes and block sizes of all dimensions, and what the current state costs with them.
class SizesPanel : public QWidget {
    Q_OBJECT

public:
    SizesPanel(Document& document, Services& services, QWidget* parent = nullptr);

    SizesModel& model() { return model_; }
    QTableWidget& costs() { return *costs_; }
    bool busy() const { return background_.busy(); }
    // Every size or block size to the next power of two, or the one before.
    void step_all(SizesModel::Column column, bool up);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit_numbers();
    QWidget* make_steps();
    void set_up_tables();
    void open_editors();
    bool open_editors_of(int row);
    void refresh();
    void stop_waiting();
    void say(const QString& what);
    void fit_costs();
    void open_derivation(int row, int column);
    void show_costs(const std::vector<CostRow>& now, const std::vector<CostRow>& first);

    Document& document_;
    SizesModel model_;
    QTableView* table_;
    QTableWidget* costs_;
    QLabel* message_;
    bool limited_ = false;  // sizes come that are not as they were typed, which the message says
    Background background_;
    QTimer opening_;  // fires once events have been handled
    ProgramPtr program_, initial_;
};

}  // namespace blockscope
