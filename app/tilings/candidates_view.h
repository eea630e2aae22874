// The candidates that survive all rules, ranked by the model, beside what was measured of them.
#pragma once

#include <QAbstractTableModel>
#include <QTreeView>
#include <QWidget>
#include <optional>
#include <vector>

#include "app/tilings/dropped.h"
#include "app/tilings/tilings_study.h"

class QLabel;
class QLineEdit;

namespace blockscope {

class CandidateTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Rank, Expression, Tiles, Bytes, Flops, Alpha, Shared, Estimate, Measured, Columns };

    using QAbstractTableModel::QAbstractTableModel;

    void show_space(const RankedSpacePtr& ranked);
    void show_times(std::vector<std::optional<double>> times, std::vector<char> known);
    void show_only(const tilings::CandidateFilter& filter);
    int candidate(int row) const { return rows_[static_cast<std::size_t>(row)]; }
    int row_of(int candidate) const;  // -1: it is not shown

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    QString text(int candidate, int column) const;
    double number(int candidate, int column) const;
    void arrange();

    RankedSpacePtr ranked_;
    std::vector<std::optional<double>> times_;
    std::vector<char> known_;  // measured, though it may not run
    tilings::CandidateFilter filter_;
    std::vector<int> rows_;  // candidates
    int sorted_by_ = Rank;
    Qt::SortOrder order_ = Qt::AscendingOrder;
};

class CandidatesView : public QWidget {
    Q_OBJECT

public:
    explicit CandidatesView(QWidget* parent);

    void show_space(const RankedSpacePtr& ranked);
    void show_times(const TilingsStudy& study);
    void choose(int candidate);
    std::vector<int> chosen() const;  // candidates; several rows may be chosen
    QTreeView& table() { return *table_; }
    CandidateTable& model() { return model_; }
    QLineEdit& filter() { return *filter_; }
    QString details() const;

private:
    void filter_rows();
    void show_details();

    RankedSpacePtr ranked_;
    CandidateTable model_;
    QLineEdit* filter_ = nullptr;
    QLabel *count_ = nullptr, *details_ = nullptr;
    QTreeView* table_ = nullptr;
};

}  // namespace blockscope
