// Cells of the costs table: under each number a bar as long as its share of the column's largest; what
// exceeds a limit has a sign, what is out of date is faint.
#pragma once

#include <QAbstractTableModel>
#include <QStyledItemDelegate>
#include <functional>
#include <map>
#include <optional>

#include "app/costs/costs.h"

namespace blockscope {

class CostDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// The states of a document and what each costs, as a table: one row per state, one column per quantity.

// Times of a state: what a model says, and what was measured.
struct StateTimes {
    std::optional<double> predicted;  // seconds
    QString binds;                    // which term of the model binds, as a sentence
    std::optional<double> measured;   // seconds, the median
    QString how;                      // when, where and how it was measured; or why there is no time
    bool comparable = false;          // the prediction is for what measured
    bool stale = false;   // measured with another program, other sizes or another type: `how` says which
    bool failed = false;  // measuring failed: `how` says why
};
using TimesOf = std::function<StateTimes(StateId)>;

// What limits a state's local memory.
struct LocalLimit {
    double bytes = 0;  // 0: unknown
    QString name;      // "227 kB of shared memory in a thread block"
};

// The two times that a state's ratio is of: measured if both are, at these sizes, else predicted.
struct RatioTimes {
    double now = 0, base = 0;  // seconds
    bool measured = false;
};

class CostTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        State,
        Predicted,
        Measured,
        Ratio,  // of times against the baseline's: measured if both are, else predicted
        Moved,
        Intermediates,
        Inputs,
        Outputs,
        Operations,
        Replication,
        Intensity,
        Local,
        Launches,
        Tasks,
        Columns
    };
    enum Role {
        StateRole = Qt::UserRole,  // the state's id
        NumberRole,                // of the cell as a double; invalid where there is none
        OverRole,                  // of Local: the limit is exceeded
        StaleRole,                 // of Measured
    };

    CostTable(Document& document, Costs& costs, QObject* parent = nullptr);

    // While it is not seen the table follows nothing; once it is, it is as new.
    void set_seen(bool seen);
    void set_times(TimesOf times);
    void set_limit(LocalLimit limit);
    void refresh();        // the rows are others
    void refresh_cells();  // the rows are the same, what they say is not

    StateId state(int row) const { return rows_.at(static_cast<std::size_t>(row)); }
    int row_of(StateId state) const;  // -1: none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // What the state's ratio to the baseline is of; none without times.
    std::optional<RatioTimes> ratio_times(StateId state) const;

    // The table as CSV, with exact numbers, and a line above that says what it is.
    QString csv() const;

private:
    QVariant name_data(int row, int role) const;
    std::optional<double> number(StateId state, int column) const;
    std::optional<double> ratio(StateId state) const;
    QString text(StateId state, int column) const;
    QString tip(StateId state, int column) const;
    QString against_baseline(double number, double base, int column) const;

    Document& document_;
    Costs& costs_;
    TimesOf times_;
    LocalLimit limit_;
    std::vector<StateId> rows_;
    std::map<StateId, QString> names_;  // of the rows
    bool seen_ = true, stale_ = false;
};

// "1.5 ms", "12.3 µs".
QString time_text(double seconds);

}  // namespace blockscope
