// Cells of the costs table: under each number a bar as long as its share of the column's largest; what
// exceeds a limit has a sign, what is out of date is faint.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <QStyledItemDelegate>
#include <functional>
#include <map>
#include <optional>

#include "app/costs/costs.h"
#include "core/cost/counts.h"
#include "core/cost/models/model.h"

namespace blockscope {

class Baselines;

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
    std::vector<LevelBytes> levels;   // what the model says passes each level of the device's memory
    double peak = 0;                  // of matrix products, FLOP/s, on the device of these times; 0: unknown
    QString how;                      // when, where and how it was measured; or why there is no time
    bool comparable = false;          // the prediction is for what measured
    bool stale = false;   // measured with another program, other sizes or another type: `how` says which
    bool failed = false;  // measuring failed: `how` says why
};
using TimesOf = std::function<StateTimes(StateId)>;

// What limits a state's local memory.
struct LocalLimit {
    double bytes = 0;      // 0: unknown
    QString name = {};     // "227 kB of shared memory in a thread block"
    double registers = 0;  // bytes for sums on a card, where `bytes` is for tiles of operands; else 0

    bool split() const { return bytes > 0 && registers > 0; }
    bool exceeded_by(const LocalMemory& local) const;
    // The most that each place of a split limit has on any line: "Registers, for sums: 131 kB of 221 kB",
    // "Shared memory: 66.0 kB of 227 kB".
    QStringList places(const std::vector<LocalMemory>& alive) const;
};

// The two times that a state's ratio is of: measured if both are, at these sizes, else predicted.
struct RatioTimes {
    double now = 0, base = 0;  // seconds
    bool measured = false;
};

// Below the states a row of the kernels that they are compared with (Baselines), where they are.
constexpr StateId kBaselineRow = -1;

class CostTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        State,
        Predicted,
        Measured,
        Ratio,       // of times against the baseline's: measured if both are, else predicted
        OfPeak,      // the rate of the state's matrix products as a part of the device's: measured, else
                     // predicted
        FromMemory,  // what no cache serves of the bytes moved, as the model follows them
        Moved,       // by the listing
        Compulsory,  // inputs and outputs, each once
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
        BaselineRole,              // the row is of what others are compared with
    };

    CostTable(Document& document, Costs& costs, QObject* parent = nullptr);

    // While it is not seen the table follows nothing; once it is, it is as new.
    void set_seen(bool seen);
    void set_times(TimesOf times);
    void set_limit(LocalLimit limit);
    // The devices that times are predicted for and measured on: the headers name them.
    // And the form that is predicted, "safe form", where it is another one than the program's own.
    void set_devices(const QString& predicted, const QString& measured, const QString& built_form = {});
    // What stands below a column's name: the form of what is counted, where there are two.
    QString form_below(int column) const;
    void set_best(std::optional<StateId> state);  // its name has a star
    void refresh();                               // the rows are others
    void refresh_cells();                         // the rows are the same, what they say is not

    // kBaselineRow in the row of kernels.
    StateId state(int row) const { return rows_.at(static_cast<std::size_t>(row)); }
    int row_of(StateId state) const;  // -1: none
    bool is_baseline(StateId state) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    // By the numbers of a column; those without one are last. Column -1: as the states follow one another.
    void sort(int column, Qt::SortOrder order) override;

    // What the state's ratio to the baseline is of; none without times.
    std::optional<RatioTimes> ratio_times(StateId state) const;

    // The table as CSV, with exact numbers, and a line above that says what it is.
    QString csv() const;

private:
    QVariant name_data(int row, int role) const;
    std::optional<double> number(StateId state, int column) const;
    std::optional<double> ratio(StateId state) const;
    std::optional<double> of_peak(StateId state) const;
    bool over_limit(StateId state) const;
    QString missing_text(StateId state, int column) const;
    void put_in_order();
    QString text(StateId state, int column) const;
    QString tip(StateId state, int column) const;
    QString against_baseline(double number, double base, int column) const;

    Document& document_;
    Costs& costs_;
    Baselines& baselines_;
    TimesOf times_;
    LocalLimit limit_;
    std::optional<StateId> best_;
    std::vector<StateId> rows_;
    int sorted_by_ = -1;
    Qt::SortOrder order_ = Qt::AscendingOrder;
    QString predicted_on_, measured_on_, built_form_;
    std::map<StateId, QString> names_;  // of the rows
    bool seen_ = true, stale_ = false;
};

// What the column's numbers are of where the listing that is counted is not the state's own: "safe form".
QString counted_form(const Costs& costs, int column);

// "L2 serves 12.5 GB of 13.0 GB, HBM3 the other 537 MB": a line for each level; empty without levels.
QString served_text(const std::vector<LevelBytes>& levels);

// "1.5 ms", "12.3 µs".
QString time_text(double seconds);

}  // namespace blockscope
